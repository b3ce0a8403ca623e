"""D6 with dice codes: the Force powers and their difficulties (S003, section on the Force)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_WORDS: Mapping[str, str] = {
    "VE": "very_easy",
    "E": "easy",
    "M": "moderate",
    "D": "difficult",
    "VD": "very_difficult",
}
PROXIMITY, RELATIONSHIP = "proximity", "relationship"
RESIST = "resist"
"""In place of a band: the target's Perception or Control roll."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What one skill of a power must reach.

    :ivar by: what the cases differ by, such as ``"state"``; empty where they name themselves.
    :ivar cases: each case with its band, ``RESIST`` or a number that is added. A power of one case calls it ``base``.
    :ivar add: modifiers.
    """

    by: str
    cases: tuple[tuple[str, str], ...]
    add: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A Force power by the skills it uses; ``dark_side_point``: using it gives one at once."""

    control: Need | None = None
    sense: Need | None = None
    alter: Need | None = None
    dark_side_point: bool = False


def _need(text: str, *add: str, by: str = "") -> Need:
    """Read ``"wounded VE; stunned E"``; a band alone is the base."""
    cases = []
    for part in text.split("; "):
        name, _, band = part.rpartition(" ")
        cases.append((name or "base", _WORDS.get(band, band)))
    return Need(by=by, cases=tuple(cases), add=add)


_TELEPATHY = "willing VE; unwilling resist"
_POISON = "alcohol VE; mild poison E; average poison M; virulent poison D; neurotoxin VD"
_DISEASE = (
    "mild infection VE; high fever E; serious sickness M; life-threatening disease D; massive long-standing disease VD"
)
_HURT = "wounded E; incapacitated M; mortally_wounded D"
_OUT = "incapacitated E; mortally_wounded D"

POWERS: Mapping[str, Power] = {
    "control pain": Power(
        control=_need(
            "wounded VE; incapacitated_conscious E; mortally_wounded_conscious D; stunned E; "
            "stunned_after_revival_by_power M",
            by="state",
        )
    ),
    "remain conscious": Power(control=_need(_OUT, by="state")),
    "hibernation trance": Power(control=_need("D")),
    "accelerate healing": Power(control=_need(_HURT, by="state")),
    "contort/escape": Power(
        control=_need(
            "loose bonds VE; hand binders E; serious restraints M; maximum security D; escape-artist level VD",
            by="restraint",
        )
    ),
    "detoxify poison": Power(control=_need(_POISON, by="poison")),
    "control disease": Power(control=_need(_DISEASE, by="disease")),
    "absorb/dissipate energy": Power(
        control=_need(
            "sunburn VE; intense sun E; solar wind M; radiation storm D; blaster bolt M",
            "the blaster's damage roll against a blaster bolt",
            by="energy",
        )
    ),
    "receptive telepathy": Power(sense=_need(_TELEPATHY, PROXIMITY, RELATIONSHIP)),
    "magnify senses": Power(sense=_need("VE", PROXIMITY)),
    "life sense": Power(sense=_need("VE", PROXIMITY, RELATIONSHIP, "target's Control roll if it hides")),
    "instinctive astrogation": Power(sense=_need("M")),
    "projective telepathy": Power(
        control=_need("VE", PROXIMITY, "+5 if the thought cannot be spoken"),
        sense=_need(_TELEPATHY, RELATIONSHIP),
    ),
    "farseeing": Power(
        control=_need("VE", PROXIMITY, "+5 past", "+10 future"),
        sense=_need(_TELEPATHY, RELATIONSHIP),
    ),
    "telekinesis": Power(
        alter=_need(
            "up to 1 kg VE; 1-10 kg E; 11-100 kg M; 101-1000 kg D; each further factor of 10 +5",
            PROXIMITY,
            "unwilling target's Perception or Control roll",
            by="mass",
        )
    ),
    "injure/kill": Power(alter=_need(RESIST), dark_side_point=True),
    "control another's pain": Power(
        control=_need("VE", PROXIMITY, RELATIONSHIP),
        alter=_need(_HURT, by="state"),
    ),
    "inflict pain": Power(
        control=_need("VE", PROXIMITY),
        alter=_need(RESIST, PROXIMITY),
        dark_side_point=True,
    ),
    "return to consciousness": Power(control=_need("E", PROXIMITY), alter=_need(_OUT, by="state")),
    "place in hibernation trance": Power(control=_need("VE", RELATIONSHIP), alter=_need("VE", PROXIMITY)),
    "accelerate another's healing": Power(control=_need("VE", RELATIONSHIP), alter=_need("VE", PROXIMITY)),
    "detoxify poison in another": Power(
        control=_need("VE", RELATIONSHIP),
        alter=_need(_POISON, PROXIMITY, by="poison"),
    ),
    "control another's disease": Power(
        control=_need("VE", RELATIONSHIP),
        alter=_need(_DISEASE, PROXIMITY, by="disease"),
    ),
    "transfer force": Power(control=_need("E", RELATIONSHIP), alter=_need("M", PROXIMITY)),
    "affect mind": Power(
        control=_need("perceptions VE; memories E; conclusions M", PROXIMITY, by="target"),
        sense=_need(RESIST, RELATIONSHIP),
        alter=_need(
            "slight VE; brief E; short M; two senses or last minute D; all senses or major VD",
            by="depth",
        ),
    ),
    "telekinetic kill": Power(
        control=_need("E", PROXIMITY),
        sense=_need("E", PROXIMITY),
        alter=_need(RESIST),
        dark_side_point=True,
    ),
    "emptiness": Power(control=_need("enter M; leave D")),
    "force of will": Power(control=_need("VE")),
    "postcognition": Power(
        sense=_need(
            "under 2 hours E; 2 hours to 1 week M; 1 week to 2 years D; over 2 years VD",
            by="age",
        )
    ),
    "sense force": Power(sense=_need("area VE; details D", PROXIMITY)),
    "shift sense": Power(sense=_need("M")),
    "dim other's senses": Power(sense=_need("E", PROXIMITY), alter=_need(RESIST)),
}
