"""Who has rolled under a call of several, and in which order they end. All of it follows from the rolls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tableside.errors import GameError
from tableside.record import Record
from tableside.rules import find_game
from tableside.table.kept import Entrant, Roll, TableState
from tableside.words import own, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one of several has rolled.

    :ivar merit: what the game ranks by, ``None`` while the roll is not whole.
    """

    entrant: Entrant
    roll: Roll
    merit: tuple[int, ...] | None


def standings_of(state: TableState) -> tuple[Standing, ...]:
    """Return how those who have rolled stand, in the order in which they are named."""
    rolled = [(one, state.roll_of(one)) for one in state.contest.entrants]
    return tuple(Standing(entrant=one, roll=roll, merit=_merit(roll)) for one, roll in rolled if roll is not None)


def _merit(roll: Roll) -> tuple[int, ...] | None:
    if not roll.is_whole:
        return None
    try:
        return find_game(roll.game).merit(dict(roll.net))
    except GameError:  # a game that is no longer installed
        return None


class EntrantTold(Record, frozen=True, kw_only=True):
    """One of several who roll under one call."""

    who: str
    name: str


class Place(EntrantTold, frozen=True, kw_only=True):
    """How one of several has rolled.

    :ivar place: from 1, ``None`` while the roll is not whole. :ivar roll: its id.
    """

    texts = ("headline",)

    place: int | None
    roll: str
    net: Mapping[str, int]
    succeeded: bool | None
    outcome: str
    sure: bool
    headline: str


_RENAMED = {"label": "for", "is_hidden": "hidden", "is_done": "done", "is_initiative": "initiative"}


class Standings(Record, frozen=True, kw_only=True, rename=_RENAMED):
    """How a call of several stands.

    :ivar is_initiative: they throw for the order of a fight. :ivar places: best first.
    :ivar waiting: who have not rolled.
    """

    texts = ("sentence",)

    id: str
    game: str
    label: str
    is_hidden: bool
    is_initiative: bool
    is_done: bool
    winner: EntrantTold | None
    places: tuple[Place, ...]
    waiting: tuple[EntrantTold, ...]
    sentence: str


def standings_now(state: TableState, *, sees_hidden: bool) -> Standings | None:
    """Return the call of several as a display shows it, best first; alike results share a place and nobody wins.

    :param sees_hidden: for the game master. For all others a hidden roll is as if it had not been thrown.
    """
    contest = state.contest
    if not contest.id or (contest.is_hidden and not sees_hidden):
        return None
    shown = [one for one in standings_of(state) if sees_hidden or not one.roll.is_hidden]
    ranked = sorted((one for one in shown if one.merit is not None), key=lambda one: one.merit or (), reverse=True)
    places = [1 + sum((other.merit or ()) > (one.merit or ()) for other in ranked) for one in ranked]
    rolled = [one.entrant for one in shown]
    left = [one for one in contest.entrants if one not in rolled]
    is_done = not left and len(ranked) == len(shown) and all(one.roll.sure for one in shown)
    best = [one for one, place in zip(ranked, places, strict=True) if place == 1]
    winner = best[0].entrant if is_done and len(best) == 1 and best[0].roll.succeeded is not False else None
    sentence = _sentence(best, winner) if is_done else ""
    unranked = [(one, None) for one in shown if one.merit is None]
    return Standings(
        id=contest.id,
        game=contest.game,
        label=contest.label,
        is_hidden=contest.is_hidden,
        is_initiative=contest.is_initiative,
        is_done=is_done,
        winner=None if winner is None else EntrantTold(who=winner.who, name=winner.name),
        places=tuple(_place_of(one, place) for one, place in [*zip(ranked, places, strict=True), *unranked]),
        waiting=tuple(EntrantTold(who=one.who, name=one.name) for one in left),
        sentence=sentence,
    )


def _sentence(best: Sequence[Standing], winner: Entrant | None) -> str:
    if winner is not None:
        return say("{name} wins.", name=own(winner.name))
    if all(one.roll.succeeded is False for one in best):
        return "Nobody succeeds."
    return say("Nobody wins: {names} are level.", names=[own(one.entrant.name) for one in best])


def _place_of(one: Standing, place: int | None) -> Place:
    roll = one.roll
    return Place(
        who=one.entrant.who, name=one.entrant.name, place=place, roll=roll.id, net=dict(roll.net),
        succeeded=roll.succeeded, outcome=roll.word, sure=roll.sure, headline=roll.headline,
    )  # fmt: skip
