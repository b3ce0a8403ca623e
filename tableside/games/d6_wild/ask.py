"""D6 with a Wild Die: what is asked before a roll, and the code and difficulty that come of it.

The names of rules are the headings of the project's rules, ``d6-wild.md``; marks such as I10 its readings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableside.errors import BadAsk
from tableside.games.d6.ask import FALLEN, FORCE, MORTAL_ROUNDS, D6Ask
from tableside.games.d6.outcome import Draft, Plan, needs_difficulty, plain_words
from tableside.games.d6_wild import combat
from tableside.games.d6_wild.odds import FIRST_ONE
from tableside.games.d6_wild.rolls import BANDS, POINT_LIMITS, find_band, penalty_dice, point_limit, rushed
from tableside.games.d6_wild.sources import wild_step
from tableside.rules.code import MAX_DICE, Code, pips_words
from tableside.rules.form import Forms, choice, choices, faces, flag, name_of, number
from tableside.rules.form import code as dice_code
from tableside.rules.game import Step
from tableside.rules.modifiers import Modifier
from tableside.rules.tracker import EVERYBODY, PEOPLE, Tracker
from tableside.words import say

NAME = "d6-wild"
NUMBERS = 300
"""No difficulty and no pips are larger."""

_BAND_NAMES = (*BANDS, *(f"heroic+{tens}" for tens in range(10, NUMBERS - 30, 10)))
"""The bands go on by tens, as far as there are numbers."""
_BANDS = {name: f"{title}, {find_band(name).words}" for name, title in choices(_BAND_NAMES)}

_USES = {"attack": "attack", "damage": "damage", "dodge": "reaction_skill", "resist": "strength_against_damage"}
"""The use of each role."""

TABLES: Mapping[str, str] = {
    "hit_location": "Where a hit lands, 2D",
    "dying": "Whether the mortally wounded die, 2D",
    "minutes": "Minutes without consciousness, 2D or 10D",
    "table": "Another throw for a table",
}
"""What is thrown without a Wild Die."""


class Ask(D6Ask):
    """What a roll is asked for."""

    purpose: str = choice(
        "What is thrown",
        {
            "check": "A check, or just a total",
            "damage": "Damage against Strength",
            "stun_damage": "Damage of a weapon on stun",
            "first_aid": "First aid for the dying",
            "healing": "Natural healing after the rest, by Strength",
            **TABLES,
        },
        "damage",
        default="check",
        help="A throw for a table has no Wild Die, and nothing changes its number of dice.",
        filled_by="damage",
    )
    code: Code | None = dice_code(
        "Dice code",
        "wild_pool",
        help="Such as 4D+2; one of the dice is the Wild Die.",
        filled_by="skill damage",
        builds_dice=True,
    )
    difficulty: int | None = number(
        "Difficulty number", "difficulty_check", default=None, least=-NUMBERS, most=NUMBERS, filled_by="defence"
    )
    dice: int | None = number(
        "Dice in all",
        "wild_pool",
        default=None,
        most=MAX_DICE,
        help="Where no code is given; nothing changes their number.",
        builds_dice=True,
    )
    pips: int = number(
        "More pips", "wild_roll", least=-NUMBERS, most=NUMBERS, filled_by="talent", builds_dice=True, adds_up=True
    )
    wild_throws: int | None = number(
        "Throws of the Wild Die at most",
        "wild_roll",
        default=None,
        least=1,
        most=NUMBERS,
        help="A six after them is added and not thrown again.",
    )
    bonus: Code | None = dice_code("Bonus of a combined action", "combined_action", builds_dice=True, adds_up=True)
    actions: int = number(
        "Actions this round", "multi_action", default=1, least=1, most=20, builds_dice=True, holds=True
    )
    extra_reactions: int = number(
        "Reactions on top", "multi_action", most=20, builds_dice=True, adds_up=True, holds=True
    )
    prepared: bool = flag("Prepared", "prepare", builds_dice=True)
    rushed: bool = flag("In half the time", "rush", builds_dice=True)
    state: str = choice(
        "Wound state", tuple(combat.STATES), "wound_track", default="healthy", filled_by="card", builds_dice=True
    )
    stunned: bool = flag("Stunned", "wound_track", help="This round and the next.", filled_by="card", builds_dice=True)
    role: str = choice(
        "Role of the roll",
        {"attack": "An attack", "damage": "Damage", "dodge": "A dodge or parry", "resist": "Resistance"},
        "scale",
        help="With both scales it adds dice.",
        filled_by="skill",
    )
    scale: str = choice(
        "Scale of the roller", tuple(combat.SCALES), "scale", default="character", filled_by="weapon", with_damage=True
    )
    other_scale: str = choice(
        "Scale of the other side",
        tuple(combat.SCALES),
        "scale",
        default="character",
        filled_by="defence",
        builds_dice=True,
    )
    against_unarmed: bool = flag(
        "Armed, against an unarmed one",
        "melee_modifier",
        help="Who has no claws either: 10 for an attack, 5 for a dodge or parry.",
    )
    band: str = choice(
        "Difficulty band",
        _BANDS,
        "difficulty_scale",
        numbers={name: find_band(name).least for name in _BAND_NAMES},
        help="Its lowest number counts where no number is given.",
        filled_by="weapon",
    )
    range: str = choice(
        "Range",
        tuple(combat.RANGES),
        "ranged_difficulty",
        help="It gives the band where none is chosen.",
        filled_by="weapon",
    )
    random: bool = flag(
        "Random difficulty",
        "difficulty_scale",
        help="The game master throws the dice of the band, in place of a number.",
    )
    random_dice: int | None = number(
        "Dice of the random difficulty",
        "difficulty_scale",
        default=None,
        most=MAX_DICE,
        help="Where the band leaves a choice, such as 3 or 4; else whatever of these is thrown counts.",
    )
    reaction_total: int | None = number(
        "Total of the target's reaction",
        "reaction",
        default=None,
        least=-NUMBERS,
        most=NUMBERS,
        help="It becomes the difficulty, even where it is lower.",
    )
    called_shot: str = choice("Called shot", tuple(combat.CALLED_SHOTS), "called_shot", filled_by="weapon")
    obscurity: str = choice("Obscurity", tuple(combat.OBSCURITY), "obscurity")
    cover: str = choice("Cover", tuple(combat.COVER), "cover", filled_by="defence")
    use: str = choice(
        "Use",
        tuple(POINT_LIMITS),
        "character_point_limit",
        help="It limits the character points; usually the role tells it.",
        filled_by="skill",
    )
    character_points: int = number(
        "Character points spent",
        "character_points",
        most=max(POINT_LIMITS.values()),
        help="A die each, after the roll was seen.",
        costs="character_points",
    )
    earlier: tuple[int, ...] = faces(
        "Earlier throws of the Wild Die",
        "wild_roll",
        least=1,
        most=6,
        help="All sixes, where they are not given as throws of their own.",
    )
    first_one: str = choice("A first 1 on the Wild Die", FIRST_ONE, "I3", default="counts", is_setting=True)
    wounded_penalty: int = number("Dice that the wounded lose", "I10", most=4, is_setting=True)
    owned: int = number(
        "Ordinary dice that the players own",
        "0",
        most=MAX_DICE,
        help="Larger codes are thrown in parts; 0: enough.",
        is_setting=True,
    )


class Damage(Ask):
    """What damage is asked for besides: what resists it, and where it hits."""

    purposes = ("damage", "stun_damage")

    against: int | None = number("Total of Strength", "damage", default=None, least=-NUMBERS, most=NUMBERS)
    location: str = choice(
        "Where it hits", tuple(combat.LOCATIONS), "limb_kill", help="What would kill at a limb destroys the limb."
    )


class Dying(Ask):
    """What is asked of the dying."""

    purposes = ("dying",)

    rounds: int | None = number(
        "Rounds since the mortal wound",
        "mortal_check",
        default=None,
        least=1,
        help="Who is dying dies where 2D show less.",
        filled_by="card",
    )


FORM = Forms(Ask, Damage, Dying)

TRACKERS = (
    Tracker(
        name="character_points",
        title="Character points",
        source="character_points",
        kinds=("player",),
        stands_for="character",
    ),
    FORCE,
    Tracker(
        name="wounds",
        title="Wounds",
        steps=combat.STATES,
        source="wound_track",
        kinds=EVERYBODY,
    ),
    Tracker(
        name="stuns",
        title="Stuns that count",
        source="stun_count",
        resets="half an hour",
        help="Each for half an hour, or until a minute's rest.",
        kinds=PEOPLE,
    ),
    Tracker(
        name="stunned_rounds",
        title="Rounds that a stun still hinders",
        resets="rounds",
        source="wound_track",
        help="This round and the next.",
    ),
    Tracker(
        name="unconscious",
        title="Unconscious",
        steps=("awake", "unconscious"),
        resets="waking up",
        source="stun_weapon, stun_count",
        kinds=PEOPLE,
    ),
    Tracker(
        name="dark_side_points", title="Dark Side Points", source="force_point", kinds=("player",), stands_for="dark"
    ),
    Tracker(
        name="stabilised",
        title="First aid after a mortal wound",
        steps=("dying", "stabilised", "saved"),
        source="stabilize",
        help="With a medpac or a bacta tank within the hour one lives.",
    ),
    Tracker(
        name="awake",
        title="Awake while incapacitated",
        steps=("unconscious", "awake"),
        source="wound_track",
        help="After 10D minutes, with 4D less and at half speed.",
    ),
    MORTAL_ROUNDS,
    FALLEN,
)


def plan_of(given: Ask, *, least: int = 1) -> Plan:
    """Return the code to throw and the difficulty.

    :param least: so many dice have to be left; 0 for what resists.
    :raises BadAsk: for an answer that the rules do not allow.
    """
    steps: list[Step] = []
    code = _code(given, steps, least)
    pips = code.pips if code is not None else given.pips
    if armed := _weapon_bonus(given):
        pips += armed
        steps.append(wild_step(say("Armed against unarmed: {pips}.", pips=pips_words(armed)), "melee_modifier"))
        code = code and Code(dice=code.dice, pips=pips)
    points, use = given.character_points, use_of(given)
    if points > (most := point_limit(use)):
        most_said = say("For this use ({=use}) it is 0 to {=most}.", use=use, most=most)
        raise BadAsk("character_points is {=points}", points=points, where=f"game {NAME}", hint=most_said)
    if any(face != 6 for face in given.earlier):
        hint = "The Wild Die is thrown again only after a six, so they are all sixes."
        raise BadAsk("earlier is {=earlier}", earlier=str(list(given.earlier)), where=f"game {NAME}", hint=hint)
    number, dice, more = _difficulty(given, steps)
    return Plan(code=code, pips=pips, difficulty=number, difficulty_dice=dice, difficulty_more=more, steps=tuple(steps))


def use_of(given: Ask) -> str:
    """Return what a roll is for, as it limits the character points: as entered, else by the role or the purpose."""
    role = "damage" if isinstance(given, Damage) else given.role
    return given.use or _USES.get(role, "skill_or_attribute")


def _weapon_bonus(given: Ask) -> int:
    """Return what an armed fighter gains against an unarmed one: damage and Strength gain nothing."""
    if not given.against_unarmed or isinstance(given, Damage):
        return 0
    return {"": combat.ARMED_ATTACK, "attack": combat.ARMED_ATTACK, "dodge": combat.ARMED_DEFENCE}.get(given.role, 0)


def _code(given: Ask, steps: list[Step], least: int) -> Code | None:
    if given.code is None:
        return None
    draft = Draft(given.code, "wild_pool", step=wild_step, steps=steps)
    if given.force_point:
        draft.double("A Force Point doubles dice and pips", "force_point")
    if given.rushed:
        less = draft.dice - rushed(Code(dice=draft.dice)).dice
        draft.change("Half the time, half the dice", "rush", dice=-less)
    if given.state == "killed" and given.purpose != "healing":
        raise BadAsk("state is 'killed'", where=f"game {NAME}", hint="The dead throw nothing.")
    draft.modify(MODIFIERS, given)
    if (bonus := given.bonus) is not None:
        text = say("A combined action adds {code}", code=bonus.added)
        draft.change(text, "combined_action", dice=bonus.dice, pips=bonus.pips)
    if given.pips:
        draft.change(pips_words(given.pips), "wild_roll", pips=given.pips)
    hint = "What is left is 0D or less and cannot be thrown: take fewer actions, or heal first."
    draft.keep(least, game=NAME, hint=hint)
    return draft.code


def _scale_dice(given: Ask) -> int:
    """Return the dice that a difference in scale adds to the role of this roll."""
    role = "damage" if isinstance(given, Damage) else given.role
    attacks = role in ("attack", "damage")
    own, other = given.scale, given.other_scale
    bonus = combat.scale_bonus(own, other) if attacks else combat.scale_bonus(other, own)
    return {"attack": bonus.attack, "damage": bonus.damage, "dodge": bonus.dodge, "resist": bonus.resist}.get(role, 0)


def _is_unhurt(given: Ask) -> bool:
    """Tell whether wounds cost a roll nothing: a weapon is not hurt.

    On a roll to heal 4D less than Strength would leave nobody a die (our reading).
    """
    return isinstance(given, Damage) or given.purpose == "healing"


MODIFIERS: tuple[Modifier[int, Ask], ...] = (
    Modifier(Ask.prepared, dice=1, says="Prepared", rule="prepare"),
    Modifier(
        Ask.actions,
        dice=lambda ask: -penalty_dice(ask.actions, ask.extra_reactions),
        says=lambda ask: say("{n} actions", n=ask.actions + ask.extra_reactions),
        rule="multi_action",
    ),
    Modifier(
        Ask.state,
        dice=lambda ask: -combat.wound_penalty(ask.state, wounded=ask.wounded_penalty),
        says=lambda ask: say("{^state}", state=plain_words(ask.state)),
        rule="wound_penalty",
        tracker="wounds",
        spares=_is_unhurt,
    ),
    Modifier(
        Ask.stunned,
        dice=-combat.wound_penalty("stunned"),
        says="Stunned",
        rule="wound_penalty",
        tracker="stunned_rounds",
        spares=lambda ask: ask.state == "stunned" or _is_unhurt(ask),
    ),
    Modifier(
        Ask.other_scale,
        dice=_scale_dice,
        says=lambda ask: say(
            "{^scale} against {other}", scale=plain_words(ask.scale), other=plain_words(ask.other_scale)
        ),
        rule="scale",
    ),
)
"""What changes the number of dice."""


def _difficulty(given: Ask, steps: list[Step]) -> tuple[int | None, int, int]:
    """Return the difficulty, how many dice are added to it, and how many more may be."""
    number, dice, more_dice = given.difficulty, 0, 0
    name = given.band or combat.RANGES.get(given.range, "")
    if not name and given.purpose == "first_aid":
        name = combat.STABILIZE_DIFFICULTY
    if given.random:
        if number is not None or not name:
            hint = "Choose a band, and give no number."
            raise BadAsk("random is true without a band of its own", where=f"game {NAME}", hint=hint)
        number, (dice, more_dice) = 0, _random_dice(name, given.random_dice)
        words = f"{dice}D"
        if more_dice:
            some = say("{n}D or more", n=dice)
            words = some if dice + more_dice == MAX_DICE else say("{n}D to {most}D", n=dice, most=dice + more_dice)
        text = say("Random difficulty, {band}: {dice}.", band=plain_words(name), dice=words)
        steps.append(wild_step(text, "difficulty_scale"))
    elif number is None and name:
        band = find_band(name)
        number = band.least
        text = say("Difficulty {band}, {range}: {number}.", band=plain_words(name), range=band.words, number=number)
        steps.append(wild_step(text, "difficulty_scale"))
    if (reaction := given.reaction_total) is not None:
        number, dice, more_dice = reaction, 0, 0
        steps.append(wild_step(say("The reaction is the difficulty: {number}.", number=number), "reaction"))
    tables: tuple[tuple[Any, str, Mapping[str, int | None]], ...] = (
        (Ask.called_shot, given.called_shot, combat.CALLED_SHOTS),
        (Ask.obscurity, given.obscurity, combat.OBSCURITY),
        (Ask.cover, given.cover, combat.COVER),
    )
    if number is None:
        needs_difficulty([name_of(field) for field, chosen, _ in tables if chosen], game=NAME)
        return None, 0, 0
    for field, chosen, table in tables:
        if chosen:
            name = name_of(field)
            more = table[chosen]
            if more is None:
                hint = "No direct hit is possible until the cover is gone."
                what = say("{name} is {chosen}", name=FORM.known(field), chosen=plain_words(chosen))
                raise BadAsk(what, where=f"game {NAME}", hint=hint)
            dice += more
            pattern = "{^name}, {chosen}: {n}D {n:is|are} added to the difficulty."
            text = say(pattern, name=plain_words(name), chosen=plain_words(chosen), n=more)
            steps.append(wild_step(text, name))
    return number, dice, more_dice


def _random_dice(name: str, wanted: int | None) -> tuple[int, int]:
    """Return how many dice draw a difficulty of this band, and how many more may; ``wanted`` settles it."""
    band = find_band(name)
    if band.least_code is None:
        hint = say("The summary prints no dice for it: give a number, {=words}.", words=band.words)
        raise BadAsk("band {=name} cannot be random", name=name, where=f"game {NAME}", hint=hint)
    least, most = band.least_code.dice, band.most_code.dice if band.most_code else MAX_DICE
    if wanted is None:
        return least, most - least
    if not least <= wanted <= most:
        hint = say("Of the band {=name} it is {=least} to {=most}.", name=name, least=least, most=most)
        raise BadAsk("random_dice is {=wanted}", wanted=wanted, where=f"game {NAME}", hint=hint)
    return wanted, 0
