"""Rules cases kept as data: for each game, one function a mechanic turns a case's input into what our rules say."""

from __future__ import annotations

from collections.abc import Mapping

from tests.games.d6_companion.cases import MECHANICS as D6_COMPANION
from tests.games.d6_wild.cases import MECHANICS as D6_WILD
from tests.games.heroic.cases import MECHANICS as HEROIC
from tests.games.narrative.cases import MECHANICS as NARRATIVE
from tests.rules.case import Case, Play

MECHANICS: Mapping[str, Mapping[str, Play]] = {
    "narrative": NARRATIVE,
    "heroic": HEROIC,
    "d6-companion": D6_COMPANION,
    "d6-wild": D6_WILD,
}
"""The mechanics that the rules have, by game. A case of any other mechanic fails."""

_SOURCES = {"000_": "narrative", "001_": "d6-wild", "002_": "narrative", "003_": "d6-companion", "004_": "heroic"}


def game_of(case: Case, file: str) -> str:
    """Return the game of a case by the text it was taken from, else by its file's name.

    The two D6 games have mechanics of the same name and other numbers, so that the mechanic alone would not do.
    """
    named = (game for game in MECHANICS if file.startswith(game))
    return _SOURCES.get(str(case.get("source", ""))[:4]) or next(named, file)
