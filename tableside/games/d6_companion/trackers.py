"""D6 with dice codes: what is counted beside the rolls, of people and of ships."""

from __future__ import annotations

from tableside.games.d6.ask import FALLEN, FORCE, MORTAL_ROUNDS
from tableside.games.d6_companion.charts import DAMAGES, DESTROYED_PIPS, FACINGS, WOUNDS
from tableside.rules.tracker import PEOPLE, Tracker

TRACKERS = (
    FORCE,
    Tracker(
        name="character_points",
        title="Character points",
        source="force_training",
        help="Skill points to improve with.",
        kinds=("player",),
        stands_for="character",
    ),
    Tracker(name="dark_side_calls", title="Calls on the Dark Side", resets="adventure", source="dark_side_call"),
    Tracker(
        name="wounds",
        title="Wounds",
        source="wound_state",
        steps=WOUNDS,
        kinds=PEOPLE,
    ),
    Tracker(
        name="stuns",
        title="Stuns of this round",
        resets="round",
        then="stuns_before",
        source="stun_track",
        kinds=PEOPLE,
    ),
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
        kinds=PEOPLE,
    ),
    Tracker(
        name="dark_side_points",
        title="Dark Side Points",
        source="dark_side_consume",
        kinds=("player",),
        stands_for="dark",
    ),
    MORTAL_ROUNDS,
    Tracker(name="sustained", title="Life force", steps=("own", "sustained_by_the_force"), source="mortal_check"),
    Tracker(name="accelerated", title="Healing", steps=("usual", "accelerated"), resets="day", source="power results"),
    Tracker(
        name="awake",
        title="Awake by the Force",
        steps=("no", "yes"),
        resets="round",
        then="awake_before",
        source="wound_state",
        help="One round as if wounded, and not two in a row.",
    ),
    Tracker(
        name="awake_before", title="Awake by the Force in the last round", steps=("no", "yes"), source="wound_state"
    ),
    Tracker(name="emptiness", title="Roll for emptiness", most=999, source="emptiness"),
    Tracker(name="force_bonus", title="Bonus on Force rolls", most=6, source="emptiness"),
    Tracker(name="will", title="Roll for force of will", most=999, source="force_of_will"),
    Tracker(name="will_lost", title="Dice that force of will has lost", source="force_of_will"),
    Tracker(name="ship_damage", title="The ship's damage", source="starship_damage", steps=DAMAGES, kinds=("thing",)),
    Tracker(
        name="ionized",
        title="Ionization of this round in dice",
        resets="round",
        then="ionized_before",
        source="starship_damage",
        kinds=("thing",),
    ),
    Tracker(name="generators", title="Shield generators lost", source="starship_damage", kinds=("thing",)),
    Tracker(
        name="reserved",
        title="Speed actions in reserve",
        most=3,
        resets="round",
        source="maneuver",
        help="They are spent after the movement of the one who lost.",
        kinds=("thing",),
    ),
    Tracker(
        name="control",
        title="Control",
        steps=("under_control", "out_of_control"),
        source="movement_failure",
        kinds=("thing",),
    ),
    Tracker(name="dimmed", title="Senses dimmed by dice", source="dim_senses"),
    Tracker(name="atoned", title="Atoned", steps=("no", "yes"), resets="adventure", source="atonement"),
    Tracker(name="free_haste", title="Free haste", resets="round", source="surprise"),
    Tracker(name="rammed", title="Rammed", steps=("no", "more_than_once", "more_than_twice"), source="ramming"),
    Tracker(name="medpacs", title="Medpacs today", resets="day", source="medpac_difficulty"),
    Tracker(
        name="ionized_before",
        title="Ionization of the last round in dice",
        source="starship_damage",
        help="It still counts, until the end of this round.",
    ),
    Tracker(
        name="dead_controls", title="Controls", steps=("working", "dead"), resets="rounds", source="starship_damage"
    ),
    Tracker(name="held", title="Tractor beam", steps=("free", "held"), source="tractor_beam"),
    Tracker(
        name="capital_damage",
        title="Pips of damage to the capital ship",
        most=DESTROYED_PIPS,
        source="capital_state",
        kinds=("thing",),
    ),
    Tracker(name="shield_damage", title="Pips of damage to the shields", source="capital_shields"),
    Tracker(name="sublight_damage", title="Pips of damage to the engines", source="targeting"),
    Tracker(name="maneuver_damage", title="Pips of damage to the maneuver", source="targeting"),
    Tracker(name="fire_control_damage", title="Pips of damage to the fire control", source="targeting"),
    Tracker(name="facings_lost", title="Shield facings lost", most=FACINGS, source="capital_shields"),
    Tracker(name="facing", title="Facing to the enemy", most=FACINGS - 1, source="facing"),
    FALLEN,
)
