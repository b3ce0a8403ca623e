"""D6 with dice codes: what is asked before a roll, and the code and difficulty that come of it.

The order of changes is that of the roll pipeline in the project's rules, ``d6-companion.md`` section 0; the names of
rules are its headings.
"""

from __future__ import annotations

from collections.abc import Iterator

from tableside.errors import BadAsk
from tableside.games.d6.ask import FALLEN, D6Ask
from tableside.games.d6.outcome import Draft, Plan, needs_difficulty, plain_words
from tableside.games.d6_companion import capital, combat, force, gear, movement, ships
from tableside.games.d6_companion.powers import POWERS
from tableside.games.d6_companion.purpose import Purpose, Purposes
from tableside.games.d6_companion.rolls import (
    BAND_TITLES,
    BANDS,
    FIRE_MODIFIERS,
    MEDPAC_BANDS,
    NAMED_BANDS,
    SCALES,
    UNCERTAINTY_DICE,
    band,
    fire_modifier,
    scale_cap,
)
from tableside.games.d6_companion.sources import companion_step
from tableside.rules.code import MAX_DICE, Code, pips_words
from tableside.rules.form import Forms, Only, choice, choices, chosen, flag, number, with_purpose
from tableside.rules.form import code as dice_code
from tableside.rules.game import Step
from tableside.rules.modifiers import Modifier
from tableside.rules.tracker import Tracker
from tableside.words import say

NAME = "d6-companion"

PURPOSES: Purposes = {
    "check": Purpose(title="a check, or just a total", does=ships.met_shields),
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

_BANDS = {name: f"{title}, {BANDS[name][0]} to {BANDS[name][1]}" for name, title in choices(BANDS)}
_CHECK = with_purpose("check")
_SHIPS = (
    "evasion", "maneuver", "shields", "tractor_beam", "capital_ram", "tactics", "shut_down_shield", "increase_shield",
)  # fmt: skip
_SKILLED = with_purpose("check", "medpac", "movement", "ramming", "astrogation", "technology", "power", *_SHIPS)
"""What is done with a skill, which wounds hinder and preparing helps."""
_ABOARD = with_purpose("check", "movement", "ramming", "astrogation", *_SHIPS)
_DISTURBED = with_purpose("check", "medpac", "shields", "astrogation", "technology")
_SCALED = with_purpose(
    "check", *DAMAGES, "hull", "evasion", "maneuver", "ramming", "collision", "shields", "tractor_beam", "capital_ram"
)
_HASTY = with_purpose("check", "movement", "maneuver", "ramming", "evasion", "shields", "capital_ram", "power")
_HARD = with_purpose("check", "medpac", "movement", "astrogation", "technology", "tactics")
_OF_GUNS = with_purpose("check", "capital_damage", "capital_ion_damage")


def _with_power(*powers: str) -> Only:
    """Return ``Field.only`` of what these powers ask for."""
    return (*with_purpose("power"), ("power", powers))


class Ask(D6Ask):
    """What a roll is asked for."""

    purpose: str = choice(
        "What is thrown",
        {name: purpose.title for name, purpose in PURPOSES.items()},
        "personal_damage",
        default="check",
    )
    code: Code | None = dice_code("Dice code", "dice_total", help="Such as 4D+2.")
    difficulty: int | None = number("Difficulty number", "difficulty_check", default=None, least=-NUMBERS, most=NUMBERS)
    add: Code | None = dice_code("Code to add", "code_in_play", help="Of the vehicle, the weapon or its fire control.")
    pips: int = number(
        "More pips", "code_in_play", least=-NUMBERS, most=NUMBERS, help="Of a combined action, of damage to the ship."
    )
    prepared: bool = flag("Prepared last round", "preparation", only=_SKILLED)
    guns: int = number(
        "Guns firing", "guns_modifier", most=NUMBERS, help="Of a capital ship; one has no modifier.", only=_OF_GUNS
    )
    actions: int = number(
        "Actions this round",
        "multi_action",
        default=1,
        least=1,
        most=20,
        help="Walking at half speed, dropping prone and calling on the Dark Side are none.",
    )
    full_reaction: bool = flag(
        "A full reaction",
        "reaction, I12",
        help="Its speed action is one of the actions, so there are two at least; moving gives that die back.",
        only=with_purpose("check", "evasion", "movement"),
    )
    wounded: bool = flag("Wounded", "wound_state", only=_SKILLED)
    stuns: int = number(
        "Stuns that count", "stun_track", most=20, help="Of this round and the last; not on Strength.", only=_SKILLED
    )
    ionized: int = number(
        "Ionized by dice", "starship_damage", most=20, help="All codes of the ship but the hull.", only=_ABOARD
    )
    ship_damage: int = number(
        "Pips of damage to the capital ship",
        "capital_state",
        most=capital.DESTROYED_PIPS - 1,
        help="Each costs a pip of everything but the hull; 9 destroy the ship.",
        only=_ABOARD,
    )
    cap: int = number("Die cap", "die_cap", default=6, least=1, most=6, only=_SCALED)
    chart: str = choice(
        "Scale chart",
        {"to_hit": "To hit", "maneuver": "Maneuver, shields", "damage": "Damage, resistance"},
        "scale_cap",
        help="With both scales it gives the die cap.",
        only=_SCALED,
    )
    scale: str = choice("Scale of the code", SCALES, "scale_cap", default="character", only=_SCALED)
    target_scale: str = choice("Scale of the other side", SCALES, "scale_cap", default="character", only=_SCALED)
    uncertainty: int = number(
        "Uncertainty dice",
        "uncertainty",
        most=UNCERTAINTY_DICE[1],
        help="None, or 2 to 4; never for combat skills.",
        only=_HARD,
    )
    band: str = choice(
        "Difficulty band",
        _BANDS,
        "difficulty_scale",
        help="Its lowest number counts where no number is given.",
        only=_HARD,
    )
    about: str = choice(
        "Difficulty by range or knowledge",
        BAND_TITLES,
        "combat_difficulty, knowledge_difficulty",
        help="Where neither a number nor a band is chosen. A grenade scatters by it.",
        only=with_purpose("check", "scatter"),
    )
    fire: tuple[str, ...] = chosen("Fire modifiers", tuple(FIRE_MODIFIERS), "fire_modifier", only=_CHECK)
    overspeed: int = number(
        "Overspeed actions",
        "overspeed",
        most=20,
        help="They raise the difficulty; count them as actions, too.",
        only=with_purpose("movement"),
    )
    reaction: str = choice(
        "The target's reaction", {"full": "Full: added", "combat": "Combat: the higher counts"}, "reaction", only=_CHECK
    )
    reaction_total: int = number("Total of the reaction", "reaction", least=-NUMBERS, most=NUMBERS, only=_CHECK)
    missile: int = number(
        "Speed actions of a missile's target",
        "missile_difficulty",
        most=20,
        help="A die for each is added to the difficulty.",
        only=_CHECK,
    )
    more_than: bool = flag(
        "More than the difficulty",
        "opposed_roll",
        help="In contests that ask for more; a tie has no winner.",
        only=_CHECK,
    )
    part: str = choice(
        "What the skill is for",
        PARTS,
        "stun_track, dim_senses, command_allocation",
        help="It tells what hinders or spares it.",
        only=_CHECK,
    )
    troopers: bool = flag(
        "Armoured troopers who see the target",
        "combined_limit",
        help="Any number of them may combine their fire.",
        only=_CHECK,
    )
    owned: int = number(
        "Six-sided dice that the players own",
        "0",
        most=MAX_DICE,
        help="Larger codes are thrown in parts; 0: enough.",
        is_setting=True,
    )
    force_point_last: bool = flag("A Force Point doubles after the penalties", "I4", is_setting=True)
    ship_chart: str = choice(
        "Damage that just reaches a row of the starship chart", SHIP_CHARTS, "I8", default="more_than", is_setting=True
    )
    against: int | None = number(
        "Total of Strength or hull",
        "personal_damage",
        default=None,
        least=-NUMBERS,
        most=NUMBERS,
        help="That resists the damage.",
        only=with_purpose(*DAMAGES),
    )
    haste: int = number(
        "Haste of this action", "haste", most=20, help="Each level that was declared is an action.", only=_HASTY
    )
    haste_declared: int = number(
        "Haste declared in all", "haste", most=20, help="Where a reaction is faster than the actions.", only=_HASTY
    )
    free_haste: int = number(
        "Free haste",
        "surprise, starship_tactics",
        most=20,
        help="It costs no action: 2 of surprise, 1 of anticipating the enemy.",
        only=_HASTY,
    )
    reaction_haste: int = number(
        "Haste of the reaction",
        "reaction",
        most=20,
        help="A reaction that is slower than the attack does nothing.",
        only=_CHECK,
    )
    reaction_skill: str = choice(
        "Reacts by", {"dodge": "Dodging", "parry": "Parrying", "evasion": "Evading"}, "reaction", only=_CHECK
    )
    attack: str = choice(
        "Attacked with",
        {"ranged_weapon": "A ranged weapon", "melee_weapon": "A melee weapon"},
        "reaction",
        help="Dodging stops no melee weapon.",
        only=_CHECK,
    )
    mover: str = choice(
        "Who or what moves",
        tuple(movement.MOVERS),
        "move_distance",
        default="character",
        only=with_purpose("movement", "collision"),
    )
    speed_actions: int = number(
        "Speed actions",
        "movement_roll",
        default=1,
        most=20,
        help="Each is an action.",
        only=with_purpose("movement", "collision", "capital_ram"),
    )
    hits: str = choice(
        "What is hit",
        {"person": "A person or creature", "vehicle": "A vehicle or ship"},
        "collision, ramming",
        default="vehicle",
        only=with_purpose("collision", "ramming"),
    )
    mounted: str = choice(
        "Mounted weapon", ships.MOUNTED, "weapon_range", help="With the distance it gives the difficulty.", only=_CHECK
    )
    metres: int | None = number("Distance in metres", "weapon_range", default=None, most=200000, only=_CHECK)
    own_evasion: int = number(
        "Full evasion of one's own ship",
        "evasion_side_effects",
        most=999,
        help="Its total disturbs all others on board.",
        only=_DISTURBED,
    )
    aboard: str = choice(
        "What is done on board",
        {"gunner": "A gunner's shot", "shields": "Shields", "other": "Anything else"},
        "evasion_side_effects",
        default="other",
        only=_DISTURBED,
    )
    gun_damage: Code | None = dice_code(
        "Damage code of the gun",
        "weapon_range",
        help="It tells light, medium and heavy.",
        only=(("mounted", ships.BY_DAMAGE),),
    )
    shields: int | None = number(
        "Roll of the target's shields",
        "shields",
        default=None,
        least=-999,
        most=999,
        help="A hit below difficulty and shields meets the hull with the shields added.",
        only=with_purpose("check"),
    )
    shields_worked: bool = flag(
        "The shields worked",
        "starship_damage",
        help="Light damage costs a generator then; else it ionizes. Pips of a capital ship come off the shields.",
        only=with_purpose("ship_damage", "ion_damage", "capital_damage", "capital_ram"),
    )
    coordinated: int = number(
        "Guns of other ships, coordinated",
        "capital_attack",
        most=999,
        help="All guns together hit; one's own do the damage. Ion guns never join others.",
        only=with_purpose("check"),
    )
    aim: str = choice(
        "Aimed at",
        {**dict(choices(capital.AIMS)), "swarm": "A swarm of starfighters"},
        "targeting, starfighter_swarm",
        only=_OF_GUNS,
    )
    penetrated: bool = flag("Through the shields", "targeting", help="Or they are gone.", only=_OF_GUNS)
    vital: int = number(
        "Levels of vital location",
        "targeting",
        most=9,
        help="Each costs the attack 2D and the target's hull 1D.",
        only=with_purpose("check", "hull"),
    )
    weapons: int = number(
        "Weapons or starfighters that are hit",
        "counter_battery",
        default=1,
        least=1,
        most=999,
        only=(*with_purpose("capital_damage"), ("aim", tuple(capital.POINTED))),
    )
    less: int = number(
        "Other dice less",
        "command_allocation, capital_shields",
        most=20,
        help="Of an officer whom nobody commands, of shields while a facing has more power.",
        only=_ABOARD,
    )
    dark_points: int = number("Dark Side Points", "dark_side_consume", only=with_purpose("consumed", "power"))
    dimmed: int = number(
        "Senses dimmed by dice", "dim_senses", most=9, help="Perception, hiding and searching lose them.", only=_CHECK
    )


class Dying(Ask):
    """What the dying are asked for besides."""

    purposes = ("dying",)

    rounds: int = number(
        "Rounds since the mortal wound",
        "mortal_check",
        default=1,
        least=1,
        most=NUMBERS,
        help="Who is dying dies where 2D show less.",
    )


class Healing(Ask):
    """What natural healing is asked for besides."""

    purposes = ("healing",)

    accelerated: bool = flag(
        "Healing is accelerated",
        "power results",
        help="By the Force: 2 more, and the second medpac of the day is no harder.",
    )


class Medpac(Healing):
    """What a medpac is asked for besides."""

    purposes = ("medpac",)

    patient: str = choice("The patient is", tuple(MEDPAC_BANDS), "medpac_difficulty")
    medpacs: int = number(
        "Medpacs used on the patient today", "medpac_difficulty", most=20, help="Each is 3 more difficult."
    )


class Movement(Ask):
    """What a movement roll is asked for besides."""

    purposes = ("movement",)

    base_speed: Code | None = dice_code(
        "Code that limits the speed actions",
        "speed_limit",
        help="On foot Dexterity, in water swimming; of a vehicle or mount the speed that is added.",
    )
    elsewhere: bool = flag(
        "In a secondary medium", "move_distance", help="Such as a person in water or a starfighter in air."
    )
    half_speed: bool = flag("At half speed", "move_distance", help="One such move is no action.")
    crawling: bool = flag("Prone, crawling", "stance")
    control_lost: str = choice(
        "Control was lost", {"lost": "In the last round", "stopped": "And it stands still by now"}, "movement_failure"
    )
    rammed: str = choice(
        "Rammed",
        {"once": "More than once", "twice": "More than twice"},
        "ramming",
        help="How often the ramming total holds the own one.",
    )
    unmet: bool = flag("Maneuvers against one who does not", "maneuver")


class CollisionAsk(Ask):
    """What a collision is asked for besides."""

    purposes = ("collision",)

    kmh: int | None = number("Or the speed in km/h", "collision", default=None, most=9999)


class Astrogation(Ask):
    """What astrogation is asked for besides."""

    purposes = ("astrogation",)

    hours: int | None = number("Usual hours of the journey", "astrogation", default=None, most=9999)
    hours_saved: int = number(
        "Hours saved",
        "astrogation",
        least=-999,
        most=999,
        help="Each is 1 more difficult; below 0 it takes longer and is easier.",
    )
    navigation: str = choice(
        "By what",
        {
            "computer": "A nav computer",
            "none": "Without a nav computer",
            "instinct": "Instinctive astrogation in its place",
        },
        "astrogation",
        default="computer",
    )


class TractorBeam(Ask):
    """What breaking free is asked for besides."""

    purposes = ("tractor_beam",)

    overspeed_done: int = number(
        "Overspeed actions that succeeded", "tractor_beam", most=20, help="Each is a die more against the beam."
    )


class Shields(Ask):
    """What shields are asked for besides."""

    purposes = ("shields",)

    increased: bool = flag(
        "A facing with more power", "capital_shields", help="The code that is added doubles for a round."
    )


class IncreaseShield(Ask):
    """What more power for a facing is asked for besides."""

    purposes = ("increase_shield",)

    facings_lost: int = number("Facings lost", "capital_shields", most=capital.FACINGS)


class Tactics(Ask):
    """What tactics are asked for besides."""

    purposes = ("tactics",)

    tactic: str = choice(
        "Tactic",
        {"anticipate": "Anticipate the enemy", "deceive": "Deceive the enemy"},
        "starship_tactics",
        default="anticipate",
    )


class DarkSideCall(Ask):
    """What a call on the Dark Side is asked for besides."""

    purposes = ("dark_side_call",)

    dark_calls: int = number("Earlier calls in this adventure", "dark_side_call")
    harm: bool = flag(
        "An action is meant to harm",
        "dark_side_call",
        default=True,
        help="Where none is, the call is 10 more difficult.",
    )


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
        "Case for Control", force.cases_of("control"), "force_power", only=_with_power(*force.with_cases("control"))
    )
    case_sense: str = choice(
        "Case for Sense", force.cases_of("sense"), "force_power", only=_with_power(*force.with_cases("sense"))
    )
    case_alter: str = choice(
        "Case for Alter", force.cases_of("alter"), "force_power", only=_with_power(*force.with_cases("alter"))
    )
    kg: int | None = number("Mass in kg", "telekinesis", default=None, most=10**9, only=_with_power("telekinesis"))
    seen: str = choice(
        "What is seen", tuple(force.SEEN), "force_power, farseeing", default="present", only=_with_power("farseeing")
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
    target_emptiness: int = number("The target's roll for emptiness", "emptiness", most=999)
    target_will: int = number("The target's roll for force of will", "force_of_will", most=999)
    force_bonus: int = number("Bonus of an emptiness before", "emptiness")
    will_lost: int = number(
        "Dice that force of will has lost", "force_of_will", most=20, only=_with_power("force of will")
    )


class Technology(Ask):
    """What a technology roll is asked for besides."""

    purposes = ("technology",)

    device: Code | None = dice_code("The device's code now", "equipment_cost")
    original: Code | None = dice_code("Its original code", "technology_roll", help="Where it was improved before.")
    device_scale: str = choice("Its scale", tuple(gear.PRICES), "equipment_cost", default="character")
    enhancing: bool = flag(
        "It is added to a code of its user",
        "equipment_cost",
        help="Such as speed, fire control, maneuver, shields or armor.",
    )
    dexterity_kept: bool = flag("Armor that costs no Dexterity", "equipment_cost")
    hired: bool = flag("Done by hired specialists", "equipment_cost")


FORM = Forms(
    Ask,
    Dying,
    Healing,
    Medpac,
    Movement,
    CollisionAsk,
    Astrogation,
    TractorBeam,
    Shields,
    IncreaseShield,
    Tactics,
    DarkSideCall,
    PowerAsk,
    Technology,
)

TRACKERS = (
    Tracker(name="force_points", title="Force Points", default=1, source="force_point"),
    Tracker(
        name="character_points", title="Character points", source="force_training", help="Skill points to improve with."
    ),
    Tracker(name="dark_side_points", title="Dark Side Points", source="dark_side_consume"),
    Tracker(name="dark_side_calls", title="Calls on the Dark Side", resets="adventure", source="dark_side_call"),
    Tracker(name="wounds", title="Wounds", source="wound_state", steps=movement.WOUNDS),
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
        name="capital_damage",
        title="Pips of damage to the capital ship",
        most=capital.DESTROYED_PIPS,
        source="capital_state",
    ),
    Tracker(name="shield_damage", title="Pips of damage to the shields", source="capital_shields"),
    Tracker(name="sublight_damage", title="Pips of damage to the engines", source="targeting"),
    Tracker(name="maneuver_damage", title="Pips of damage to the maneuver", source="targeting"),
    Tracker(name="fire_control_damage", title="Pips of damage to the fire control", source="targeting"),
    Tracker(name="facings_lost", title="Shield facings lost", most=capital.FACINGS, source="capital_shields"),
    Tracker(
        name="strained",
        title="Shields",
        steps=("even", "strained"),
        resets="round",
        source="capital_shields",
        help="While a facing has more power, other shield rolls lose 1D.",
    ),
    Tracker(name="facing", title="Facing to the enemy", most=capital.FACINGS - 1, source="facing"),
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
    Tracker(name="ship_damage", title="The ship's damage", source="starship_damage", steps=movement.DAMAGES),
)


def plan_of(given: Ask, *, least: int = 1) -> Plan:
    """Return the code to throw and the difficulty.

    :param least: so many dice have to be left; 0 for what resists.
    :raises BadAsk: for an answer that the rules do not allow.
    """
    if needs := PURPOSES[given.purpose].needs:
        needs(given)
    if least:  # who cannot even resist still is hit
        cap_of(given)
    steps: list[Step] = []
    code = _code(given, steps, least)
    difficulty = _difficulty(given, steps)
    return Plan(
        code=code,
        pips=given.pips if code is None else code.pips,
        difficulty=difficulty,
        difficulty_dice=given.missile,
        less_dice=uncertainty_of(given),
        steps=tuple(steps),
    )


def uncertainty_of(given: Ask) -> int:
    """Return the uncertainty dice, or raise :class:`BadAsk` for a number that the rule does not know."""
    count, (least, most) = given.uncertainty, UNCERTAINTY_DICE
    if count and not least <= count <= most:
        raise BadAsk(
            say("uncertainty is {=count}", count=count),
            where=f"game {NAME}",
            hint=say("It is 0, or {=least} to {=most}.", least=least, most=most),
        )
    return count


def cap_of(given: Ask) -> int:
    """Return the die cap: the lower of what was entered and what the scale chart says."""
    cap = given.cap
    if not given.chart:
        return cap
    scales = given.scale, given.target_scale
    charted = scale_cap(given.chart, *scales)
    if charted is None:
        what = say(
            "{=scales} against {=scales2} is not possible",
            scales=plain_words(scales[0]),
            scales2=plain_words(scales[1]),
        )
        raise BadAsk(what, where=f"chart {given.chart}", hint="The chart has a dash there: choose another.")
    return min(cap, charted)


def _code(given: Ask, steps: list[Step], least: int) -> Code | None:
    purpose = PURPOSES[given.purpose]
    base = given.code if purpose.code is None else purpose.code(given)
    if purpose.is_free or base is None:  # nothing changes the number of these dice
        return base
    draft = Draft(base, "dice_total", step=companion_step, steps=steps)
    if (added := given.add) is not None:
        added = added.times(1 + (isinstance(given, Shields) and given.increased))
        text = say("With {code}, dice and pips apart", code=added.added)
        draft.change(text, "code_in_play", dice=added.dice, pips=added.pips)
    last = given.force_point_last
    if given.force_point and not last:
        draft.double("A Force Point doubles dice and pips", "force_point")
    draft.modify(MODIFIERS, given)
    if (count := capital.guns_of(given)) > 1:
        guns = capital.guns_modifier(count)
        text = say("{n} guns add {code}", n=count, code=guns.added)
        draft.change(text, "guns_modifier", dice=guns.dice, pips=guns.pips)
    if hurt := given.ship_damage:
        lost = capital.damage_modifier(hurt)
        text = say("{n} {n:pip|pips} of damage to the ship, {modifier}", n=hurt, modifier=capital.modifier_words(hurt))
        draft.change(text, "capital_state", dice=-lost.dice, pips=-lost.pips)
    if given.force_point and last:
        draft.double("A Force Point doubles what is left", "I4")
    _, shields = ships.evasion_more(given)
    healing = combat.HEALING_BONUS if isinstance(given, Healing) and given.accelerated else 0
    for change, words, rule in (
        (shields, "The ship evades with all it has", "evasion_side_effects"),
        (healing, "Healing is accelerated", "accelerate_healing"),
    ):
        if change:
            draft.change(say("{why}, {pips}", why=words, pips=pips_words(change)), rule, pips=change)
    if given.pips:
        text = say("{pips}, and pips never become dice", pips=pips_words(given.pips))
        draft.change(text, "code_in_play", pips=given.pips)
    draft.keep(least, game=NAME, hint="What is left is 0D or less and cannot be thrown: take fewer actions, or wait.")
    if uncertainty := uncertainty_of(given):
        draft.change(say("{n} uncertainty dice", n=uncertainty), "uncertainty", dice=uncertainty)
    return draft.code


def _actions(given: Ask) -> int:
    """Return the actions of the round. The die that moving gives makes up for a full reaction's speed action (I12)."""
    actions = max(given.actions, combat.FULL_REACTION_ACTIONS if given.full_reaction else 1)
    if isinstance(given, Movement):
        actions = max(actions, movement.actions_of(given))
    return actions + combat.haste_actions(given)


MODIFIERS: tuple[Modifier[int, Ask], ...] = (
    Modifier(Ask.prepared, dice=1, says="Prepared", rule="preparation"),
    Modifier(
        Ask.actions,
        dice=lambda ask: 1 - _actions(ask),
        says=lambda ask: say("{n} actions", n=_actions(ask)),
        rule="multi_action",
    ),
    Modifier(Ask.full_reaction, dice=1, says="Moving with a full reaction", rule="reaction"),
    Modifier(
        Ask.wounded,
        dice=-combat.WOUNDED_PENALTY,
        says="Wounded",
        rule="wound_state",
        tracker="wounds",
        spares=lambda ask: ask.purpose == "healing",  # our reading, as in the game with a Wild Die
    ),
    Modifier(Ask.stuns, dice=-1, says="Stunned", rule="stun_track", adds_up=True),
    Modifier(Ask.ionized, dice=-1, says="Ionized", rule="starship_damage", adds_up=True),
    Modifier(
        TractorBeam.overspeed_done,
        dice=lambda ask: ask.overspeed_done if isinstance(ask, TractorBeam) else 0,
        says="Overspeed against the beam",
        rule="tractor_beam",
    ),
    Modifier(Ask.dimmed, dice=-1, says="Senses dimmed", rule="dim_senses"),
    Modifier(
        Ask.aim,
        dice=lambda ask: capital.aimed_dice(ask)[0],
        says=lambda ask: capital.aimed_dice(ask)[1],
        rule="targeting",
    ),
    Modifier(Ask.less, dice=-1, says="Other dice", rule="command_allocation", adds_up=True),
    Modifier(
        Ask.purpose,
        dice=lambda ask: -capital.SHUT_DOWN_PENALTY * (ask.purpose == "shut_down_shield"),
        says="A facing shut down",
        rule="capital_shields",
    ),
    Modifier(
        Ask.speed_actions,
        dice=lambda ask: ask.speed_actions * (ask.purpose == "capital_ram"),
        says="Speed actions",
        rule="capital_ram",
    ),
)
"""What changes the number of dice."""


def _difficulty(given: Ask, steps: list[Step]) -> int | None:
    number, purpose = given.difficulty, PURPOSES[given.purpose]
    if purpose.is_measure:
        return None
    named = given.band or (purpose.band(given) if purpose.band else "") or _band_about(given)
    if number is None and named:
        number, most = band(named)
        text = say(
            "Difficulty {band}, {least} to {most}: {number}.",
            band=plain_words(named),
            least=number,
            most=most,
            number=number,
        )
        steps.append(companion_step(text, "difficulty_scale"))
    if number is None and purpose.number:
        number = purpose.number(given)
    if number is None:
        more = {
            "fire": given.fire,
            "overspeed": given.overspeed,
            "reaction": given.reaction,
            "missile": given.missile,
        }
        needs_difficulty([name for name, value in more.items() if value], game=NAME)
        return None

    def note(text: str, rule: str) -> None:
        steps.append(companion_step(say("{change}: difficulty {number}.", change=text, number=str(number)), rule))

    for harder, words, rule in _difficulty_more(given):
        number += harder
        note(words, rule)
    reacts = combat.reaction_applies(
        attack_haste=given.haste,
        reaction_haste=given.reaction_haste,
        skill=given.reaction_skill,
        attack=given.attack,
    )
    if given.reaction and not reacts:
        note("The reaction is too slow, or does not fit", "reaction")
    elif given.reaction:
        full = given.reaction == "full"
        number = combat.reaction_difficulty(number, given.reaction_total, full=full)
        note("A full reaction adds its roll" if full else "A combat reaction, the higher counts", "reaction")
    return number


def _difficulty_more(given: Ask) -> Iterator[tuple[int, str, str]]:
    """Yield what makes the roll more difficult, with words and rules."""
    if given.fire:
        names = [plain_words(name) for name in given.fire]
        yield fire_modifier(given.fire), say("Fire modifiers {names}", names=names), "fire_modifier"
    if given.overspeed:
        yield movement.OVERSPEED_MODIFIER * given.overspeed, "Overspeed", "overspeed"
    match given:
        case Movement():
            yield from movement.difficulty_more(given)
        case Astrogation() if saved := given.hours_saved:
            pattern = "{n} hours saved" if saved > 0 else "{n} hours longer"
            yield saved, say(pattern, n=abs(saved)), "astrogation"
        case Medpac() if used := combat.medpac_more(given):
            yield used, "Medpacs of today", "medpac_difficulty"
    if disturbed := ships.evasion_more(given)[0]:
        yield disturbed, "The ship evades with all it has", "evasion_side_effects"


def _band_about(given: Ask) -> str:
    """Return the band of a range or of knowledge, ``""`` where none is told."""
    return NAMED_BANDS.get(ships.range_band(given) or given.about, "")
