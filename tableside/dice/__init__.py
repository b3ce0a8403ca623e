"""What dice are: solids, faces, sets and readings. Standard library and msgspec only."""

from tableside.dice.face import BLANK, MOST_LETTERS, MOST_SYMBOLS, Die, Face, face_fault, face_name, face_of
from tableside.dice.reading import Alternative, DieReading, Doubt, Point, Reading, Status, Suspect, Timings
from tableside.dice.sets import DiceSet, DieType, find_sets, load_set

__all__ = [
    "BLANK",
    "MOST_LETTERS",
    "MOST_SYMBOLS",
    "Alternative",
    "DiceSet",
    "Die",
    "DieReading",
    "DieType",
    "Doubt",
    "Face",
    "Point",
    "Reading",
    "Status",
    "Suspect",
    "Timings",
    "face_fault",
    "face_name",
    "face_of",
    "find_sets",
    "load_set",
]
