from __future__ import annotations

from pathlib import Path

import pytest

from tableside.dice import DiceSet, DieType, face_name, face_of, find_sets, load_set
from tableside.dice.taught import set_toml
from tableside.errors import BadFace, DiceSetError, UnknownDiceSet, UnknownFace

GOOD = """
name = "coins"
[[type]]
name = "coin"
solid = "d4"
body = "#ffffff"
ink = "#000000"
faces = [["a"], ["b"], [], ["a", "b"]]
"""


def folder_with(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "coins"
    folder.mkdir()
    (folder / "set.toml").write_text(text)
    return folder


def test_the_narrative_set_has_the_38_faces_a_camera_must_tell_apart() -> None:
    (narrative,) = find_sets(["narrative"])
    assert sum(len(t.distinct_faces) for t in narrative.types) == 38


def test_a_percentile_throw_has_every_number_from_00_to_99_once() -> None:
    (percentile,) = find_sets(["percentile"])
    units, tens = (t.distinct_faces for t in percentile.types)
    assert sorted(int(t) + int(u) for (t,) in tens for (u,) in units) == list(range(100))


@pytest.mark.parametrize("name", ["narrative", "pips"])
def test_every_symbol_of_a_shipped_set_is_drawn(name: str) -> None:
    (dice_set,) = find_sets([name])
    assert not [symbol for symbol in dice_set.symbols if dice_set.drawing(symbol) is None]


def test_a_taught_set_stands_beside_the_shipped_ones(tmp_path: Path) -> None:
    folder_with(tmp_path, GOOD)
    assert "coins" in [s.name for s in find_sets(user_folder=tmp_path)]


def test_a_set_on_request_comes_where_it_is_named_and_beside_all_others_where_that_is_said() -> None:
    assert [one.name for one in find_sets(["polyhedral"])] == ["polyhedral"]
    assert "polyhedral" not in [one.name for one in find_sets()]
    assert [one.name for one in find_sets(besides=["polyhedral"])] == [*(one.name for one in find_sets()), "polyhedral"]


def test_a_misspelt_set_is_answered_with_the_right_name() -> None:
    with pytest.raises(UnknownDiceSet, match="Did you mean narrative"):
        find_sets(["narative"])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('solid = "d4"', 'solid = "d7"', "solid must be one of d4, d6, d8, d10, d12, d20, not 'd7'"),
        ('body = "#ffffff"', 'body = "white"', "body must be a colour such as #1a2b3c, not 'white'"),
        (', ["a", "b"]]', "]", "has 3 faces where a d4 has 4"),
        ('name = "coin"', 'nmae = "coin"', "Did you mean name"),
        ("[[type]]", "[[types]]", "unknown key 'types'. Did you mean type"),
        ('name = "coin"\n', 'name = "coin\\n"\n', "name must be lower-case letters, digits, - and _"),
        ('ink = "#000000"\n', "", "ink is missing"),
        ("faces = [", "faces = [3, ", "faces must be a list of lists of symbols"),
        ("[[type]]", "counts = { a = 3 }\n[[type]]", "counts must be a table that gives each symbol a list"),
        ("[[type]]", "taught = 1\n[[type]]", "taught must be true or false, not 1"),
        ("[[type]]", "[[type", "not valid TOML"),
        ('["a"], ["b"]', str([["a"] * 20_000, ["b"]])[1:-1], "a face has 20000 symbols"),
        ('["a"], ["b"]', f'["{"a" * 41}"], ["b"]', "a face has a symbol of 41 letters"),
        ("[[type]]", f"counts = {{ a = {['b'] * 13} }}\n[[type]]", "counts of 'a' has 13 symbols"),
    ],
)
def test_a_mistake_in_a_set_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(DiceSetError, match=message):
        load_set(folder_with(tmp_path, GOOD.replace(old, new)))


def test_the_order_of_symbols_on_a_face_does_not_matter() -> None:
    assert face_of(["success", "advantage"]) == face_of(["advantage", "success"])


@pytest.mark.parametrize(
    ("face", "words"),
    [((), "blank"), (("threat", "threat"), "2 threat"), (("advantage", "success"), "advantage + success")],
)
def test_a_face_is_said_in_words(face: tuple[str, ...], words: str) -> None:
    assert face_name(face) == words


@pytest.mark.parametrize("symbols", [["success"] * 13, [str(n) for n in range(20_000)], ["s" * 41]])
def test_what_no_face_can_be_is_refused(symbols: list[str]) -> None:
    with pytest.raises(BadFace, match="at most 12 symbols of 40 letters"):
        face_of(symbols)


def test_the_symbols_of_a_face_are_counted_in_one_go() -> None:
    compared = 0

    class Symbol(str):
        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, str(other))

        __hash__ = str.__hash__

    face = tuple(Symbol(f"s{number}") for number in range(400))
    assert face_name(face).count("+") == 399
    assert compared <= 10 * len(face)


def test_a_face_that_is_not_on_the_die_is_refused() -> None:
    with pytest.raises(UnknownFace):
        find_sets(["pips"])[0].type("pip").check_face(["7"])


def test_a_taught_set_is_written_whole_and_read_back(tmp_path: Path) -> None:
    kind = DieType(
        name="coin", title='Münze 🎲 "x"\n\x7f', solid="d4", body="#ffffff", ink="#000000", faces=(("star",), ()),
        any_colour=True, plays_as="pip",
    )  # fmt: skip
    folder = tmp_path / "coins"
    folder.mkdir()
    taught = DiceSet(
        name="coins", title="🪙", types=(kind,), folder=folder, taught=True, counts=(("star", ("success",)),)
    )
    (folder / "set.toml").write_text(set_toml(taught, "coins"), encoding="utf-8")
    assert load_set(folder) == taught
