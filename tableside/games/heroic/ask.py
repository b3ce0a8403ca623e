"""The heroic game: what is asked before a roll, and the pool that comes of it.

Marks such as H06 and A7 name rules and readings in the project's ``heroic.md``, M marks those of ``narrative.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

from tableside.errors import BadAsk
from tableside.games.heroic import combat
from tableside.games.heroic.hurt import CONDITIONS, DAMAGE_TYPES, DEFAULT_SAVE
from tableside.games.heroic.sources import heroic_step
from tableside.games.narrative.ask import Building, NarrativePlan, SymbolAsk, dice_pool, rating_of
from tableside.games.narrative.pool import DICE, LEVELS, Pool, Rating, level_pool
from tableside.games.narrative.pool_text import MAX_DICE, parse_pool
from tableside.rules.form import Forms, choice, chosen, faces, flag, number, pool
from tableside.rules.modifiers import Modifier, changes
from tableside.rules.tracker import EVERYBODY, Tracker
from tableside.words import say

NAME = "heroic"
PURPOSES = {
    "check": "a check",
    "attack": "an attack",
    "initiative": "initiative",
    "save": "a saving throw",
}

_USES = {name: f"{name}_powers" for name, rest in combat.RECHARGES.items() if rest}
_LOST = "The die is lost in the text, so this is our reading."


class Ask(SymbolAsk):
    """What a roll is asked for."""

    purpose: str = choice("What is thrown", PURPOSES, "H03", default="check")
    ability: int | None = number("Ability", "H03", least=1, most=10, default=None, filled_by="skill", builds_dice=True)
    skill: int | None = number("Skill ranks", "H03", most=10, default=None, filled_by="skill", builds_dice=True)
    difficulty: str = choice("Difficulty", tuple(LEVELS), "H03", builds_dice=True)
    setback: int = number("Setback dice", "M09", most=20, help="Against.", builds_dice=True, adds_up=True)
    dice: Mapping[str, int] | None = pool(
        "Dice",
        DICE,
        "H03",
        most=MAX_DICE,
        default=None,
        reads=parse_pool,
        help="Where no ability and skill are given, or on top of them.",
        adds_up=True,
    )
    condition: str = choice(
        "Condition", tuple(CONDITIONS), "H06", default="normal", help="Its dice join every check.", builds_dice=True
    )
    defense: str = choice(
        "Defence of the target", tuple(combat.DEFENSES), "H14", filled_by="weapon defence", builds_dice=True
    )
    defense_abilities: tuple[int, ...] = faces(
        "The target's two abilities",
        "H14",
        most=10,
        help="Of that defence; the higher counts.",
        filled_by="defence opponent",
        builds_dice=True,
    )
    defense_rank: int | None = number(
        "Rank of that defence", "H14", most=10, default=None, filled_by="defence opponent", builds_dice=True
    )
    boosts: tuple[int, ...] = faces(
        "Boost dice of each source",
        "H02",
        most=10,
        help="They do not stack: the largest counts.",
        builds_dice=True,
        adds_up=True,
    )
    taunted: bool = flag("Taunted, and the taunter is left out", "H16", builds_dice=True)
    long_range: bool = flag("Beyond short range", "H19", builds_dice=True)
    reach: str = choice("Kind of range", tuple(combat.PROVOKING), "H19", filled_by="weapon")
    distance: int | None = number(
        "Distance to the target", "H19", default=None, help="In squares, with the ranges below.", builds_dice=True
    )
    short_range: int = number("Short range", "H19", filled_by="weapon")
    long_range_most: int | None = number("Long range", "H19", default=None, filled_by="weapon")
    burst: int = number("Burst", "H19", most=20, help="Its radius in squares.", filled_by="weapon")
    blast: int = number("Blast", "H19", most=20, help="Its side in squares.", filled_by="weapon")
    frequency: str = choice(
        "How often",
        tuple(combat.RECHARGES),
        "H19",
        default="at_will",
        help="A call takes a use of the encounter's or the day's powers.",
        filled_by="weapon",
        costs=_USES,
    )
    opportunity_cost: int = number(
        "Opportunity cost",
        "H19",
        help="The call takes so many out of the opportunity pool.",
        filled_by="weapon",
        costs="opportunity",
    )
    abilities: tuple[int, ...] = faces(
        "Six abilities",
        "H17",
        least=1,
        most=10,
        help="Brawn, Vitality, Agility, Intellect, Wisdom, Presence; defence, threshold and stamina come of them.",
        filled_by="defence",
    )
    defense_ranks: Mapping[str, int] = pool(
        "Ranks of the defences",
        tuple(combat.DEFENSES),
        "H14",
        most=60,
        help="With the abilities they build each defence.",
        filled_by="defence",
    )
    threshold_base: int | None = number(
        "Threshold, base of the class", "H04", default=None, help="Vitality is added.", filled_by="defence"
    )
    stamina_base: int | None = number(
        "Stamina, base of the class", "H08", default=None, help="Vitality is added.", filled_by="defence"
    )
    level: int | None = number(
        "Level",
        "H17",
        least=1,
        most=30,
        default=None,
        help="At level 1 the abilities are checked.",
        filled_by="defence",
    )
    maneuvers: int = number("Maneuvers this turn", "H12", most=2, default=1)
    save_dice: Mapping[str, int] = dice_pool(
        "Dice of a saving throw", "A6", _LOST, default=DEFAULT_SAVE, is_setting=True
    )
    taunt_dice: Mapping[str, int] = dice_pool(
        "Dice that a taunt adds", "A7", _LOST, default=combat.TAUNT_DICE, is_setting=True
    )
    long_range_dice: Mapping[str, int] = dice_pool(
        "Dice that long range adds", "A8", _LOST, default=combat.LONG_RANGE_DICE, is_setting=True
    )
    stamina_each_step: bool = flag(
        "The unconscious lose stamina for each step", "A4", is_setting=True, help="Else for each hit."
    )


class Attack(Ask):
    """What an attack is asked for besides: the power (H19, H20), and the target (H04, H05, H07, H10)."""

    purposes = ("attack",)

    power: str = choice("Power", combat.POWERS, "H20", filled_by="weapon")
    damage_types: tuple[str, ...] = chosen(
        "Types of damage", DAMAGE_TYPES, "H10", help="None named: that of the weapon.", filled_by="weapon"
    )
    weapon: int = number("Damage of the weapon", "H20", help="0 for bare hands.", filled_by="weapon")
    damage_ability: int = number(
        "Ability added to the damage", "H20", most=10, help="Brawn or Agility.", filled_by="weapon"
    )
    threshold: int | None = number("Damage threshold of the target", "H04", least=1, default=None, filled_by="defence")
    soak: int = number("Soak of the target", "H10", help="Against every type of damage.", filled_by="defence")
    vulnerability: int = number(
        "Vulnerability of the target", "H10", help="To every type of damage.", filled_by="defence"
    )
    soaks: Mapping[str, int] = pool(
        "Soak by type of damage",
        DAMAGE_TYPES,
        "H10",
        most=60,
        help="Of several types the smallest counts.",
        filled_by="defence",
    )
    vulnerabilities: Mapping[str, int] = pool(
        "Vulnerability by type",
        DAMAGE_TYPES,
        "H10",
        most=60,
        help="Of several types the largest counts.",
        filled_by="defence",
    )
    target_condition: str = choice("Condition of the target", tuple(CONDITIONS), "H05", default="normal")
    target_staggered: bool = flag("Target is staggered", "H05")
    target_unconscious: bool = flag("Target is unconscious", "H07")
    target_stamina: int = number("Stamina of the target", "H07")


FORM = Forms(Ask, Attack)
_NO_ATTACK = ("initiative", "save")
MODIFIERS: tuple[Modifier[Pool, Ask], ...] = (
    Modifier(
        Ask.condition,
        dice=lambda ask: CONDITIONS[ask.condition],
        says=lambda ask: say("Condition {condition}", condition=ask.condition),
        rule="H06",
        tracker="condition",
    ),
    Modifier(
        Ask.boosts,
        dice=lambda ask: Pool(boost=combat.boost_of(ask.boosts)),
        says="Boost, of which only the largest source counts",
        rule="H02",
    ),
    Modifier(Ask.setback, dice=Pool(setback=1), says="Setback", rule="M09"),
    Modifier(
        Ask.taunted,
        dice=lambda ask: Pool.of(ask.taunt_dice) * (ask.taunted and ask.purpose not in _NO_ATTACK),
        says="The taunter is left out",
        rule="H16",
    ),
    Modifier(
        Ask.long_range,
        dice=lambda ask: Pool.of(ask.long_range_dice) * (ask.long_range or _is_far(ask)),
        says="Beyond short range",
        rule="H19",
    ),
)
"""What joins a roll, in this order."""

TRACKERS = (
    Tracker(
        name="condition",
        title="Condition",
        steps=tuple(CONDITIONS),
        source="H06",
        kinds=EVERYBODY,
    ),
    Tracker(
        name="staggered",
        title="Staggered",
        steps=("steady", "staggered"),
        source="H05",
        kinds=EVERYBODY,
    ),
    Tracker(
        name="unconscious",
        title="Unconscious",
        steps=("awake", "unconscious"),
        source="H07",
        kinds=EVERYBODY,
    ),
    Tracker(
        name="stamina",
        counts_left=True,
        title="Stamina",
        resets="extended rest",
        source="H08",
        help="At most the class base and Vitality.",
        kinds=EVERYBODY,
        own_limit=True,
    ),
    Tracker(
        name="opportunity",
        title="Opportunity pool",
        scope="table",
        resets="scene",
        source="A11",
        help="Advantages that the table sets aside.",
    ),
    Tracker(
        name="maneuvers",
        title="Maneuvers this turn",
        most=2,
        resets="turn",
        source="H12",
        kinds=EVERYBODY,
    ),
    Tracker(
        name="steadied",
        title="Steady this turn",
        steps=("not used", "used"),
        resets="turn",
        source="H12",
        kinds=EVERYBODY,
    ),
    Tracker(
        name="combat_advantage",
        title="Combat advantage of the enemies",
        steps=("none", "granted"),
        resets="turn",
        source="A10",
        kinds=EVERYBODY,
    ),
    Tracker(
        name="held",
        title="Held",
        steps=("free", *combat.HOLDS.values()),
        source="H20",
        kinds=EVERYBODY,
    ),
    Tracker(
        name="encounter_powers",
        counts_left=True,
        title="Uses of encounter powers",
        resets="short rest",
        source="H19",
        help="Full again after a short rest.",
        kinds=EVERYBODY,
        own_limit=True,
    ),
    Tracker(
        name="daily_powers",
        counts_left=True,
        title="Uses of daily powers",
        resets="extended rest",
        source="H19",
        help="Full again after an extended rest.",
        kinds=EVERYBODY,
        own_limit=True,
    ),
)


def plan_of(given: Ask) -> NarrativePlan:
    """Return the pool to throw.

    :raises BadAsk: for an answer that the rules do not allow.
    """
    building = Building(NAME, heroic_step)
    if given.purpose == "save":
        building.change(Pool.of(given.save_dice), "Saving throw", "H09")
    rating = rating_of(given.ability, given.skill) or Rating(characteristic=0)
    text = say("Ability {n}, skill {skill}", n=rating.characteristic, skill=rating.skill)
    building.change(building.pool + rating.pool(), text, "H03")
    building.change(building.pool + Pool.of(given.dice or {}), "Dice", "H03")
    if given.defense_abilities or given.defense_rank is not None:
        pool = combat.defense_pool(given.defense_abilities or (0,), given.defense_rank or 0)
        text = say("The target's {defence}", defence=given.defense or "defence")
        building.change(building.pool + pool, text, "H14")
    elif level := given.difficulty:
        building.change(building.pool + level_pool(level), say("Difficulty {level}", level=level), "M06")
    for dice, words, rule in changes(MODIFIERS, given):
        building.change(building.pool + dice, words, rule)
    building.upgraded(given)
    has_pool = given.ability is not None or given.skill is not None or given.dice is not None
    return building.finished(given, is_known=given.purpose == "save" or has_pool)


def _is_far(given: Ask) -> bool:
    """Tell whether the target is beyond short range.

    :raises BadAsk: where it is beyond long range.
    """
    if given.distance is None or given.long_range_most is None:
        return False
    far = combat.is_far(given.distance, short=given.short_range, long=given.long_range_most)
    if far is None:
        hint = say("It reaches {n} squares.", n=given.long_range_most)
        raise BadAsk("the target is {n} squares away", n=given.distance, where=f"game {NAME}", hint=hint)
    return far
