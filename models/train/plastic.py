"""What light does on a die of smooth plastic, whose outline and upper face are known: spoiled views to train with."""

from __future__ import annotations

import cv2
import numpy as np

from models.render.surfaces import noise

Rng = np.random.Generator
_GAMMA = 2.2
_FEW_PX = 50  # of a face, in which no lamp is seen
_UNEVEN = 0.4  # of wide lamps and ceilings: their mirror image has clouds or streaks


def mirrored(picture: np.ndarray, outline: np.ndarray, top: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture of a die whose sides mirror the table, some sides more than others.

    :param outline: (n, 2) of the silhouette, px. :param top: (m, 2) of the upper face, px.
    """
    height, width = picture.shape[:2]
    die = np.zeros((height, width), np.uint8)
    cv2.fillPoly(die, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    sides = die.copy()
    cv2.fillPoly(sides, [np.round(top * 16).astype(np.int32)], 0, cv2.LINE_8, 4)
    _, nearest = cv2.distanceTransformWithLabels(die, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    table = np.zeros((int(nearest.max()) + 1, 2), np.float32)
    around = np.argwhere(die == 0)[:, ::-1]
    table[nearest[around[:, 1], around[:, 0]]] = around
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    edge, stretch = table[nearest], np.float32(rng.uniform(0.6, 2.0))
    seen = cv2.remap(
        picture,
        edge[..., 0] + stretch * (edge[..., 0] - x),
        edge[..., 1] + stretch * (edge[..., 1] - y),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
    facing = np.cos(
        np.arctan2(y - np.float32(middle[1]), x - np.float32(middle[0])) - np.float32(rng.uniform(-np.pi, np.pi))
    )
    share = np.clip(np.float32(rng.uniform(0.2, 1.0)) + np.float32(rng.uniform(0, 0.6)) * facing, 0, 0.97)
    share = share * cv2.GaussianBlur(sides, (0, 0), rng.uniform(0.5, 1.2)) * np.float32(1 / 255)
    return np.clip(picture * (1 - share[..., None]) + seen * (share * rng.uniform(0.5, 1.1))[..., None], 0, 255).astype(
        np.uint8
    )


def sheen(picture: np.ndarray, outline: np.ndarray, top: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture of a die in whose upper face, and in no other, a wide lamp or a bright ceiling shines dully.

    It lightens all of the face by much the same, or in clouds and streaks where what it mirrors is uneven, so that a
    black one looks grey or brown, or like marble, and its marks paler.

    :param outline: (n, 2) of the silhouette, px. :param top: (m, 2) of the upper face, whose corners may be rounded off.
    """
    height, width = picture.shape[:2]
    die, face = _filled(height, width, outline, top)
    face = np.minimum(face, cv2.erode(die, np.ones((3, 3), np.uint8)))
    share = cv2.GaussianBlur(face, (0, 0), rng.uniform(0.4, 1.5)).astype(np.float32) / 255
    middle, reach = top.mean(axis=0), float(np.ptp(top, axis=0).max()) / 2 + 1e-3
    angle, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.8)
    x, y = _about(middle, reach, height, width)
    along = np.clip(1 + slope * (x * np.cos(angle) + y * np.sin(angle)), 0, 2)
    if rng.random() < _UNEVEN:
        along = np.maximum(along * (1 + rng.uniform(0.1, 0.7) * _clouds(height, width, reach, rng)), 0)
    light = np.exp(rng.uniform(np.log(0.01), np.log(0.6)))  # of white, linear
    warm = rng.uniform(-0.12, 0.3)
    colour = light * np.array([1 - warm, 1 + rng.normal(0, 0.08), 1 + warm])
    return _lit(picture, (share * along)[..., None] * colour.astype(np.float32))


def _clouds(height: int, width: int, reach: float, rng: Rng) -> np.ndarray:
    """Return smooth noise (height, width) of unit variance, blots or streaks of a face that is 2 * ``reach`` px across."""
    return noise(rng, height, width, width / (reach * rng.uniform(0.15, 0.9)), np.exp(rng.uniform(0, np.log(4))))


def shaded(picture: np.ndarray, outline: np.ndarray, top: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture of a die whose sides away from the lamp are as dark as the shadow that it casts, or darker.

    The line between the two, by which its silhouette is known, is hardly seen then, or not at all.

    :param outline: (n, 2) of the silhouette, px. :param top: (m, 2) of the upper face, px.
    """
    height, width = picture.shape[:2]
    angle, reach = rng.uniform(0, 2 * np.pi), float(np.ptp(outline, axis=0).max()) / 2
    away = np.array([np.cos(angle), np.sin(angle)])
    length = np.exp(rng.uniform(np.log(0.1), np.log(1.2))) * reach
    hull = cv2.convexHull(np.concatenate([outline, outline + away * length]).astype(np.float32))[:, 0]
    die, face, cast = _filled(height, width, outline, top, hull)
    soft = max(0.5, length * rng.uniform(0.03, 0.5))
    shadow = cv2.GaussianBlur(cast, (0, 0), soft).astype(np.float32) / 255
    out = picture * (1 - rng.uniform(0.3, 0.97) * shadow * (1 - die / np.float32(255)))[..., None]
    around = shadow * (die == 0)
    if around.sum() < 1:
        return picture
    dark = (out * around[..., None]).sum((0, 1)) / around.sum()  # of the shadow that it casts
    grey = dark.mean() + rng.uniform(0, 1) * (dark - dark.mean())
    x = np.arange(width, dtype=np.float32) - np.float32(outline[:, 0].mean())
    y = np.arange(height, dtype=np.float32)[:, None] - np.float32(outline[:, 1].mean())
    facing = (x * np.float32(away[0]) + y * np.float32(away[1])) / np.float32(reach)
    share = np.clip(rng.uniform(-0.2, 0.7) + rng.uniform(0.5, 3) * facing, 0, rng.uniform(0.6, 1.0))
    share = share * cv2.GaussianBlur(die - np.minimum(die, face), (0, 0), rng.uniform(0.5, 1.2)) / np.float32(255)
    out += (grey * rng.uniform(0.4, 1.2) - out) * share[..., None]
    return np.clip(out, 0, 255).astype(np.uint8)


def dimpled(picture: np.ndarray, outline: np.ndarray, top: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture of a polished die in whose upper face a lamp is mirrored, bent by the dents that are its marks.

    Light of a window or a lamp runs along the rims of pips, bridges them and bends round them. The face is taken to
    bulge a little, to be rounded off at its edges, and to be dented where its colour is not that of most of it.

    :param outline: (n, 2) of the silhouette, px. :param top: (m, 2) of the upper face, px.
    """
    height, width = picture.shape[:2]
    die, face = _filled(height, width, outline, top)
    if np.count_nonzero(face) < _FEW_PX:
        return picture
    middle, reach = top.mean(axis=0), float(np.ptp(top, axis=0).max()) / 2
    x, y = _about(middle, reach, height, width)
    dents = _slopes(_unlike(picture, face, reach * rng.uniform(0.03, 0.09)))
    edges = _slopes(cv2.GaussianBlur(face.astype(np.float32) / -255, (0, 0), reach * rng.uniform(0.05, 0.15)))
    bulge = np.exp(rng.uniform(np.log(0.08), np.log(0.8)))
    aside = np.stack(np.broadcast_arrays(x, y), -1) * np.float32(bulge)  # where the mirrored ray comes from
    aside += dents * np.float32(np.exp(rng.uniform(np.log(0.3), np.log(3.0))))
    aside += edges * np.float32(rng.uniform(0.5, 2.5))
    rows, columns = np.nonzero(face)
    at = rng.integers(len(rows))
    share = _lamp(aside - aside[rows[at], columns[at]], bulge, rng)
    share = cv2.GaussianBlur(share * (die / np.float32(255)), (0, 0), rng.uniform(0.4, 1.0))
    light, warm = np.exp(rng.uniform(np.log(0.08), np.log(2.5))), rng.uniform(-0.12, 0.3)  # of white, linear
    return _lit(picture, share[..., None] * (light * np.array([1 - warm, 1, 1 + warm])).astype(np.float32))


def _filled(height: int, width: int, *outlines: np.ndarray) -> np.ndarray:
    """Return (n, height, width) uint8 masks of what the outlines, (m, 2) px each, hold; their edges are smooth."""
    masks = np.zeros((len(outlines), height, width), np.uint8)
    for mask, corners in zip(masks, outlines, strict=True):
        cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return masks


def _about(middle: np.ndarray, reach: float, height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return how far each px lies from the middle, along x (width,) and y (height, 1), by the reach."""
    x = (np.arange(width, dtype=np.float32) - np.float32(middle[0])) / np.float32(reach)
    y = (np.arange(height, dtype=np.float32)[:, None] - np.float32(middle[1])) / np.float32(reach)
    return x, y


def _lit(picture: np.ndarray, light: np.ndarray) -> np.ndarray:
    """Return the picture with light, linear and of the same shape, added."""
    lit = (picture.astype(np.float32) / 255) ** _GAMMA + light
    return (np.clip(lit, 0, 1) ** (1 / _GAMMA) * 255).round().astype(np.uint8)


def _slopes(height: np.ndarray) -> np.ndarray:
    """Return how the height changes along x and y, (h, w, 2), the steepest as 1."""
    slopes = np.stack([cv2.Sobel(height, cv2.CV_32F, *axis, ksize=3) for axis in ((1, 0), (0, 1))], -1)
    return slopes / max(float(np.abs(slopes).max()), 1e-3)


def _unlike(picture: np.ndarray, face: np.ndarray, sigma: float) -> np.ndarray:
    """Return how much each px of the face is unlike most of it, 0..1, smoothed."""
    most = np.median(picture[face > 0], axis=0)
    unlike = np.abs(picture - most.astype(np.float32)).max(2) * (face > 0)
    full = max(float(np.percentile(unlike[face > 0], 97)), 24.0)
    return cv2.GaussianBlur(np.clip(1.6 * unlike / full - 0.5, 0, 1), (0, 0), max(sigma, 0.6))


def _lamp(ray: np.ndarray, spread: float, rng: Rng) -> np.ndarray:
    """Return how much of a lamp is seen along each of the rays (h, w, 2), 0..1: a window, a tube, a bulb or a ring.

    :param spread: how far rays of the face's middle and edge are apart, to which the lamp's size goes.
    """
    angle = rng.uniform(0, np.pi)
    across = ray @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    size = spread * np.exp(rng.uniform(np.log(0.05), np.log(0.8), 2))
    across = across - (size * rng.uniform(-1, 1, 2)).astype(np.float32)
    kind = rng.choice(["window", "tube", "bulb", "ring"], p=[0.35, 0.3, 0.2, 0.15])
    if kind == "tube":
        size[1] = spread * rng.uniform(0.8, 4)
    if kind in ("window", "tube"):
        away = (np.abs(across) - size.astype(np.float32)).max(-1)
    else:
        away = np.linalg.norm(across, axis=-1) - np.float32(size[0])
        away = away if kind == "bulb" else np.abs(away) - np.float32(size[0] * rng.uniform(0.1, 0.4))
    soft = spread * np.exp(rng.uniform(np.log(0.02), np.log(0.3)))
    return 1 / (1 + np.exp(np.clip(away / np.float32(soft), -30, 30)))
