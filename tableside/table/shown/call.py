"""The open call as a display shows it: its dice, what lies in the tray of them, and its chances."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tableside.errors import GameError
from tableside.record import Record
from tableside.rules import Game, Throw, find_game
from tableside.rules.game import Prospect
from tableside.table.kept import Call, Seen, TableState

MOST_ODDS_DICE = 24
"""Exact odds of more dice take seconds; who wants them asks the command."""


class Flip(Record, frozen=True, kw_only=True):
    """A point that may still join the call.

    :ivar side: ``"light"`` or ``"dark"``. :ivar odds: the chances after it.
    """

    side: str
    odds: Mapping[str, float] = {}


class OpenCall(Record, frozen=True, kw_only=True, rename={"label": "for"}):
    """The open call.

    :ivar who: the id of the person, ``""`` where nobody is named. :ivar label: what it is for.
    :ivar dice: types with numbers. :ivar laid: what lies in the tray. :ivar missing, extra: against each other.
    :ivar pips: what is added to the total of the dice. :ivar wanted: what the total has to reach, with the odds.
    :ivar odds: chances by name, empty where the answers do not tell the dice or nobody may see them.
    """

    who: str = ""
    label: str = ""
    dice: Mapping[str, int] = {}
    laid: Mapping[str, int] = {}
    missing: Mapping[str, int] = {}
    extra: Mapping[str, int] = {}
    pips: int = 0
    wanted: int | None = None
    odds: Mapping[str, float] = {}
    flips: tuple[Flip, ...] = ()


def call_of(state: TableState, *, knows_odds: bool = True) -> OpenCall | None:
    """Return the open call, ``None`` where there is none; for who may not know its odds, without them."""
    ask = state.asked
    try:
        game = find_game(ask.game) if ask.id else None
    except GameError:  # an old log may tell of a game that is no longer installed
        return None
    if game is None:
        return None
    settings = state.setup.answers(game.name)
    dice = Counter(dict(ask.tray.dice)) if ask.tray else Counter[str]()
    lying = Counter(dict(state.laid))
    prospect = _prospect(game, {**settings, **ask.answers}, ask.tray)
    wanted = prospect.difficulty if prospect and knows_odds else None
    return OpenCall(
        who=ask.who,
        label=ask.label,
        dice=dict(dice),
        laid=dict(lying),
        missing=dict(dice - lying) if lying else {},
        extra=dict(lying - dice),
        pips=prospect.pips if prospect else 0,
        wanted=wanted if isinstance(wanted, int) else None,
        odds=_odds_of(prospect) if knows_odds else {},
        flips=tuple(_flips(ask, game, settings, knows_odds=knows_odds)),
    )


def may_know_odds(ask: Call, *, sees_hidden: bool) -> bool:
    """Tell whether somebody may see the odds of a call."""
    return ask.odds_for is Seen.ALL or (sees_hidden and ask.odds_for is not Seen.NOBODY)


def _flips(ask: Call, game: Game, settings: Mapping[str, Any], *, knows_odds: bool) -> list[Flip]:
    found = []
    for side in ("light", "dark"):
        try:
            answers = game.characters.flip(ask.answers, side)
            if answers is None:
                continue
            tray = game.tray({**settings, **answers})
        except GameError:  # the rules allow no further point
            continue
        odds = _odds_of(_prospect(game, {**settings, **answers}, tray)) if knows_odds else {}
        found.append(Flip(side=side, odds=odds))
    return found


def _prospect(game: Game, answers: Mapping[str, Any], tray: Throw | None) -> Prospect | None:
    if tray is not None and tray.count > MOST_ODDS_DICE:
        return None
    try:
        return prospect_of(game, answers)
    except GameError:  # the answers do not tell what is thrown
        return None


def _odds_of(prospect: Prospect | None) -> dict[str, float]:
    return {name: float(chance) for name, chance in prospect.chances} if prospect else {}


def prospect_of(game: Game, answers: Mapping[str, Any]) -> Prospect:
    """Return the exact odds of a call as pages draw them, without their joint distribution.

    They are worked out one at a time, so that nobody keeps the table's machine busy. The last ones are remembered,
    whoever asked for them: what a phone looks at before it calls is known to all screens once it is called.
    """
    return _cached_prospect(game, json.dumps(answers, sort_keys=True, default=str))


_busy = threading.Lock()


@lru_cache(maxsize=256)
def _cached_prospect(game: Game, answers: str) -> Prospect:
    with _busy:  # what is known waits for nobody
        return _worked_out(game, answers)


@lru_cache(maxsize=256)
def _worked_out(game: Game, answers: str) -> Prospect:
    """Work the odds out, once also for two who ask at the same time."""
    return replace(game.odds(json.loads(answers)), form={})
