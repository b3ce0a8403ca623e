"""D6 with dice codes, reference data: capital ships and small codes; facings and fire from several ships.

Source of every number: the rules supplement (S003), sections 5, 7 and 10 of the project's rules. O9 marks a doubtful
scan.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code
from tableside.rules.d6_companion.capital import damage_code, guns_modifier, hit_code

FACINGS = 6
"""A ship has so many; a neighbour is one step away, the opposite one as read: two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guns:
    """The weapons of one type on a ship; ``damage`` is ``None`` where the scan is unsure (O9)."""

    count: int
    type: str
    fire_control: Code
    damage: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CapitalShip:
    """A ship's codes on the capital scale; ``hyperdrive`` multiplies travelling times."""

    hyperdrive: int
    sublight: Code
    maneuver: Code
    hull: Code
    shields: Code
    guns: tuple[Guns, ...]


_FLEET = """
Corellian corvette | 2 | 3D | 2D | 4D | 2D | 6 turbolaser 2D 4D+2
Escort frigate | 2 | 2D | 1D | 4D+2 | 2D | 12 turbolaser 3D 4D; 12 laser cannon 2D 2D
Mon Cal cruiser | 1 | 3D | 2D | 6D | 3D | 48 turbolaser 2D 4D; 20 ion 3D 3D; 6 tractor 2D+2 4D
Container ship | 3 | 1D | 0D | 2D+2 | 1D |
Bulk freighter | 3 | 1D | 0D | 3D | 1D |
Luxury liner | 2 | 3D+1 | 0D | 4D | 1D |
Rebel transport | 2 | 3D | 1D | 5D+2 | 2D |
Assault shuttle | 2 | 4D | 2D | 3D+2 | 4D+2 | 4 laser 3D 2D; 1 tractor 4D 5D+2
Lancer frigate | 2 | 2D | 1D | 4D | 2D+2 | 20 quad laser 4D 4D
Carrack | 1 | 4D | 2D | 5D | 2D+2 | 10 heavy turbolaser 1D 7D; 20 laser 3D 2D; 5 tractor 2D 4D
Star galleon | 2 | 1D+2 | 1D | 5D+2 | 2D | 10 turbolaser 3D 4D; 10 missile 5D 5D
Strike cruiser | 2 | 3D | 2D | 6D | 2D+2 | 20 turbolaser 2D 5D; 10 turbolaser battery 1D 7D; 10 ion 4D 4D; 10 tractor 2D 4D
Carrier | 1 | 2D | 1D | 7D+1 | 2D | 10 twin laser 3D 3D
Interdictor | 2 | 3D | 1D | 5D | 3D | 20 quad laser 2D 4D; 4 gravity well 6D ?
Dreadnought | 2 | 2D | 1D | 5D+2 | 2D+1 | 10 laser 3D 2D; 20 quad laser 2D 4D; 10 turbolaser battery 1D 7D
Victory I | 1 | 2D | 1D | 4D | 3D+1 | 10 quad turbolaser 4D 5D; 40 double turbolaser 3D 2D+2; 80 missile 2D 9D; 10 tractor 3D 6D
Victory II | 1 | 3D | 1D | 4D+2 | 3D | 20 turbolaser battery 1D 7D; 20 turbolaser 2D 5D; 10 ion 4D 4D; 10 tractor 2D 6D
ISD I | 2 | 3D | 1D | 7D | 3D | 60 turbolaser battery 4D 5D; 60 ion 2D+2 3D; 10 tractor 4D 6D
ISD II | 1 | 3D | 1D | 7D+1 | 2D+2 | 50 heavy turbolaser 0D 10D; 50 heavy turbolaser 1D 7D; 20 ion 4D 4D; 10 tractor 4D 6D
Torpedo sphere | 3 | 1D | 0D | 9D+2 | 2D | 10 turbolaser battery 0D ?; 500 missile 2D 9D
Super SD | 2 | 2D | 0D | 10D | 8D | 250 turbolaser battery 1D 7D; 250 heavy 0D 10D; 250 missile 2D 9D; 250 ion 4D 4D; 40 tractor 4D 9D
Loronar FSCV | 2 | 0D | 0D | 8D | 0D |
"""  # noqa: E501


def _guns(text: str) -> tuple[Guns, ...]:
    found = []
    for part in filter(None, map(str.strip, text.split(";"))):
        match = re.fullmatch(r"(\d+) (.+) (\S+) (\S+)", part)
        if match is None:
            raise GameError(f"no guns {part!r}", where="capital ships", hint="Write 12 turbolaser 3D 4D.")
        count, kind, control, damage = match.groups()
        code = None if damage == "?" else Code.of(damage)
        found.append(Guns(count=int(count), type=kind, fire_control=Code.of(control), damage=code))
    return tuple(found)


def _ships(table: str) -> Mapping[str, CapitalShip]:
    ships = {}
    for line in table.strip().splitlines():
        name, hyperdrive, *codes, guns = (part.strip() for part in line.split("|"))
        sublight, maneuver, hull, shields = map(Code.of, codes)
        ships[name] = CapitalShip(
            hyperdrive=int(hyperdrive),
            sublight=sublight,
            maneuver=maneuver,
            hull=hull,
            shields=shields,
            guns=_guns(guns),
        )
    return MappingProxyType(ships)


CAPITAL_SHIPS = _ships(_FLEET)

STARFIGHTER_CODES: Mapping[str, Mapping[str, str]] = {"Y-wing": {"shields": "3D+2", "hull": "2D+2"}}
SPECIALIST = Code(dice=4)
"""What specialists among the game master's people have in their specialty."""

CLIMBING_ROPE = Code(dice=3)
"""Its Strength; it holds until it would be incapacitated."""

STRENGTH_WEAPONS: Mapping[str, Code] = {
    "ceremonial whip": Code(dice=1),
    "costume rod": Code(dice=1, pips=1),
    "crude vibroaxe": Code(dice=1, pips=2),
}
"""Codes that are added to Strength in play, where pips never turn into dice (I13)."""

SUITS: Mapping[str, str] = {
    "emergency": "after 72 hours of use a leak counts as a wound; after 120 hours the wearer dies",
    "utility": "a puncturing attack that wounds the wearer adds one more wound",
    "high quality": "leaks only from a mortal wound",
}
"""What space suits do when they are hit or used up."""


def find_ship(name: str) -> CapitalShip:
    """Return the ship of this name, or raise :class:`GameError`."""
    if name not in CAPITAL_SHIPS:
        raise GameError(f"no ship {name!r}", where="capital ships", hint=did_you_mean(name, CAPITAL_SHIPS))
    return CAPITAL_SHIPS[name]


def coordinated(
    own: Guns, own_guns: int, crew: Code, *, other_guns: Sequence[int] = (), other_types: Sequence[str] = ()
) -> tuple[Code, Code | None]:
    """Return the code to hit, for which all ships' guns count, and the damage, for which only one's own do.

    :param other_types: what the other ships fire; ion and other guns cannot be coordinated.
    """
    if any((kind == "ion") is not (own.type == "ion") for kind in other_types):
        hint = "Ion and other guns cannot be coordinated."
        raise GameError(f"{own.type} with {', '.join(other_types)}", where="coordinated attack", hint=hint)
    to_hit = hit_code(own.fire_control, crew, guns_modifier(own_guns + sum(other_guns)))
    return to_hit, None if own.damage is None else damage_code(own.damage, guns_modifier(own_guns))


def reachable_facings(facing: int, reserved_speed_actions: int) -> tuple[int, ...]:
    """Return the facings, 0 to 5, that can be turned to the one opponent.

    Each speed action that a maneuver action reserved moves to a neighbour; the opposite one is two steps away.
    """
    if not 0 <= facing < FACINGS or reserved_speed_actions < 0:
        hint = f"Facings are 0 to {FACINGS - 1}, and actions start at 0."
        raise GameError(f"facing {facing}, {reserved_speed_actions} actions", where="facing", hint=hint)
    half = FACINGS // 2

    def steps(other: int) -> int:
        apart = min((other - facing) % FACINGS, (facing - other) % FACINGS)
        return half - 1 if apart == half else apart

    return tuple(other for other in range(FACINGS) if steps(other) <= reserved_speed_actions)
