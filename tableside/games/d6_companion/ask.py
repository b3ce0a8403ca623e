"""D6 with dice codes: what is asked before a roll, and the code and difficulty that come of it.

The order of changes is that of the roll pipeline in the project's rules, ``d6-companion.md`` section 0; the names of
rules are its headings.
"""

from __future__ import annotations

from tableside.errors import BadAsk
from tableside.games.d6.ask import FALLEN, UNTRAINED
from tableside.games.d6.outcome import Plan, needs_difficulty, plain_words
from tableside.games.d6_companion import capital, combat, force, gear, movement, ships
from tableside.games.d6_companion.capital import (
    DESTROYED_PIPS,
    FACINGS,
    SHUT_DOWN_PENALTY,
    damage_modifier,
    guns_modifier,
    modifier_words,
)
from tableside.games.d6_companion.combat import (
    FULL_REACTION_ACTIONS,
    WOUNDED_PENALTY,
    reaction_applies,
    reaction_difficulty,
)
from tableside.games.d6_companion.movement import DAMAGES as DAMAGE_STEPS
from tableside.games.d6_companion.movement import OVERSPEED_MODIFIER, WOUNDS
from tableside.games.d6_companion.purpose import Purpose, Purposes
from tableside.games.d6_companion.rolls import (
    BAND_TITLES,
    BANDS,
    FIRE_MODIFIERS,
    NAMED_BANDS,
    SCALES,
    UNCERTAINTY_DICE,
    band,
    fire_modifier,
    scale_cap,
)
from tableside.games.d6_companion.sources import companion_step
from tableside.rules.code import MAX_DICE, Code, code_words, pips_words
from tableside.rules.form import Answers, Field, Fields, Kind, choices, with_purpose
from tableside.rules.game import Step
from tableside.rules.tracker import Tracker
from tableside.words import say

NAME = "d6-companion"

PURPOSES: Purposes = {
    "check": Purpose(title="a check, or just a total", told=ships.met_shields),
    "damage": Purpose(title="damage against Strength"),
    "stun_damage": Purpose(title="damage of a stun attack against Strength"),
    "ship_damage": Purpose(title="damage against a hull"),
    "ion_damage": Purpose(title="damage of an ion cannon against a hull"),
    "capital_damage": Purpose(title="damage against a capital ship's hull"),
    "capital_ion_damage": Purpose(title="damage of ion guns against a capital ship's hull"),
    **combat.PURPOSES,
    **movement.PURPOSES,
    **ships.PURPOSES,
    **capital.PURPOSES,
    **force.PURPOSES,
    **gear.PURPOSES,
}
DAMAGES = (
    "damage",
    "stun_damage",
    "ship_damage",
    "ion_damage",
    "capital_damage",
    "capital_ion_damage",
    "collision",
    "capital_ram",
)
"""What is resisted by Strength or a hull."""
PARTS = {
    "strength": "Strength",
    "senses": "Perception, hiding and searching",
    "pilot": "Piloting",
    "engines": "The engines",
    "gunner": "Gunnery",
    "shields": "Shields",
    "hull": "A hull",
}
"""What a skill is for, as far as the rules hinder or spare one part and not another."""
SHIP_CHARTS = {"at_least": "counts (>=), as in the other charts", "more_than": "does not count (>), as printed"}
NUMBERS = 999
"""No difficulty and no pips are larger."""

_SCALES = choices(SCALES)
_BANDS = tuple((name, f"{title}, {BANDS[name][0]} to {BANDS[name][1]}") for name, title in choices(BANDS))

FORM = Fields(
    (
        Field(
            name="purpose",
            title="What is thrown",
            kind=Kind.CHOICE,
            choices=tuple((name, purpose.title) for name, purpose in PURPOSES.items()),
            default="check",
            source="personal_damage",
        ),
        Field(name="code", title="Dice code", kind=Kind.CODE, help="Such as 4D+2.", source="dice_total"),
        Field(name="difficulty", title="Difficulty number", least=-NUMBERS, most=NUMBERS, source="difficulty_check"),
        Field(
            name="add",
            title="Code to add",
            kind=Kind.CODE,
            source="code_in_play",
            help="Of the vehicle, the weapon or its fire control.",
        ),
        Field(
            name="pips",
            title="More pips",
            least=-NUMBERS,
            most=NUMBERS,
            default=0,
            source="code_in_play",
            help="Of a combined action, of damage to the ship.",
        ),
        Field(name="force_point", title="Force Point spent", kind=Kind.FLAG, default=False, source="force_point"),
        Field(name="prepared", title="Prepared last round", kind=Kind.FLAG, default=False, source="preparation"),
        Field(
            name="guns",
            title="Guns firing",
            least=0,
            most=NUMBERS,
            default=0,
            source="guns_modifier",
            help="Of a capital ship; one has no modifier.",
        ),
        Field(
            name="actions",
            title="Actions this round",
            least=1,
            most=20,
            default=1,
            source="multi_action",
            help="Walking at half speed, dropping prone and calling on the Dark Side are none.",
        ),
        Field(
            name="full_reaction",
            title="A full reaction",
            kind=Kind.FLAG,
            default=False,
            source="reaction, I12",
            help="Its speed action is one of the actions, so there are two at least; moving gives that die back.",
        ),
        Field(name="wounded", title="Wounded", kind=Kind.FLAG, default=False, source="wound_state"),
        Field(
            name="stuns",
            title="Stuns that count",
            most=20,
            default=0,
            source="stun_track",
            help="Of this round and the last; not on Strength.",
        ),
        Field(
            name="ionized",
            title="Ionized by dice",
            most=20,
            default=0,
            source="starship_damage",
            help="All codes of the ship but the hull.",
        ),
        Field(
            name="ship_damage",
            title="Pips of damage to the capital ship",
            most=DESTROYED_PIPS - 1,
            default=0,
            source="capital_state",
            help="Each costs a pip of everything but the hull; 9 destroy the ship.",
        ),
        Field(name="cap", title="Die cap", least=1, most=6, default=6, source="die_cap"),
        Field(
            name="chart",
            title="Scale chart",
            kind=Kind.CHOICE,
            source="scale_cap",
            choices=(("to_hit", "To hit"), ("maneuver", "Maneuver, shields"), ("damage", "Damage, resistance")),
            help="With both scales it gives the die cap.",
        ),
        Field(
            name="scale",
            title="Scale of the code",
            kind=Kind.CHOICE,
            choices=_SCALES,
            default="character",
            source="scale_cap",
        ),
        Field(
            name="target_scale",
            title="Scale of the other side",
            kind=Kind.CHOICE,
            choices=_SCALES,
            default="character",
            source="scale_cap",
        ),
        Field(
            name="uncertainty",
            title="Uncertainty dice",
            most=UNCERTAINTY_DICE[1],
            default=0,
            source="uncertainty",
            help="None, or 2 to 4; never for combat skills.",
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
            name="about",
            title="Difficulty by range or knowledge",
            kind=Kind.CHOICE,
            choices=tuple(BAND_TITLES.items()),
            source="combat_difficulty, knowledge_difficulty",
            help="Where neither a number nor a band is chosen. A grenade scatters by it.",
        ),
        Field(
            name="fire",
            title="Fire modifiers",
            kind=Kind.CHOICES,
            choices=choices(FIRE_MODIFIERS),
            default=(),
            source="fire_modifier",
        ),
        Field(
            name="overspeed",
            title="Overspeed actions",
            most=20,
            default=0,
            source="overspeed",
            help="They raise the difficulty; count them as actions, too.",
        ),
        Field(
            name="reaction",
            title="The target's reaction",
            kind=Kind.CHOICE,
            source="reaction",
            choices=(("full", "Full: added"), ("combat", "Combat: the higher counts")),
        ),
        Field(
            name="reaction_total",
            title="Total of the reaction",
            least=-NUMBERS,
            most=NUMBERS,
            default=0,
            source="reaction",
        ),
        Field(
            name="missile",
            title="Speed actions of a missile's target",
            most=20,
            default=0,
            source="missile_difficulty",
            help="A die for each is added to the difficulty.",
        ),
        Field(
            name="more_than",
            title="More than the difficulty",
            kind=Kind.FLAG,
            default=False,
            source="opposed_roll",
            help="In contests that ask for more; a tie has no winner.",
        ),
        Field(
            name="against",
            title="Total of Strength or hull",
            least=-NUMBERS,
            most=NUMBERS,
            source="personal_damage",
            only=with_purpose(*DAMAGES),
            help="That resists the damage.",
        ),
        Field(
            name="rounds",
            title="Rounds since the mortal wound",
            least=1,
            most=NUMBERS,
            default=1,
            source="mortal_check",
            only=with_purpose("dying"),
            help="Who is dying dies where 2D show less.",
        ),
        *combat.FIELDS,
        *movement.FIELDS,
        *ships.FIELDS,
        *capital.FIELDS,
        *force.FIELDS,
        *gear.FIELDS,
        *UNTRAINED,
        Field(
            name="part",
            title="What the skill is for",
            kind=Kind.CHOICE,
            choices=tuple(PARTS.items()),
            source="stun_track, dim_senses, command_allocation",
            help="It tells what hinders or spares it.",
        ),
        Field(
            name="troopers",
            title="Armoured troopers who see the target",
            kind=Kind.FLAG,
            default=False,
            source="combined_limit",
            help="Any number of them may combine their fire.",
        ),
        Field(
            name="owned",
            title="Six-sided dice that the players own",
            most=MAX_DICE,
            default=0,
            is_setting=True,
            help="Larger codes are thrown in parts; 0: enough.",
            source="0",
        ),
        Field(
            name="force_point_last",
            title="A Force Point doubles after the penalties",
            kind=Kind.FLAG,
            default=False,
            is_setting=True,
            source="I4",
        ),
        Field(
            name="ship_chart",
            title="Damage that just reaches a row of the starship chart",
            kind=Kind.CHOICE,
            choices=tuple(SHIP_CHARTS.items()),
            default="more_than",
            is_setting=True,
            source="I8",
        ),
    )
)

TRACKERS = (
    Tracker(name="force_points", title="Force Points", default=1, source="force_point"),
    Tracker(
        name="character_points", title="Character points", source="force_training", help="Skill points to improve with."
    ),
    Tracker(name="dark_side_points", title="Dark Side Points", source="dark_side_consume"),
    Tracker(name="dark_side_calls", title="Calls on the Dark Side", resets="adventure", source="dark_side_call"),
    Tracker(name="wounds", title="Wounds", source="wound_state", steps=WOUNDS),
    Tracker(name="stuns", title="Stuns of this round", resets="round", source="stun_track"),
    Tracker(
        name="stuns_before",
        title="Stuns of the last round",
        source="stun_track",
        help="They still count, until the end of this round.",
    ),
    Tracker(
        name="unconscious",
        title="Unconscious",
        steps=("awake", "unconscious"),
        resets="waking up",
        source="stun_track",
    ),
    Tracker(name="mortal_rounds", title="Rounds since the mortal wound", source="mortal_check"),
    Tracker(name="sustained", title="Life force", steps=("own", "sustained_by_the_force"), source="mortal_check"),
    Tracker(name="accelerated", title="Healing", steps=("usual", "accelerated"), resets="day", source="power results"),
    Tracker(name="emptiness", title="Roll for emptiness", most=999, source="emptiness"),
    Tracker(name="force_bonus", title="Bonus on Force rolls", most=6, source="emptiness"),
    Tracker(name="will", title="Roll for force of will", most=999, source="force_of_will"),
    Tracker(name="will_lost", title="Dice that force of will has lost", source="force_of_will"),
    Tracker(name="dimmed", title="Senses dimmed by dice", source="dim_senses"),
    Tracker(name="atoned", title="Atoned", steps=("no", "yes"), resets="adventure", source="atonement"),
    Tracker(name="prone", title="Stance", steps=("standing", "prone"), source="stance"),
    Tracker(name="haste", title="Haste of actions", resets="round", source="haste"),
    Tracker(name="reaction_haste", title="Haste of reactions", resets="round", source="haste"),
    Tracker(name="free_haste", title="Free haste", resets="round", source="surprise"),
    Tracker(
        name="reserved",
        title="Speed actions in reserve",
        most=3,
        resets="round",
        source="maneuver",
        help="They are spent after the movement of the one who lost.",
    ),
    Tracker(name="control", title="Control", steps=("under_control", "out_of_control"), source="movement_failure"),
    Tracker(name="rammed", title="Rammed", steps=("no", "more_than_once", "more_than_twice"), source="ramming"),
    Tracker(name="medpacs", title="Medpacs today", resets="day", source="medpac_difficulty"),
    Tracker(name="ionized", title="Ionization of this round in dice", resets="round", source="starship_damage"),
    Tracker(
        name="ionized_before",
        title="Ionization of the last round in dice",
        source="starship_damage",
        help="It still counts, until the end of this round.",
    ),
    Tracker(name="dead_controls", title="Controls", steps=("working", "dead"), source="starship_damage"),
    Tracker(name="generators", title="Shield generators lost", source="starship_damage"),
    Tracker(name="shields", title="Roll of the shields", most=999, resets="round", source="shields"),
    Tracker(
        name="evasion",
        title="Total of a full evasion",
        most=999,
        resets="round",
        source="evasion_side_effects",
        help="It disturbs all others on board.",
    ),
    Tracker(name="held", title="Tractor beam", steps=("free", "held"), source="tractor_beam"),
    Tracker(
        name="capital_damage", title="Pips of damage to the capital ship", most=DESTROYED_PIPS, source="capital_state"
    ),
    Tracker(name="shield_damage", title="Pips of damage to the shields", source="capital_shields"),
    Tracker(name="sublight_damage", title="Pips of damage to the engines", source="targeting"),
    Tracker(name="maneuver_damage", title="Pips of damage to the maneuver", source="targeting"),
    Tracker(name="fire_control_damage", title="Pips of damage to the fire control", source="targeting"),
    Tracker(name="facings_lost", title="Shield facings lost", most=FACINGS, source="capital_shields"),
    Tracker(
        name="strained",
        title="Shields",
        steps=("even", "strained"),
        resets="round",
        source="capital_shields",
        help="While a facing has more power, other shield rolls lose 1D.",
    ),
    Tracker(name="facing", title="Facing to the enemy", most=FACINGS - 1, source="facing"),
    Tracker(
        name="pilot_orders",
        title="Orders for the pilot",
        resets="round",
        source="command_allocation",
        help="0: command is not played. 1: no order, 1D less. From 2 on: commanded, with a bonus pip for each beyond.",
    ),
    Tracker(name="gunner_orders", title="Orders for the gunners", resets="round", source="command_allocation"),
    Tracker(name="shields_orders", title="Orders for the shields", resets="round", source="command_allocation"),
    FALLEN,
    Tracker(name="ship_damage", title="The ship's damage", source="starship_damage", steps=DAMAGE_STEPS),
)


def plan_of(given: Answers, *, least: int = 1) -> Plan:
    """Return the code to throw and the difficulty.

    :param least: so many dice have to be left; 0 for what resists.
    :raises BadAsk: for an answer that the rules do not allow.
    """
    steps: list[Step] = []
    code = _code(given, steps, least)
    difficulty = _difficulty(given, steps)
    pips = given.number("pips") if code is None else code.pips
    return Plan(
        code=code, pips=pips, difficulty=difficulty, difficulty_dice=given.number("missile"), steps=tuple(steps)
    )


def uncertainty_of(given: Answers) -> int:
    """Return the uncertainty dice, or raise :class:`BadAsk` for a number that the rule does not know."""
    count, (least, most) = given.number("uncertainty"), UNCERTAINTY_DICE
    if count and not least <= count <= most:
        raise BadAsk(
            say("uncertainty is {=count}", count=count),
            where=f"game {NAME}",
            hint=say("It is 0, or {=least} to {=most}.", least=least, most=most),
        )
    return count


def cap_of(given: Answers) -> int:
    """Return the die cap: the lower of what was entered and what the scale chart says."""
    cap = given.number("cap")
    if not given.choice("chart"):
        return cap
    scales = given.choice("scale"), given.choice("target_scale")
    charted = scale_cap(given.choice("chart"), *scales)
    if charted is None:
        what = say(
            "{=scales} against {=scales2} is not possible",
            scales=plain_words(scales[0]),
            scales2=plain_words(scales[1]),
        )
        raise BadAsk(what, where=f"chart {given.choice('chart')}", hint="The chart has a dash there: choose another.")
    return min(cap, charted)


def _code(given: Answers, steps: list[Step], least: int) -> Code | None:
    purpose = PURPOSES[given.choice("purpose")]
    base = given.code("code") if purpose.code is None else purpose.code(given)
    if purpose.is_free or base is None:  # nothing changes the number of these dice
        return base
    dice, pips = base.dice, base.pips

    def note(text: str, rule: str) -> None:
        steps.append(companion_step(say("{change}: {code}.", change=text, code=code_words(dice, pips)), rule))

    note("Base code", "dice_total")
    if (added := given.code("add")) is not None:
        added = added.times(1 + given.flag("increased"))
        dice, pips = dice + added.dice, pips + added.pips
        note(say("With {code}, dice and pips apart", code=added.added), "code_in_play")
    last = given.flag("force_point_last")
    if given.flag("force_point") and not last:
        dice, pips = 2 * dice, 2 * pips
        note("A Force Point doubles dice and pips", "force_point")
    for change, words, rule in _changes(given):
        if change:
            dice += change
            note(say("{why}, {n}D more" if change > 0 else "{why}, {n}D less", why=words, n=abs(change)), rule)
    if (count := capital.guns_of(given)) > 1:
        guns = guns_modifier(count)
        dice, pips = dice + guns.dice, pips + guns.pips
        note(say("{n} guns add {code}", n=count, code=guns.added), "guns_modifier")
    if hurt := given.number("ship_damage"):
        lost = damage_modifier(hurt)
        dice, pips = dice - lost.dice, pips - lost.pips
        text = "{n} {n:pip|pips} of damage to the ship, {modifier}"
        note(say(text, n=hurt, modifier=modifier_words(hurt)), "capital_state")
    if given.flag("force_point") and last:
        dice, pips = 2 * dice, 2 * pips
        note("A Force Point doubles what is left", "I4")
    for change, words, rule in _pips_more(given):
        pips += change
        note(say("{why}, {pips}", why=words, pips=pips_words(change)), rule)
    if given.number("pips"):
        pips += given.number("pips")
        text = say("{pips}, and pips never become dice", pips=pips_words(given.number("pips")))
        note(text, "code_in_play")
    if dice < 1 <= least:
        hint = "What is left is 0D or less and cannot be thrown: take fewer actions, or wait."
        raise BadAsk(say("of {=base} no die is left", base=base), where=f"game {NAME}", hint=hint)
    dice = max(dice, 0)
    if uncertainty := uncertainty_of(given):
        dice += uncertainty
        note(say("{n} uncertainty dice", n=uncertainty), "uncertainty")
    return Code(dice=dice, pips=pips)


def _changes(given: Answers) -> tuple[tuple[int, str, str], ...]:
    """Return the changes in whole dice, with words and rules."""
    full = given.flag("full_reaction")
    # Its speed action is compulsory: the die that moving gives makes up for what that action costs (I12).
    actions = max(given.number("actions"), FULL_REACTION_ACTIONS if full else 1)
    if given.choice("purpose") == "movement":
        actions = max(actions, movement.actions_of(given))
    actions += combat.haste_actions(given)
    return (
        (int(given.flag("prepared")), "Prepared", "preparation"),
        (1 - actions, say("{n} actions", n=actions), "multi_action"),
        (int(full), "Moving with a full reaction", "reaction"),
        (-WOUNDED_PENALTY * given.flag("wounded"), "Wounded", "wound_state"),
        (-given.number("stuns"), "Stunned", "stun_track"),
        (-given.number("ionized"), "Ionized", "starship_damage"),
        (given.number("overspeed_done"), "Overspeed against the beam", "tractor_beam"),
        (-given.number("dimmed"), "Senses dimmed", "dim_senses"),
        (*capital.aimed_dice(given), "targeting"),
        (-given.number("less"), "Other dice", "command_allocation"),
        (-SHUT_DOWN_PENALTY * (given.choice("purpose") == "shut_down_shield"), "A facing shut down", "capital_shields"),
        (given.number("speed_actions") * (given.choice("purpose") == "capital_ram"), "Speed actions", "capital_ram"),
    )


def _pips_more(given: Answers) -> tuple[tuple[int, str, str], ...]:
    """Return what adds to the total by the situation, with words and rules."""
    _, shields = ships.evasion_more(given)
    healing = combat.HEALING_BONUS if given.flag("accelerated") and given.choice("purpose") == "medpac" else 0
    found = (
        (shields, "The ship evades with all it has", "evasion_side_effects"),
        (healing, "Healing is accelerated", "accelerate_healing"),
    )
    return tuple(one for one in found if one[0])


def _difficulty(given: Answers, steps: list[Step]) -> int | None:
    number, purpose = given.number_or_none("difficulty"), PURPOSES[given.choice("purpose")]
    if purpose.is_measure:
        return None
    named = given.choice("band") or (purpose.band(given) if purpose.band else "") or _band_about(given)
    if number is None and named:
        number, most = band(named)
        told = say(
            "Difficulty {band}, {least} to {most}: {number}.",
            band=plain_words(named),
            least=number,
            most=most,
            number=number,
        )
        steps.append(companion_step(told, "difficulty_scale"))
    if number is None and purpose.number:
        number = purpose.number(given)
    if number is None:
        more = {
            "fire": given.chosen("fire"),
            "overspeed": given.number("overspeed"),
            "reaction": given.choice("reaction"),
            "missile": given.number("missile"),
        }
        needs_difficulty([name for name, value in more.items() if value], game=NAME)
        return None

    def note(text: str, rule: str) -> None:
        steps.append(companion_step(say("{change}: difficulty {number}.", change=text, number=str(number)), rule))

    if given.chosen("fire"):
        number += fire_modifier(given.chosen("fire"))
        names = [plain_words(name) for name in given.chosen("fire")]
        note(say("Fire modifiers {names}", names=names), "fire_modifier")
    if given.number("overspeed"):
        number += OVERSPEED_MODIFIER * given.number("overspeed")
        note("Overspeed", "overspeed")
    if given.choice("purpose") == "movement":
        for more_difficult, words, rule in movement.difficulty_more(given):
            number += more_difficult
            note(words, rule)
    if given.choice("purpose") == "astrogation" and (saved := given.number("hours_saved")):
        number += saved
        note(say("{n} hours saved", n=saved) if saved > 0 else say("{n} hours longer", n=-saved), "astrogation")
    if given.choice("purpose") == "medpac" and (used := combat.medpac_more(given)):
        number += used
        note("Medpacs of today", "medpac_difficulty")
    if disturbed := ships.evasion_more(given)[0]:
        number += disturbed
        note("The ship evades with all it has", "evasion_side_effects")
    reacts = reaction_applies(
        attack_haste=given.number("haste"),
        reaction_haste=given.number("reaction_haste"),
        skill=given.choice("reaction_skill"),
        attack=given.choice("attack"),
    )
    if given.choice("reaction") and not reacts:
        note("The reaction is too slow, or does not fit", "reaction")
    elif given.choice("reaction"):
        full = given.choice("reaction") == "full"
        number = reaction_difficulty(number, given.number("reaction_total"), full=full)
        note("A full reaction adds its roll" if full else "A combat reaction, the higher counts", "reaction")
    return number


def _band_about(given: Answers) -> str:
    """Return the band of a range or of knowledge, ``""`` where none is told."""
    return NAMED_BANDS.get(ships.range_band(given) or given.choice("about"), "")
