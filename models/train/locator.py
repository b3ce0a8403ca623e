"""Train the locator: ``python -m models.train.locator models/data/train models/data/hard --minutes 40``.

A small feature pyramid. For every cell of 4 x 4 pixels: is a die's middle here, and if so its size, outline,
upper face, type and whether it leans.
"""

from __future__ import annotations

import argparse
import json
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
from models.train.labels import RAYS, TYPES, geometry, type_index

STRIDE = 4
PATCH = 320
SMALLEST, LARGEST = 6.0, 62.0  # radii in input pixels that one pass answers for
CHANNELS = 1 + 2 + 1 + 2 + 1 + RAYS + 1 + len(TYPES)


def conv(i: int, o: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.a = conv(width, width)
        self.b = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(x + self.b(self.a(x)))


class Locator(nn.Module):
    """(n, 3, h, w) BGR in 0..1, h and w multiples of 32 -> (n, CHANNELS, h/4, w/4)."""

    def __init__(self) -> None:
        super().__init__()
        self.s2 = conv(3, 16, 2)
        self.s4 = conv(16, 32, 2)
        self.s8 = nn.Sequential(conv(32, 64, 2), Residual(64))
        self.s16 = nn.Sequential(conv(64, 80, 2), Residual(80))
        self.s32 = nn.Sequential(conv(80, 96, 2), Residual(96), conv(96, 96))
        self.up16 = conv(96, 80, 1, 1)
        self.mix16 = conv(80, 64)
        self.mix8 = conv(64, 48)
        self.lat4 = conv(32, 48, 1, 1)
        self.mix4 = conv(48, 48)
        self.head = nn.Conv2d(48, CHANNELS, 1)
        nn.init.constant_(self.head.bias, 0.0)
        self.head.bias.data[0] = -4.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x4 = self.s4(self.s2((x - 0.45) * 4.0))
        x8 = self.s8(x4)
        x16 = self.s16(x8)
        y = self.up16(self.s32(x16))
        y = self.mix16(F.interpolate(y, scale_factor=2, mode="nearest") + x16)
        y = self.mix8(F.interpolate(y, scale_factor=2, mode="nearest") + x8)
        y = self.mix4(F.interpolate(y, scale_factor=2, mode="nearest") + self.lat4(x4))
        return self.head(y)


class Patches(Dataset):
    """Augmented patches of rendered scenes; the folder may still be growing while training runs."""

    def __init__(self, folders: list[Path], length: int) -> None:
        self.folders, self.length = folders, length
        self.paths: list[Path] = []
        self.read_at = 0.0

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[np.ndarray, ...]:
        if time.monotonic() - self.read_at > 60:
            self.paths = [path for folder in self.folders for path in sorted(folder.glob("*.json"))]
            self.read_at = time.monotonic()
        rng = np.random.default_rng([index, int(time.time()) & 0xFFFF])
        path = self.paths[rng.integers(len(self.paths))]
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        truth = json.loads(path.read_text())["dice"]
        return patch(picture, truth, rng)


def patch(picture: np.ndarray, truth: list[dict], rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return input (3, PATCH, PATCH), heat, weight, regression targets and their mask, type."""
    shapes = np.array([geometry(t) for t in truth]) if truth else np.zeros((0, 7 + RAYS))
    if len(shapes):
        wanted = math.exp(rng.uniform(math.log(8.0), math.log(46.0)))
        scale = wanted / float(np.median(shapes[:, 2]))
    else:
        scale = rng.uniform(0.3, 1.0)
    scale = min(scale, 1.4)
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    scaled = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=interpolation)
    height, width = scaled.shape[:2]
    if len(shapes) and rng.random() < 0.85:
        focus = shapes[rng.integers(len(shapes)), :2] * scale
        origin = focus - rng.uniform(0.1, 0.9, 2) * PATCH
    else:
        origin = rng.uniform(0, 1, 2) * np.maximum(np.array([width, height]) - PATCH, 0)
    origin = np.where(
        np.array([width, height]) > PATCH,
        np.clip(origin, 0, np.array([width, height]) - PATCH),
        (np.array([width, height]) - PATCH) * rng.random(2),
    ).astype(int)
    fill = int(rng.integers(0, 256))
    canvas = np.full((PATCH, PATCH, 3), fill, np.uint8)
    x0, y0 = max(origin[0], 0), max(origin[1], 0)
    piece = scaled[y0 : y0 + PATCH - max(-origin[1], 0), x0 : x0 + PATCH - max(-origin[0], 0)]
    px, py = max(-origin[0], 0), max(-origin[1], 0)
    canvas[py : py + piece.shape[0], px : px + piece.shape[1]] = piece
    if rng.random() < 0.3:
        canvas = coarsen(canvas, rng, 0.5)
    canvas = photograph(canvas, rng)

    cells = PATCH // STRIDE
    heat = np.zeros((cells, cells), np.float32)
    weight = np.ones((cells, cells), np.float32)
    target = np.zeros((7 + RAYS, cells, cells), np.float32)  # dx dy logr tx ty logt cocked rays
    mask = np.zeros((cells, cells), np.float32)
    types = np.zeros((cells, cells), np.int64)
    grid_y, grid_x = np.mgrid[0:cells, 0:cells]
    for entry, shape in zip(truth, shapes, strict=True):
        centre = shape[:2] * scale - origin
        radius = shape[2] * scale
        distance2 = ((grid_x + 0.5) * STRIDE - centre[0]) ** 2 + ((grid_y + 0.5) * STRIDE - centre[1]) ** 2
        if not (-radius < centre[0] < PATCH + radius and -radius < centre[1] < PATCH + radius):
            continue
        inside = 0 <= centre[0] < PATCH and 0 <= centre[1] < PATCH
        edge = min(centre[0], centre[1], PATCH - centre[0], PATCH - centre[1])
        if not SMALLEST <= radius <= LARGEST or not inside or edge < 0.35 * radius or not entry["whole"]:
            weight[distance2 < (radius * 1.1) ** 2] = (
                0.0 if radius > SMALLEST * 0.6 else weight[distance2 < (radius * 1.1) ** 2]
            )
            if not (inside and SMALLEST <= radius <= LARGEST and edge >= 0.6 * radius):
                continue
            weight[distance2 < (radius * 1.1) ** 2] = 1.0
        sigma = max(radius * 0.16, 1.2)
        np.maximum(heat, np.exp(-distance2 / (2 * sigma * sigma)), out=heat)
        cx, cy = int(centre[0] // STRIDE), int(centre[1] // STRIDE)
        heat[min(cy, cells - 1), min(cx, cells - 1)] = 1.0
        near = distance2 <= max((radius * 0.22) ** 2, (STRIDE * 0.75) ** 2)
        near[min(cy, cells - 1), min(cx, cells - 1)] = True
        values = np.zeros(7 + RAYS, np.float32)
        values[2] = math.log(radius)
        values[3:5] = (shape[3:5] - shape[:2]) / shape[2]
        values[5] = math.log(shape[5] / shape[2])
        values[6] = float(entry["cocked"])
        values[7:] = np.log(shape[7:])
        for y, x in zip(*np.nonzero(near), strict=True):
            target[:, y, x] = values
            target[0, y, x] = (centre[0] - (x + 0.5) * STRIDE) / STRIDE
            target[1, y, x] = (centre[1] - (y + 0.5) * STRIDE) / STRIDE
            mask[y, x] = 1.0
            types[y, x] = type_index(entry)
    blob = np.ascontiguousarray(canvas.transpose(2, 0, 1)).astype(np.float32) / 255
    return blob, heat, weight, target, mask, types


def loss_of(
    out: torch.Tensor,
    heat: torch.Tensor,
    weight: torch.Tensor,
    target: torch.Tensor,
    mask: torch.Tensor,
    types: torch.Tensor,
) -> tuple[torch.Tensor, dict[str, float]]:
    """Return the loss and its parts: focal for the heat, smooth L1 for geometry, cross-entropy for the rest."""
    logit = out[:, 0]
    p = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    centre = (heat >= 0.999).float()
    count = centre.sum().clamp(min=1)
    positive = -centre * (1 - p) ** 2 * F.logsigmoid(logit)
    negative = -(1 - centre) * (1 - heat) ** 4 * p**2 * F.logsigmoid(-logit)
    heat_loss = ((positive + negative) * weight).sum() / count
    chosen = mask.sum().clamp(min=1)

    def masked(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return (F.smooth_l1_loss(a, b, reduction="none", beta=0.05).sum(1) * mask).sum() / chosen

    offset = masked(out[:, 1:3], target[:, 0:2])
    radius = masked(out[:, 3:4], target[:, 2:3])
    top = masked(out[:, 4:7], target[:, 3:6])
    rays = masked(out[:, 7 : 7 + RAYS], target[:, 7:]) / RAYS
    cocked = (
        F.binary_cross_entropy_with_logits(out[:, 7 + RAYS], target[:, 6], reduction="none") * mask
    ).sum() / chosen
    kind = (F.cross_entropy(out[:, 8 + RAYS :], types, reduction="none") * mask).sum() / chosen
    total = heat_loss + 0.3 * offset + 1.0 * radius + 2.5 * top + 20.0 * rays + 0.6 * cocked + 0.3 * kind
    parts = {
        "heat": heat_loss,
        "offset": offset,
        "radius": radius,
        "top": top,
        "rays": rays,
        "cocked": cocked,
        "type": kind,
    }
    return total, {name: float(value) for name, value in parts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--out", type=Path, default=Path("models/data/locator.pt"))
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    net = Locator()
    if options.resume:
        net.load_state_dict(torch.load(options.resume))
    print(sum(p.numel() for p in net.parameters()), "weights", flush=True)
    net = net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), options.rate, weight_decay=1e-3)
    loader = DataLoader(
        Patches(options.folders, 10_000_000), options.batch, num_workers=options.workers, prefetch_factor=4
    )
    begin, running = time.time(), {}
    for step, batch in enumerate(loader):
        done = (time.time() - begin) / (options.minutes * 60)
        if done >= 1:
            break
        warm = min(1.0, step / 150)
        for group in optimiser.param_groups:
            group["lr"] = options.rate * warm * max(0.01, 0.5 * (1 + math.cos(math.pi * done)))
        x = batch[0].to(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(x)
        loss, parts = loss_of(out.float(), *batch[1:])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        for name, value in parts.items():
            running[name] = 0.97 * running.get(name, value) + 0.03 * value
        if step % 50 == 0:
            words = " ".join(f"{name} {value:.4f}" for name, value in running.items())
            print(f"{step} {done:.2f} {words}", flush=True)
        if step % 200 == 199:
            torch.save(net.state_dict(), options.out)
    torch.save(net.state_dict(), options.out)


if __name__ == "__main__":
    main()
