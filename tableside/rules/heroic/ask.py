"""The heroic game: what is asked before a roll, and the pool that comes of it.

Marks such as H06 and A7 name rules and readings in the project's ``heroic.md``, M marks those of ``narrative.md``.
"""

from __future__ import annotations

from typing import Any

from tableside.errors import BadAsk
from tableside.rules.form import Answers, Field, Form, Kind, choices
from tableside.rules.heroic.hurt import CONDITIONS, DEFAULT_SAVE
from tableside.rules.heroic.play import BASIC_POWERS, DEFENSES, LONG_RANGE_DICE, TAUNT_DICE, boost_of, defense_pool
from tableside.rules.heroic.sources import heroic_step
from tableside.rules.narrative.ask import (
    CHANGE_FIELDS,
    OWNED,
    SETBACK,
    SYMBOL_FIELDS,
    Building,
    NarrativePlan,
    pool_field,
)
from tableside.rules.narrative.pool import LEVELS, Pool, Rating, level_pool
from tableside.rules.tracker import Tracker
from tableside.words import say

NAME = "heroic"
PURPOSES = {"check": "a check", "attack": "an attack", "initiative": "initiative", "save": "a saving throw"}

_CONDITIONS = choices(CONDITIONS)


def _dice_field(name: str, title: str, dice: Pool, source: str) -> Field:
    words = "The die is lost in the text, so this is our reading."
    return pool_field(name, title, source, words, dice=dice, is_setting=True)


def _number(name: str, title: str, source: str, words: str = "", **more: Any) -> Field:
    return Field(name=name, title=title, source=source, help=words, **more)


FORM = Form(
    (
        Field(
            name="purpose",
            title="What is thrown",
            kind=Kind.CHOICE,
            choices=tuple(PURPOSES.items()),
            default="check",
            source="H03",
        ),
        _number("ability", "Ability", "H03", most=10),
        _number("skill", "Skill ranks", "H03", most=10),
        Field(name="difficulty", title="Difficulty", kind=Kind.CHOICE, choices=choices(LEVELS), source="H03"),
        SETBACK,
        pool_field("dice", "Dice", "H03", "Where no ability and skill are given, or on top of them."),
        Field(
            name="condition",
            title="Condition",
            kind=Kind.CHOICE,
            choices=_CONDITIONS,
            default="normal",
            source="H06",
            help="Its dice join every check.",
        ),
        Field(name="defense", title="Defence of the target", kind=Kind.CHOICE, choices=choices(DEFENSES), source="H14"),
        Field(
            name="defense_abilities",
            title="The target's two abilities",
            kind=Kind.FACES,
            most=10,
            default=(),
            source="H14",
            help="Of that defence; the higher counts.",
        ),
        _number("defense_rank", "Rank of that defence", "H14", most=10, default=0),
        Field(
            name="boosts",
            title="Boost dice of each source",
            kind=Kind.FACES,
            most=10,
            default=(),
            source="H02",
            help="They do not stack: the largest counts.",
        ),
        Field(
            name="taunted", title="Taunted, and the taunter is left out", kind=Kind.FLAG, default=False, source="H16"
        ),
        Field(name="long_range", title="Beyond short range", kind=Kind.FLAG, default=False, source="H19"),
        *CHANGE_FIELDS,
        Field(name="power", title="Basic attack", kind=Kind.CHOICE, choices=choices(BASIC_POWERS), source="H20"),
        _number("weapon", "Damage of the weapon", "H20", "0 for bare hands.", default=0),
        _number("damage_ability", "Ability added to the damage", "H20", "Brawn or Agility.", most=10),
        _number("threshold", "Damage threshold of the target", "H04", least=1),
        _number("soak", "Soak of the target", "H10", "Of the type of damage; the smallest of several.", default=0),
        _number("vulnerability", "Vulnerability of the target", "H10", "The largest of several.", default=0),
        Field(
            name="target_condition",
            title="Condition of the target",
            kind=Kind.CHOICE,
            choices=_CONDITIONS,
            default="normal",
            source="H05",
        ),
        Field(name="target_staggered", title="Target is staggered", kind=Kind.FLAG, default=False, source="H05"),
        Field(name="target_unconscious", title="Target is unconscious", kind=Kind.FLAG, default=False, source="H07"),
        _number("target_stamina", "Stamina of the target", "H07", default=0),
        _number("maneuvers", "Maneuvers this turn", "H12", most=2, default=1),
        *SYMBOL_FIELDS,
        _dice_field("save_dice", "Dice of a saving throw", DEFAULT_SAVE, "A6"),
        _dice_field("taunt_dice", "Dice that a taunt adds", TAUNT_DICE, "A7"),
        _dice_field("long_range_dice", "Dice that long range adds", LONG_RANGE_DICE, "A8"),
        Field(
            name="stamina_each_step",
            title="The unconscious lose stamina for each step",
            kind=Kind.FLAG,
            default=False,
            is_setting=True,
            source="A4",
            help="Else for each hit.",
        ),
        OWNED,
    )
)

TRACKERS = (
    Tracker(name="condition", title="Condition", steps=tuple(CONDITIONS), source="H06"),
    Tracker(name="staggered", title="Staggered", steps=("steady", "staggered"), source="H05"),
    Tracker(name="unconscious", title="Unconscious", steps=("awake", "unconscious"), source="H07"),
    Tracker(
        name="stamina",
        title="Stamina",
        resets="extended rest",
        source="H08",
        help="At most the class base and Vitality.",
    ),
    Tracker(
        name="opportunity",
        title="Opportunity pool",
        scope="table",
        resets="encounter",
        source="A11",
        help="Advantages that the table sets aside.",
    ),
    Tracker(name="maneuvers", title="Maneuvers this turn", most=2, resets="turn", source="H12"),
)


def plan_of(given: Answers) -> NarrativePlan:
    """Return the pool to throw.

    :raises BadAsk: for an answer that the rules do not allow.
    """
    purpose, condition = given.choice("purpose"), given.choice("condition")
    building = Building(NAME, heroic_step)
    if purpose == "save":
        building.change(Pool.of(given.pool("save_dice")), "Saving throw", "H09")
    elif condition == "helpless":
        hint = "The helpless take no actions; a saving throw is purpose=save."
        raise BadAsk("condition is 'helpless'", where=f"game {NAME}", hint=hint)
    rating = Rating(characteristic=given.number("ability"), skill=given.number("skill"))
    text = say("Ability {n}, skill {skill}", n=rating.characteristic, skill=rating.skill)
    building.change(building.pool + rating.pool(), text, "H03")
    building.change(building.pool + Pool.of(given.pool("dice")), "Dice", "H03")
    _difficulty(building, given)
    building.change(building.pool + CONDITIONS[condition], say("Condition {condition}", condition=condition), "H06")
    boost = boost_of(given.faces("boosts"))
    building.change(building.pool + Pool(boost=boost), "Boost, of which only the largest source counts", "H02")
    building.change(building.pool + Pool(setback=given.number("setback")), "Setback", "M09")
    for name, words, rule in (("taunt", "The taunter is left out", "H16"), ("long_range", "Beyond short range", "H19")):
        if given.flag("taunted" if name == "taunt" else name):
            building.change(building.pool + Pool.of(given.pool(f"{name}_dice")), words, rule)
    building.upgraded(given)
    is_known = purpose == "save" or any(given.has(name) for name in ("ability", "skill", "dice"))
    return building.finished(given, is_known=is_known)


def _difficulty(building: Building, given: Answers) -> None:
    abilities = given.faces("defense_abilities")
    if abilities or given.has("defense_rank"):
        pool = defense_pool(abilities or (0,), given.number("defense_rank"))
        text = say("The target's {defence}", defence=given.choice("defense") or "defence")
        building.change(building.pool + pool, text, "H14")
    elif given.choice("difficulty"):
        level = given.choice("difficulty")
        building.change(building.pool + level_pool(level), say("Difficulty {level}", level=level), "M06")
