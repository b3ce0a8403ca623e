"""D6 with dice codes: what lasts on somebody for a while, each made of the number that a roll or an act gives it.

Source of every number: the rules supplement (S003).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tableside.games.d6.characters import PRONE
from tableside.games.d6_companion.ask import Ask
from tableside.rules.form import answers
from tableside.rules.people import Lasting

OFFICERS: Mapping[str, str] = {
    "pilot": "Orders for the pilot",
    "gunner": "Orders for the gunners",
    "shields": "Orders for the shields",
}
UNCOMMANDED_PENALTY = 1
"""Dice that an officer loses whom nobody commands."""
COMMANDED = 2
"""The number of an order from which on somebody is commanded; each beyond it is a pip."""
PARTS: Mapping[str, tuple[str, ...]] = {
    "evasion": ("", "strength", "senses", "gunner", "shields"),
    "strained": ("shields",),
    "pilot_orders": ("pilot", "engines"),
    "gunner_orders": ("gunner",),
    "shields_orders": ("shields",),
}
"""The parts whose rolls each joins, where it is not all (evasion_side_effects, capital_shields, command_allocation)."""

_FIRE = answers(Ask, fire=("prone",))
NAMES = ("prone", "haste", "reaction_haste", "evasion", "shields", "strained", *(f"{one}_orders" for one in OFFICERS))
"""Of all, as the trackers were called that stood for them in older versions."""


def lasting(name: str, number: int = 1) -> Lasting:
    """Return what lasts by this name, with its number."""
    of_round = partial(Lasting, id=name, until="round")
    match name:
        case "prone":
            return Lasting(name=PRONE.name, words=PRONE.words, ask={"crawling": True}, near=_FIRE, afar=_FIRE)
        case "haste":
            return of_round(name="Haste of actions", ask=answers(Ask, haste=number))
        case "reaction_haste":
            ask, against = answers(Ask, haste_declared=number), answers(Ask, reaction_haste=number)
            return of_round(name="Haste of reactions", ask=ask, against=against)
        case "evasion":
            return of_round(name="A full evasion", ask=answers(Ask, own_evasion=number))
        case "shields":
            met = answers(Ask, shields=number)
            return of_round(name="Shields up", near=met, afar=met)
        case "strained":
            return of_round(name="Shields strained", ask=answers(Ask, less=1))
    title = OFFICERS[name.removesuffix("_orders")]
    if number < COMMANDED:
        return of_round(name=title, words="Nobody commands", ask=answers(Ask, less=UNCOMMANDED_PENALTY))
    return of_round(name=title, ask=answers(Ask, pips=number - COMMANDED))
