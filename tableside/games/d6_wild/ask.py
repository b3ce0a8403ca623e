"""D6 with a Wild Die: what is asked before a roll, and the code and difficulty that come of it.

The names of rules are the headings of the project's rules, ``d6-wild.md``; marks such as I10 its readings.
"""

from __future__ import annotations

from tableside.errors import BadAsk
from tableside.games.d6.ask import FALLEN, UNTRAINED
from tableside.games.d6.outcome import Plan, needs_difficulty, plain_words
from tableside.games.d6_wild.combat import (
    ARMED_ATTACK,
    ARMED_DEFENCE,
    CALLED_SHOTS,
    COVER,
    LOCATIONS,
    OBSCURITY,
    RANGES,
    SCALES,
    STABILIZE_DIFFICULTY,
    STATES,
    scale_bonus,
    wound_penalty,
)
from tableside.games.d6_wild.odds import FIRST_ONE
from tableside.games.d6_wild.rolls import BANDS, POINT_LIMITS, find_band, penalty_dice, point_limit, rushed
from tableside.games.d6_wild.sources import wild_step
from tableside.games.d6_wild.tables import TABLES
from tableside.rules.code import MAX_DICE, Code, code_words, pips_words
from tableside.rules.form import Answers, Field, Fields, Kind, choices, with_purpose
from tableside.rules.game import Step
from tableside.rules.tracker import Tracker
from tableside.words import say

NAME = "d6-wild"
NUMBERS = 300
"""No difficulty and no pips are larger."""

_SCALES = choices(SCALES)
_BAND_NAMES = (*BANDS, *(f"heroic+{tens}" for tens in range(10, NUMBERS - 30, 10)))
"""The bands go on by tens, as far as there are numbers."""
_BANDS = tuple((name, f"{title}, {find_band(name).words}") for name, title in choices(_BAND_NAMES))

_USES = {"attack": "attack", "damage": "damage", "dodge": "reaction_skill", "resist": "strength_against_damage"}
"""The use of each role."""

FORM = Fields(
    (
        Field(
            name="purpose",
            title="What is thrown",
            kind=Kind.CHOICE,
            default="check",
            source="damage",
            choices=(
                ("check", "A check, or just a total"),
                ("damage", "Damage against Strength"),
                ("stun_damage", "Damage of a weapon on stun"),
                ("first_aid", "First aid for the dying"),
                ("healing", "Natural healing after the rest, by Strength"),
                *TABLES.items(),
            ),
            help="A throw for a table has no Wild Die, and nothing changes its number of dice.",
        ),
        Field(
            name="code",
            title="Dice code",
            kind=Kind.CODE,
            help="Such as 4D+2; one of the dice is the Wild Die.",
            source="wild_pool",
        ),
        Field(name="difficulty", title="Difficulty number", least=-NUMBERS, most=NUMBERS, source="difficulty_check"),
        Field(
            name="dice",
            title="Dice in all",
            most=MAX_DICE,
            source="wild_pool",
            help="Where no code is given; nothing changes their number.",
        ),
        Field(name="pips", title="More pips", least=-NUMBERS, most=NUMBERS, default=0, source="wild_roll"),
        Field(
            name="wild_throws",
            title="Throws of the Wild Die at most",
            least=1,
            most=NUMBERS,
            source="wild_roll",
            help="A six after them is added and not thrown again.",
        ),
        Field(name="bonus", title="Bonus of a combined action", kind=Kind.CODE, source="combined_action"),
        Field(name="actions", title="Actions this round", least=1, most=20, default=1, source="multi_action"),
        Field(name="extra_reactions", title="Reactions on top", most=20, default=0, source="multi_action"),
        Field(name="force_point", title="Force Point spent", kind=Kind.FLAG, default=False, source="force_point"),
        Field(name="prepared", title="Prepared", kind=Kind.FLAG, default=False, source="prepare"),
        Field(name="rushed", title="In half the time", kind=Kind.FLAG, default=False, source="rush"),
        Field(
            name="state",
            title="Wound state",
            kind=Kind.CHOICE,
            choices=choices(STATES),
            default="healthy",
            source="wound_track",
        ),
        Field(
            name="role",
            title="Role of the roll",
            kind=Kind.CHOICE,
            source="scale",
            choices=(
                ("attack", "An attack"),
                ("damage", "Damage"),
                ("dodge", "A dodge or parry"),
                ("resist", "Resistance"),
            ),
            help="With both scales it adds dice.",
        ),
        Field(
            name="scale",
            title="Scale of the roller",
            kind=Kind.CHOICE,
            choices=_SCALES,
            default="character",
            source="scale",
        ),
        Field(
            name="other_scale",
            title="Scale of the other side",
            kind=Kind.CHOICE,
            choices=_SCALES,
            default="character",
            source="scale",
        ),
        Field(
            name="against_unarmed",
            title="Armed, against an unarmed one",
            kind=Kind.FLAG,
            default=False,
            source="melee_modifier",
            help="Who has no claws either: 10 for an attack, 5 for a dodge or parry.",
        ),
        Field(
            name="band",
            title="Difficulty band",
            kind=Kind.CHOICE,
            choices=_BANDS,
            source="difficulty_scale",
            help="Its lowest number counts where no number is given.",
        ),
        Field(
            name="range",
            title="Range",
            kind=Kind.CHOICE,
            choices=choices(RANGES),
            source="ranged_difficulty",
            help="It gives the band where none is chosen.",
        ),
        Field(
            name="random",
            title="Random difficulty",
            kind=Kind.FLAG,
            default=False,
            source="difficulty_scale",
            help="The game master throws the dice of the band, in place of a number.",
        ),
        Field(
            name="random_dice",
            title="Dice of the random difficulty",
            most=MAX_DICE,
            source="difficulty_scale",
            help="Where the band leaves a choice, such as 3 or 4; else whatever of these is thrown counts.",
        ),
        Field(
            name="reaction_total",
            title="Total of the target's reaction",
            least=-NUMBERS,
            most=NUMBERS,
            source="reaction",
            help="It becomes the difficulty, even where it is lower.",
        ),
        Field(
            name="called_shot",
            title="Called shot",
            kind=Kind.CHOICE,
            choices=choices(CALLED_SHOTS),
            source="called_shot",
        ),
        Field(name="obscurity", title="Obscurity", kind=Kind.CHOICE, choices=choices(OBSCURITY), source="obscurity"),
        Field(name="cover", title="Cover", kind=Kind.CHOICE, choices=choices(COVER), source="cover"),
        Field(
            name="use",
            title="Use",
            kind=Kind.CHOICE,
            choices=choices(POINT_LIMITS),
            default="skill_or_attribute",
            source="character_point_limit",
            help="It limits the character points; usually the role tells it.",
        ),
        Field(
            name="character_points",
            title="Character points spent",
            most=max(POINT_LIMITS.values()),
            default=0,
            source="character_points",
            help="A die each, after the roll was seen.",
        ),
        Field(
            name="against",
            title="Total of Strength",
            least=-NUMBERS,
            most=NUMBERS,
            source="damage",
            only=with_purpose("damage", "stun_damage"),
        ),
        Field(
            name="location",
            title="Where it hits",
            kind=Kind.CHOICE,
            choices=choices(LOCATIONS),
            source="limb_kill",
            only=with_purpose("damage", "stun_damage"),
            help="What would kill at a limb destroys the limb.",
        ),
        Field(
            name="rounds",
            title="Rounds since the mortal wound",
            least=1,
            source="mortal_check",
            only=with_purpose("dying"),
            help="Who is dying dies where 2D show less.",
        ),
        *UNTRAINED,
        Field(
            name="earlier",
            title="Earlier throws of the Wild Die",
            kind=Kind.FACES,
            least=1,
            most=6,
            default=(),
            source="wild_roll",
            help="All sixes, where they are not given as throws of their own.",
        ),
        Field(
            name="first_one",
            title="A first 1 on the Wild Die",
            kind=Kind.CHOICE,
            choices=tuple(FIRST_ONE.items()),
            default="counts",
            is_setting=True,
            source="I3",
        ),
        Field(
            name="wounded_penalty", title="Dice that the wounded lose", most=4, default=0, is_setting=True, source="I10"
        ),
        Field(
            name="owned",
            title="Ordinary dice that the players own",
            most=MAX_DICE,
            default=0,
            is_setting=True,
            help="Larger codes are thrown in parts; 0: enough.",
            source="0",
        ),
    )
)

TRACKERS = (
    Tracker(name="character_points", title="Character points", source="character_points"),
    Tracker(name="force_points", title="Force Points", default=1, source="force_point"),
    Tracker(name="dark_side_points", title="Dark Side Points", source="force_point"),
    Tracker(name="wounds", title="Wounds", steps=STATES, source="wound_track"),
    Tracker(
        name="stuns",
        title="Stuns that count",
        source="stun_count",
        resets="half an hour",
        help="Each for half an hour, or until a minute's rest.",
    ),
    Tracker(
        name="stunned_rounds",
        title="Rounds that a stun still hinders",
        source="wound_track",
        help="This round and the next.",
    ),
    Tracker(
        name="unconscious",
        title="Unconscious",
        steps=("awake", "unconscious"),
        resets="waking up",
        source="stun_weapon, stun_count",
    ),
    Tracker(
        name="stabilised",
        title="First aid after a mortal wound",
        steps=("dying", "stabilised", "saved"),
        source="stabilize",
        help="With a medpac or a bacta tank within the hour one lives.",
    ),
    Tracker(name="mortal_rounds", title="Rounds since the mortal wound", source="mortal_check"),
    Tracker(name="actions", title="Actions left this round", resets="round", source="multi_action"),
    FALLEN,
)


def plan_of(given: Answers, *, least: int = 1) -> Plan:
    """Return the code to throw and the difficulty.

    :param least: so many dice have to be left; 0 for what resists.
    :raises BadAsk: for an answer that the rules do not allow.
    """
    steps: list[Step] = []
    code = _code(given, steps, least)
    pips = code.pips if code is not None else given.number("pips")
    if armed := _armed(given):
        pips += armed
        steps.append(wild_step(say("Armed against unarmed: {pips}.", pips=pips_words(armed)), "melee_modifier"))
        code = code and Code(dice=code.dice, pips=pips)
    points, use = given.number("character_points"), use_of(given)
    if points > (most := point_limit(use)):
        most_said = say("For this use ({=use}) it is 0 to {=most}.", use=use, most=most)
        raise BadAsk(say("character_points is {=points}", points=points), where=f"game {NAME}", hint=most_said)
    if any(face != 6 for face in given.faces("earlier")):
        hint = "The Wild Die is thrown again only after a six, so they are all sixes."
        raise BadAsk(
            say("earlier is {=earlier}", earlier=str(list(given.faces("earlier")))), where=f"game {NAME}", hint=hint
        )
    number, dice, more = _difficulty(given, steps)
    return Plan(code=code, pips=pips, difficulty=number, difficulty_dice=dice, difficulty_more=more, steps=tuple(steps))


def use_of(given: Answers) -> str:
    """Return what a roll is for, as it limits the character points: as entered, else by the role or the purpose."""
    if given.has("use"):
        return given.choice("use")
    role = "damage" if given.choice("purpose") in ("damage", "stun_damage") else given.choice("role")
    return _USES.get(role, given.choice("use"))


def _armed(given: Answers) -> int:
    """Return what an armed fighter gains against an unarmed one: damage and Strength gain nothing."""
    if not given.flag("against_unarmed") or given.choice("purpose") in ("damage", "stun_damage"):
        return 0
    return {"": ARMED_ATTACK, "attack": ARMED_ATTACK, "dodge": ARMED_DEFENCE}.get(given.choice("role"), 0)


def _code(given: Answers, steps: list[Step], least: int) -> Code | None:
    base = given.code("code")
    if base is None:
        return None
    dice, pips = base.dice, base.pips

    def note(text: str, rule: str) -> None:
        steps.append(wild_step(say("{change}: {code}.", change=text, code=code_words(dice, pips)), rule))

    note("Base code", "wild_pool")
    if given.flag("force_point"):
        dice, pips = 2 * dice, 2 * pips
        note("A Force Point doubles dice and pips", "force_point")
    if given.flag("rushed"):
        dice = rushed(Code(dice=dice)).dice
        note("Half the time, half the dice", "rush")
    for change, words, rule in _changes(given):
        if change:
            dice += change
            note(say("{why}, {n}D more" if change > 0 else "{why}, {n}D less", why=words, n=abs(change)), rule)
    if (bonus := given.code("bonus")) is not None:
        dice, pips = dice + bonus.dice, pips + bonus.pips
        note(say("A combined action adds {code}", code=bonus.added), "combined_action")
    if given.number("pips"):
        pips += given.number("pips")
        note(pips_words(given.number("pips")), "wild_roll")
    if dice < 1 <= least:
        hint = "What is left is 0D or less and cannot be thrown: take fewer actions, or heal first."
        raise BadAsk(say("of {=base} no die is left", base=base), where=f"game {NAME}", hint=hint)
    return Code(dice=max(dice, 0), pips=pips)


def _changes(given: Answers) -> tuple[tuple[int, str, str], ...]:
    """Return the changes in whole dice, with words and rules."""
    actions, extra = given.number("actions"), given.number("extra_reactions")
    role, own, other = given.choice("role"), given.choice("scale"), given.choice("other_scale")
    # On a roll to heal the wound itself costs nothing: 4D less than Strength would leave nobody a die (our reading).
    state = "healthy" if given.choice("purpose") == "healing" else given.choice("state")
    if state == "killed":
        raise BadAsk("state is 'killed'", where=f"game {NAME}", hint="The dead throw nothing.")
    attacks = role in ("attack", "damage")
    bonus = scale_bonus(own, other) if attacks else scale_bonus(other, own)
    scales = say("{^scale} against {other}", scale=plain_words(own), other=plain_words(other))
    return (
        (int(given.flag("prepared")), "Prepared", "prepare"),
        (-penalty_dice(actions, extra), say("{n} actions", n=actions + extra), "multi_action"),
        (
            -wound_penalty(state, wounded=given.number("wounded_penalty")),
            say("{^state}", state=plain_words(state)),
            "wound_penalty",
        ),
        (getattr(bonus, role) if role else 0, scales, "scale"),
    )


def _difficulty(given: Answers, steps: list[Step]) -> tuple[int | None, int, int]:
    """Return the difficulty, how many dice are added to it, and how many more may be."""
    number, dice, more_dice = given.number_or_none("difficulty"), 0, 0
    name = given.choice("band") or RANGES.get(given.choice("range"), "")
    if not name and given.choice("purpose") == "first_aid":
        name = STABILIZE_DIFFICULTY
    if given.flag("random"):
        if number is not None or not name:
            hint = "Choose a band, and give no number."
            raise BadAsk("random is true without a band of its own", where=f"game {NAME}", hint=hint)
        number, (dice, more_dice) = 0, _random_dice(name, given.number_or_none("random_dice"))
        words = f"{dice}D"
        if more_dice:
            some = say("{n}D or more", n=dice)
            words = some if dice + more_dice == MAX_DICE else say("{n}D to {most}D", n=dice, most=dice + more_dice)
        told = say("Random difficulty, {band}: {dice}.", band=plain_words(name), dice=words)
        steps.append(wild_step(told, "difficulty_scale"))
    elif number is None and name:
        band = find_band(name)
        number = band.least
        told = say("Difficulty {band}, {range}: {number}.", band=plain_words(name), range=band.words, number=number)
        steps.append(wild_step(told, "difficulty_scale"))
    if (reaction := given.number_or_none("reaction_total")) is not None:
        number, dice, more_dice = reaction, 0, 0
        steps.append(wild_step(say("The reaction is the difficulty: {number}.", number=number), "reaction"))
    tables = (("called_shot", CALLED_SHOTS), ("obscurity", OBSCURITY), ("cover", COVER))
    if number is None:
        needs_difficulty([name for name, _ in tables if given.choice(name)], game=NAME)
        return None, 0, 0
    for name, table in tables:
        chosen = given.choice(name)
        if chosen:
            more = table[chosen]
            if more is None:
                hint = "No direct hit is possible until the cover is gone."
                what = say("{name} is {chosen}", name=given.known(name), chosen=plain_words(chosen))
                raise BadAsk(what, where=f"game {NAME}", hint=hint)
            dice += more
            pattern = "{^name}, {chosen}: {n}D {n:is|are} added to the difficulty."
            told = say(pattern, name=plain_words(name), chosen=plain_words(chosen), n=more)
            steps.append(wild_step(told, name))
    return number, dice, more_dice


def _random_dice(name: str, wanted: int | None) -> tuple[int, int]:
    """Return how many dice draw a difficulty of this band, and how many more may; ``wanted`` settles it."""
    band = find_band(name)
    if band.least_code is None:
        hint = say("The summary prints no dice for it: give a number, {=words}.", words=band.words)
        raise BadAsk(say("band {=name} cannot be random", name=name), where=f"game {NAME}", hint=hint)
    least, most = band.least_code.dice, band.most_code.dice if band.most_code else MAX_DICE
    if wanted is None:
        return least, most - least
    if not least <= wanted <= most:
        hint = say("Of the band {=name} it is {=least} to {=most}.", name=name, least=least, most=most)
        raise BadAsk(say("random_dice is {=wanted}", wanted=wanted), where=f"game {NAME}", hint=hint)
    return wanted, 0
