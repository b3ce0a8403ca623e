"""Weights of logistic regressions."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="only needed to calibrate: pip install -e '.[drawing]'")

from models.weights import signed, weights_of


def sigmoid(values: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-values))


def test_weights_are_found_again() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, (4000, 2))
    truths = rng.random(4000) < sigmoid(0.5 + 2 * values[:, 0] - values[:, 1])
    fitted = signed(values.tolist(), truths.tolist(), {"for": 1, "against": -1})
    assert fitted == pytest.approx({"bias": 0.5, "for": 2.0, "against": -1.0}, abs=0.2)
    assert fitted == weights_of(values, truths, "for", "against")


def test_a_weight_that_would_get_the_wrong_sign_is_nothing_and_the_rest_is_fitted_without_it() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, (3000, 2))
    truths = rng.random(3000) < sigmoid(values[:, 0] + 0.5 * values[:, 1])
    fitted = signed(values.tolist(), truths.tolist(), {"for": 1, "doubt": -1})
    assert fitted["doubt"] == 0
    alone = weights_of(values[:, :1], truths, "for")
    assert {name: fitted[name] for name in alone} == alone


@pytest.mark.parametrize("truth", [True, False])
def test_where_all_is_alike_nothing_is_weighed_and_the_bias_says_it(truth: bool) -> None:
    for fitted in (
        weights_of([[0.3, 1.0]] * 20, [truth] * 20, "for", "doubt"),
        signed([[0.3, 1.0]] * 20, [truth] * 20, {"for": 1, "doubt": -1}),
    ):
        assert (fitted["bias"] > 3, fitted["bias"] < -3) == (truth, not truth)
        assert fitted["for"] == fitted["doubt"] == 0
    assert signed([], [], {"for": 1, "doubt": -1}) == {"bias": 0.0, "for": 0.0, "doubt": 0.0}
