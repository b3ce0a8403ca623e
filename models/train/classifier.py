"""Train the classifier: ``python -m models.train.classifier train.npz hard.npz --minutes 40``.

An upper face, whatever its rotation, becomes a unit vector; the nearest of the prototypes names the symbols.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from models.train.augment import coarsen, photograph
from models.train.crops import CROP, MARGIN, NONE
from models.train.labels import FACES, TYPES
from models.train.locator import Residual, conv

INPUT = 64
REACH = 1.25  # circumradii from the middle to the crop's edge
EMBEDDING = 96
SHARPNESS = 16.0  # scale of the cosine to the prototypes
OUTPUTS = (len(TYPES) + 1) + 3 + 1  # types and none; dx, dy, log scale; cocked


class Classifier(nn.Module):
    """(n, 3, 64, 64) BGR in 0..1 -> unit embedding (n, EMBEDDING), cosine logits (n, faces), others (n, OUTPUTS)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16),
            conv(16, 40, 2),
            conv(40, 40),
            conv(40, 80, 2),
            Residual(80),
            conv(80, 128, 2),
            Residual(128),
        )
        self.embed = nn.Linear(128, EMBEDDING)
        self.prototypes = nn.Parameter(torch.randn(len(FACES), EMBEDDING))
        self.side = nn.Sequential(nn.Linear(128, 96), nn.ReLU(), nn.Linear(96, OUTPUTS))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        features = self.body((x - 0.45) * 4.0).mean((2, 3))
        embedding = F.normalize(self.embed(features), dim=1)
        logits = SHARPNESS * embedding @ F.normalize(self.prototypes, dim=1).T
        return embedding, logits, self.side(features)


class Crops(Dataset):
    """Random views of stored crops."""

    def __init__(self, paths: list[Path], length: int) -> None:
        self.pictures = [np.load(path.with_suffix(".npy"), mmap_mode="r") for path in paths]
        labels = [np.load(path) for path in paths]
        keys = ("types", "faces", "cocked", "radius")
        self.types, self.faces, self.cocked, self.radius = (np.concatenate([part[k] for part in labels]) for k in keys)
        self.starts = np.cumsum([0, *(len(part) for part in self.pictures)])
        counts = np.bincount(self.types * len(FACES) + self.faces)
        weight = 1 / counts[self.types * len(FACES) + self.faces] ** 0.5
        weight[self.types == NONE] *= 0.7
        weight[self.cocked] *= 1.6
        self.share = np.cumsum(weight / weight.sum())
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[np.ndarray | int | float, ...]:
        rng = np.random.default_rng([index, int(time.time()) & 0xFFFF])
        i = int(np.searchsorted(self.share, rng.random()).clip(0, len(self.share) - 1))
        part = int(np.searchsorted(self.starts, i, side="right")) - 1
        picture = self.pictures[part][i - self.starts[part]]
        view, refine = random_view(np.asarray(picture), float(self.radius[i]), rng)
        return view, int(self.types[i]), int(self.faces[i]), float(self.cocked[i]), refine


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
) -> torch.Tensor:
    _, logits, side = outputs
    readable = ((types < NONE) & (cocked < 0.5)).float()
    kinds = len(TYPES) + 1
    face = (
        F.cross_entropy(logits.float(), faces, reduction="none", label_smoothing=0.02) * readable
    ).sum() / readable.sum().clamp(min=1)
    kind = F.cross_entropy(side[:, :kinds].float(), types, label_smoothing=0.01)
    die = (types < NONE).float()
    step = (
        F.smooth_l1_loss(side[:, kinds : kinds + 3].float(), refine, reduction="none", beta=0.05).sum(1) * die
    ).sum() / die.sum().clamp(min=1)
    lean = (
        F.binary_cross_entropy_with_logits(side[:, kinds + 3].float(), cocked.float(), reduction="none") * die
    ).mean()
    return face + 0.7 * kind + 0.5 * step + 0.3 * lean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("crops", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--batch", type=int, default=160)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--workers", type=int, default=1)
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
    net = net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), options.rate, weight_decay=2e-3)
    loader = DataLoader(
        Crops(options.crops, 100_000_000), options.batch, num_workers=options.workers, prefetch_factor=6
    )
    begin, mean, right = time.time(), 0.0, 0.0
    for step, (x, types, faces, cocked, refine) in enumerate(loader):
        done = (time.time() - begin) / (options.minutes * 60)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1.0, step / 200) * max(0.01, 0.5 * (1 + math.cos(math.pi * done)))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = net(x.to(memory_format=torch.channels_last))
        loss = loss_of(outputs, types, faces, cocked, refine)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        ok = (types < NONE) & (cocked < 0.5)
        hit = ((outputs[1].argmax(1) == faces) & (outputs[2][:, : NONE + 1].argmax(1) == types))[ok].float().mean()
        mean = 0.98 * mean + 0.02 * float(loss.detach()) if step else float(loss.detach())
        right = 0.98 * right + 0.02 * float(hit)
        if step % 100 == 0:
            print(f"{step} {done:.2f} loss {mean:.4f} right {right:.4f}", flush=True)
        if step % 400 == 399:
            torch.save(net.state_dict(), options.out)
    torch.save(net.state_dict(), options.out)


if __name__ == "__main__":
    main()
