"""What dice are: solids, faces, sets and readings. Standard library only."""

from tableside.dice.face import BLANK, Die, Face, face_name, face_of
from tableside.dice.reading import Alternative, DieReading, Doubt, Point, Reading, Status, Suspect, Timings
from tableside.dice.sets import DiceSet, DieType, find_sets, load_set

__all__ = [
    "BLANK",
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
    "face_name",
    "face_of",
    "find_sets",
    "load_set",
]
