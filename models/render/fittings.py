"""Small round things on and in a table, often several alike: holes, dents, snaps, magnets, stains, beads, chips.

A dark hole is a black die without marks to whoever looks for bodies, a snap or a bead one with a glint on it.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from models.render.surfaces import MOST_LIGHT, colour_of, noise

Rng = np.random.Generator
_CHIP_CM = 1.95  # radius of a casino chip


def lay_fittings(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """Put one to three kinds of small round things on the (h, w, 3) linear BGR albedo, in place; those of a kind are alike."""
    for _ in range(int(rng.integers(1, 4))):
        draw = _FITTINGS[rng.integers(len(_FITTINGS))]
        make = int(rng.integers(2**31))
        for at in _spots(rng, albedo.shape[1], albedo.shape[0], px_per_cm):
            draw(np.random.default_rng(make), albedo, at, px_per_cm)
    np.clip(albedo, 0.001, MOST_LIGHT, out=albedo)


def _spots(rng: Rng, width: int, height: int, px_per_cm: float) -> np.ndarray:
    """Return where the things of one kind lie, (n, 2) px: at a tray's corners, in a row, or anywhere."""
    way = rng.random()
    if way < 0.25:
        size = (rng.uniform(0.3, 0.95) * width, rng.uniform(0.3, 0.95) * height)
        middle = rng.uniform(0.3, 0.7, 2) * (width, height)
        return np.asarray(cv2.boxPoints((middle.tolist(), size, rng.normal(0, 6))))
    if way < 0.45:
        count, angle = int(rng.integers(2, 9)), rng.uniform(0, 2 * np.pi)
        step = rng.uniform(1, 5) * px_per_cm * np.array([np.cos(angle), np.sin(angle)])
        return np.asarray(rng.uniform(0.1, 0.9, 2) * (width, height) + step * np.arange(count)[:, None])
    return rng.uniform(0, 1, (int(rng.integers(1, 7)), 2)) * (width, height)


def _hole(rng: Rng, albedo: np.ndarray, at: np.ndarray, px_per_cm: float) -> None:
    """A hole or a cup: dark, darkest towards the lamp, with a bevelled rim that is lit on the other side."""
    radius = np.exp(rng.uniform(np.log(0.15), np.log(1.3))) * px_per_cm
    away = _away(rng)
    rim = _disc(albedo, at, radius * rng.uniform(1.02, 1.25), rng.uniform(0.3, 0.1 * radius + 0.5))
    depth = _disc(albedo, at, radius, np.exp(rng.uniform(np.log(0.4), np.log(0.35 * radius + 0.5))))
    wall = _disc(albedo, at + away * radius * rng.uniform(0, 0.5), radius, 0.15 * radius + 0.4)
    dark, floor = np.exp(rng.uniform(np.log(0.02), np.log(0.5), 2))
    albedo *= 1 + rng.uniform(-0.4, 0.6) * rim * _slope(albedo, at, away, radius)
    albedo *= 1 - depth * (1 - dark * (1 - wall) - floor * wall)


def _dent(rng: Rng, albedo: np.ndarray, at: np.ndarray, px_per_cm: float) -> None:
    """A dent, a bump or a button under the cloth: the table, shaded."""
    radius = rng.uniform(0.3, 1.5) * px_per_cm
    body = _disc(albedo, at, radius, rng.uniform(0.1, 0.4) * radius)
    albedo *= np.maximum(1 + rng.uniform(-0.9, 0.9) * body * _slope(albedo, at, _away(rng), radius), 0.05)


def _snap(rng: Rng, albedo: np.ndarray, at: np.ndarray, px_per_cm: float) -> None:
    """A snap, rivet, eyelet or screw: metal or plastic in rings, each of which mirrors light from one side."""
    radius = rng.uniform(0.2, 0.9) * px_per_cm
    is_metal = rng.random() < 0.7
    colour = rng.uniform(0.05, 0.6) * np.array([1, 1.05, rng.uniform(1.0, 1.5)]) if is_metal else colour_of(rng)
    away, stripe = _away(rng), rng.uniform(0.5, 5)
    albedo *= 1 - rng.uniform(0, 0.7) * _disc(albedo, at + 0.15 * radius * away, radius, 0.2 * radius)
    for share in np.sort(rng.uniform(0.2, 1, int(rng.integers(1, 4))))[::-1]:
        seen = _slope(albedo, at, away if rng.random() < 0.5 else -away, radius * share)
        shine = np.cos(stripe * seen + rng.uniform(0, 2 * np.pi)) if is_metal else seen
        face = colour.astype(np.float32) * np.clip(1 + rng.uniform(0.2, 0.95) * shine, 0, 3)
        _lay(albedo, _disc(albedo, at, radius * share, 0.5), face * rng.uniform(0.3, 1.5))
    if rng.random() < 0.3:  # an eyelet
        albedo *= 1 - rng.uniform(0.7, 0.98) * _disc(albedo, at, radius * rng.uniform(0.2, 0.6), 0.6)
    elif rng.random() < 0.7:
        glint = _disc(albedo, at - away * radius * rng.uniform(0, 0.6), radius * rng.uniform(0.05, 0.3), 0.7)
        albedo += rng.uniform(0.2, 1.5) * glint


def _magnet(rng: Rng, albedo: np.ndarray, at: np.ndarray, px_per_cm: float) -> None:
    """A magnet, rubber foot, bottle cap or battery: a low cylinder, its side seen on one side."""
    radius, away = rng.uniform(0.25, 1.5) * px_per_cm, _away(rng)
    tall = away * radius * rng.uniform(0, 0.5)
    colour = colour_of(rng) * rng.choice([0.1, 0.5, 1.0])
    albedo *= 1 - rng.uniform(0.2, 0.8) * _disc(albedo, at + 1.4 * tall, radius, 0.15 * radius + 0.5)
    _lay(albedo, _disc(albedo, at + tall, radius, 0.5), colour * rng.uniform(0.2, 0.9))
    face = colour * (1 + rng.uniform(0, 0.6) * _slope(albedo, at, _away(rng), radius))
    _lay(albedo, _disc(albedo, at, radius, 0.5), face)
    if rng.random() < 0.4:
        albedo *= 1 + rng.uniform(-0.6, 1.0) * _ring(albedo, at, radius * rng.uniform(0.5, 0.9), rng.uniform(1, 4))


def _stain(rng: Rng, albedo: np.ndarray, at: np.ndarray, px_per_cm: float) -> None:
    """A glass's ring, a burn, a blot of ink or a worn spot."""
    radius = np.exp(rng.uniform(np.log(0.2), np.log(3.5))) * px_per_cm
    if rng.random() < 0.4:
        shape = _ring(albedo, at, radius, rng.uniform(0.02, 0.25) * radius + 0.6)
    else:
        shape = _disc(albedo, at, radius, rng.uniform(0.03, 0.6) * radius + 0.4)
    if rng.random() < 0.5:
        height, width = albedo.shape[:2]
        shape = shape * np.clip(0.7 + 0.5 * noise(rng, height, width, rng.uniform(5, 80)), 0, 1)[..., None]
    _lay(albedo, shape * rng.uniform(0.2, 0.98), colour_of(rng) * rng.choice([0.1, 1.0]))


def _bead(rng: Rng, albedo: np.ndarray, at: np.ndarray, px_per_cm: float) -> None:
    """A glass bead, a gem or a marble: dark towards the lamp, where the lamp is mirrored; light gathers on the far side."""
    radius, away = rng.uniform(0.4, 1.2) * px_per_cm, _away(rng)
    colour, clear = colour_of(rng) * rng.uniform(0.3, 1.5), rng.uniform(0, 0.8)
    slope = _slope(albedo, at, away, radius)
    gathered = np.clip(slope, 0, 1) ** rng.uniform(1, 3) * rng.uniform(0.3, 3)
    under = albedo * colour / max(float(colour.max()), 1e-3) * clear + colour * (1 - clear)
    albedo += rng.uniform(0, 0.5) * _disc(albedo, at + away * radius * 1.2, 0.5 * radius, 0.3 * radius) * colour
    _lay(albedo, _disc(albedo, at, radius, 0.6), under * (rng.uniform(0.2, 0.8) + gathered))
    for _ in range(int(rng.integers(1, 4))):
        spot = at - away * radius * rng.uniform(0.2, 0.7) + rng.normal(0, 0.15, 2) * radius
        albedo += rng.uniform(0.3, 1.5) * _disc(albedo, spot, radius * rng.uniform(0.03, 0.25), 0.8)


def _chip(rng: Rng, albedo: np.ndarray, at: np.ndarray, px_per_cm: float) -> None:
    """A casino chip or a token: a disc with spots round its edge, rings and a blank or printed middle."""
    radius = rng.uniform(0.5, 1.0) * _CHIP_CM * px_per_cm
    one, two = colour_of(rng), colour_of(rng)
    x, y = _offset(albedo, at)
    angle = np.arctan2(y, x) + rng.uniform(0, 2 * np.pi)
    spots = (np.cos(angle * int(rng.integers(3, 9))) > rng.uniform(-0.2, 0.8)).astype(np.float32)
    whole = _disc(albedo, at, radius, 0.6)
    albedo *= 1 - rng.uniform(0.2, 0.7) * _disc(albedo, at + 0.08 * radius * _away(rng), radius, 0.06 * radius + 0.6)
    _lay(albedo, whole, one)
    _lay(albedo, whole * spots, two)
    _lay(albedo, _disc(albedo, at, radius * rng.uniform(0.5, 0.8), 0.6), one if rng.random() < 0.5 else colour_of(rng))
    for _ in range(int(rng.integers(0, 3))):
        _lay(albedo, _ring(albedo, at, radius * rng.uniform(0.2, 0.95), rng.uniform(1, 4)), colour_of(rng))


_FITTINGS: tuple[Callable[[Rng, np.ndarray, np.ndarray, float], None], ...] = (
    _hole, _hole, _dent, _snap, _snap, _magnet, _stain, _bead, _bead, _chip,
)  # fmt: skip


def _away(rng: Rng) -> np.ndarray:
    """Return the direction, (2,), away from the lamp."""
    angle = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle)])


def _lay(albedo: np.ndarray, cover: np.ndarray, face: np.ndarray) -> None:
    """Draw a face, one colour or one for each pixel, where the (h, w, 1) cover of 0..1 is, in place."""
    albedo += cover * (np.clip(face, 0, MOST_LIGHT).astype(np.float32) - albedo)


def _disc(albedo: np.ndarray, at: np.ndarray, radius: float, soft: float) -> np.ndarray:
    """Return a disc's cover, (h, w, 1) of 0..1, whose edge is so many px wide."""
    return np.clip(0.5 + (radius - _distance(albedo, at)) / max(soft, 0.3), 0, 1)


def _ring(albedo: np.ndarray, at: np.ndarray, radius: float, breadth: float) -> np.ndarray:
    """Return a ring's cover, (h, w, 1) of 0..1; radius and breadth in px."""
    return np.clip(0.5 + breadth / 2 - np.abs(radius - _distance(albedo, at)), 0, 1)


def _slope(albedo: np.ndarray, at: np.ndarray, away: np.ndarray, radius: float) -> np.ndarray:
    """Return how far each px lies from the middle in that direction, (h, w, 1), in radii, at most 1."""
    x, y = _offset(albedo, at)
    along = x * np.float32(away[0]) + y * np.float32(away[1])
    return np.clip(along / np.float32(max(radius, 1.0)), -1, 1)


def _distance(albedo: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return how many px each px is from the point, (h, w, 1)."""
    return np.hypot(*_offset(albedo, at))


def _offset(albedo: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many px each px lies to the right of the point and below it, both (h, w, 1)."""
    y, x = np.mgrid[0 : albedo.shape[0], 0 : albedo.shape[1]].astype(np.float32)[..., None]
    return x - np.float32(at[0]), y - np.float32(at[1])
