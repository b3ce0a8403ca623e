"""The weights of a logistic regression, by name, as cards hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression


def weights_of(fitted: LogisticRegression, *names: str) -> dict[str, float]:
    """Return the bias and the weights of a fitted regression, the latter by the names of what they weigh."""
    return _named(float(fitted.intercept_[0]), names, fitted.coef_[0])


def signed(values: Sequence[Sequence[float]], truths: Sequence[bool], signs: Mapping[str, int]) -> dict[str, float]:
    """Return the weights of a regression in which each keeps its sign, or is 0.

    Of two values that go together one often gets more than its due, and the other the rest with the opposite sign: a
    sign of doubt would then count as one of trust. Without the other the fit is hardly worse.

    :param values: (n, m). :param signs: of each of the m, by name, 1 or -1.
    """
    turned = np.asarray(values, float) * list(signs.values())
    kept = np.ones(len(signs), bool)
    while True:
        fitted = LogisticRegression(C=np.inf, max_iter=1000).fit(turned[:, kept], truths)
        weights = np.zeros(len(signs))
        weights[kept] = fitted.coef_[0]
        if (weights >= 0).all():
            return _named(float(fitted.intercept_[0]), tuple(signs), weights * list(signs.values()))
        kept &= weights >= 0


def _named(bias: float, names: Sequence[str], weights: Sequence[float] | np.ndarray) -> dict[str, float]:
    return {"bias": round(bias, 3)} | {name: round(float(w), 3) + 0.0 for name, w in zip(names, weights, strict=True)}
