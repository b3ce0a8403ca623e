"""What the table keeps on disk and in its state: facts, and what of them follows at once."""

from tableside.table.kept.calls import NO_ASK, NO_CONTEST, Ask, CallFor, Contest, Entrant, Seen
from tableside.table.kept.log import MemoryStore, Store, change_from_text, change_to_text, checksum
from tableside.table.kept.order import Initiative, Slot
from tableside.table.kept.play import (
    Applied,
    Bought,
    Carried,
    Destiny,
    OwnTable,
    Phase,
    Photographers,
    Player,
    Session,
    Setup,
    Side,
    TableRow,
    Tracked,
)
from tableside.table.kept.roll import Dismissed, Roll, RollDie, Source
from tableside.table.kept.state import LOST, WHOLE, Change, Decision, Part, TableState, Trouble, lost_change

__all__ = [
    "LOST",
    "NO_ASK",
    "NO_CONTEST",
    "WHOLE",
    "Applied",
    "Ask",
    "Bought",
    "CallFor",
    "Carried",
    "Change",
    "Contest",
    "Decision",
    "Destiny",
    "Dismissed",
    "Entrant",
    "Initiative",
    "MemoryStore",
    "OwnTable",
    "Part",
    "Phase",
    "Photographers",
    "Player",
    "Roll",
    "RollDie",
    "Seen",
    "Session",
    "Setup",
    "Side",
    "Slot",
    "Source",
    "Store",
    "TableRow",
    "TableState",
    "Tracked",
    "Trouble",
    "change_from_text",
    "change_to_text",
    "checksum",
    "lost_change",
]
