"""Dice of no set that is read: another game's dice in the tray."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.labels import find_labels, read_label
from tableside import paths
from tableside.dice import Status, find_sets
from tableside.reader.classify import Prediction, View
from tableside.reader.locate import Found
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


@pytest.mark.parametrize("afar", [0.98, 0.3])
def test_a_look_from_afar_does_not_rule_out_that_a_die_is_another_games(reader: Reader, afar: float) -> None:
    types = reader._classifier.types
    known, strange = types.index("proficiency"), types.index("other")

    def share(of_strangers: float) -> float:
        near = np.full(len(types) + 1, 1e-6, np.float32)
        near[[known, strange]] = 0.1, 0.9
        predictions = [Prediction(View((0.0, 0.0), 9.0), near, near, near, 0.0, np.zeros(3, np.float32))]
        seen = np.full(len(types), 1e-3)
        seen[[known, strange]] = afar, of_strangers
        logs = np.log(seen).astype(np.float32)
        spot = (0.0, 0.0)
        found = Found(
            score=0.9,
            middle=spot,
            radius=20.0,
            outline=(spot,),
            top=spot,
            top_radius=9.0,
            types=logs,
            whole=np.append(logs, np.float32(-9)),
            comfort=0.9,
            lift=spot,
        )
        return float(reader._types(found, predictions, reader._prior)[strange])

    assert share(1e-6) == pytest.approx(share(afar))
