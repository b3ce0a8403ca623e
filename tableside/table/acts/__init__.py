"""What each message makes of the state: decisions, and nothing that only a page wants."""

from tableside.table.acts.calls import ask_of, is_nothing, rolls_after
from tableside.table.acts.evening import tracked
from tableside.table.acts.people import paid
from tableside.table.acts.pool import changed_pool, points_of, points_of_ask
from tableside.table.acts.rolls import scored
from tableside.table.acts.settling import colours_settled
from tableside.table.acts.spends import applied, bought, left_of, offers_of, outcome_of, spender_of
from tableside.table.acts.step import fold, named, step

__all__ = [
    "applied",
    "ask_of",
    "bought",
    "changed_pool",
    "colours_settled",
    "fold",
    "is_nothing",
    "left_of",
    "named",
    "offers_of",
    "outcome_of",
    "paid",
    "points_of",
    "points_of_ask",
    "rolls_after",
    "scored",
    "spender_of",
    "step",
    "tracked",
]
