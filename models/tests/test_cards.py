from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tableside.dice import find_sets
from tableside.reader.classify import Classifier
from tableside.reader.network import Network

MODELS = Path(__file__).parent.parent


@pytest.fixture(params=["locator", "place", "classifier"])
def card(request: pytest.FixtureRequest) -> dict[str, Any]:
    card: dict[str, Any] = json.loads((MODELS / f"{request.param}.json").read_text())
    return card | {"name": request.param}


def test_a_card_is_of_the_network_beside_it(card: dict[str, Any]) -> None:
    network = MODELS / f"{card['name']}.onnx"
    assert hashlib.sha256(network.read_bytes()).hexdigest() == card["sha256"]


def test_a_card_says_how_to_train_it_again(card: dict[str, Any]) -> None:
    assert card["trained"]
    for run in card["trained"]:
        assert {"data", "steps", "batch", "rate", "seed", "hours_on_two_cores"} <= set(run)
        assert run["hours_on_two_cores"] > 0


def test_a_card_says_what_the_network_reaches_and_where_it_ends(card: dict[str, Any]) -> None:
    assert card["scores"]
    assert card["limits_in_words"]
    assert card["licence"] == "MIT"


def test_every_face_of_a_shipped_set_has_a_prototype_and_its_type_a_name() -> None:
    classifier = Classifier(Network(MODELS, "classifier"), MODELS)
    for dice_set in find_sets():
        for die_type in dice_set.types:
            assert die_type.variant_of or die_type.name in classifier.types
            assert {(dice_set.name, face) for face in die_type.distinct_faces} <= set(classifier.faces)
