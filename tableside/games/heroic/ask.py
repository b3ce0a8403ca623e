"""The heroic game: what is asked before a roll, and the pool that comes of it.

Marks such as H06 and A7 name rules and readings in the project's ``heroic.md``, M marks those of ``narrative.md``.
"""

from __future__ import annotations

from typing import Any

from tableside.errors import BadAsk
from tableside.games.heroic.combat import (
    DEFENSES,
    HOLDS,
    LONG_RANGE_DICE,
    POWERS,
    PROVOKING,
    RECHARGES,
    TAUNT_DICE,
    boost_of,
    defense_pool,
    is_far,
)
from tableside.games.heroic.hurt import CONDITIONS, DAMAGE_TYPES, DEFAULT_SAVE
from tableside.games.heroic.sources import heroic_step
from tableside.games.narrative.ask import (
    CHANGE_FIELDS,
    OWNED,
    SETBACK,
    SYMBOL_FIELDS,
    Building,
    NarrativePlan,
    pool_field,
)
from tableside.games.narrative.pool import LEVELS, Pool, Rating, level_pool
from tableside.rules.form import Answers, Field, Fields, Kind, choices, with_purpose
from tableside.rules.tracker import Tracker
from tableside.words import say

NAME = "heroic"
PURPOSES = {
    "check": "a check",
    "attack": "an attack",
    "initiative": "initiative",
    "save": "a saving throw at the end of the turn",
}

_CONDITIONS = choices(CONDITIONS)


def _dice_field(name: str, title: str, dice: Pool, source: str) -> Field:
    words = "The die is lost in the text, so this is our reading."
    return pool_field(name, title, source, words, dice=dice, is_setting=True)


def _number(name: str, title: str, source: str, words: str = "", **more: Any) -> Field:
    return Field(name=name, title=title, source=source, help=words, **more)


def _by_name(name: str, title: str, names: Any, source: str, words: str) -> Field:
    """Return a field for numbers by names, such as a soak for each type of damage."""
    return Field(
        name=name, title=title, kind=Kind.POOL, choices=choices(names), default={}, most=60, source=source, help=words
    )


_ATTACKS = with_purpose("attack")
POWER_FIELDS = (
    Field(name="power", title="Power", kind=Kind.CHOICE, choices=choices(POWERS), source="H20", only=_ATTACKS),
    Field(
        name="damage_types",
        title="Types of damage",
        kind=Kind.CHOICES,
        choices=choices(DAMAGE_TYPES),
        default=(),
        source="H10",
        help="None named: that of the weapon.",
        only=_ATTACKS,
    ),
    Field(name="reach", title="Kind of range", kind=Kind.CHOICE, choices=choices(PROVOKING), source="H19"),
    Field(name="distance", title="Distance to the target", source="H19", help="In squares, with the ranges below."),
    Field(name="short_range", title="Short range", default=0, source="H19"),
    Field(name="long_range_most", title="Long range", source="H19"),
    Field(name="burst", title="Burst", most=20, default=0, source="H19", help="Its radius in squares."),
    Field(name="blast", title="Blast", most=20, default=0, source="H19", help="Its side in squares."),
    Field(
        name="frequency",
        title="How often",
        kind=Kind.CHOICE,
        choices=choices(RECHARGES),
        default="at_will",
        source="H19",
        help="A call takes a use of the encounter's or the day's powers.",
    ),
    Field(
        name="opportunity_cost",
        title="Opportunity cost",
        default=0,
        source="H19",
        help="The call takes so many out of the opportunity pool.",
    ),
)
"""What a power is asked for (H19, H20)."""

CHARACTER_FIELDS = (
    Field(
        name="abilities",
        title="Six abilities",
        kind=Kind.FACES,
        most=10,
        default=(),
        source="H17",
        help="Brawn, Vitality, Agility, Intellect, Wisdom, Presence; defence, threshold and stamina come of them.",
    ),
    _by_name("defense_ranks", "Ranks of the defences", DEFENSES, "H14", "With the abilities they build each defence."),
    Field(name="threshold_base", title="Threshold, base of the class", source="H04", help="Vitality is added."),
    Field(name="stamina_base", title="Stamina, base of the class", source="H08", help="Vitality is added."),
    Field(name="level", title="Level", least=1, most=30, source="H17", help="At level 1 the abilities are checked."),
    _by_name("soaks", "Soak by type of damage", DAMAGE_TYPES, "H10", "Of several types the smallest counts."),
    _by_name("vulnerabilities", "Vulnerability by type", DAMAGE_TYPES, "H10", "Of several types the largest counts."),
)
"""What a character has (H04, H10, H14, H17)."""

FORM = Fields(
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
        *POWER_FIELDS,
        _number("weapon", "Damage of the weapon", "H20", "0 for bare hands.", default=0),
        _number("damage_ability", "Ability added to the damage", "H20", "Brawn or Agility.", most=10),
        _number("threshold", "Damage threshold of the target", "H04", least=1),
        _number("soak", "Soak of the target", "H10", "Against every type of damage.", default=0),
        _number("vulnerability", "Vulnerability of the target", "H10", "To every type of damage.", default=0),
        *CHARACTER_FIELDS,
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
        counts_left=True,
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
    Tracker(name="steadied", title="Steady this turn", steps=("not used", "used"), resets="turn", source="H12"),
    Tracker(
        name="combat_advantage",
        title="Combat advantage of the enemies",
        steps=("none", "granted"),
        resets="turn",
        source="A10",
    ),
    Tracker(name="held", title="Held", steps=("free", *HOLDS.values()), source="H20"),
    Tracker(
        name="encounter_powers",
        counts_left=True,
        title="Uses of encounter powers",
        resets="short rest",
        source="H19",
        help="Full again after a short rest.",
    ),
    Tracker(
        name="daily_powers",
        counts_left=True,
        title="Uses of daily powers",
        resets="extended rest",
        source="H19",
        help="Full again after an extended rest.",
    ),
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
    is_beyond = given.flag("long_range") or _is_far(given)
    for name, words, rule in (("taunt", "The taunter is left out", "H16"), ("long_range", "Beyond short range", "H19")):
        if given.flag("taunted") if name == "taunt" else is_beyond:
            building.change(building.pool + Pool.of(given.pool(f"{name}_dice")), words, rule)
    building.upgraded(given)
    is_known = purpose == "save" or any(given.has(name) for name in ("ability", "skill", "dice"))
    return building.finished(given, is_known=is_known)


def _is_far(given: Answers) -> bool:
    """Tell whether the target is beyond short range.

    :raises BadAsk: where it is beyond long range.
    """
    if not (given.has("distance") and given.has("long_range_most")):
        return False
    distance, most = given.number("distance"), given.number("long_range_most")
    far = is_far(distance, short=given.number("short_range"), long=most)
    if far is None:
        hint = say("It reaches {n} squares.", n=most)
        raise BadAsk(say("the target is {n} squares away", n=distance), where=f"game {NAME}", hint=hint)
    return far


def _difficulty(building: Building, given: Answers) -> None:
    abilities = given.faces("defense_abilities")
    if abilities or given.has("defense_rank"):
        pool = defense_pool(abilities or (0,), given.number("defense_rank"))
        text = say("The target's {defence}", defence=given.choice("defense") or "defence")
        building.change(building.pool + pool, text, "H14")
    elif given.choice("difficulty"):
        level = given.choice("difficulty")
        building.change(building.pool + level_pool(level), say("Difficulty {level}", level=level), "M06")
