"""Samples of dice that the network knows already: they vote on type and face beside the shipped prototypes.

All faces of such a type are known, shown or not. So the samples do not compete with the shipped prototypes. A view
similar to a sample makes its face likelier, and a body like theirs makes their type likelier.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tableside.dice import Face
from tableside.reader.classify import Prediction
from tableside.reader.prototypes import TYPICAL, Floats, TaughtType

_KEPT = 0.5  # share of the vote by cosine that counts, since the same network has voted already
_LEAST_VOTE, _MOST_VOTE = -1.0, 2.0
"""Log-odds: no sample says more for or against its face, since the light may differ."""
_OWN = 0.5
"""Probability that a die of the type is one of those that were shown, and not of another make."""
_MOST_LIKE = 4.0  # the greatest factor by which a body makes a type likelier


class SampleVotes:
    """What samples say of the shipped readings.

    :param types: whose faces are all among the readings. :param readings: type and face of each shipped reading.
    """

    def __init__(self, types: Sequence[TaughtType], readings: Sequence[tuple[str, Face]]) -> None:
        self._kinds = [(kind, *_places(kind, readings)) for kind in types]

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def apply(
        self, types: Floats, faces: Floats, called: Floats, predictions: Sequence[Prediction], body: Floats
    ) -> tuple[Floats, Floats]:
        """Return how likely the type and the face of each shipped reading are, with what the samples say.

        :param types: (n,) how likely the network finds the reading's type. :param faces: (n,) and its face.
        :param called: what the network calls the die, over all its types. :param body: see :func:`body_features`.
        """
        types, faces = types.copy(), faces.copy()
        whole = float(called.sum())
        embeddings = np.array([look.embedding for look in predictions])
        for kind, rows, shown_rows in self._kinds:
            own = float(called @ kind.signature) / max(float(kind.signature.max()), 1e-9)
            own = min(own * kind.body_fit(body) / TYPICAL, _MOST_LIKE * whole)
            types[rows] = (1 - _OWN) * types[rows] + _OWN * own
            cosines = kind.cosines(embeddings).mean(axis=0)
            votes = np.clip(_KEPT * kind.cosine_scale * (cosines - kind.cosine_threshold), _LEAST_VOTE, _MOST_VOTE)
            faces[shown_rows] *= np.exp(votes)
        return types, faces


def _places(
    kind: TaughtType, readings: Sequence[tuple[str, Face]]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the rows of the type, and that of each of its faces that were shown."""
    rows = [i for i, (name, _) in enumerate(readings) if name == kind.name]
    shown = [readings.index((kind.name, face)) for face in kind.faces]
    return np.array(rows, int), np.array(shown, int)
