"""The weights of a logistic regression, by name, as cards hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression


def weights_of(
    values: Any, truths: Sequence[bool] | np.ndarray, *names: str, strength: float = np.inf, counts: Any = None
) -> dict[str, float]:
    """Return the bias and the weights of a regression, the latter by the names of what they weigh.

    Where all truths are alike nothing can be weighed: the weights are 0, and the bias says how likely that truth is.

    :param values: (n, m). :param strength: the smaller, the nearer the weights stay to 0. :param counts: of each truth how
        much it counts.
    """
    right = np.asarray(truths, bool)
    if right.all() or not right.any():
        return _named(float(np.log((right.sum() + 0.5) / ((~right).sum() + 0.5))), names, np.zeros(len(names)))
    fitted = LogisticRegression(C=strength, class_weight=counts, max_iter=1000).fit(values, right)
    return _named(float(fitted.intercept_[0]), names, fitted.coef_[0])


def signed(values: Sequence[Sequence[float]], truths: Sequence[bool], signs: Mapping[str, int]) -> dict[str, float]:
    """Return the weights of a regression in which each keeps its sign, or is 0.

    Of two values that go together one often gets more than its due, and the other the rest with the opposite sign: a
    sign of doubt would then count as one of trust. Without the other the fit is hardly worse.

    :param values: (n, m). :param signs: of each of the m, by name, 1 or -1.
    """
    kept = list(signs)
    while True:
        turned = [
            [value * signs[name] for value, name in zip(row, signs, strict=True) if name in kept] for row in values
        ]
        weights = weights_of(turned, truths, *kept)
        if all(weights[name] >= 0 for name in kept):
            return {"bias": weights["bias"]} | {
                name: weights.get(name, 0.0) * sign + 0.0 for name, sign in signs.items()
            }
        kept = [name for name in kept if weights[name] >= 0]


def _named(bias: float, names: Sequence[str], weights: Sequence[float] | np.ndarray) -> dict[str, float]:
    return {"bias": round(bias, 3)} | {name: round(float(w), 3) + 0.0 for name, w in zip(names, weights, strict=True)}
