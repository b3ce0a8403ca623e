"""D6 with dice codes, the Force: the Dark Side, learning, using powers and what they yield.

Source of every number: the rules supplement (S003).
"""

from __future__ import annotations

from collections.abc import Mapping

from tableside.errors import GameError
from tableside.rules.code import Code
from tableside.rules.d6_companion.combat import damage_row

CALL_BASE, CALL_EACH, CALL_HARMLESS = 6, 3, 10
"""Difficulty of calling on the Dark Side: at first, more for each earlier call, and where no harm is meant."""

LEARNING_WEEKS = 10
UNMASTERED = 5
"""Added to every difficulty of a power that is not mastered, or to the opponent's roll."""

POWERS_A_DIE = 3
OLD_NUMBERS: Mapping[int, str] = {
    5: "very_easy",
    10: "easy",
    15: "moderate",
    20: "difficult",
    30: "very_difficult",
}
"""The old steps of difficulty, and the bands they are read as."""

EMPTINESS_BONUS = 6

FARSEEN: Mapping[int, tuple[str, str]] = {1: ("75%", "50%"), 2: ("all", "75%"), 3: ("all", "all")}
"""What is seen of past or present, and of the future, by the multiple of the difficulty that is reached."""

POSTCOGNITION: Mapping[int, str] = {
    1: "all senses blurred",
    2: "good impression, main sense obscured",
    3: "as if present",
}
DIMMED_SENSES: Mapping[int, int] = {1: 1, 2: 2, 3: 3}
"""Dice that Perception, hiding and searching lose."""

INFLICTED_PAIN: Mapping[int, str] = {1: "stun_1", 2: "stun_2", 3: "unconscious"}
_LIFTS = ((1, "very_easy"), (10, "easy"), (100, "moderate"))
_HEAVY_KG, _HEAVY_STEP = 1_000, 5


def call_difficulty(earlier_calls: int, *, harm_intended: bool) -> int:
    """Return the difficulty of calling on the Dark Side in this adventure."""
    return CALL_BASE + CALL_EACH * earlier_calls + (0 if harm_intended else CALL_HARMLESS)


def is_consumed(dark_side_points: int, face: int) -> bool:
    """Return whether a character who gained a Dark Side Point is lost to the game master."""
    return face <= dark_side_points


def most_powers(skill: Code) -> int:
    """Return how many powers a Force skill allows."""
    return POWERS_A_DIE * skill.dice + skill.pips


def training_cost(skill: Code, teacher: Code | None) -> int:
    """Return the skill points for a pip: the dice of the code, twice without a teacher who is better."""
    return skill.dice * (1 if teacher is not None and teacher > skill else 2)


def learning_weeks(skill_points: int) -> int:
    """Return the weeks that a new Force skill takes."""
    return max(LEARNING_WEEKS - skill_points, 1)


def power_codes(skills: Mapping[str, Code], other_actions: int = 0) -> dict[str, Code]:
    """Return the codes to throw for a power that uses these skills: each further one is an action."""
    penalty = len(skills) + other_actions - 1
    return {name: code.plus(-penalty) for name, code in skills.items()}


def power_difficulty(base: int, *, mastered: bool) -> int:
    """Return the difficulty of a power."""
    return base if mastered else base + UNMASTERED


def emptiness_bonus(dark_side_points: int) -> int:
    """Return what is added to Force rolls after emptiness, for as long as it lasted."""
    return EMPTINESS_BONUS - dark_side_points


def protection_number(difficulty: int, will_roll: int) -> int:
    """Return the total at which a power overcomes Force of will."""
    return difficulty + will_roll


def will_result(attack: int, *, difficulty: int, will_roll: int) -> tuple[str, int]:
    """Return what a power does against Force of will, and the dice the will loses."""
    if attack < difficulty:
        return "no_effect", 0
    if attack < protection_number(difficulty, will_roll):
        return "blocked_and_weakened", 1
    return "full_effect", 0


def injury(alter_total: int, target_total: int) -> str:
    """Return what injuring with the Force does: less than the target nothing, else as damage."""
    return "no_effect" if alter_total < target_total else damage_row(alter_total, target_total).other_attack


def lifting(mass_kg: float) -> tuple[str, int]:
    """Return the band of telekinesis and what is added: five for each further factor of ten above 1000 kg."""
    if not 0 <= mass_kg < 10**30:
        raise GameError(f"a mass of {mass_kg} kg", where="telekinesis", hint="Masses start at 0 and end somewhere.")
    for most, label in _LIFTS:
        if mass_kg <= most:
            return label, 0
    more, most_kg = 0, _HEAVY_KG
    while mass_kg > most_kg:
        more, most_kg = more + _HEAVY_STEP, most_kg * 10
    return "difficult", more
