"""How many held-out made views a classifier reads rightly, beside the one that ships: ``python -m models.train.gate FOLDER``.

FOLDER is that of a run of the recipe; see ``held`` in ``recipe.toml``. Both see the same views, in 8 bits as they ship.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from models.train.classifier import EMBEDDING, OTHER, STRANGE, Crops, Teacher

_VIEWS, _LOT, _SEED, _WEAR = 6300, 252, 67, 0.5


def share_right(networks: Path, crops: list[Path], views: int = _VIEWS) -> float:
    """Return the share of views of which a classifier tells type and face, of those on which a person could.

    :param networks: folder of the classifier and its prototypes. :param crops: as the recipe cuts upper faces.
    """
    drawn = Crops(crops, None, steps=views // _LOT, batch=_LOT, pairs=0, seed=_SEED, wear=(_WEAR, _WEAR))
    reader = Teacher(networks)
    prototypes = reader.prototypes()[:-1]
    prototypes /= np.linalg.norm(prototypes, axis=1, keepdims=True)
    right = []
    for first in range(0, len(drawn), _LOT):
        seen, types, faces, unreadable, *_ = (
            np.array(part) for part in zip(*(drawn[i] for i in range(first, first + _LOT)), strict=True)
        )
        said = reader.say(seen)
        near, told = said[:, :EMBEDDING] @ prototypes.T, said[:, EMBEDDING:].argmax(1)
        hit = (near.argmax(1) == faces) & (near.max(1) > STRANGE) & (told == types)
        right.extend(hit[(types < OTHER) & ~unreadable])
    return float(np.mean(right))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--crops", default="faces-held*.npz", help="which of its crops (default: %(default)s)")
    options = parser.parse_args()
    crops = sorted(options.folder.glob(options.crops))
    tried = sorted(path.parent for path in options.folder.glob("classifier-*/classifier.json"))
    for networks in (Path(__file__).resolve().parents[1], *tried):
        print(f"{networks}: {share_right(networks, crops):.3f}")


if __name__ == "__main__":
    main()
