"""The evening that the guide tells happens as it is told: with its people, and the numbers of its text."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import ROOT
from tests.pages import script
from tests.whole.evening import Evening, effects, left

PAGE = (ROOT / "docs" / "evening.md").read_text(encoding="utf-8")


def told(text: str) -> str:
    """Return a text that the page must hold, whatever its line breaks."""
    assert text in " ".join(PAGE.split()), text
    return text


def drawn_pool(folder: Path) -> tuple[int, int]:
    """Return the light and dark points that the page's pictures are drawn with."""
    with Evening(folder, "narrative") as evening:
        script("screenshots")._scene(evening.running)
        return evening.destiny


def test_the_evening_of_the_guide(tmp_path: Path) -> None:
    with Evening(tmp_path, "narrative") as evening:
        for person in script("screenshots").people_of_the_evening():
            evening.bring(person)
        evening.call(purpose="destiny", players=2)
        roll = evening.throw("force light+light dark")
        assert (roll["net"]["light"], roll["net"]["dark"]) == (2, 1)
        told("here 2 light and 1 dark")
        evening.gm("api/destiny", {"do": "set", "from_roll": roll["id"]})
        assert evening.destiny == drawn_pool(tmp_path / "drawn")  # as in the pictures

        # M05, M06; section 9 of narrative.md: 70.04 %
        called = evening.call("Oskara", "Mechanics", difficulty="average")
        assert called == {"ability": 1, "proficiency": 2, "difficulty": 2}
        told(f"{evening.odds():.0%}".replace("%", " %"))
        roll = evening.throw("ability success+success, proficiency advantage -, difficulty failure -")
        assert told(roll["sentence"]) == "Success with 1 advantage."

        # M11: one upgrade; M20: the point goes over
        evening.call("Oskara", "Mechanics", difficulty="average")
        assert evening.flip("light") == {"proficiency": 3, "difficulty": 2}
        told(f"from 70 to {evening.odds():.0%}".replace("%", " %"))
        assert evening.destiny == (1, 2)
        evening.gm("api/ask", {})
        assert evening.destiny == (2, 1)

        # M26: 9 and 3, less 5
        evening.call("Oskara", weapon="Carbine", against="Troopers")
        roll = evening.throw("ability success advantage+advantage, proficiency success+success, difficulty threat -")
        assert (told(roll["headline"]), effects(roll)) == ("Hit for 7", [("wounds", 7)])
        assert left(roll) == {"success": 3, "advantage": 1}
        assert told(roll["outcome"]["effects"][0]["words"]) == "7 wounds"
        assert evening.apply(roll, "Troopers") == [told("1 of them falls")]
        assert evening.standing("Troopers") == 3
        assert evening.call("Troopers", "Ranged heavy") == {"ability": 1, "proficiency": 2}  # three of them: rank 2
