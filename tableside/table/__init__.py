"""What is happening now: the only owner of state. Standard library and msgspec only."""

from tableside.table.display import Display
from tableside.table.messages import Message
from tableside.table.state import Change, Destiny, Phase, Roll, RollDie, Side, Source, TableState, Trouble
from tableside.table.step import step
from tableside.table.store import MemoryStore, Store
from tableside.table.system import System
from tableside.table.table import Table

__all__ = [
    "Change",
    "Destiny",
    "Display",
    "MemoryStore",
    "Message",
    "Phase",
    "Roll",
    "RollDie",
    "Side",
    "Source",
    "Store",
    "System",
    "Table",
    "TableState",
    "Trouble",
    "step",
]
