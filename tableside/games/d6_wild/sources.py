"""Where each rule of this game stands in the source texts, so that a step of an explanation can name it.

S001 is the two-page summary. Rules go by their headings in the project's rules.
"""

from __future__ import annotations

from collections.abc import Mapping

from tableside.rules.game import Step

SOURCES: Mapping[str, str] = {
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
    "stabilize": "S001 Damage, wound states",
    "natural_healing": "S001 Natural Healing",
    "hit_location": "S001 Hit Location",
    "limb_kill": "S001 Hit Location",
    "mortal_check": "S001 Damage, wound states",
    "unconscious_time": "S001 Damage, wound states",
    "wound_penalty": "S001 Damage, wound states",
    "damage": "S001 Damage",
    "stun_damage": "S001 Damage, stun damage",
}


def wild_step(text: str, rule: str) -> Step:
    """Return a step with its source."""
    return Step(text, rule, SOURCES[rule])
