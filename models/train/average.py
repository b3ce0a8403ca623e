"""Average two runs of a network, one gone on from the other: ``python -m models.train.average A.pt B.pt train.npz ...``.

The mean of two such networks generalises better than either; its batch norms are measured anew.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from models.train.classifier import Classifier, Crops
from models.train.place import Place, Views

_MEASURED, _BATCH, _PAIRS = 60, 168, 18


def average(older: Path, newer: Path, share: float) -> dict[str, torch.Tensor]:
    """Return the mean of two networks' weights. :param share: of the newer, 0..1."""
    a, b = torch.load(older), torch.load(newer)
    return {key: torch.lerp(a[key], b[key], share) if b[key].is_floating_point() else b[key] for key in b}


def measure_norms(net: nn.Module, batches: Iterable[torch.Tensor]) -> None:
    """Set the batch norms' statistics to what they see in these batches."""
    for norm in (layer for layer in net.modules() if isinstance(layer, nn.BatchNorm2d)):
        norm.reset_running_stats()
        norm.momentum = None  # the plain mean of all batches
    net.train()
    with torch.no_grad():
        for batch in batches:
            net(batch)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("older", type=Path)
    parser.add_argument("newer", type=Path)
    parser.add_argument("crops", type=Path, nargs="+")
    parser.add_argument("--invented", type=Path)
    parser.add_argument("--share", type=float, default=0.7, help="of the newer")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--place", action="store_true", help="place networks, and crops from models.train.silhouettes")
    parser.add_argument("--out", type=Path, help="models/data/classifier.pt or models/data/place.pt where not said")
    options = parser.parse_args()
    if options.place and options.invented:
        parser.error("--invented goes with classifiers: place networks learn from no invented dice")
    out = options.out or Path("models/data") / ("place.pt" if options.place else "classifier.pt")
    net: nn.Module
    views: Dataset
    if options.place:
        net, views = Place(), Views(options.crops, _MEASURED * _BATCH, options.seed)
    else:
        net = Classifier()
        views = Crops(
            options.crops, options.invented, steps=_MEASURED, batch=_BATCH, pairs=_PAIRS, seed=options.seed
        )  # fmt: skip
    net.load_state_dict(average(options.older, options.newer, options.share))
    measure_norms(net, (batch[0] for batch in DataLoader(views, _BATCH, num_workers=1)))
    torch.save(net.state_dict(), out)
    runs = json.loads(options.newer.with_suffix(".json").read_text())
    runs[-1] |= {"averaged_with": options.older.stem, "share": options.share}
    out.with_suffix(".json").write_text(json.dumps(runs, indent=2) + "\n")


if __name__ == "__main__":
    main()
