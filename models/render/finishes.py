"""What makers put into a die's body or on it: stripes, two pours, flakes, veins, sides in turn, rims, frames, glitter, weaves, metal.

To whoever looks for bodies of one colour a striped die is no die, but its marks are.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numba import njit

from models.render.dice import Model, any_colour, linear, unlike

Rng = np.random.Generator
STRIPES, POURS, FLAKES, VEINS, SIDES, RIMS, FRAMES, GLITTER, WEAVE, METAL = range(1, 11)
_EDGED = frozenset({RIMS, FRAMES})  # these leave the marks alone, and have their colour often
_SHARE = {"pip": 0.6, "d10": 0.6, "d100": 0.6, "other": 0.6}
_SHARE_OF_SYMBOLS = 0.3  # the published ones are of one colour
_LEGIBLE = 0.3  # least difference between a colour under the marks and theirs, of the square roots
_SUBTLE = 0.4


def finished(rng: Rng, model: Model) -> Model:
    """Return the die with a finish of its maker's choice, or as it was."""
    if rng.random() > _SHARE.get(model.type, _SHARE_OF_SYMBOLS):
        return model
    style = int(rng.integers(STRIPES, METAL + 1))
    if style == METAL:
        return _metal(rng, model)
    colour, contrast = _second(rng, model, style)
    axis = rng.normal(0, 1, 3)
    axis /= np.linalg.norm(axis)
    finish = np.array(
        [
            style,
            np.exp(rng.uniform(math.log(2.0), math.log(14.0))),  # how fine, radians to the inradius
            *axis,
            rng.uniform(-0.7, 0.7),  # how much more of the one colour than of the other
            np.exp(rng.uniform(math.log(0.7), math.log(12.0))),  # how hard the edges are
            rng.choice([0.0, rng.uniform(0, 2.5)]),  # how far lines waver
            rng.uniform(0, 50),
            contrast,
        ]
    )
    return replace(model, finish=finish, body2=colour, pattern=model.pattern * np.array([1, 0, 1, 0, 1]))


def _metal(rng: Rng, model: Model) -> Model:
    """Return the die in steel, brass, copper or gun metal, which mirrors what is about it."""
    grey = np.exp(rng.uniform(math.log(0.03), math.log(0.6)))
    warm = rng.choice([0.0, rng.uniform(0.1, 0.55)])
    body = grey * np.array([1 - warm, 1 - 0.35 * warm, 1.0])
    if unlike(body, model.ink) < _LEGIBLE:
        return model
    finish = np.zeros(10)
    finish[[0, 1, 8, 9]] = METAL, rng.uniform(1.0, 7.0), rng.uniform(0, 50), rng.uniform(0.2, 0.9)
    gloss = model.gloss.copy()
    gloss[:3] = rng.uniform(0.2, 1.5), rng.uniform(10, 120), rng.uniform(0.2, 1.6)
    return replace(model, body=body, body2=body, finish=finish, gloss=gloss, pattern=model.pattern * 0.0)


def _second(rng: Rng, model: Model, style: int) -> tuple[np.ndarray, float]:
    """Return a second colour, under which the marks stay legible to a person, and how much of it there is."""
    if style in _EDGED and rng.random() < 0.4:
        return model.ink, 1.0
    for _ in range(20):
        subtle = rng.random() < _SUBTLE
        colour = np.clip(model.body * rng.uniform(0.3, 2.5, 1 if subtle else 3), 0, 1) if subtle else any_colour(rng)
        if style == GLITTER:
            colour = linear((rng.uniform(0.6, 1.0),) * 3) if rng.random() < 0.6 else colour
        if style in _EDGED or unlike(colour, model.ink) > _LEGIBLE:
            return colour, float(rng.uniform(0.4, 1.0))
    return model.body, 0.0


@njit(cache=True, fastmath=True)
def _chance(a, b, c, salt):  # pragma: no cover - compiled
    """Return a number 0..1 for three whole ones, always the same."""
    cell = math.sin(a * 12.9898 + b * 78.233 + c * 37.719 + salt) * 43758.5453
    return cell - math.floor(cell)


@njit(cache=True, fastmath=True)
def _nearest(x, y, z, salt):  # pragma: no cover - compiled
    """Return how far the nearest of points strewn one to a unit cube is, and a number 0..1 of its own."""
    best, own = 9.0, 0.0
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    for a in range(-1, 2):
        for b in range(-1, 2):
            for c in range(-1, 2):
                u, v, w = i + a, j + b, k + c
                dx = u + _chance(u, v, w, salt) - x
                dy = v + _chance(u, v, w, salt + 1.7) - y
                dz = w + _chance(u, v, w, salt + 3.1) - z
                far = dx * dx + dy * dy + dz * dz
                if far < best:
                    best, own = far, _chance(u, v, w, salt + 5.3)
    return math.sqrt(best), own


@njit(cache=True, fastmath=True)
def _next_face(planes, px, py, pz):  # pragma: no cover - compiled
    """Return how much farther than the nearest face's plane the next one's is, in inradii."""
    near, following = -1e9, -1e9
    for i in range(planes.shape[0]):
        d = planes[i, 0] * px + planes[i, 1] * py + planes[i, 2] * pz
        if d > near:
            near, following = d, near
        elif d > following:
            following = d
    return near - following


@njit(cache=True, fastmath=True)
def second_share(finish, px, py, pz, inv, face, planes):  # pragma: no cover - compiled
    """Return how much of the second colour, 0..1, a point of a die has.

    :param finish: as :func:`finished` makes it. :param px: and the others, the point in cm, in the die's own frame.
    :param inv: one over the inradius. :param face: number of the nearest. :param planes: all faces' normals.
    """
    px, py, pz = px * inv, py * inv, pz * inv
    edge = _next_face(planes, px, py, pz)
    style, fine, salt = finish[0], finish[1], finish[8]
    bias, hard, waver = finish[5], finish[6], finish[7]
    along = finish[2] * px + finish[3] * py + finish[4] * pz
    across = finish[3] * px - finish[2] * py + 0.6 * finish[3] * pz
    wave = waver * math.sin(1.9 * across + salt + 0.8 * math.sin(2.7 * pz + salt))
    mix = 0.0
    if style == STRIPES:
        mix = 0.5 + hard * (math.sin(fine * along + wave + salt) + bias)
    elif style == POURS:
        mix = 0.5 + hard * (along + 0.3 * wave + 0.6 * bias)
    elif style == FLAKES:
        _, own = _nearest(px * 0.35 * fine, py * 0.35 * fine, pz * 0.35 * fine, salt)
        mix = 1.0 if own < 0.5 + 0.5 * bias else 0.0
    elif style == VEINS:
        s = math.sin(0.5 * fine * along + wave + salt) + 0.7 * math.sin(0.4 * fine * across + 1.3 * wave)
        mix = 1.3 - (1.0 + hard) * abs(s + bias)
    elif style == SIDES:
        mix = 1.0 if _chance(face, 1.0, 2.0, salt) < 0.5 + 0.4 * bias else 0.0
    elif style == RIMS:
        mix = (0.09 + 0.1 * bias - edge) * (20.0 + 5.0 * hard)
    elif style == FRAMES:
        mix = (0.02 + 0.015 * (bias + 0.7) - abs(edge - 0.14 - 0.1 * bias)) * 60.0
    elif style == GLITTER:
        far, own = _nearest(px * fine, py * fine, pz * fine, salt)
        mix = (1.0 if far < 0.45 else 0.0) * (own if own > 0.3 - 0.5 * bias else 0.0)
    elif style == WEAVE:
        mix = 0.5 + hard * math.sin(fine * 1.5 * along + salt) * math.sin(fine * 1.5 * across)
    return min(max(mix, 0.0), 1.0) * finish[9]


@njit(cache=True, fastmath=True)
def mirrored_share(finish, rx, ry, rz):  # pragma: no cover - compiled
    """Return by how much a metal side is lightened by what it mirrors. :param rx: and the others, where its reflection goes."""
    if finish[0] != METAL:
        return 1.0
    fine, salt = finish[1], finish[8]
    seen = math.sin(fine * rx + salt) * math.sin(fine * ry + 2.0 * salt) + 0.6 * rz
    return max(1.0 + finish[9] * 1.4 * seen, 0.05)
