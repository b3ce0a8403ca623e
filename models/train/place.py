"""The place network.

It sees one die whole, with what lies round it, and says exactly where the silhouette and the upper face are, how far
the one may be off the other, whether the die leans, and of what type it is, if it is a die. Told where the upper face
would be if the die lay as flat as the others, it says whether it leans by that, too. The classifier's view is too
narrow for that, and the locator's pixels are too coarse.
"""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import Dataset

from models.train.augment import coarsen, cover, gloss, hardened, mistreat, overlap, photograph
from models.train.crops import NONE, Stored
from models.train.labels import TYPES
from models.train.locator import Residual, conv
from models.train.plastic import dimpled, mirrored, shaded, sheen
from models.train.pool import Parts, Task
from models.train.silhouettes import LABELS, REACH, SIDE
from tableside.reader.place import COLOURS, FLATS, SPOTS

INPUT = 64
_PIXELS = SIDE / (2 * REACH)  # of a crop, for the silhouette's radius
WIDE = 1.5  # silhouette radii from the middle to the view's edge
PLANES = ("blue", "green", "red", "spot_x", "spot_y", "flat_x", "flat_y")
OUTPUTS = ("x", "y", "log_radius", "top_x", "top_y", "log_top_radius", "log_spread", "leans", "lift_x", "lift_y")
"""All in the radius of the view that was asked for; ``log_spread``: of how far the lift is off the middle."""
KINDS = len(TYPES) + 1  # and none
_LEANING = 3.0  # how much oftener than others dice are drawn that lean
_NO_DICE, _CUT = 0.18, 0.5  # share of the views that show no die; how often cut and covered dice are drawn
_BLANK = 2.0  # how much oftener than others dice are drawn that show no mark: they pass most easily for no dice
_MIRRORED = 0.3  # share of the dice whose sides mirror the table
_SHEEN = 0.3  # and of those in whose upper face a wide lamp shines
_DIMPLED = 0.2  # and in which a lamp is mirrored round its dents
_SHADED = 0.2  # and of those whose sides are as dark as their shadow
_COVERED = 0.3  # share of the views in which other dice lie close by or over this one
_CROPPED = 0.15  # share of the views that count as from a part of a larger picture
WIDTHS = (24, 56, 96, 112, 176, 48, 240)
"""Channels of half, of a quarter (and within its block), of an eighth (and within its blocks), before the places' layers, of these."""
_SPOT_SCALE = 3.0  # of where it lies, so that this is learnt as fast as what is seen


class Place(nn.Module):
    """(n, len(PLANES), INPUT, INPUT) -> (n, len(OUTPUTS) + KINDS + 2): places, the types' logits, whether it touches
    anything that it could lean on, and whether it leans, told where its lift would be if it lay flat.

    Colours are in 0..1. The spot is where in the picture the die lies (:func:`tableside.reader.place.spot_of`), turned
    as the view is, the same all over the plane: seen from above an upper face stands off outwards, and so of two sides
    that face the camera alike the outer one is it. So is that flat lift, from the middle, in radii; only the last output
    goes by it.
    """

    def __init__(self, widths: tuple[int, ...] = WIDTHS) -> None:
        super().__init__()
        a, b, b_in, c, c_in, d, hidden = widths
        self.body = nn.Sequential(
            conv(3, a, 2),
            conv(a, b, 2),
            Residual(b, b_in),
            conv(b, c, 2),
            Residual(c, c_in),
            Residual(c, c_in),
            conv(c, d, 1, 1),
        )
        self.head = nn.Sequential(
            nn.Linear(d * (INPUT // 8) ** 2 + 2, hidden), nn.ReLU(), nn.Linear(hidden, len(OUTPUTS))
        )
        self.kind = nn.Sequential(nn.Linear(2 * c, 96), nn.ReLU(), nn.Linear(96, KINDS))
        self.touch = nn.Sequential(
            nn.Conv2d(c, 24, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(24 * (INPUT // 8) ** 2, 40),
            nn.ReLU(),
            nn.Linear(40, 1),
        )
        self.tilt = Tilt(c)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seen = self.body[:-1]((x[:, COLOURS] - 0.45) * 4.0)
        spot = x[:, SPOTS, 0, 0] * _SPOT_SCALE
        places = self.head(torch.cat([self.body[-1](seen).flatten(1), spot], 1))
        # wherever it lies in the view
        kind = self.kind(torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1))
        return torch.cat([places, kind, self.touch(seen), self.tilt(seen, places.detach(), x[:, FLATS, 0, 0])], 1)


class Tilt(nn.Module):
    """Features (n, width, INPUT / 8, INPUT / 8), places (n, len(OUTPUTS)) and flat lifts (n, 2) -> (n, 1): that it leans."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.look = nn.Sequential(nn.Conv2d(width, 24, 1), nn.ReLU(), nn.Flatten())
        self.told = nn.Sequential(
            nn.Linear(24 * (INPUT // 8) ** 2 + len(OUTPUTS) + 6, 64),
            nn.ReLU(),
            nn.Linear(64, 24),
            nn.ReLU(),
            nn.Linear(24, 1),
        )

    def forward(self, seen: torch.Tensor, places: torch.Tensor, flat: torch.Tensor) -> torch.Tensor:
        places = places.float()
        off = (places[:, 8:10] - places[:, :2]) / torch.exp(places[:, 2:3]) - flat
        far = (off * off).sum(1, keepdim=True).clamp(min=1e-12).sqrt()
        unsure = 0.08 + 2 * torch.exp(places[:, 6:7].clamp(-6.0, 1.0))
        return self.told(torch.cat([self.look(seen), places, 3 * flat, 4 * off, 4 * far, far / unsure], 1))


class Views(Dataset):
    """Random views of stored crops. The same seed gives the same views.

    :param wear: by how much light, lens and camera spoil the first and the last view, as a share of the usual.
    """

    def __init__(self, paths: list[Path], length: int, seed: int, *, wear: tuple[float, float] = (1.0, 1.0)) -> None:
        self.pictures = Stored(paths)
        found = [np.concatenate([part[name] for part in self.pictures.labels]) for name in LABELS]
        self.tops, self.lifts, self.cocked, self.radius, self.outlines, self.faces = found[:6]
        self.types, self.placed, blank, self.possible, self.touches, self.spots, self.flats = found[6:]
        self.whole = np.nonzero(self.placed)[0]
        weight = np.where(self.cocked, _LEANING, np.where(blank, _BLANK, np.where(self.placed, 1.0, _CUT)))
        no_dice = self.types == NONE
        weight[no_dice] = weight[~no_dice].sum() * _NO_DICE / (1 - _NO_DICE) / max(int(no_dice.sum()), 1)
        self.share = np.cumsum(weight / weight.sum())
        self.length, self.seed, self.wear = length, seed, wear

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray, int, bool, bool, int, bool]:
        rng, wear = np.random.default_rng([self.seed, index]), hardened(self.wear, index / self.length)
        i = int(np.searchsorted(self.share, rng.random()).clip(0, len(self.share) - 1))
        crop, is_placed = self.pictures[i], bool(self.placed[i])
        for often, spoil in ((_MIRRORED, mirrored), (_SHEEN, sheen), (_DIMPLED, dimpled), (_SHADED, shaded)):
            if rng.random() < often * wear and is_placed:
                crop = spoil(crop, self.outlines[i], self.faces[i], rng)
        if rng.random() < 0.15 * wear and is_placed:
            crop = gloss(crop, rng, SIDE / 2 + _PIXELS * self.tops[i][:2], _PIXELS * math.exp(self.tops[i][2]))
        touches = int(self.touches[i])
        if rng.random() < _COVERED:
            touches = -1  # it depends on where they come to lie
            j = int(self.whole[rng.integers(len(self.whole))])
            crop = crop.copy()
            cover(crop, rng, self.pictures[j], self.outlines[j], _PIXELS)
        is_told, could = bool(np.isfinite(self.flats[i, 0])), bool(self.possible[i])
        about = (self.spots[i], np.nan_to_num(self.flats[i]), bool(self.cocked[i]))
        view, truth = random_view(crop, float(self.radius[i]), self.tops[i], self.lifts[i], *about, rng, wear=wear)
        return view, truth, int(self.types[i]), is_placed, could, touches, is_told and could


def random_view(
    crop: np.ndarray,
    radius: float,
    top: np.ndarray,
    lift: np.ndarray,
    spot: np.ndarray,
    flat: np.ndarray,
    cocked: bool,
    rng: np.random.Generator,
    *,
    wear: float = 1.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return a (len(PLANES), INPUT, INPUT) view turned, mirrored, shifted and scaled at random, and its truth as in
    ``OUTPUTS``.

    :param radius: of the silhouette, native px. :param spot: where in the picture it lies. :param flat: where its lift
        would be if it lay flat, in radii.
    """
    rough = rng.random() < 0.25
    shift = rng.normal(0, 0.15 if rough else 0.05, 2).clip(-0.4, 0.4)
    zoom = math.exp(float(np.clip(rng.normal(0, 0.15 if rough else 0.06), -0.35, 0.35)))
    angle = rng.uniform(0, 2 * np.pi)
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s], [s, c]]) @ np.diag([1.0 if rng.random() < 0.5 else -1.0, 1.0])
    pixels = INPUT / (2 * WIDE * zoom)  # of the view, for one true radius
    matrix = np.zeros((2, 3))
    matrix[:, :2] = turn * pixels / _PIXELS
    matrix[:, 2] = INPUT / 2 - matrix[:, :2] @ np.full(2, SIDE / 2) + shift * pixels
    source = crop
    if rng.random() < 0.5 * wear:  # as if fewer pixels had caught it: at least 14 across the silhouette
        source = coarsen(crop, rng, 14 * REACH / SIDE, min(1.0, radius * 2 * REACH / SIDE))
    view = cv2.warpAffine(source, matrix, (INPUT, INPUT), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.04:
        overlap(view, rng, (6, 14))
    if rng.random() < wear:
        view = mistreat(view, rng)
    view = photograph(view, rng, strength=wear)
    middle, upper, lifted = shift / zoom, (shift + turn @ top[:2]) / zoom, (shift + turn @ lift) / zoom
    truth = np.array([*middle, -math.log(zoom), *upper, top[2] - math.log(zoom), 0.0, cocked, *lifted], np.float32)
    if rng.random() < _CROPPED:
        spot = (spot - rng.uniform(-0.5, 0.5, 2)) / rng.uniform(0.3, 1.0)
    about = np.concatenate([turn @ spot.clip(-1, 1), turn @ flat]).astype(np.float32)
    planes = np.broadcast_to(about[:, None, None], (len(about), INPUT, INPUT))
    return np.concatenate([view.transpose(2, 0, 1).astype(np.float32) / 255, planes]), truth


def loss_of(
    output: torch.Tensor,
    truth: torch.Tensor,
    kind: torch.Tensor,
    placed: torch.Tensor,
    possible: torch.Tensor,
    touches: torch.Tensor,
    told: torch.Tensor,
) -> tuple[torch.Tensor, Parts]:
    """Return the loss and its parts: places, how far the lift is off the middle with its spread (Laplace), the lean, the
    type, whether it touches anything, and the lean by what is told of where a flat die's lift would be.

    Of a view that shows no whole die only the type counts. That a die leans where there is nothing to lean on is no
    lesson: no real one does, and so the network learns to look for what it may lean on.
    """
    output, count = output.float(), placed.sum().clamp(min=1)
    places = [i for i, name in enumerate(OUTPUTS) if name not in ("log_spread", "leans")]
    place = F.smooth_l1_loss(output[:, places], truth[:, places], reduction="none", beta=0.02).sum(1)
    off = (output[:, 8:10] - output[:, :2] - truth[:, 8:10] + truth[:, :2]).abs().sum(1)
    spread = output[:, 6].clamp(-6, 1)
    lean = F.binary_cross_entropy_with_logits(output[:, 7], truth[:, 7], reduction="none")
    known = touches >= 0
    touch = F.binary_cross_entropy_with_logits(output[:, -2], touches.clamp(min=0).float(), reduction="none")
    tilt = F.binary_cross_entropy_with_logits(output[:, -1], truth[:, 7], reduction="none")
    parts = {
        "place": (place * placed).sum() / count,
        "rise": ((off * torch.exp(-spread) + 2 * spread) * placed).sum() / count,
        "lean": (lean * possible).sum() / possible.sum().clamp(min=1),
        "kind": F.cross_entropy(output[:, len(OUTPUTS) : -2], kind),
        "touch": (touch * known).sum() / known.sum().clamp(min=1),
        "tilt": (tilt * told).sum() / told.sum().clamp(min=1),
        "off": off[placed].median() / 2,
    }
    weights = {"place": 4, "rise": 0.15, "lean": 0.3, "kind": 0.15, "touch": 0.15, "tilt": 0.15}
    return torch.stack([weight * parts[name] for name, weight in weights.items()]).sum(), parts


TASK = Task(Place, loss_of, vectors=(0, (0, 3, 8), ()), pixel=2 * WIDE / INPUT, mirrors=True)
