"""D6 with dice codes, the Force: the Dark Side, learning, and the roll that a power is used with.

Source of every number: the rules supplement (S003).
"""

from __future__ import annotations

from tableside.games.d6_companion.ask import Ask
from tableside.games.d6_companion.powers import POWERS, PROXIMITY, RELATIONSHIP, Need, Power
from tableside.games.d6_companion.purpose import Purpose, Purposes, said_too
from tableside.rules.code import Code
from tableside.rules.form import Only, choice, flag, number, with_purpose
from tableside.rules.form import code as dice_code
from tableside.rules.game import Outcome
from tableside.rules.people import Effect, Lasting

CALL_BASE, CALL_EACH, CALL_HARMLESS = 6, 3, 10
"""Difficulty of calling on the Dark Side: at first, more for each earlier call, and where no harm is meant."""

LEARNING_WEEKS = 10
UNMASTERED = 5
"""Added to every difficulty of a power that is not mastered, or to the opponent's roll."""

POWERS_A_DIE = 3
UNSPOKEN, SEEN = 5, {"present": 0, "past": 5, "future": 10}
"""What a thought that cannot be spoken, the past and the future add to the Control difficulty."""

_LIFTS = ((1, "very_easy"), (10, "easy"), (100, "moderate"))
_HEAVY_KG, _HEAVY_STEP = 1_000, 5

SKILLS = ("control", "sense", "alter")
"""The skills in the order in which a power rolls them."""


def needs_of(power: Power) -> dict[str, Need]:
    """Return what each skill of a power must reach, in the order of the rolls."""
    return {name: need for name in SKILLS if (need := getattr(power, name)) is not None}


def cases_of(skill: str) -> tuple[str, ...]:
    """Return the names of all cases that powers tell apart for a skill."""
    needs = [need for power in POWERS.values() if (need := needs_of(power).get(skill)) and need.by != "mass"]
    return tuple(dict.fromkeys(case for need in needs for case, _ in need.cases if case != "base"))


def with_cases(skill: str) -> tuple[str, ...]:
    """Return the powers that tell cases apart for a skill; how heavy something is, its mass tells."""
    return tuple(name for name, power in POWERS.items()
                 if (need := needs_of(power).get(skill)) and len(need.cases) > 1 and need.by != "mass")  # fmt: skip


class DarkSideCall(Ask):
    """What a call on the Dark Side is asked for besides."""

    purposes = ("dark_side_call",)

    dark_calls: int = number("Earlier calls in this adventure", "dark_side_call", filled_by="card")
    harm: bool = flag(
        "An action is meant to harm",
        "dark_side_call",
        default=True,
        help="Where none is, the call is 10 more difficult.",
    )


def _with_power(*powers: str) -> Only:
    """Return ``Field.only`` of what these powers ask for."""
    return (*with_purpose("power"), ("power", powers))


class PowerAsk(Ask):
    """What a Force power is asked for besides."""

    purposes = ("power",)

    power: str = choice(
        "Power",
        tuple(POWERS),
        "force_power",
        help="Each of its skills is thrown in turn, and each has to reach its difficulty.",
    )
    control: Code | None = dice_code("Control code", "power_roll")
    sense: Code | None = dice_code("Sense code", "power_roll")
    alter: Code | None = dice_code("Alter code", "power_roll")
    case_control: str = choice(
        "Case for Control", cases_of("control"), "force_power", only=_with_power(*with_cases("control"))
    )
    case_sense: str = choice("Case for Sense", cases_of("sense"), "force_power", only=_with_power(*with_cases("sense")))
    case_alter: str = choice("Case for Alter", cases_of("alter"), "force_power", only=_with_power(*with_cases("alter")))
    kg: int | None = number("Mass in kg", "telekinesis", default=None, most=10**9, only=_with_power("telekinesis"))
    seen: str = choice(
        "What is seen", tuple(SEEN), "force_power, farseeing", default="present", only=_with_power("farseeing")
    )
    unspoken: bool = flag("A thought that cannot be spoken", "force_power", only=_with_power("projective telepathy"))
    proximity: int = number("Proximity modifier", "power_roll", least=-99, help="From the table of the core book.")
    relationship: int = number(
        "Relationship modifier", "power_roll", least=-99, help="From the table of the core book."
    )
    resist: int | None = number(
        "Roll of the target, or the blaster's damage",
        "force_power",
        default=None,
        least=-999,
        most=999,
        help="Perception or Control of one who resists.",
    )
    unmastered: bool = flag("The power is not mastered", "power_roll")
    target_emptiness: int = number("The target's roll for emptiness", "emptiness", most=999, filled_by="card")
    target_will: int = number("The target's roll for force of will", "force_of_will", most=999, filled_by="card")
    force_bonus: int = number("Bonus of an emptiness before", "emptiness", filled_by="card")
    will_lost: int = number(
        "Dice that force of will has lost", "force_of_will", most=20, only=_with_power("force of will")
    )


def call_difficulty(given: DarkSideCall) -> int:
    """Return the difficulty of calling on the Dark Side in this adventure."""
    return CALL_BASE + CALL_EACH * given.dark_calls + (0 if given.harm else CALL_HARMLESS)


def most_powers(skill: Code) -> int:
    """Return how many powers a Force skill allows."""
    return POWERS_A_DIE * skill.dice + skill.pips


def training_cost(skill: Code, teacher: Code | None) -> int:
    """Return the skill points for a pip: the dice of the code, twice without a teacher who is better."""
    return skill.dice * (1 if teacher is not None and teacher > skill else 2)


def learning_weeks(skill_points: int) -> int:
    """Return the weeks that a new Force skill takes."""
    return max(LEARNING_WEEKS - skill_points, 1)


def lifting(mass_kg: int) -> tuple[str, int]:
    """Return the band of telekinesis and what is added: five for each further factor of ten above 1000 kg."""
    for most, label in _LIFTS:
        if mass_kg <= most:
            return label, 0
    more, most_kg = 0, _HEAVY_KG
    while mass_kg > most_kg:
        more, most_kg = more + _HEAVY_STEP, most_kg * 10
    return "difficult", more


def modifiers(skill: str, need: Need, power: str, given: PowerAsk) -> int:
    """Return what is added to the difficulty of one skill of a power."""
    added = UNMASTERED if given.unmastered else 0
    added += given.proximity if PROXIMITY in need.add else 0
    added += given.relationship if RELATIONSHIP in need.add else 0
    if skill == "control":
        added += SEEN[given.seen] if power == "farseeing" else 0
        added += UNSPOKEN if power == "projective telepathy" and given.unspoken else 0
    resisted = any("roll" in one for one in need.add)  # a target that hides or is unwilling, a blaster's damage
    added += (given.resist or 0) if resisted else 0
    guarded = "sense" if POWERS[power].sense is not None else "alter"
    return added + (given.target_emptiness if skill == guarded else 0)


def _count_call(outcome: Outcome, total: int, given: DarkSideCall) -> Outcome:
    """Return what calling on the Dark Side brings; a failed call counts, too."""
    if outcome.succeeded is None:
        return outcome
    also: tuple[Effect, ...] = ()
    words = "The Dark Side does not answer"
    if outcome.succeeded:
        words = "A Force Point for this round, and a Dark Side Point"
        lent = Lasting(name="A Force Point of the Dark Side", until="round", lends="force_points")
        also = (Effect(tracker="force_points", change=1, lasts=lent), Effect(tracker="dark_side_points", change=1))
    called = Effect(tracker="dark_side_calls", change=1, on="roller", words=words, also=also)
    return said_too(outcome, words, "dark_side_call", called)


def _count_consuming(outcome: Outcome, total: int, given: Ask) -> Outcome:
    if outcome.succeeded is None:
        return outcome
    words = "Not lost to the Dark Side" if outcome.succeeded else "Lost to the Dark Side, and to the game master"
    return said_too(outcome, words, "dark_side_consume", headline=words)


PURPOSES: Purposes = {
    "power": Purpose(),
    "dark_side_call": Purpose(number=call_difficulty, is_free=True, does=_count_call),
    "consumed": Purpose(
        code=lambda _: Code(dice=1),
        number=lambda given: given.dark_points,
        is_opposed=True,
        is_free=True,
        does=_count_consuming,
    ),
}
