from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tableside import paths
from tableside.dice import find_sets
from tableside.errors import ModelError
from tableside.reader.classify import Classifier
from tableside.reader.network import Network
from tableside.teaching.load import load_taught_types

POLYHEDRAL = find_sets(["polyhedral"])


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return Classifier(Network(paths.models_folder(), "classifier"), paths.models_folder())


def test_every_face_of_a_numbered_solid_has_prototypes_of_the_network_that_ships(classifier: Classifier) -> None:
    (dice_set,) = POLYHEDRAL
    known = {kind.name: kind for kind in load_taught_types(POLYHEDRAL, classifier)}
    for die in dice_set.types:
        if die.name not in classifier.types:  # a d10's digits the network has learnt
            kind = known.pop(die.name)
            assert kind.faces == die.distinct_faces
            assert sorted(set(kind.face_at.tolist())) == list(range(len(kind.faces)))
    assert known == {}


def test_a_6_and_a_9_are_sure_only_where_a_solid_has_no_other(classifier: Classifier) -> None:
    kinds = load_taught_types(POLYHEDRAL, classifier)
    least = {kind.name: dict(zip(kind.faces, kind.thresholds, strict=True)) for kind in kinds}
    sure = {name: {face for face, one in of.items() if one < 1} for name, of in least.items()}
    assert ("6",) in sure["d6"] & sure["d8"]
    assert not {("6",), ("9",)} & (sure["d12"] | sure["d20"])


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"no archive")])
def test_prototypes_that_are_gone_or_damaged_are_said(damage: object, tmp_path: Path, classifier: Classifier) -> None:
    folder = tmp_path / "polyhedral"
    shutil.copytree(POLYHEDRAL[0].folder, folder)
    damage(folder / "prototypes.npz")  # type: ignore[operator]
    with pytest.raises(ModelError, match="the prototypes cannot be read"):
        load_taught_types([replace(POLYHEDRAL[0], folder=folder)], classifier)
