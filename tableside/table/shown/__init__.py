"""What is drawn and told: functions of a state or of the log, worked out by who shows them."""

from tableside.table.shown.answers import answers_of
from tableside.table.shown.call import MOST_ODDS_DICE, call_of, prospect_of
from tableside.table.shown.counts import Counts
from tableside.table.shown.events import Event, EventType, events_of
from tableside.table.shown.fairness import chi_square_tail, fairness_of
from tableside.table.shown.luck import Luck, luck_of
from tableside.table.shown.roll import chance_from_here, chance_with, outcome_json, spends_of
from tableside.table.shown.sheet import csv_of
from tableside.table.shown.state import State, cares_json, change_json, left_out_json, play_json, points_now, state_json

__all__ = [
    "MOST_ODDS_DICE",
    "Counts",
    "Event",
    "EventType",
    "Luck",
    "State",
    "answers_of",
    "call_of",
    "cares_json",
    "chance_from_here",
    "chance_with",
    "change_json",
    "chi_square_tail",
    "csv_of",
    "events_of",
    "fairness_of",
    "left_out_json",
    "luck_of",
    "outcome_json",
    "play_json",
    "points_now",
    "prospect_of",
    "spends_of",
    "state_json",
]
