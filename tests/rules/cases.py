"""Rules cases kept as data: for each game, one function a mechanic turns a case's input into what our rules say."""

from __future__ import annotations

from collections.abc import Mapping

from tests.rules import cases_d6_companion, cases_d6_wild, cases_heroic, cases_narrative
from tests.rules.case import Case, Play

MECHANICS: Mapping[str, Mapping[str, Play]] = {
    "narrative": cases_narrative.MECHANICS,
    "heroic": cases_heroic.MECHANICS,
    "d6-companion": cases_d6_companion.MECHANICS,
    "d6-wild": cases_d6_wild.MECHANICS,
}
"""The mechanics that the rules have, by game. A case of any other mechanic fails."""

_SOURCES = {"000_": "narrative", "001_": "d6-wild", "002_": "narrative", "003_": "d6-companion", "004_": "heroic"}


def game_of(case: Case, file: str) -> str:
    """Return the game of a case by the text it was taken from, else by its file's name.

    The two D6 games have mechanics of the same name and other numbers, so that the mechanic alone would not do.
    """
    named = (game for game in MECHANICS if file.startswith(game))
    return _SOURCES.get(str(case.get("source", ""))[:4]) or next(named, file)
