"""The odds of a call are worked out once, whoever asks for them."""

from __future__ import annotations

from typing import Any

import pytest

from tableside.rules import find_game
from tests.adapters.test_web_access import Call, Role, app, clock, paired, pairing, screen, table  # noqa: F401


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
