"""The odds of a call are worked out once, whoever asks for them."""

from __future__ import annotations

from typing import Any

import pytest

from tableside.rules import find_game
from tests.adapters.test_web_access import Call, Role, app, clock, paired, pairing, screen, table  # noqa: F401
from tests.adapters.test_web_turn import add


def test_what_a_phone_looked_at_is_not_worked_out_again_once_it_is_called(
    paired: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gm: Call = paired(Role.GM, "Mara")
    game = type(find_game("narrative"))
    worked_out: list[dict[str, Any]] = []
    real = game.odds

    def counted(self: Any, ask: dict[str, Any]) -> Any:
        worked_out.append(dict(ask))
        return real(self, ask)

    monkeypatch.setattr(game, "odds", counted)
    ask = {"game": "narrative", "ask": {"characteristic": 5, "skill": 4, "boost": 3, "difficulty": "daunting"}}
    status, told = gm("/api/odds", ask)
    assert (status, len(worked_out)) == (200, 1)
    _, state = gm("/api/ask", ask | {"odds_for": "all"})
    assert state["call"]["odds"]["success"] == pytest.approx(told["chances"][0]["chance"])
    assert gm("/api/odds")[0] == 200
    assert [one for one in worked_out if one == worked_out[0]] == worked_out[:1]


def test_the_odds_of_an_attack_tell_the_whole_of_it(paired: Any) -> None:  # noqa: F811
    """In a game with dice codes the weapon says the damage, and the target what it throws against that."""
    gm: Call = paired(Role.GM, "Mara")
    rules = find_game("d6-wild")
    blaster = {
        "name": "Pistol",
        "skill": "Blaster",
        "ask": {"difficulty": 10},
        "damage": {"code": "4D", "purpose": "damage"},
    }
    kesh = {
        "name": "Kesh",
        "game": "d6-wild",
        "skills": [{"name": "Blaster", "ask": {"code": "4D"}}],
        "weapons": [blaster],
    }
    guard = {
        "name": "Guard",
        "game": "d6-wild",
        "kind": "person",
        "skills": [{"name": "Strength", "ask": {"code": "2D+1"}}],
    }
    people = {"Kesh": add(gm, kesh), "Guard": add(gm, guard)}
    shot = {"who": people["Kesh"], "weapon": "Pistol", "against": people["Guard"]}
    _, told = gm("/api/odds", shot)
    whole = rules.attack(
        {"code": "4D", "difficulty": 10}, damage={"code": "4D", "purpose": "damage"}, resists={"code": "2D+1"}
    )
    assert told["attack"] == whole.shown.to_json()
    _, given = gm("/api/odds", shot | {"damage_roll": {"code": "6D"}, "resists": {"code": "1D"}})
    assert given["attack"]["hurts"] > told["attack"]["hurts"]
    _, alone = gm("/api/odds", {"who": people["Kesh"], "weapon": "Pistol"})
    assert alone["attack"] is None


def test_a_whole_attack_of_too_many_dice_is_refused(paired: Any) -> None:  # noqa: F811
    gm: Call = paired(Role.GM, "Mara")
    ask = {"game": "d6-wild", "ask": {"code": "4D", "difficulty": 10}, "damage_roll": {"code": "90D"}}
    status, told = gm("/api/odds", ask)
    assert (status, told["error"]["what"]) == (400, "90 dice are too many to tell at once")
