"""D6 with dice codes: what the printed charts of movers, guns, ranges and aims say, and the tracks of harm.

Source of every number: the rules supplement (S003). Marks such as O4 name the readings of unclear points in the
project's rules, ``d6-companion.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.rules.code import Code


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


WOUNDS = ("healthy", "wounded", "incapacitated", "mortally_wounded", "dead")
DAMAGES = ("undamaged", "lightly_damaged", "heavily_damaged", "severely_damaged", "destroyed")
"""The tracks of a person and of a ship or vehicle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranges:
    """Bands of a weapon in metres, each from and to."""

    short: tuple[int, int]
    medium: tuple[int, int] | None = None
    long: tuple[int, int] | None = None

    def band(self, metres: int) -> str | None:
        """Return ``"short"``, ``"medium"`` or ``"long"``, ``None`` out of range or too near."""
        for name, ends in (("short", self.short), ("medium", self.medium), ("long", self.long)):
            if ends is not None and ends[0] <= metres <= ends[1]:
                return name
        return None


def _ranges(least: int, short: int, medium: int, long: int, *, gap: int = 0) -> Ranges:
    return Ranges(short=(least, short), medium=(short + 1, medium), long=(medium + 1 - gap, long))


WEAPON_RANGES: Mapping[tuple[str, str], Ranges] = {
    ("speeder", "light"): _ranges(50, 300, 500, 1_000),
    ("speeder", "medium"): _ranges(50, 300, 800, 1_500),
    ("speeder", "heavy"): _ranges(50, 400, 900, 2_000),
    ("artillery", "light"): _ranges(10, 500, 2_000, 10_000),
    ("artillery", "medium"): _ranges(20, 600, 3_000, 16_000),
    ("artillery", "heavy"): _ranges(50, 600, 5_000, 25_000),
    ("starfighter", "blaster"): _ranges(200, 10_000, 20_000, 35_000),
    ("starfighter", "missiles"): _ranges(250, 4_000, 17_000, 30_000),
    ("starfighter", "laser_cannon"): _ranges(200, 5_000, 25_000, 50_000),
    ("starfighter", "ion_cannon"): _ranges(5, 5_000, 15_000, 75_000),
    ("starfighter", "proton_torpedoes"): Ranges(short=(500, 15_000)),
    # Medium ends and long begins as printed, although they overlap (O4).
    ("capital", "missiles"): _ranges(3_000, 25_000, 60_500, 125_000, gap=500),
    ("capital", "turbolaser"): _ranges(5_000, 30_000, 70_000, 150_000),
    ("capital", "ion_cannon"): _ranges(2_000, 20_000, 50_000, 100_000),
    ("capital", "tractor_beam"): _ranges(1_000, 10_000, 30_000, 60_000),
}


BY_DAMAGE = ("speeder", "artillery")
"""Mounts whose weapons are classed by their damage."""


MOUNTED = (*BY_DAMAGE, *(f"{mount}_{weapon}" for mount, weapon in WEAPON_RANGES if mount not in BY_DAMAGE))


def weapon_class(damage: Code) -> str:
    """Return the class of a speeder or artillery weapon by its dice, whatever the pips."""
    return "light" if damage.dice <= 2 else "medium" if damage.dice <= 4 else "heavy"


DESTROYED_PIPS = 9


FACINGS = 6
"""A ship has so many; a neighbour is one step away, the opposite one as read: two."""


WEAPON_STATES: Mapping[int, str] = {
    1: "-1D fire control",
    2: "out of action until repaired",
    3: "destroyed",
}
"""What points of counter-battery fire do to a weapon."""


SWARM_STATES: Mapping[int, str] = {
    1: "heavily_damaged",
    2: "severely_damaged",
    3: "destroyed",
}
"""What they do to a starfighter of a swarm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What aiming at a part changes, in dice.

    :ivar penetrated: the change of damage holds only where the shields are penetrated or gone.
    """

    hit: int = 0
    damage: int = 0
    penetrated: bool = False
    hull: int = 0


AIMS: Mapping[str, Aim] = {
    "hull": Aim(),
    "sublight_engines": Aim(hit=-2),
    "maneuver": Aim(hit=-3, damage=1, penetrated=True),
    "fire_control": Aim(hit=-4, damage=2, penetrated=True),
    "weapon_beam": Aim(hit=-3),
    "weapon_missile": Aim(hit=-2, damage=-1),
    "command": Aim(hit=-4),
    "vital_location": Aim(hit=-2, hull=-1),
}


POINTED: Mapping[str, Mapping[int, str]] = {
    "weapon_beam": WEAPON_STATES,
    "weapon_missile": WEAPON_STATES,
    "swarm": SWARM_STATES,
}
