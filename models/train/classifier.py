"""Train the classifier: ``python -m models.train.classifier train.npz hard.npz --steps 30000``.

An upper face, whatever its rotation, becomes a unit vector; the nearest of the prototypes names the symbols.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from models.train.augment import coarsen, fade, glints, photograph
from models.train.crops import CROP, MARGIN, NONE
from models.train.labels import FACES, TYPES
from models.train.locator import Residual, conv
from models.train.loop import Parts, remember, train

INPUT = 64
REACH = 1.25  # circumradii from the middle to the crop's edge
WIDTH = 112
EMBEDDING = 96
SHARPNESS = 16.0  # scale of the cosine to the prototypes
OUTPUTS = (len(TYPES) + 1) + 3  # types and none; dx, dy, log scale


class Classifier(nn.Module):
    """(n, 3, 64, 64) BGR in 0..1 -> unit embedding (n, EMBEDDING), cosine logits (n, faces), others (n, OUTPUTS)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 24, 2),
            conv(24, 48, 2),
            Residual(48),
            Residual(48),
            conv(48, WIDTH, 2),
            Residual(WIDTH),
            Residual(WIDTH),
        )
        self.embed = nn.Linear(WIDTH, EMBEDDING)
        self.prototypes = nn.Parameter(torch.randn(len(FACES), EMBEDDING))
        self.side = nn.Sequential(nn.Linear(WIDTH, 96), nn.ReLU(), nn.Linear(96, OUTPUTS))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        features = self.body((x - 0.45) * 4.0).mean((2, 3))
        embedding = F.normalize(self.embed(features), dim=1)
        logits = SHARPNESS * embedding @ F.normalize(self.prototypes, dim=1).T
        return embedding, logits, self.side(features)


class Crops(Dataset):
    """Random views of stored crops; the same seed gives the same views."""

    def __init__(self, paths: list[Path], length: int, seed: int) -> None:
        self.pictures = [np.load(path.with_suffix(".npy"), mmap_mode="r") for path in paths]
        labels = [np.load(path) for path in paths]
        keys = ("types", "faces", "cocked", "radius")
        self.types, self.faces, self.cocked, self.radius = (np.concatenate([part[k] for part in labels]) for k in keys)
        self.starts = np.cumsum([0, *(len(part) for part in self.pictures)])
        counts = np.bincount(self.types * len(FACES) + self.faces)
        weight = 1 / counts[self.types * len(FACES) + self.faces] ** 0.5
        weight[self.types == NONE] *= 0.7
        weight[self.cocked] *= 0.5
        self.share = np.cumsum(weight / weight.sum())
        self.length, self.seed = length, seed

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[np.ndarray | int | bool, ...]:
        rng = np.random.default_rng([self.seed, index])
        i = int(np.searchsorted(self.share, rng.random()).clip(0, len(self.share) - 1))
        part = int(np.searchsorted(self.starts, i, side="right")) - 1
        picture = self.pictures[part][i - self.starts[part]]
        view, refine = random_view(np.asarray(picture), float(self.radius[i]), rng)
        return view, int(self.types[i]), int(self.faces[i]), bool(self.cocked[i]), refine


def random_view(crop: np.ndarray, radius: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return a (3, INPUT, INPUT) view turned, shifted and scaled at random, and the (3,) step back to the true middle."""
    wide = rng.random() < 0.15
    shift = rng.normal(0, 0.16 if wide else 0.06, 2).clip(-0.35, 0.35)
    zoom = math.exp(float(np.clip(rng.normal(0, 0.18 if wide else 0.08), -0.35, 0.35)))
    angle = rng.uniform(0, 2 * np.pi)
    scale = INPUT / (2 * REACH * zoom) / (CROP / (2 * MARGIN))
    c, s = math.cos(angle) * scale, math.sin(angle) * scale
    middle = CROP / 2 + shift * CROP / (2 * MARGIN)
    shear = 1 + rng.normal(0, 0.04)
    matrix = np.array([[c * shear, -s, 0], [s * shear, c, 0]])
    matrix[:, 2] = INPUT / 2 - matrix[:, :2] @ middle
    native = radius * 2 * REACH * zoom  # pixels that the camera gave this view
    source = crop
    if rng.random() < 0.5:
        # as if seen from farther away: at least 22 px across the view
        source = coarsen(crop, rng, float(np.clip(24 * MARGIN / REACH / min(CROP, native * MARGIN / REACH), 0.2, 1.0)))
    view = cv2.warpAffine(
        source,
        matrix,
        (INPUT, INPUT),
        flags=cv2.INTER_LINEAR if scale > 0.55 else cv2.INTER_AREA,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if rng.random() < 0.04:  # something lies over the edge
        at = (int(rng.uniform(0, INPUT)), 0 if rng.random() < 0.5 else INPUT)
        cv2.circle(view, at, int(rng.uniform(8, 20)), rng.uniform(0, 255, 3).tolist(), -1)
    if rng.random() < 0.15:
        view = fade(view, rng)
    if rng.random() < 0.2:
        view = glints(view, rng)
    view = photograph(view, rng)
    back = matrix[:, :2] @ (-shift * CROP / (2 * MARGIN)) / (INPUT / (2 * REACH))
    refine = np.array([back[0], back[1], -math.log(zoom)], np.float32)
    return np.ascontiguousarray(view.transpose(2, 0, 1)).astype(np.float32) / 255, refine


def loss_of(
    outputs: tuple[torch.Tensor, ...],
    types: torch.Tensor,
    faces: torch.Tensor,
    cocked: torch.Tensor,
    refine: torch.Tensor,
) -> tuple[torch.Tensor, Parts]:
    """Return the loss and its parts. A die that leans has a type but no face."""
    _, logits, side = (output.float() for output in outputs)
    readable = (types < NONE) & ~cocked
    kinds = len(TYPES) + 1
    die = (types < NONE).float()
    step = F.smooth_l1_loss(side[:, kinds:], refine, reduction="none", beta=0.05).sum(1)
    parts = {
        "face": (F.cross_entropy(logits, faces, reduction="none") * readable).sum() / readable.sum().clamp(min=1),
        "type": F.cross_entropy(side[:, :kinds], types),
        "step": (step * die).sum() / die.sum().clamp(min=1),
    }
    loss = parts["face"] + 0.7 * parts["type"] + 0.5 * parts["step"]
    hit = (logits.argmax(1) == faces) & (side[:, :kinds].argmax(1) == types)
    return loss, parts | {"right": hit[readable].float().mean()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("crops", type=Path, nargs="+", help="name one twice and it is drawn from twice as often")
    parser.add_argument("--steps", type=int, default=30_000)
    parser.add_argument("--batch", type=int, default=160)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--out", type=Path, default=Path("models/data/classifier.pt"))
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    net = Classifier()
    if options.resume:
        net.load_state_dict(torch.load(options.resume))
    print(sum(p.numel() for p in net.parameters()), "weights", flush=True)
    crops = Crops(options.crops, options.steps * options.batch, options.seed)
    loader = DataLoader(crops, options.batch, num_workers=1, prefetch_factor=6)
    train(net, loader, loss_of, steps=options.steps, rate=options.rate, out=options.out)
    remember(
        options.out,
        options.crops,
        options.resume,
        steps=options.steps,
        batch=options.batch,
        rate=options.rate,
        seed=options.seed,
    )


if __name__ == "__main__":
    main()
