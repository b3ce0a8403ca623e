"""D6 with dice codes: what is asked before every roll. What one subject alone asks stands in its own file.

The names of rules are the headings of the project's rules, ``d6-companion.md``.
"""

from __future__ import annotations

from tableside.games.d6.ask import D6Ask
from tableside.games.d6_companion.charts import AIMS, BY_DAMAGE, DESTROYED_PIPS, MOUNTED, MOVERS, POINTED
from tableside.games.d6_companion.rolls import BAND_TITLES, BANDS, FIRE_MODIFIERS, SCALES, UNCERTAINTY_DICE
from tableside.rules.code import MAX_DICE, Code
from tableside.rules.form import choice, choices, chosen, flag, number, with_purpose
from tableside.rules.form import code as dice_code

NAME = "d6-companion"

TITLES = {
    "check": "a check, or just a total",
    "damage": "damage against Strength",
    "stun_damage": "damage of a stun attack against Strength",
    "ship_damage": "damage against a hull",
    "ion_damage": "damage of an ion cannon against a hull",
    "capital_damage": "damage against a capital ship's hull",
    "capital_ion_damage": "damage of ion guns against a capital ship's hull",
    "dying": "Whether the mortally wounded die, 2D",
    "medpac": "a medpac",
    "healing": "natural healing, by Strength",
    "scatter": "how far a grenade scatters",
    "movement": "a movement roll",
    "maneuver": "a maneuver against another",
    "ramming": "ramming, by skill and hull",
    "collision": "damage of a collision",
    "evasion": "an evasion",
    "shields": "shields raised",
    "tractor_beam": "breaking free of a tractor beam",
    "astrogation": "astrogation",
    "hull": "a hull against damage",
    "capital_ram": "damage of capital ships that ram, by their hull",
    "tactics": "starship tactics",
    "shut_down_shield": "shutting down a shield facing",
    "increase_shield": "more power for a shield facing",
    "power": "a Force power",
    "dark_side_call": "a call on the Dark Side, by Perception or Control",
    "consumed": "whether the Dark Side consumes one, 1D",
    "technology": "a technology roll, for a pip of equipment",
}
"""What is thrown, in the order of the pages."""


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


class Ask(D6Ask):
    """What a roll is asked for."""

    purpose: str = choice("What is thrown", TITLES, "personal_damage", default="check", filled_by="damage")
    code: Code | None = dice_code(
        "Dice code", "dice_total", help="Such as 4D+2.", filled_by="skill damage", builds_dice=True
    )
    difficulty: int | None = number(
        "Difficulty number", "difficulty_check", default=None, least=-NUMBERS, most=NUMBERS, filled_by="defence"
    )
    add: Code | None = dice_code(
        "Code to add",
        "code_in_play",
        help="Of the vehicle, the weapon or its fire control.",
        filled_by="weapon",
        builds_dice=True,
    )
    pips: int = number(
        "More pips",
        "code_in_play",
        least=-NUMBERS,
        most=NUMBERS,
        help="Of a combined action, of damage to the ship.",
        filled_by="talent wounds",
        builds_dice=True,
        adds_up=True,
    )
    prepared: bool = flag("Prepared last round", "preparation", only=_SKILLED, builds_dice=True)
    guns: int = number(
        "Guns firing",
        "guns_modifier",
        most=NUMBERS,
        help="Of a capital ship; one has no modifier.",
        only=_OF_GUNS,
        builds_dice=True,
        adds_up=True,
    )
    actions: int = number(
        "Actions this round",
        "multi_action",
        default=1,
        least=1,
        most=20,
        help="Walking at half speed, dropping prone and calling on the Dark Side are none.",
        builds_dice=True,
        holds=True,
    )
    full_reaction: bool = flag(
        "A full reaction",
        "reaction, I12",
        help="Its speed action is one of the actions, so there are two at least; moving gives that die back.",
        only=with_purpose("check", "evasion", "movement"),
        builds_dice=True,
    )
    wounded: bool = flag("Wounded", "wound_state", only=_SKILLED, filled_by="card", builds_dice=True)
    stuns: int = number(
        "Stuns that count",
        "stun_track",
        most=20,
        help="Of this round and the last; not on Strength.",
        only=_SKILLED,
        filled_by="card",
        builds_dice=True,
        adds_up=True,
    )
    ionized: int = number(
        "Ionized by dice",
        "starship_damage",
        most=20,
        help="All codes of the ship but the hull.",
        only=_ABOARD,
        filled_by="card",
        builds_dice=True,
        adds_up=True,
    )
    ship_damage: int = number(
        "Pips of damage to the capital ship",
        "capital_state",
        most=DESTROYED_PIPS - 1,
        help="Each costs a pip of everything but the hull; 9 destroy the ship.",
        only=_ABOARD,
        filled_by="card wounds",
        builds_dice=True,
    )
    cap: int = number("Die cap", "die_cap", default=6, least=1, most=6, only=_SCALED)
    chart: str = choice(
        "Scale chart",
        {"to_hit": "To hit", "maneuver": "Maneuver, shields", "damage": "Damage, resistance"},
        "scale_cap",
        help="With both scales it gives the die cap.",
        only=_SCALED,
        filled_by="weapon damage",
    )
    scale: str = choice(
        "Scale of the code", SCALES, "scale_cap", default="character", only=_SCALED, filled_by="weapon damage"
    )
    target_scale: str = choice(
        "Scale of the other side", SCALES, "scale_cap", default="character", only=_SCALED, filled_by="defence"
    )
    uncertainty: int = number(
        "Uncertainty dice",
        "uncertainty",
        most=UNCERTAINTY_DICE[1],
        help="None, or 2 to 4; never for combat skills.",
        only=_HARD,
        builds_dice=True,
    )
    band: str = choice(
        "Difficulty band",
        _BANDS,
        "difficulty_scale",
        numbers={name: least for name, (least, _) in BANDS.items()},
        help="Its lowest number counts where no number is given.",
        only=_HARD,
        filled_by="weapon",
    )
    about: str = choice(
        "Difficulty by range or knowledge",
        BAND_TITLES,
        "combat_difficulty, knowledge_difficulty",
        help="Where neither a number nor a band is chosen. A grenade scatters by it.",
        only=with_purpose("check", "scatter"),
        filled_by="weapon",
    )
    fire: tuple[str, ...] = chosen(
        "Fire modifiers", tuple(FIRE_MODIFIERS), "fire_modifier", only=_CHECK, filled_by="weapon", adds_up=True
    )
    overspeed: int = number(
        "Overspeed actions",
        "overspeed",
        most=20,
        help="They raise the difficulty; count them as actions, too.",
        only=with_purpose("movement"),
        adds_up=True,
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
        filled_by="skill card",
    )
    troopers: bool = flag(
        "Armoured troopers who see the target",
        "combined_limit",
        help="Any number of them may combine their fire.",
        only=_CHECK,
        filled_by="skill card",
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
        "Haste of this action",
        "haste",
        most=20,
        help="Each level that was declared is an action.",
        only=_HASTY,
        filled_by="card",
        builds_dice=True,
    )
    haste_declared: int = number(
        "Haste declared in all",
        "haste",
        most=20,
        help="Where a reaction is faster than the actions.",
        only=_HASTY,
        filled_by="card",
        builds_dice=True,
    )
    free_haste: int = number(
        "Free haste",
        "surprise, starship_tactics",
        most=20,
        help="It costs no action: 2 of surprise, 1 of anticipating the enemy.",
        only=_HASTY,
        filled_by="card",
        builds_dice=True,
    )
    reaction_haste: int = number(
        "Haste of the reaction",
        "reaction",
        most=20,
        help="A reaction that is slower than the attack does nothing.",
        only=_CHECK,
    )
    reaction_skill: str = choice(
        "Reacts by",
        {"dodge": "Dodging", "parry": "Parrying", "evasion": "Evading"},
        "reaction",
        only=_CHECK,
        filled_by="skill",
    )
    attack: str = choice(
        "Attacked with",
        {"ranged_weapon": "A ranged weapon", "melee_weapon": "A melee weapon"},
        "reaction",
        help="Dodging stops no melee weapon.",
        only=_CHECK,
        filled_by="weapon",
    )
    mover: str = choice(
        "Who or what moves",
        tuple(MOVERS),
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
        builds_dice=True,
    )
    hits: str = choice(
        "What is hit",
        {"person": "A person or creature", "vehicle": "A vehicle or ship"},
        "collision, ramming",
        default="vehicle",
        only=with_purpose("collision", "ramming"),
    )
    mounted: str = choice(
        "Mounted weapon",
        MOUNTED,
        "weapon_range",
        help="With the distance it gives the difficulty.",
        only=_CHECK,
        filled_by="weapon",
    )
    metres: int | None = number("Distance in metres", "weapon_range", default=None, most=200000, only=_CHECK)
    own_evasion: int = number(
        "Full evasion of one's own ship",
        "evasion_side_effects",
        most=999,
        help="Its total disturbs all others on board.",
        only=_DISTURBED,
        filled_by="card",
    )
    aboard: str = choice(
        "What is done on board",
        {"gunner": "A gunner's shot", "shields": "Shields", "other": "Anything else"},
        "evasion_side_effects",
        default="other",
        only=_DISTURBED,
        filled_by="card",
    )
    gun_damage: Code | None = dice_code(
        "Damage code of the gun",
        "weapon_range",
        help="It tells light, medium and heavy.",
        only=(("mounted", BY_DAMAGE),),
        filled_by="weapon",
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
        builds_dice=True,
    )
    aim: str = choice(
        "Aimed at",
        {**dict(choices(AIMS)), "swarm": "A swarm of starfighters"},
        "targeting, starfighter_swarm",
        only=_OF_GUNS,
        builds_dice=True,
    )
    penetrated: bool = flag("Through the shields", "targeting", help="Or they are gone.", only=_OF_GUNS)
    vital: int = number(
        "Levels of vital location",
        "targeting",
        most=9,
        help="Each costs the attack 2D and the target's hull 1D.",
        only=with_purpose("check", "hull"),
        builds_dice=True,
    )
    weapons: int = number(
        "Weapons or starfighters that are hit",
        "counter_battery",
        default=1,
        least=1,
        most=999,
        only=(*with_purpose("capital_damage"), ("aim", tuple(POINTED))),
    )
    less: int = number(
        "Other dice less",
        "command_allocation, capital_shields",
        most=20,
        help="Of an officer whom nobody commands, of shields while a facing has more power.",
        only=_ABOARD,
        filled_by="card",
        builds_dice=True,
        adds_up=True,
    )
    dark_points: int = number(
        "Dark Side Points", "dark_side_consume", only=with_purpose("consumed", "power"), filled_by="card"
    )
    dimmed: int = number(
        "Senses dimmed by dice",
        "dim_senses",
        most=9,
        help="Perception, hiding and searching lose them.",
        only=_CHECK,
        filled_by="card",
        builds_dice=True,
    )
