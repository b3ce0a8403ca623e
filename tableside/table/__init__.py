"""What is happening now: the only owner of state. Standard library and msgspec only.

``messages`` is what may be told to it. ``kept`` is what it keeps, ``acts`` decides, ``shown`` is drawn of it.
"""

from tableside.table.acts import step
from tableside.table.display import Display
from tableside.table.kept import (
    Change,
    Destiny,
    MemoryStore,
    Phase,
    Roll,
    RollDie,
    Side,
    Source,
    Store,
    TableState,
    Trouble,
)
from tableside.table.messages import Message
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
