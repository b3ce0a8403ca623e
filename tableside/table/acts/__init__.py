"""What each message makes of the state: decisions, and nothing that only a page wants."""

from tableside.table.acts.answers import answers_of
from tableside.table.acts.calls import is_nothing, make_call, make_calls, rolls_after
from tableside.table.acts.follow import fold
from tableside.table.acts.people import pay
from tableside.table.acts.pool import points_of, points_of_ask, pool_after
from tableside.table.acts.rolls import score_roll
from tableside.table.acts.settling import settle_colours
from tableside.table.acts.spends import can_buy, left_of, offers_of, outcome_of, spender_of
from tableside.table.acts.step import step
from tableside.table.acts.undo import losses, undo_words, without

__all__ = [
    "answers_of",
    "can_buy",
    "fold",
    "is_nothing",
    "left_of",
    "losses",
    "make_call",
    "make_calls",
    "offers_of",
    "outcome_of",
    "pay",
    "points_of",
    "points_of_ask",
    "pool_after",
    "rolls_after",
    "score_roll",
    "settle_colours",
    "spender_of",
    "step",
    "undo_words",
    "without",
]
