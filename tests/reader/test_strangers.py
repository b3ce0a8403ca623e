"""Dice of no set that is read: another game's dice in the tray."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from models.labelled import find_labels, read_label
from tableside import paths
from tableside.dice import Status, find_sets
from tableside.reader.photo import load_photo
from tableside.reader.reader import Reader
from tableside.teaching.load import load_taught_types

READ = ("narrative", "pips", "percentile")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(find_sets(READ), models_folder=paths.models_folder())


def test_photographs_of_numbered_dice_that_no_set_knows_are_never_read_surely(reader: Reader, shared: Path) -> None:
    known = {kind.name for one in find_sets(READ) for kind in one.types}
    labels = map(read_label, find_labels(shared / "photos" / "numbered"))
    strangers = [label for label in labels if label.dice and label.dice[0].die.type not in known]
    assert len(strangers) == 46
    for label in strangers:
        reading = reader.read(load_photo(label.picture))
        # a die of a known set lies at the edge of some
        sure = [die for die in reading.dice if die.status is Status.SURE and die.type not in ("d10", "d100")]
        assert (label.picture.name, sure, reading.sure) == (label.picture.name, [], False)


def test_of_numbered_dice_that_are_said_to_be_played_with_none_is_read_wrongly_for_sure(shared: Path) -> None:
    """The same photographs by who names the sets: each number is read, and each solid."""
    sets = find_sets(["polyhedral", "percentile"])
    reader = Reader(sets, models_folder=paths.models_folder(), taught_types=load_taught_types)
    labels = [label for label in map(read_label, find_labels(shared / "photos" / "numbered")) if label.dice]
    right = sure = 0
    for label in labels:
        picture = load_photo(label.picture)
        middle = (picture.shape[1] / 2, picture.shape[0] / 2)
        die = min(reader.read(picture).dice, key=lambda die: math.dist(die.center, middle))
        is_right = die.die == label.dice[0].die
        assert is_right or die.status is not Status.SURE, (label.picture.name, die)
        right, sure = right + is_right, sure + (die.status is Status.SURE)
    assert right >= 65
    assert sure >= 32
