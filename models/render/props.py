"""What dice lean on: a tray's wall, another die, a coin, a pencil or the edge of a card. On a bare table no die leans.

Flat dice lie at walls and beside others, too, so that what lies there alone tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from models.render.camera import Camera
from models.render.dice import Model
from models.render.solids import rotation, rotation_to_up
from models.render.surfaces import colour_of

Rng = np.random.Generator
_SUPPORTS, _SHARES = ("wall", "die", "thing"), (0.5, 0.32, 0.18)
_FLAT_AT_WALL, _FLAT_AT_DIE = 0.3, 0.15
_TRIES = 30
_LOW = (6.0, 20.0)  # degrees, of a die that lies on a coin or the like
_NEAR = 0.12  # inradii between a die and what it touches
_STEP = 0.1  # cm
_APART = 0.86  # of the distance at which two dice touch, if their corners face one another


@dataclass(slots=True)
class Props:
    """Places for dice at what they lean on.

    :param inner: (4, 2) corners of a tray's floor, cm, in order; none where there is no tray.
    :ivar things: (n, 2) outlines, cm, of the flat things under dice, each with its colour (3,).
    """

    rng: Rng
    inner: np.ndarray | None
    is_seen: Callable[[np.ndarray], bool]
    things: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)

    def lay(self, placed: list[Any]) -> list[Any]:
        """Return the dice at new places, but for those that find none. :param placed: of ``models.render.scene``."""
        kept: list[Any] = []
        for die in sorted(placed, key=lambda one: bool(one.cocked)):  # what is leant on lies first
            if not die.cocked:
                way = self.rng.random()
                if way < _FLAT_AT_WALL:
                    self._at_wall(die, kept)
                elif way < _FLAT_AT_WALL + _FLAT_AT_DIE:
                    self._at_die(die, kept)
                kept.append(die)
                continue
            support = str(self.rng.choice(_SUPPORTS, p=_SHARES))
            rest = {"wall": self._at_wall, "die": self._at_die, "thing": self._on_thing}[support]
            if rest(die, kept) or self._on_thing(die, kept):
                die.propped = True
                kept.append(die)
        for die in kept:
            die.touches = self._touches(die, kept)
        return kept

    def _touches(self, die: Any, others: list[Any]) -> bool:
        """Return whether a die could lean on what is beside or under it."""
        spot, near = die.centre[:2], _NEAR * die.model.size
        for side in range(4) if self.inner is not None else ():
            a, _, _, inward = self._wall(self.inner, side)
            if inward @ (spot - a) - reach(die, -inward) < near:
                return True
        for other in others:
            way = other.centre[:2] - spot
            far = float(np.linalg.norm(way))
            if other is not die and far - reach(die, way / far) - reach(other, -way / far) < near:
                return True
        return any(_is_under(die, outline) for outline, _ in self.things)

    @staticmethod
    def _wall(inner: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return a wall's ends, cm, and of length one the ways along it and from it into the tray."""
        a, b = inner[side], inner[(side + 1) % 4]
        along = (b - a) / np.linalg.norm(b - a)
        inward = np.array([-along[1], along[0]])
        return a, b, along, inward if inward @ (inner.mean(0) - a) >= 0 else -inward

    def _at_wall(self, die: Any, others: list[Any]) -> bool:
        if self.inner is None:
            return False
        for _ in range(_TRIES):
            a, b, along, inward = self._wall(self.inner, int(self.rng.integers(4)))
            spot = a + (b - a) * self.rng.uniform(0.02, 0.98) + inward * reach(die, -inward)
            if self.rng.random() < 0.15:  # in the corner
                spot = a + along * reach(die, -along) + inward * reach(die, -inward)
            if self._fits(die, spot, others):
                return True
        return False

    def _at_die(self, die: Any, others: list[Any]) -> bool:
        for _ in range(_TRIES if others else 0):
            other = others[self.rng.integers(len(others))]
            angle = self.rng.uniform(0, 2 * np.pi)
            away = np.array([np.cos(angle), np.sin(angle)])
            apart = (reach(die, -away) + reach(other, away)) * self.rng.uniform(0.9, 1.0)
            if self._fits(die, other.centre[:2] + away * apart, others):
                return True
        return False

    def _on_thing(self, die: Any, others: list[Any]) -> bool:
        """Let the die lean a little, with one side on something flat."""
        rng, (low, high), model = self.rng, _LOW, die.model
        angle = rng.uniform(0, 2 * np.pi)
        away = np.array([np.cos(angle), np.sin(angle)])
        lean = rotation(np.array([away[1], -away[0], 0]), np.radians(rng.uniform(low, high)))
        die.turn = lean @ rotation_to_up(model.solid.normals[die.face], rng.uniform(0, 2 * np.pi))
        die.centre[2] = -(model.solid.vertices @ die.turn.T)[:, 2].min() * model.size
        if not self._fits(die, die.centre[:2].copy(), others):
            return False
        outline = _flat_thing(rng, die.centre[:2] + away * reach(die, away), angle)
        while not _is_under(die, outline):  # a corner, or the thing's, may point past the other's
            outline = outline - away * _STEP
        self.things.append((outline, colour_of(rng)))
        return True

    def _fits(self, die: Any, spot: np.ndarray, others: list[Any]) -> bool:
        """Put the die there if it is free, seen, and within the tray."""
        if not self.is_seen(spot):
            return False
        for other in others:
            way = spot - other.centre[:2]
            far = float(np.linalg.norm(way))
            if far < 1e-6 or far < _APART * (reach(die, -way / far) + reach(other, way / far)):
                return False
        if self.inner is not None and cv2.pointPolygonTest(self.inner.astype(np.float32), spot.tolist(), True) < (
            0.7 * float(die.model.size)
        ):
            return False
        die.centre[:2] = spot
        return True


def reach(die: Any, way: np.ndarray) -> float:
    """Return how far, cm, the die reaches from its middle that way, (2,) of length one."""
    return float((_corners(die) @ way).max()) * float(die.model.size)


def _corners(die: Any) -> np.ndarray:
    """Return where a die's corners are from above, (n, 2) inradii from its middle."""
    model: Model = die.model
    return (model.solid.vertices @ die.turn.T)[:, :2]


def _is_under(die: Any, outline: np.ndarray) -> bool:
    """Return whether a flat thing reaches under the die."""
    foot = cv2.convexHull((_corners(die) * die.model.size + die.centre[:2]).astype(np.float32))
    return bool(cv2.intersectConvexConvex(foot, cv2.convexHull(outline.astype(np.float32)))[0] > 0)


def _flat_thing(rng: Rng, edge: np.ndarray, angle: float) -> np.ndarray:
    """Return the outline, cm, of a coin, a pencil or a card that ends near ``edge``, away from the die."""
    away = np.array([np.cos(angle), np.sin(angle)])
    kind = rng.random()
    if kind < 0.4:
        radius = rng.uniform(0.7, 1.4)
        around = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        return edge + away * radius * rng.uniform(0.3, 0.8) + radius * np.stack([np.cos(around), np.sin(around)], 1)
    length, breadth = (rng.uniform(6, 18), rng.uniform(0.2, 0.9)) if kind < 0.7 else rng.uniform(4, 10, 2)
    turn = rng.normal(0, 0.35)
    c, s = np.cos(angle + turn), np.sin(angle + turn)
    box = np.array([[0, -1], [1, -1], [1, 1], [0, 1]]) * (breadth, length / 2)
    return edge - away * rng.uniform(0.1, 0.5) + box @ np.array([[c, s], [-s, c]])


def draw_things(rng: Rng, cam: Camera, albedo: np.ndarray, things: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Draw flat things, each with its own shadow, into the (h, w, 3) albedo, in place."""
    for outline, colour in things:
        seen = cam.project(np.column_stack([outline, np.zeros(len(outline))]))
        mask = np.zeros(albedo.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.clip(seen * 16, -1e6, 1e6).astype(np.int32)], 255, cv2.LINE_AA, 4)
        cover = mask[..., None] / np.float32(255)
        shadow = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 5))[..., None] / np.float32(255)
        albedo *= 1 - rng.uniform(0.1, 0.7) * shadow
        albedo *= 1 - cover
        albedo += cover * colour.astype(np.float32)
