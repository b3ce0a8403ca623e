"""Where each rule stands in the source texts, so that a step of an explanation can name it.

S000 is the core rulebook's text, S001 the two-page D6 summary, S002 the summary sheet of the narrative dice, S003 the
D6 supplement, S004 the heroic game. Rules go by their marks or headings in the project's rules.
"""

from __future__ import annotations

from collections.abc import Mapping

from tableside.rules.game import Step

SYMBOLS: Mapping[str, str] = {
    "M01": "S002 face table",
    "M03": "S000 Dice symbols and results",
    "M04": "S000 Triumph, Despair",
    "M05": "S000 Building a basic dice pool",
    "M06": "S000 Table 1-3; S002 Roll difficulties",
    "M09": "S000 Modifying a dice pool",
    "M10": "S000 Modifying a dice pool",
    "M11": "S002 A Helping Hand",
    "M12": "S000 Upgrading and downgrading ability and difficulty",
    "M15": "S002 Making a dice pool, step 4",
    "M19": "S002 Spending Destiny",
    "M22": "S000 Force dice",
    "M23": "S000 Ten-sided dice",
    "M24": "S000 Ten-sided dice",
    "M26": "S000 Success; equipment lines",
    "M28": "S000 Item qualities; equipment lines",
    "D4": "S002 The symbols (Failure)",
    "H02": "S004 The Dice (boosts do not stack)",
    "H03": "S004 The Dice",
    "H05": "S004 Damage and Threshold",
    "H06": "S004 The Condition Track table",
    "H09": "S004 Saving Throws",
    "H14": "S004 Defenses",
    "H16": "S004 Taunted, Taunting, and Taunts",
    "H19": "S004 Powers (range)",
    "H20": "S004 Basic Powers",
}
"""The rules of the games on symbol dice."""

WILD: Mapping[str, str] = {
    "wild_pool": "S001 The Wild Die",
    "wild_roll": "S001 The Wild Die",
    "I3": "S001 The Wild Die; our reading",
    "difficulty_scale": "S001 Difficulty Numbers",
    "difficulty_check": "S001 Difficulty Numbers",
    "multi_action": "S001 Combined Actions; Rounds",
    "combined_action": "S001 Combined Actions",
    "character_points": "S001 Character Elements",
    "force_point": "S001 Character Elements",
    "prepare": "S001 Preparing and Rushing",
    "rush": "S001 Preparing and Rushing",
    "melee_modifier": "S001 Melee Combat",
    "reaction": "S001 Reaction Skills",
    "called_shot": "S001 Combat Modifiers",
    "obscurity": "S001 Combat Modifiers",
    "cover": "S001 Combat Modifiers",
    "scale": "S001 Combat Modifiers, Scale",
    "I12": "S001 The Wild Die; our reading",
    "hit_location": "S001 Hit Location",
    "limb_kill": "S001 Hit Location",
    "mortal_check": "S001 Damage, wound states",
    "unconscious_time": "S001 Damage, wound states",
    "wound_penalty": "S001 Damage, wound states",
    "damage": "S001 Damage",
    "stun_damage": "S001 Damage, stun damage",
}
"""The rules of D6 with a Wild Die."""

COMPANION: Mapping[str, str] = {
    "dice_total": "S003 ch. 1 Dice and Pips",
    "code_in_play": "S003 ch. 1 Dice and Pips",
    "force_point": "S003 ch. 1 Dice and Pips",
    "I4": "S003 ch. 1 Dice and Pips; a setting",
    "difficulty_scale": "S003 ch. 1 Difficulty Number Scale",
    "difficulty_check": "S003 ch. 1 Difficulty Number Scale",
    "multi_action": "S003 ch. 1 Combined Actions",
    "uncertainty": "S003 ch. 1 Uncertainty Dice",
    "overspeed": "S003 ch. 2 Overspeed Actions",
    "preparation": "S003 ch. 3 Preparation",
    "reaction": "S003 ch. 3 Dodging and Other Reaction Skills",
    "fire_modifier": "S003 Optional Fire Modifiers Chart",
    "wound_state": "S003 ch. 3 Damage Summary",
    "stun_track": "S003 ch. 3 Stun Attacks and Damage",
    "personal_damage": "S003 ch. 3 Damage Summary",
    "die_cap": "S003 ch. 4 Scaling",
    "missile_difficulty": "S003 ch. 4 Missiles and Torpedoes",
    "starship_damage": "S003 ch. 4 Starship Damage",
    "guns_modifier": "S003 ch. 7 Guns Modifier Chart",
    "capital_state": "S003 ch. 7 Ship Damage",
    "capital_damage": "S003 ch. 7 Capital Ship Damage Summary Chart",
}
"""The rules of D6 with dice codes."""


def symbol_step(text: str, rule: str) -> Step:
    """Return a step of a game on symbol dice with its source."""
    return Step(text, rule, SYMBOLS[rule])


def wild_step(text: str, rule: str) -> Step:
    """Return a step of D6 with a Wild Die with its source."""
    return Step(text, rule, WILD[rule])


def companion_step(text: str, rule: str) -> Step:
    """Return a step of D6 with dice codes with its source."""
    return Step(text, rule, COMPANION[rule])
