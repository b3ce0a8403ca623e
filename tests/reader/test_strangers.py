"""Dice of no set that is read: another game's dice in the tray."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.labelled import find_labels, read_label
from tableside import paths
from tableside.dice import Status, find_sets
from tableside.reader.photo import load_photo
from tableside.reader.reader import Reader

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
