"""The locator.

A small feature pyramid. For every cell of 8 x 8 pixels: is a die's middle here, and if so its size, outline,
upper face and type.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import Dataset

from models.train.augment import coarsen, hardened, mistreat, photograph
from models.train.labels import RAYS, TYPES, geometry, type_index
from models.train.plastic import mirrored, shaded, sheen
from models.train.pool import Parts, Task

STRIDE = 8
PATCH = 320
SMALLEST, LARGEST = 7.0, 76.0  # radii in input pixels that one pass answers for
GEOMETRY = 6 + RAYS  # dx, dy, log radius, top x, top y, log top radius, rays
CHANNELS = 1 + GEOMETRY + len(TYPES)
WIDTHS = (16, 32, 48, 80, 112, 64)
"""Channels of half, a quarter, an eighth, a sixteenth and a thirty-second of the picture, and before the head."""
_LENGTHS = np.arange(7 + RAYS) < 6  # of the numbers of a shape, those in pixels
_SHINY = 0.15  # share of the dice whose sides mirror the table, of those in whose upper face a wide lamp shines,
# and of those whose sides are as dark as their shadow
_CLOSER = 0.12  # share of the patches from anywhere, at any scale
_HELD, _TURN = 40, 240  # so many patches in a row are of so many scenes, so that each is decoded for several


def conv(i: int, o: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """:param inside: channels between its two convolutions, ``width`` where not said."""

    def __init__(self, width: int, inside: int | None = None) -> None:
        super().__init__()
        self.a = conv(width, inside or width)
        self.b = nn.Sequential(nn.Conv2d(inside or width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(x + self.b(self.a(x)))


class Locator(nn.Module):
    """(n, 3, h, w) BGR in 0..1, h and w multiples of 32 -> (n, CHANNELS, h/8, w/8)."""

    def __init__(self, widths: tuple[int, ...] = WIDTHS) -> None:
        super().__init__()
        a, b, c, d, e, f = widths
        self.s4 = nn.Sequential(conv(3, a, 2), conv(a, b, 2))
        self.s8 = nn.Sequential(conv(b, c, 2), Residual(c))
        self.s16 = nn.Sequential(conv(c, d, 2), Residual(d))
        self.s32 = nn.Sequential(conv(d, e, 2), Residual(e), Residual(e))
        self.up16 = conv(e, d, 1, 1)
        self.mix16 = conv(d, c)
        self.mix8 = conv(c, f)
        self.head = nn.Conv2d(f, CHANNELS, 1)
        nn.init.constant_(self.head.bias, 0.0)
        self.head.bias.data[0] = -4.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x8 = self.s8(self.s4((x - 0.45) * 4.0))
        x16 = self.s16(x8)
        y = self.up16(self.s32(x16))
        y = self.mix16(F.interpolate(y, scale_factor=2, mode="nearest") + x16)
        y = self.mix8(F.interpolate(y, scale_factor=2, mode="nearest") + x8)
        return self.head(y)


class Patches(Dataset):
    """Augmented patches of rendered scenes. The same seed gives the same patches, whoever draws them.

    :param wear: by how much light, lens and camera spoil the first and the last patch, as a share of the usual.
    """

    def __init__(self, folders: list[Path], length: int, seed: int, *, wear: tuple[float, float] = (1.0, 1.0)) -> None:
        self.paths = [path for folder in folders for path in sorted(folder.glob("*.json"))]
        self.length, self.seed, self.wear = length, seed, wear
        self._held: dict[int, tuple[list[np.ndarray], list[dict], np.ndarray]] = {}

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[np.ndarray, ...]:
        rng = np.random.default_rng([self.seed, index])
        lot = np.random.default_rng([self.seed, index // _TURN, 1]).integers(len(self.paths), size=_HELD)
        at = int(lot[rng.integers(_HELD)])
        if at not in self._held:
            if len(self._held) >= _HELD:
                del self._held[next(iter(self._held))]
            self._held[at] = _scene(self.paths[at])
        return patch(*self._held[at], rng, wear=hardened(self.wear, index / self.length))


def _scene(path: Path) -> tuple[list[np.ndarray], list[dict], np.ndarray]:
    truth = json.loads(path.read_text())["dice"]
    shapes = np.array([geometry(t) for t in truth]) if truth else np.zeros((0, 7 + RAYS))
    return _halvings(cv2.imread(str(path.with_suffix(".jpg")))), truth, shapes


def _halvings(picture: np.ndarray) -> list[np.ndarray]:
    """Return the picture, its half and its quarter, for scales at which shrinking the whole would take long."""
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return [picture, half, cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)]


def patch(
    pictures: list[np.ndarray], truth: list[dict], shapes: np.ndarray, rng: np.random.Generator, *, wear: float = 1.0
) -> tuple[np.ndarray, ...]:
    """Return input (3, PATCH, PATCH), heat, weight, regression targets and their mask, type.

    :param pictures: the whole, its half and its quarter. :param shapes: what ``geometry`` says of each die of ``truth``.
    """
    if len(shapes):
        wanted = math.exp(rng.uniform(math.log(8.0), math.log(62.0)))
        scale = wanted / float(np.median(shapes[:, 2]))
    else:
        scale = rng.uniform(0.3, 1.0)
    is_closer = rng.random() < _CLOSER  # than the dice ask for, as where none was seen
    if is_closer:
        scale = math.exp(rng.uniform(math.log(0.5), math.log(1.5)))
    level = int(np.clip(math.floor(-math.log2(scale)), 0, len(pictures) - 1))
    picture, scale = pictures[level], scale * 2**level
    shapes = shapes * np.where(_LENGTHS, 0.5**level, 1.0)
    window = round(PATCH / min(scale, 1.4))  # px of the picture
    scale = PATCH / window
    spare = np.array(picture.shape[1::-1]) - window
    if len(shapes) and not is_closer and rng.random() < 0.85:
        corner = shapes[rng.integers(len(shapes)), :2] - rng.uniform(0.1, 0.9, 2) * window
    else:
        corner = rng.uniform(0, 1, 2) * np.maximum(spare, 0)
    corner = np.where(spare > 0, np.clip(corner, 0, np.maximum(spare, 0)), spare * rng.random(2)).astype(int)
    x0, y0 = np.maximum(corner, 0)
    piece = picture[y0 : max(corner[1] + window, 0), x0 : max(corner[0] + window, 0)]
    fill = int(rng.integers(0, 256))
    left, above = np.maximum(-corner, 0)
    right, below = window - left - piece.shape[1], window - above - piece.shape[0]
    piece = cv2.copyMakeBorder(piece, above, below, left, right, cv2.BORDER_CONSTANT, value=(fill, fill, fill))
    canvas = cv2.resize(piece, (PATCH, PATCH), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    origin = corner * scale
    for entry in truth:
        shine(canvas, entry, scale * 0.5**level, origin, rng, wear=wear)
    if rng.random() < 0.3 * wear:
        canvas = coarsen(canvas, rng, 0.5)
    if rng.random() < wear:
        canvas = mistreat(canvas, rng)
    canvas = photograph(canvas, rng, strength=wear)

    cells = PATCH // STRIDE
    heat = np.zeros((cells, cells), np.float32)
    weight = np.ones((cells, cells), np.float32)
    target = np.zeros((GEOMETRY, cells, cells), np.float32)
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
        sigma = max(radius * 0.16, 0.3 * STRIDE)
        np.maximum(heat, np.exp(-distance2 / (2 * sigma * sigma)), out=heat)
        cx, cy = int(centre[0] // STRIDE), int(centre[1] // STRIDE)
        heat[min(cy, cells - 1), min(cx, cells - 1)] = 1.0
        near = distance2 <= max((radius * 0.22) ** 2, (STRIDE * 0.75) ** 2)
        near[min(cy, cells - 1), min(cx, cells - 1)] = True
        values = np.zeros(GEOMETRY, np.float32)
        values[2] = math.log(radius)
        values[3:5] = (shape[3:5] - shape[:2]) / shape[2]
        values[5] = math.log(shape[5] / shape[2])
        values[6:] = np.log(shape[7:])
        for y, x in zip(*np.nonzero(near), strict=True):
            target[:, y, x] = values
            target[0, y, x] = (centre[0] - (x + 0.5) * STRIDE) / STRIDE
            target[1, y, x] = (centre[1] - (y + 0.5) * STRIDE) / STRIDE
            mask[y, x] = 1.0
            types[y, x] = type_index(entry)
    canvas, heat, weight, target, mask, types = turned(rng, canvas, heat, weight, target, mask, types)
    blob = np.ascontiguousarray(canvas.transpose(2, 0, 1)).astype(np.float32) / 255
    return blob, heat, weight, target, mask, types


def shine(
    canvas: np.ndarray, entry: dict, scale: float, origin: np.ndarray, rng: np.random.Generator, *, wear: float
) -> None:
    """Let some dice mirror what lies about them, shine dully, or be as dark as their shadow, in the picture itself.

    :param scale: px of ``canvas`` to one of the picture that the label is of. :param origin: what that ends at, px.
    """
    ways = [way for way in (mirrored, sheen, shaded) if rng.random() < _SHINY * wear]
    if not ways:
        return
    outline = np.array(entry["outline"], float) * scale - origin
    low, high = np.floor(outline.min(axis=0)).astype(int), np.ceil(outline.max(axis=0)).astype(int)
    if min(low) < 4 or max(high) > PATCH - 4 or max(high - low) < 2 * SMALLEST:
        return
    around = 4 + (max(high - low) if shaded in ways else 0)  # a shadow falls on what lies there
    low, high = np.maximum(low - around, 0), np.minimum(high + around, PATCH)
    top = np.array(entry["top"], float) * scale - origin
    part = canvas[low[1] : high[1], low[0] : high[0]]
    for way in ways:
        part[:] = way(part, outline - low, top - low, rng)


def turned(rng: np.random.Generator, canvas: np.ndarray, *maps: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return a picture and its maps in one of the eight ways to turn and mirror a square.

    A die in the mirror is a die to the locator, which reads no faces. :param maps: heat, weight, target, mask, types.
    """
    is_mirrored, quarters = rng.random() < 0.5, int(rng.integers(4))
    for turn in [_mirrored] * is_mirrored + [_transposed, _mirrored] * quarters:
        canvas, maps = turn(canvas, maps)
    return canvas, *(np.ascontiguousarray(one) for one in maps)


def _mirrored(canvas: np.ndarray, maps: tuple[np.ndarray, ...]) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    heat, weight, target, mask, types = (one[..., ::-1] for one in maps)
    dx, dy, radius, top_x, top_y, top_radius, *rays = target
    rays = [rays[(RAYS // 2 - k) % RAYS] for k in range(RAYS)]
    return canvas[:, ::-1], (heat, weight, np.stack([-dx, dy, radius, -top_x, top_y, top_radius, *rays]), mask, types)


def _transposed(canvas: np.ndarray, maps: tuple[np.ndarray, ...]) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    heat, weight, target, mask, types = (one.swapaxes(-1, -2) for one in maps)
    dx, dy, radius, top_x, top_y, top_radius, *rays = target
    rays = [rays[(RAYS // 4 - k) % RAYS] for k in range(RAYS)]
    turned_target = np.stack([dy, dx, radius, top_y, top_x, top_radius, *rays])
    return canvas.swapaxes(0, 1), (heat, weight, turned_target, mask, types)


def loss_of(
    out: torch.Tensor,
    heat: torch.Tensor,
    weight: torch.Tensor,
    target: torch.Tensor,
    mask: torch.Tensor,
    types: torch.Tensor,
) -> tuple[torch.Tensor, Parts]:
    """Return the loss and its parts: focal for the heat, smooth L1 for geometry, cross-entropy for the type."""
    out = out.float()
    logit = out[:, 0]
    p = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    centre = (heat >= 0.999).float()
    count = centre.sum().clamp(min=1)
    positive = -centre * (1 - p) ** 2 * F.logsigmoid(logit)
    negative = -(1 - centre) * (1 - heat) ** 4 * p**2 * F.logsigmoid(-logit)
    parts = {"heat": ((positive + negative) * weight).sum() / count}
    chosen = mask.sum().clamp(min=1)

    def masked(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return (F.smooth_l1_loss(a, b, reduction="none", beta=0.05).sum(1) * mask).sum() / chosen

    parts["offset"] = masked(out[:, 1:3], target[:, 0:2])
    parts["radius"] = masked(out[:, 3:4], target[:, 2:3])
    parts["top"] = masked(out[:, 4:7], target[:, 3:6])
    parts["rays"] = masked(out[:, 7 : 1 + GEOMETRY], target[:, 6:]) / RAYS
    parts["type"] = (F.cross_entropy(out[:, 1 + GEOMETRY :], types, reduction="none") * mask).sum() / chosen
    weights = {"heat": 1.0, "offset": 0.6, "radius": 1.0, "top": 2.5, "rays": 20.0, "type": 0.5}
    return torch.stack([weights[name] * value for name, value in parts.items()]).sum(), parts


TASK = Task(Locator, loss_of)
