"""What is drawn and told: functions of a state or of the log, worked out by who shows them."""

from tableside.table.shown.call import MOST_ODDS_DICE, call_of, prospect_of
from tableside.table.shown.counts import Counts
from tableside.table.shown.events import Event, EventType, events_of
from tableside.table.shown.fairness import Fairness, chi_square_tail, fairness_of
from tableside.table.shown.luck import Luck, luck_of
from tableside.table.shown.roll import Offer, chance_from_here, outcome_json, spends_of
from tableside.table.shown.sheet import csv_of
from tableside.table.shown.state import (
    OutWhy,
    ShownChange,
    ShownRoll,
    State,
    cares_json,
    left_out_json,
    play_of,
    points_now,
    show_change,
    state_json,
)

__all__ = [
    "MOST_ODDS_DICE",
    "Counts",
    "Event",
    "EventType",
    "Fairness",
    "Luck",
    "Offer",
    "OutWhy",
    "ShownChange",
    "ShownRoll",
    "State",
    "call_of",
    "cares_json",
    "chance_from_here",
    "chi_square_tail",
    "csv_of",
    "events_of",
    "fairness_of",
    "left_out_json",
    "luck_of",
    "outcome_json",
    "play_of",
    "points_now",
    "prospect_of",
    "show_change",
    "spends_of",
    "state_json",
]
