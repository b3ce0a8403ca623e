"""D6 with dice codes, movement: speed, distance, overspeed, maneuvers, ramming and collisions.

Source of every number: the rules supplement (S003). Marks such as I5 and O3 name the readings of unclear points in
the project's rules, ``d6-companion.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code

OVERSPEED_MODIFIER = 3
REGAIN_MODIFIER = 5
LOST_EVERY = 3
"""Points missed for each speed action that is lost (I5)."""

CRAWL_METRES = 2
NO_MANEUVER_TIMES = 2
"""Against an opponent who does not maneuver, a movement roll that succeeds counts as this multiple."""

RESERVED_MOST = 3
"""Most speed actions that a maneuver reserves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """How far a kind of mover goes in one speed action, in metres.

    :ivar elsewhere: in a secondary medium, as a starfighter in air or a person in water.
    """

    full: int
    half: int
    least: int
    elsewhere: int


MOVERS: Mapping[str, Mover] = {
    "character": Mover(full=10, half=5, least=1, elsewhere=2),
    "walker": Mover(full=100, half=50, least=10, elsewhere=10),
    "repulsorlift": Mover(full=250, half=125, least=100, elsewhere=100),
    "starfighter_or_capital": Mover(full=10_000, half=5_000, least=250, elsewhere=250),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Collision:
    """Damage of a collision at some number of speed actions, or speed in km/h; ``None`` has no upper limit."""

    least: int
    most: int | None
    damage: Code
    least_kmh: int
    most_kmh: int | None


def _row(least: int, most: int | None, dice: int, least_kmh: int, most_kmh: int | None) -> Collision:
    return Collision(least=least, most=most, damage=Code(dice=dice), least_kmh=least_kmh, most_kmh=most_kmh)


COLLISIONS: Mapping[str, tuple[Collision, ...]] = {
    "character": (_row(1, 1, 2, 4, 7), _row(2, 3, 3, 8, 21), _row(4, 7, 5, 22, 50), _row(8, 10, 6, 51, 70)),
    "walker": (_row(1, 1, 6, 51, 70), _row(2, 2, 7, 71, 145), _row(3, 3, 8, 146, 200), _row(4, 4, 9, 201, 360)),
    "speeder": (
        _row(1, 1, 8, 146, 200),
        _row(2, 2, 9, 201, 360),
        # Printed 261, which the row above already holds (O3).
        _row(3, 3, 10, 361, 540),
        _row(4, 4, 11, 541, 720),
        _row(5, 5, 12, 721, 900),
        _row(6, 6, 14, 901, None),
    ),
    "starfighter": (_row(1, None, 14, 901, None),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ram:
    """What a lost ramming contest does to the loser.

    :ivar difficulty: added to the loser's movement roll, ``None`` where none is made.
    """

    difficulty: int | None
    character: str
    vehicle: str
    occupants_collide: bool = False


_RAMS: Mapping[tuple[int, bool], Ram] = {
    (1, False): Ram(difficulty=5, character="wounded", vehicle="heavily_damaged"),
    (1, True): Ram(difficulty=5, character="none", vehicle="none"),
    (2, False): Ram(difficulty=10, character="incapacitated", vehicle="severely_damaged", occupants_collide=True),
    (2, True): Ram(difficulty=10, character="wounded", vehicle="heavily_damaged"),
}
_RAMMED_THRICE = Ram(difficulty=None, character="mortally_wounded", vehicle="destroyed")


def most_speed_actions(base_speed: Code) -> int:
    """Return how many speed actions a base speed allows: its dice, and one more for any pips."""
    return base_speed.dice + (base_speed.pips > 0)


def movement_code(skill: Code, speed: Code | None, *, actions: int) -> Code:
    """Return the code of a movement roll.

    :param speed: the full speed code of a vehicle or mount, ``None`` on foot.
    :param actions: all actions of the round, speed and overspeed actions included.
    """
    whole = skill if speed is None else skill.plus(speed.dice, speed.pips)
    return whole.plus(-max(actions - 1, 0))


def movement_difficulty(terrain: int, overspeed: int = 0) -> int:
    """Return the difficulty of a movement roll."""
    return terrain + OVERSPEED_MODIFIER * overspeed


def regain_difficulty(terrain: int, *, stopped: bool) -> int:
    """Return the difficulty of a movement roll after control was lost."""
    return terrain if stopped else terrain + REGAIN_MODIFIER


def find_mover(name: str) -> Mover:
    """Return a kind of mover, or raise :class:`GameError`."""
    if name not in MOVERS:
        raise GameError(f"no mover {name!r}", where="game d6-companion", hint=did_you_mean(name, MOVERS))
    return MOVERS[name]


def lost_actions(missed_by: int, speed_actions: int) -> int:
    """Return how many plain speed actions a failed movement roll loses."""
    return min(missed_by // LOST_EVERY, speed_actions)


def reserved_actions(times: int) -> int:
    """Return the speed actions that the winner of a maneuver keeps back: the multiple of the loser's total."""
    return min(times, RESERVED_MOST)


def ram(times: int, *, movement_succeeds: bool = False) -> Ram:
    """Return what being rammed does, by the multiple that the winner exceeded."""
    if times < 1:
        raise GameError("nobody was rammed", where="game d6-companion", hint="The winner has the larger total.")
    return _RAMMED_THRICE if times >= 3 else _RAMS[times, movement_succeeds]


def collision(mover: str, speed_actions: int) -> Collision:
    """Return the damage row of a collision."""
    if mover not in COLLISIONS:
        raise GameError(f"no mover {mover!r}", where="game d6-companion", hint=did_you_mean(mover, COLLISIONS))
    for row in COLLISIONS[mover]:
        if row.least <= speed_actions and (row.most is None or speed_actions <= row.most):
            return row
    what = f"{speed_actions} speed actions"
    raise GameError(what, where=f"collision of a {mover}", hint="The chart has no row for that many.")
