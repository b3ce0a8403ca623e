"""The classifier.

An upper face, whatever its rotation, becomes a unit vector; the nearest of the prototypes names the symbols.
Faces of known sets learn their prototypes. Faces of invented dice come in pairs, two views of one face, and learn to
lie near one another and apart from all the rest, so that dice that were never seen in training can be told too.
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

from models.train.augment import (
    bridges,
    coarsen,
    fade,
    ghosts,
    glints,
    gloss,
    hardened,
    mistreat,
    overlap,
    photograph,
    rings,
    swirls,
)
from models.train.crops import CROP, MARGIN, NONE, Stored
from models.train.labels import FACES, TYPES, UNKNOWN
from models.train.locator import Residual, conv
from models.train.plastic import dimpled, sheen
from models.train.pool import Parts, Task
from tableside.reader.network import MIDDLE_LEVEL, Network

INPUT = 72
PER_DIE = 2  # faces of one invented die in a batch
REACH = 1.15  # circumradii from the middle to the crop's edge
WIDTHS = (24, 48, 112)
"""Channels of half, of a quarter and of an eighth of the view."""
EMBEDDING = 96
SHARPNESS = 16.0  # scale of the cosine to the prototypes
KINDS = len(TYPES) + 1  # and none
PLACE = 3 + 2  # dx, dy, log scale; rise x, y
OUTPUTS = KINDS + PLACE
STRANGE = 0.5  # a mark farther than this cosine from every prototype is of no known set
OTHER, PIP = TYPES.index("other"), TYPES.index("pip")
_MARKED = 0.6  # of the upper face's circumradius: marks lie within
_FAINT = 0.16  # of a channel's brightness: marks that stand out less are not seen
_GRID = np.arange(INPUT) + 0.5
_BRIDGED = 0.35  # of polished faces
_SHEEN, _SHEEN_IN_BLANK = 0.2, 0.4  # of upper faces: a wide lamp shines in them
_DIMPLED, _DIMPLED_PIPS = 0.25, 0.5  # of upper faces: a lamp is mirrored round their dents
_TAUGHT = 8.0  # how much the teacher's vector counts: half of the sharpness with which faces are told by it
_GLARE = 0.85  # of full brightness in every channel
_OF_STRANGERS = [i for i, (of, _) in enumerate(FACES) if of not in ("narrative", "pips")]
BLANK = [i for i, (_, face) in enumerate(FACES) if not face]


class Classifier(nn.Module):
    """(n, 3, INPUT, INPUT) BGR in 0..1 -> unit embedding (n, EMBEDDING), cosine logits (n, faces), others (n, OUTPUTS).

    :param prototypes: (faces, EMBEDDING), which stay as they are; learnt where not given.
    """

    def __init__(self, widths: tuple[int, ...] = WIDTHS, prototypes: np.ndarray | None = None) -> None:
        super().__init__()
        a, b, c = widths
        self.body = nn.Sequential(
            conv(3, a, 2),
            conv(a, b, 2),
            Residual(b),
            Residual(b),
            conv(b, c, 2),
            Residual(c),
            Residual(c),
        )
        self.embed = nn.Linear(2 * c, EMBEDDING)
        self.prototypes = nn.Parameter(torch.randn(len(FACES), EMBEDDING))
        if prototypes is not None:
            self.prototypes = nn.Parameter(torch.from_numpy(prototypes), requires_grad=False)
        self.side = nn.Sequential(nn.Linear(2 * c, 96), nn.ReLU(), nn.Linear(96, KINDS))
        self.place = nn.Sequential(nn.Linear(4 * c, 128), nn.ReLU(), nn.Linear(128, PLACE))
        cells = INPUT // 8
        along = (torch.arange(cells) + 0.5) / cells * 2 - 1
        self.register_buffer("across", along.expand(cells, cells)[None, None].clone(), persistent=False)
        self.register_buffer("down", along[:, None].expand(cells, cells)[None, None].clone(), persistent=False)

    def features(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what is seen all over the view and anywhere in it, (n, 2 * width), and where, (n, 4 * width)."""
        seen = self.body((x - 0.45) * 4.0)
        what = torch.cat([seen.mean((2, 3)), F.adaptive_max_pool2d(seen, 1)[:, :, 0, 0]], 1)
        where = torch.cat([what, (seen * self.across).mean((2, 3)), (seen * self.down).mean((2, 3))], 1)
        return what, where

    def told(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the embedding before it is a unit vector, and the other outputs (n, OUTPUTS)."""
        what, where = self.features(x)
        return self.embed(what), torch.cat([self.side(what), self.place(where)], 1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        embedding, side = self.told(x)
        embedding = F.normalize(embedding, dim=1)
        known = embedding @ F.normalize(self.prototypes[:UNKNOWN], dim=1).T
        strange = torch.full_like(known[:, :1], STRANGE)
        return embedding, SHARPNESS * torch.cat([known, strange], 1), side


class Teacher:
    """A classifier that ships, whose word on a view is learnt. Each process that draws opens it for itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._network: Network | None = None

    def prototypes(self) -> np.ndarray:
        """Return one vector for each of FACES, (faces, EMBEDDING) float32."""
        with np.load(self.folder / "prototypes.npz") as stored:
            names = zip(stored["sets"], stored["faces"], strict=True)
            of = {(str(one), str(face)): vector for (one, face), vector in zip(names, stored["vectors"], strict=True)}
        known = [of[one, "+".join(face)] for one, face in FACES[:UNKNOWN]]
        return np.array([*known, np.zeros(EMBEDDING)], np.float32)

    def say(self, views: np.ndarray) -> np.ndarray:
        """Return what it says of (n, 3, INPUT, INPUT) views: a unit vector and the types' logits, (n, EMBEDDING + KINDS)."""
        if self._network is None:
            self._network = Network(self.folder, "classifier")
        embedding, side = self._network.run(255 * views - np.float32(MIDDLE_LEVEL))
        order = [self._network.card["types"].index(name) for name in TYPES]
        unit = embedding / np.linalg.norm(embedding, axis=1, keepdims=True)
        return np.hstack([unit, side[:, [*order, len(order)]]])


class Crops(Dataset):
    """Random views of stored crops in batches of fixed make-up; the same seed gives the same views.

    The last ``2 * pairs`` of a batch are views of invented dice, two of each face, PER_DIE faces of each die.

    :param teacher: where there is one, each view comes with what it says of it.
    """

    def __init__(
        self,
        paths: list[Path],
        invented: Path | None,
        *,
        steps: int,
        batch: int,
        pairs: int,
        seed: int,
        wear: tuple[float, float] = (1.0, 1.0),
        teacher: Teacher | None = None,
    ) -> None:
        files = [*paths, *([invented] if invented else [])]
        self.pictures = Stored(files)
        labels = self.pictures.labels
        self.types, self.faces, self.cocked, self.radius, self.corners = (
            np.concatenate([part[key] for part in labels]) for key in ("types", "faces", "cocked", "radius", "corners")
        )
        self.rise = np.concatenate([part.get("rise", np.full((len(part["types"]), 2), np.nan)) for part in labels])
        known = self.pictures.starts[len(paths)]
        kinds = self.types[:known].astype(int) * len(FACES) + self.faces[:known]
        weight = 1 / np.bincount(kinds)[kinds] ** 0.5
        weight[self.types[:known] == NONE] *= 0.7
        weight[self.cocked[:known]] *= 0.5
        weight[np.isin(self.faces[:known], BLANK) & (self.types[:known] < OTHER)] *= 1.6
        self.share = np.cumsum(weight / weight.sum())
        self.shows, self.names = np.full(len(self.types), -1), np.zeros(len(self.types), int)
        self.dice: list[list[np.ndarray]] = []
        if invented:
            self.shows[known:], self.names[known:] = labels[-1]["shows"], labels[-1]["names"]
            self.dice = _dice(self.shows[known:], known)
        self.length, self.batch, self.pairs, self.seed = steps * batch, batch, pairs if invented else 0, seed
        self.wear, self.teacher = wear, teacher

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[np.ndarray | int | bool, ...]:
        step, place = divmod(index, self.batch)
        rng, wear = np.random.default_rng([self.seed, index]), hardened(self.wear, index / self.length)
        paired = place - (self.batch - 2 * self.pairs)
        if paired < 0:
            i = int(np.searchsorted(self.share, rng.random()).clip(0, len(self.share) - 1))
        else:
            lot = np.random.default_rng([self.seed, step, paired // (2 * PER_DIE), 1])
            faces = self.dice[lot.integers(len(self.dice))]
            views = lot.permuted(faces[lot.permutation(len(faces))[(paired // 2) % PER_DIE % len(faces)]])
            i = int(views[paired % 2 % len(views)])
        crop = self.pictures[i]
        shiny = _SHEEN_IN_BLANK if self.faces[i] in BLANK and self.types[i] < OTHER else _SHEEN
        dented = _DIMPLED_PIPS if self.types[i] == PIP else _DIMPLED
        for often, shine in ((shiny, sheen), (dented, dimpled)):
            if rng.random() < often * wear and np.isfinite(self.corners[i]).all():
                crop = shine(crop, *self.corners[i], rng)
        view, place = random_view(crop, float(self.radius[i]), self.rise[i], rng, wear=wear)
        shows, name, face = int(self.shows[i]), int(self.names[i]), int(self.faces[i])
        unreadable = bool(self.cocked[i]) or (face not in BLANK and is_unseen(view, place))
        said = self.teacher.say(view[None])[0] if self.teacher else np.empty(0, np.float32)
        return view, int(self.types[i]), face, unreadable, place, shows, name, said


def _dice(shows: np.ndarray, first: int) -> list[list[np.ndarray]]:
    """Return for each die the indices of the views of each of its faces."""
    order = np.argsort(shows, kind="stable")
    faces = np.split(order + first, np.nonzero(np.diff(shows[order]))[0] + 1)
    dice: dict[int, list[np.ndarray]] = {}
    for face in faces:
        dice.setdefault(int(shows[face[0] - first]) // 32, []).append(face)
    return [faces for faces in dice.values() if len(faces) >= PER_DIE]


def random_view(
    crop: np.ndarray, radius: float, rise: np.ndarray, rng: np.random.Generator, *, wear: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return a (3, INPUT, INPUT) view turned, shifted and scaled at random, and where its die lies.

    That is the (3,) step back to the true middle, and the ``rise`` (2,) as the view turns it.

    :param wear: by how much light, lens and camera spoil the view, as a share of the usual.
    """
    wide = rng.random() < 0.3
    shift = rng.normal(0, 0.2 if wide else 0.06, 2).clip(-0.4, 0.4)
    zoom = math.exp(float(np.clip(rng.normal(0, 0.18 if wide else 0.08), -0.35, 0.35)))
    angle = rng.uniform(0, 2 * np.pi)
    scale = INPUT / (2 * REACH * zoom) / (CROP / (2 * MARGIN))
    c, s = math.cos(angle) * scale, math.sin(angle) * scale
    middle = CROP / 2 + shift * CROP / (2 * MARGIN)
    shear = 1 + rng.normal(0, 0.04)
    matrix = np.array([[c * shear, -s, 0], [s * shear, c, 0]])
    matrix[:, 2] = INPUT / 2 - matrix[:, :2] @ middle
    source = _polished(crop, rng) if rng.random() < 0.32 * wear else crop
    if rng.random() < 0.6 * wear:  # as if seen from farther away: at least some 24 px across the view
        source = coarsen(source, rng, 24 * MARGIN / REACH / CROP, min(1.0, radius * 2 * MARGIN / CROP))
    view = cv2.warpAffine(
        source,
        matrix,
        (INPUT, INPUT),
        flags=cv2.INTER_LINEAR if scale > 0.55 else cv2.INTER_AREA,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if rng.random() < 0.04 * wear:
        overlap(view, rng, (8, 20))
    if rng.random() < 0.12 * wear:
        view = swirls(view, rng)
    if rng.random() < 0.15 * wear:
        view = fade(view, rng)
    if rng.random() < 0.15 * wear:
        view = glints(view, rng)
    middle, reach = matrix @ np.array([CROP / 2, CROP / 2, 1]), INPUT / (2 * REACH * zoom)
    if rng.random() < 0.14 * wear:
        view = ghosts(view, rng, middle, reach)
    if rng.random() < 0.1 * wear:
        view = rings(view, rng, middle, reach)
    if rng.random() < 0.6 * wear:
        view = mistreat(view, rng)
    view = photograph(view, rng, strength=wear)
    back = matrix[:, :2] @ (-shift * CROP / (2 * MARGIN)) / (INPUT / (2 * REACH))
    turned = matrix[:, :2] @ rise / scale
    place = np.array([back[0], back[1], -math.log(zoom), *turned], np.float32)
    return np.ascontiguousarray(view.transpose(2, 0, 1)).astype(np.float32) / 255, place


def _polished(crop: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the crop with lamps mirrored in its upper face."""
    radius = CROP / (2 * MARGIN)
    edge = round(CROP / 2 - 1.12 * radius)
    face = crop[edge:-edge, edge:-edge]
    polished = crop.copy()
    shine = bridges if rng.random() < _BRIDGED else gloss
    polished[edge:-edge, edge:-edge] = shine(face, rng, np.full(2, len(face) / 2), radius)
    return polished


def is_unseen(view: np.ndarray, place: np.ndarray) -> bool:
    """Return whether the face's marks cannot be seen, though no glare explains it: then it looks like a blank one.

    Such a face has no lesson for telling faces but that blank ones are not to be trusted. Under glare they are not.
    """
    half = INPUT / 2
    x, y = place[:2] * half + half
    face = (_GRID - x) ** 2 + (_GRID[:, None] - y) ** 2 < (_MARKED * half / REACH * math.exp(float(place[2]))) ** 2
    if face.sum() < 30:
        return False
    picture = cv2.GaussianBlur(view.transpose(1, 2, 0), (0, 0), 0.8)
    small = cv2.resize(picture, None, fx=1 / 3, fy=1 / 3, interpolation=cv2.INTER_AREA)
    body = cv2.resize(cv2.GaussianBlur(small, (0, 0), INPUT / 18), (INPUT, INPUT))
    low, high = np.percentile((picture - body)[face], (0.7, 99.3), axis=0)
    stands_out = (high - low) / (0.2 + np.median(picture[face], axis=0))
    return bool(stands_out.max() < _FAINT and np.median(view.min(0)[face]) < _GLARE)


def loss_of(
    outputs: tuple[torch.Tensor, ...],
    types: torch.Tensor,
    faces: torch.Tensor,
    unreadable: torch.Tensor,
    place: torch.Tensor,
    shows: torch.Tensor,
    names: torch.Tensor,
    said: torch.Tensor,
) -> tuple[torch.Tensor, Parts]:
    """Return the loss and its parts. A die that leans, or whose marks are not to be seen, has a type but no face.

    Of an unknown die's face nothing is asked but that it be like itself and, unless its marks are invented and may be
    like any, that it be no symbol and no pips: its numbers may be those of a known set.

    :param said: by the teacher, (n, EMBEDDING + KINDS); (n, 0) where there is none.
    """
    embedding, logits, side = (output.float() for output in outputs)
    readable = (types < OTHER) & ~unreadable
    kinds = len(TYPES) + 1
    step = F.smooth_l1_loss(side[:, kinds : kinds + 3], place[:, :3], reduction="none", beta=0.05).sum(1)
    measured = torch.isfinite(place[:, 3])
    rise = F.smooth_l1_loss(side[measured, kinds + 3 :], place[measured, 3:], reduction="none", beta=0.04).sum(1)
    parts = {
        "face": (F.cross_entropy(logits, faces, reduction="none") * readable).sum() / readable.sum().clamp(min=1),
        "type": F.cross_entropy(side[:, :kinds], types),
        # single dice all lie flat: of them nothing is learned of where a leaning die's upper face is
        "step": step[measured].sum() / measured.sum().clamp(min=1),
        "rise": rise.sum() / measured.sum().clamp(min=1),
    }
    strange = (types == OTHER) & ~unreadable & (shows < 0)
    as_such = torch.logsumexp(F.log_softmax(logits, 1)[:, _OF_STRANGERS], 1)
    parts["strange"] = -(as_such * strange).sum() / strange.sum().clamp(min=1)
    loss = parts["face"] + 0.3 * parts["strange"] + 0.7 * parts["type"] + 1.5 * parts["step"] + parts["rise"]
    if said.shape[1]:
        parts["taught"] = (1 - (embedding * said[:, :EMBEDDING]).sum(1)).mean()
        told = F.log_softmax(said[:, EMBEDDING:], 1)
        parts["told"] = F.kl_div(F.log_softmax(side[:, :kinds], 1), told, reduction="batchmean", log_target=True)
        loss = loss + _TAUGHT * parts["taught"] + 0.7 * parts["told"]
    hit = (logits.argmax(1) == faces) & (side[:, :kinds].argmax(1) == types)
    parts["right"] = hit[readable].float().mean()
    if (shows >= 0).any():
        parts["like"], parts["matched"] = alike(embedding[shows >= 0], shows[shows >= 0], names[shows >= 0])
        loss = loss + 0.5 * parts["like"]
    return loss, parts


def alike(embedding: torch.Tensor, shows: torch.Tensor, names: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return how badly each view is told to show what its twin shows, and the share whose twin is nearest.

    Views of one name on two dice are neither alike nor unlike: the typeface may be the same.
    """
    one, two = embedding[0::2], embedding[1::2]
    near = SHARPNESS * one @ two.T
    same = (names[0::2, None] == names[None, 1::2]) & (shows[0::2, None] != shows[None, 1::2])
    same |= (shows[0::2, None] == shows[None, 1::2]) & ~torch.eye(len(one), dtype=torch.bool, device=one.device)
    near = near.masked_fill(same, -1e4)
    own = torch.arange(len(one), device=one.device)
    loss = (F.cross_entropy(near, own) + F.cross_entropy(near.T, own)) / 2
    return loss, (near.argmax(1) == own).float().mean()


TASK = Task(Classifier, loss_of, vectors=(3, (0,), (3,)), pixel=2 * REACH / INPUT, lot=2 * PER_DIE)
