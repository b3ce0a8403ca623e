"""D6 with dice codes, before and after a roll: codes, difficulties, actions, combining, doubt and die caps.

Source of every number: the rules supplement (S003). Marks such as I6 and O1 name the readings of unclear points in
the project's rules, ``d6-companion.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code

BANDS: Mapping[str, tuple[int, int]] = {
    "very_easy": (3, 5),
    "easy": (6, 10),
    "moderate": (11, 15),
    "difficult": (16, 20),
    "very_difficult": (21, 30),
}
"""Lowest and highest difficulty number of each band."""

COMBAT_BANDS: Mapping[str, str] = {
    "point_blank": "very_easy",
    "short": "easy",
    "medium": "moderate",
    "long": "difficult",
}
KNOWLEDGE_BANDS: Mapping[str, str] = {
    "everyone_knows": "very_easy",
    "common_knowledge": "easy",
    "not_widely_known": "moderate",
    "specialized": "difficult",
    "expert": "very_difficult",
}
GENERAL_KNOWLEDGE_BANDS: Mapping[str, str] = {
    "pretty_ignorant": "very_easy",
    "knows_a_little": "easy",
    "broad": "moderate",
    "specific": "difficult",
    "comprehensive": "very_difficult",
}
MEDPAC_BANDS: Mapping[str, str] = {
    "wounded": "easy",
    "incapacitated": "moderate",
    "mortally_wounded": "difficult",
}
"""The same bands under other names."""

NAMED_BANDS: Mapping[str, str] = {**COMBAT_BANDS, **KNOWLEDGE_BANDS, **GENERAL_KNOWLEDGE_BANDS}
BAND_TITLES: Mapping[str, str] = {
    "point_blank": "Point-blank range",
    "short": "Short range",
    "medium": "Medium range",
    "long": "Long range",
    "everyone_knows": "A fact that everyone knows",
    "common_knowledge": "A fact of common knowledge",
    "not_widely_known": "A fact that is no secret, not widely known",
    "specialized": "A fact for specialists",
    "expert": "A fact for experts",
    "pretty_ignorant": "What the pretty ignorant know",
    "knows_a_little": "A little knowledge",
    "broad": "Broad knowledge",
    "specific": "Specific and detailed knowledge",
    "comprehensive": "Truly comprehensive knowledge",
}

MEDPAC_STEP = 3
"""Added for each medpac used on the patient before on the same day."""

FIRE_MODIFIERS: Mapping[str, int] = {
    "prone": 2,
    "light_cover": 1,
    "medium_cover": 2,
    "heavy_cover": 5,
    "opening": 1,
    "door": 2,
    "window": 3,
    "slit": 4,
    "under_1cm": 15,
    "1_10cm": 10,
    "11_50cm": 5,
    "51_99cm": 2,
    "1_3m": 0,
    "3_9m": -3,
    "10_99m": -5,
    "100m_plus": -10,
}
"""Added to the attacker's difficulty, optional (O2)."""

NEVER_COMBINED = (
    "dodge",
    "parry",
    "melee_parry",
    "brawling_parry",
    "evasion",
    "beast_riding",
    "repulsorlift_operation",
    "starship_piloting",
    "stamina",
    "hide_sneak",
    "bargain",
    "command",
    "gambling",
)
"""Reaction skills, some others, and all Perception skills but search and con."""

OVER_LIMIT_PIPS = 3
UNCERTAINTY_DICE = (2, 4)
"""Fewest and most uncertainty dice; never for combat skills."""

SCALES = ("character", "speeder", "walker", "starfighter", "capital", "death_star")
_CAPS: Mapping[str, tuple[tuple[int | None, ...], ...]] = {
    "to_hit": (
        (6, 6, 6, 6, 6, 6),
        (5, 6, 6, 6, 6, 6),
        (4, 6, 6, 6, 6, 6),
        (3, 4, 5, 6, 6, 6),
        (1, 3, 4, 5, 6, 6),
        (None, None, None, None, 5, 6),
    ),
    "maneuver": (
        (6, 6, 6, 4, 5, 6),
        (6, 6, 6, 4, 5, 6),
        (5, 5, 6, 3, 4, 6),
        (6, 6, 6, 6, 6, 6),
        (6, 6, 6, 5, 6, 6),
        (3, 3, 4, 1, 2, 6),
    ),
    "damage": (
        (6, 3, 2, 2, None, None),
        (6, 6, 5, 5, 4, None),
        (6, 6, 6, 6, 5, None),
        (6, 6, 6, 6, 5, None),
        (6, 6, 6, 6, 6, 1),
        (6, 6, 6, 6, 6, 6),
    ),
}
"""The three scale charts, a row for the scale of the code thrown, a column for the target's (O1)."""

MOST_MULTIPLE = 10
"""How often at most a total is said to hold another, which may be 0 after a die cap. Charts ask for 3."""


def improved(*codes: Code) -> Code:
    """Return the sum of codes as a lasting improvement: three pips are a die."""
    dice, pips = divmod(sum(3 * code.dice + code.pips for code in codes), 3)
    return Code(dice=dice, pips=pips)


def band(name: str, bands: Mapping[str, str] | None = None) -> tuple[int, int]:
    """Return the lowest and highest number of a band, by its own name or by one in ``bands``."""
    table: Mapping[str, object] = BANDS if bands is None else bands
    if name not in table:
        raise GameError(f"no difficulty {name!r}", where="game d6-companion", hint=did_you_mean(name, table))
    return BANDS[name if bands is None else bands[name]]


def fire_modifier(situations: Iterable[str]) -> int:
    """Return what the situations add to the difficulty."""
    named = list(situations)
    for name in named:
        if name not in FIRE_MODIFIERS:
            hint = did_you_mean(name, FIRE_MODIFIERS)
            raise GameError(f"no fire modifier {name!r}", where="game d6-companion", hint=hint)
    return sum(FIRE_MODIFIERS[name] for name in named)


def combined(lead: Code, supporters: Sequence[Code], *, actions: int = 1, limit: int | None = None) -> tuple[int, Code]:
    """Return the bonus pips of a combined action and the code the lead throws.

    Each supporter gives a pip for each whole die left after the penalty for several actions. With more participants
    than the limit, the bonus is lost and each one too many costs pips instead (I7).
    """
    penalty = actions - 1
    over = 1 + len(supporters) - limit if limit is not None else 0
    helped = sum(max(code.plus(-penalty).dice, 0) for code in supporters)
    bonus = -OVER_LIMIT_PIPS * over if over > 0 else helped
    return bonus, lead.plus(-penalty, bonus)


def may_combine(skill: str) -> bool:
    """Return whether a skill may be combined at all."""
    return skill not in NEVER_COMBINED


def combine_limit(codes: Iterable[Code], *, ample_time: bool) -> int | None:
    """Return how many may combine, the lead included (I6): the dice of the best, ``None`` with ample time."""
    return None if ample_time else max(code.dice for code in codes)


def multiple(larger: int, smaller: int, *, strict: bool) -> int:
    """Return how many times the smaller total the larger one exceeds, or reaches where not strict."""
    reached = 0
    for times in range(1, MOST_MULTIPLE + 1):
        if larger > times * smaller or (not strict and larger == times * smaller):
            reached = times
    return reached


MOST_CAP = 6
"""A die cap that drops nothing."""


def capped(faces: Sequence[int], cap: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the faces that count under a die cap and those that do not; pips are untouched (I3)."""
    if not 1 <= cap <= 6:
        raise GameError(f"a die cap of {cap}", where="game d6-companion", hint="Caps are 1 to 6.")
    return tuple(face for face in faces if face <= cap), tuple(face for face in faces if face > cap)


def scale_cap(table: str, thrown: str, target: str) -> int | None:
    """Return the die cap for a code of one scale against another; ``None``: it cannot be done.

    :param table: ``"to_hit"``, ``"maneuver"`` or ``"damage"``, which serves resistance too.
    """
    if table not in _CAPS:
        raise GameError(f"no scale chart {table!r}", where="game d6-companion", hint=did_you_mean(table, _CAPS))
    for scale in (thrown, target):
        if scale not in SCALES:
            raise GameError(f"no scale {scale!r}", where="game d6-companion", hint=did_you_mean(scale, SCALES))
    return _CAPS[table][SCALES.index(thrown)][SCALES.index(target)]
