"""Where each rule of this game stands in the source texts, so that a step of an explanation can name it.

S003 is the rules supplement. Rules go by their headings in the project's rules.
"""

from __future__ import annotations

from collections.abc import Mapping

from tableside.rules.game import Step

SOURCES: Mapping[str, str] = {
    "targeting": "S003 ch. 7 Aimed Attacks",
    "command_allocation": "S003 ch. 7 Command",
    "starship_tactics": "S003 ch. 7 Tactics",
    "capital_shields": "S003 ch. 7 Shields",
    "capital_ram": "S003 ch. 7 Ramming",
    "technology_roll": "S003 ch. 6 Improving Equipment",
    "dark_side_call": "S003 Force ch. 1 Calling on the Dark Side",
    "dark_side_consume": "S003 Force ch. 1 Dark Side Points",
    "power_roll": "S003 Force ch. 1 Using Powers",
    "force_power": "S003 Force ch. 2",
    "dim_senses": "S003 Force ch. 2 Dim Other's Senses",
    "move_distance": "S003 ch. 2 Movement",
    "movement_failure": "S003 ch. 2 Failing a Movement Roll",
    "maneuver": "S003 ch. 2 Maneuver Actions",
    "ramming": "S003 ch. 2 Ramming Actions",
    "collision": "S003 ch. 2 Collisions",
    "grenade_scatter": "S003 ch. 3 Grenades",
    "medpac_difficulty": "S003 ch. 3 Medpacs",
    "accelerate_healing": "S003 Force ch. 2 Accelerate Healing",
    "shields": "S003 ch. 4 Shields",
    "evasion_side_effects": "S003 ch. 4 Evasion",
    "astrogation": "S003 ch. 4 Astrogation",
    "tractor_beam": "S003 ch. 4 Tractor Beams",
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
    "mortal_check": "S003 Force ch. 2 Transfer Force",
    "personal_damage": "S003 ch. 3 Damage Summary",
    "die_cap": "S003 ch. 4 Scaling",
    "missile_difficulty": "S003 ch. 4 Missiles and Torpedoes",
    "starship_damage": "S003 ch. 4 Starship Damage",
    "guns_modifier": "S003 ch. 7 Guns Modifier Chart",
    "capital_state": "S003 ch. 7 Ship Damage",
    "capital_damage": "S003 ch. 7 Capital Ship Damage Summary Chart",
}


def companion_step(text: str, rule: str) -> Step:
    """Return a step with its source."""
    return Step(text, rule, SOURCES[rule])
