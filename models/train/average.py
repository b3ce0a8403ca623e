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
from models.train.locator import Locator, Patches
from models.train.place import Place, Views
from models.train.resume import belongs_to, grown

_MEASURED, _BATCH, _PAIRS = 60, 168, 18
_PATCHES = 24  # of the locator's far larger views in a batch


def average(older: Path, newer: Path, share: float, fresh: str = "") -> dict[str, torch.Tensor]:
    """Return the mean of two networks' weights; a narrower older one is made wider first.

    :param share: of the newer, 0..1. :param fresh: the name of a part that only the newer has learnt.
    """
    b = torch.load(newer)
    a = grown(b | torch.load(older), b)
    both = {key for key in b if b[key].is_floating_point() and not belongs_to(key, fresh)}
    return {key: torch.lerp(a[key], b[key], share) if key in both else b[key] for key in b}


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
    parser.add_argument("pictures", type=Path, nargs="+", help="crops; of locators the folders of scenes")
    parser.add_argument("--invented", type=Path)
    parser.add_argument("--share", type=float, default=0.7, help="of the newer")
    parser.add_argument("--wear", type=float, default=1.0, help="as for the network's own training")
    parser.add_argument("--fresh", default="", help="the network's part that only the newer run has learnt")
    parser.add_argument("--seed", type=int, default=77)
    others = parser.add_mutually_exclusive_group()
    others.add_argument("--place", action="store_true", help="place networks, and crops from models.train.silhouettes")
    others.add_argument("--locator", action="store_true", help="locators, and folders of scenes")
    parser.add_argument("--out", type=Path, help="models/data/classifier.pt, place.pt or locator.pt where not said")
    options = parser.parse_args()
    name = "place" if options.place else "locator" if options.locator else "classifier"
    if options.invented and name != "classifier":
        parser.error(f"--invented goes with classifiers: a {name} network learns from no invented dice")
    out = options.out or Path("models/data") / f"{name}.pt"
    net: nn.Module
    views: Dataset
    batch = _BATCH
    if options.place:
        net, views = Place(), Views(options.pictures, _MEASURED * batch, options.seed, wear=options.wear)
    elif options.locator:
        batch = _PATCHES
        net, views = Locator(), Patches(options.pictures, _MEASURED * batch, options.seed)
    else:
        net = Classifier()
        views = Crops(
            options.pictures, options.invented, steps=_MEASURED, batch=batch, pairs=_PAIRS, seed=options.seed,
            wear=options.wear,
        )  # fmt: skip
    net.load_state_dict(average(options.older, options.newer, options.share, options.fresh))
    measure_norms(net, (shown[0] for shown in DataLoader(views, batch, num_workers=1)))
    torch.save(net.state_dict(), out)
    runs = json.loads(options.newer.with_suffix(".json").read_text())
    runs[-1] |= {"averaged_with": options.older.stem, "share": options.share}
    out.with_suffix(".json").write_text(json.dumps(runs, indent=2) + "\n")


if __name__ == "__main__":
    main()
