"""Weights of logistic regressions."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="only needed to calibrate: pip install -e '.[training]'")

from sklearn.linear_model import LogisticRegression

from models.train.weights import signed, weights_of


def sigmoid(values: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-values))


def test_weights_are_found_again() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, (4000, 2))
    truths = rng.random(4000) < sigmoid(0.5 + 2 * values[:, 0] - values[:, 1])
    fitted = signed(values.tolist(), truths.tolist(), {"for": 1, "against": -1})
    assert fitted == pytest.approx({"bias": 0.5, "for": 2.0, "against": -1.0}, abs=0.2)
    assert fitted == weights_of(LogisticRegression(C=np.inf, max_iter=1000).fit(values, truths), "for", "against")


def test_a_weight_that_would_get_the_wrong_sign_is_nothing_and_the_rest_is_fitted_without_it() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, (3000, 2))
    truths = rng.random(3000) < sigmoid(values[:, 0] + 0.5 * values[:, 1])
    fitted = signed(values.tolist(), truths.tolist(), {"for": 1, "doubt": -1})
    assert fitted["doubt"] == 0
    alone = weights_of(LogisticRegression(C=np.inf, max_iter=1000).fit(values[:, :1], truths), "for")
    assert {name: fitted[name] for name in alone} == alone
