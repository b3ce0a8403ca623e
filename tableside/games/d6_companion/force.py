"""D6 with dice codes, the Force: the Dark Side, learning, and the roll that a power is used with.

Source of every number: the rules supplement (S003).
"""

from __future__ import annotations

from tableside.games.d6_companion.powers import POWERS, PROXIMITY, RELATIONSHIP, Need, Power
from tableside.games.d6_companion.purpose import Purpose, Purposes, said_too
from tableside.rules.code import Code
from tableside.rules.form import Answers, Field, Kind, choices, with_purpose
from tableside.rules.game import Outcome
from tableside.rules.people import Effect

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


def _cases(skill: str) -> tuple[str, ...]:
    """Return the names of all cases that powers tell apart for a skill."""
    needs = [need for power in POWERS.values() if (need := needs_of(power).get(skill)) and need.by != "mass"]
    return tuple(dict.fromkeys(case for need in needs for case, _ in need.cases if case != "base"))


def _with_cases(skill: str) -> tuple[str, ...]:
    """Return the powers that tell cases apart for a skill; how heavy something is, its mass tells."""
    return tuple(name for name, power in POWERS.items()
                 if (need := needs_of(power).get(skill)) and len(need.cases) > 1 and need.by != "mass")  # fmt: skip


_POWER = with_purpose("power")
FIELDS = (
    Field(
        name="power",
        title="Power",
        kind=Kind.CHOICE,
        choices=choices(tuple(POWERS)),
        source="force_power",
        only=_POWER,
        help="Each of its skills is thrown in turn, and each has to reach its difficulty.",
    ),
    *(
        Field(name=skill, title=f"{skill.capitalize()} code", kind=Kind.CODE, source="power_roll", only=_POWER)
        for skill in SKILLS
    ),
    *(
        Field(
            name=f"case_{skill}",
            title=f"Case for {skill.capitalize()}",
            kind=Kind.CHOICE,
            choices=choices(_cases(skill)),
            source="force_power",
            only=(*_POWER, ("power", _with_cases(skill))),
        )
        for skill in SKILLS
    ),
    Field(name="kg", title="Mass in kg", most=10**9, source="telekinesis", only=(*_POWER, ("power", ("telekinesis",)))),
    Field(
        name="seen",
        title="What is seen",
        kind=Kind.CHOICE,
        choices=choices(tuple(SEEN)),
        default="present",
        source="force_power, farseeing",
        only=(*_POWER, ("power", ("farseeing",))),
    ),
    Field(
        name="unspoken",
        title="A thought that cannot be spoken",
        kind=Kind.FLAG,
        default=False,
        source="force_power",
        only=(*_POWER, ("power", ("projective telepathy",))),
    ),
    Field(
        name="proximity",
        title="Proximity modifier",
        least=-99,
        most=99,
        default=0,
        source="power_roll",
        only=_POWER,
        help="From the table of the core book.",
    ),
    Field(
        name="relationship",
        title="Relationship modifier",
        least=-99,
        most=99,
        default=0,
        source="power_roll",
        only=_POWER,
        help="From the table of the core book.",
    ),
    Field(
        name="resist",
        title="Roll of the target, or the blaster's damage",
        least=-999,
        most=999,
        source="force_power",
        only=_POWER,
        help="Perception or Control of one who resists.",
    ),
    Field(
        name="unmastered",
        title="The power is not mastered",
        kind=Kind.FLAG,
        default=False,
        source="power_roll",
        only=_POWER,
    ),
    Field(
        name="target_emptiness",
        title="The target's roll for emptiness",
        most=999,
        default=0,
        source="emptiness",
        only=_POWER,
    ),
    Field(
        name="target_will",
        title="The target's roll for force of will",
        most=999,
        default=0,
        source="force_of_will",
        only=_POWER,
    ),
    Field(
        name="force_bonus", title="Bonus of an emptiness before", most=99, default=0, source="emptiness", only=_POWER
    ),
    Field(
        name="will_lost",
        title="Dice that force of will has lost",
        most=20,
        default=0,
        source="force_of_will",
        only=(*_POWER, ("power", ("force of will",))),
    ),
    Field(
        name="dark_points",
        title="Dark Side Points",
        most=99,
        default=0,
        source="dark_side_consume",
        only=with_purpose("consumed", "power"),
    ),
    Field(
        name="dark_calls",
        title="Earlier calls in this adventure",
        most=99,
        default=0,
        source="dark_side_call",
        only=with_purpose("dark_side_call"),
    ),
    Field(
        name="harm",
        title="An action is meant to harm",
        kind=Kind.FLAG,
        default=True,
        source="dark_side_call",
        only=with_purpose("dark_side_call"),
        help="Where none is, the call is 10 more difficult.",
    ),
    Field(
        name="dimmed",
        title="Senses dimmed by dice",
        most=9,
        default=0,
        source="dim_senses",
        help="Perception, hiding and searching lose them.",
    ),
)


def call_difficulty(given: Answers) -> int:
    """Return the difficulty of calling on the Dark Side in this adventure."""
    return CALL_BASE + CALL_EACH * given.number("dark_calls") + (0 if given.flag("harm") else CALL_HARMLESS)


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


def modifiers(skill: str, need: Need, power: str, given: Answers) -> int:
    """Return what is added to the difficulty of one skill of a power."""
    added = UNMASTERED if given.flag("unmastered") else 0
    added += given.number("proximity") if PROXIMITY in need.add else 0
    added += given.number("relationship") if RELATIONSHIP in need.add else 0
    if skill == "control":
        added += SEEN[given.choice("seen")] if power == "farseeing" else 0
        added += UNSPOKEN if power == "projective telepathy" and given.flag("unspoken") else 0
    resisted = any("roll" in one for one in need.add)  # a target that hides or is unwilling, a blaster's damage
    added += given.number("resist") if resisted else 0
    guarded = "sense" if POWERS[power].sense is not None else "alter"
    return added + (given.number("target_emptiness") if skill == guarded else 0)


def _called(outcome: Outcome, total: int, given: Answers) -> Outcome:
    """Return what calling on the Dark Side brings; a failed call counts, too."""
    del total, given
    if outcome.succeeded is None:
        return outcome
    also: tuple[Effect, ...] = ()
    words = "The Dark Side does not answer"
    if outcome.succeeded:
        words = "A Force Point for this round, and a Dark Side Point"
        also = (Effect(tracker="force_points", change=1), Effect(tracker="dark_side_points", change=1))
    called = Effect(tracker="dark_side_calls", change=1, on="roller", words=words, also=also)
    return said_too(outcome, words, "dark_side_call", called)


def _consumed(outcome: Outcome, total: int, given: Answers) -> Outcome:
    del total, given
    if outcome.succeeded is None:
        return outcome
    words = "Not lost to the Dark Side" if outcome.succeeded else "Lost to the Dark Side, and to the game master"
    return said_too(outcome, words, "dark_side_consume", headline=words)


PURPOSES: Purposes = {
    "power": Purpose(title="a Force power"),
    "dark_side_call": Purpose(
        title="a call on the Dark Side, by Perception or Control", number=call_difficulty, is_free=True, told=_called
    ),
    "consumed": Purpose(
        title="whether the Dark Side consumes one, 1D",
        code=lambda _: Code(dice=1),
        number=lambda given: given.number("dark_points"),
        is_opposed=True,
        is_free=True,
        told=_consumed,
    ),
}
