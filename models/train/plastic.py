"""What light does on a die of smooth plastic, whose outline and upper face are known: spoiled views to train with."""

from __future__ import annotations

import cv2
import numpy as np

from models.render.surfaces import noise

Rng = np.random.Generator
_GAMMA = 2.2
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
    face, die = np.zeros((2, height, width), np.uint8)
    cv2.fillPoly(face, [np.round(top * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    cv2.fillPoly(die, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    face = np.minimum(face, cv2.erode(die, np.ones((3, 3), np.uint8)))
    share = cv2.GaussianBlur(face, (0, 0), rng.uniform(0.4, 1.5)).astype(np.float32) / 255
    middle, reach = top.mean(axis=0), float(np.ptp(top, axis=0).max()) / 2 + 1e-3
    angle, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.8)
    x = (np.arange(width, dtype=np.float32) - np.float32(middle[0])) / np.float32(reach)
    y = (np.arange(height, dtype=np.float32)[:, None] - np.float32(middle[1])) / np.float32(reach)
    along = np.clip(1 + slope * (x * np.cos(angle) + y * np.sin(angle)), 0, 2)
    if rng.random() < _UNEVEN:
        along = np.maximum(along * (1 + rng.uniform(0.1, 0.7) * _clouds(height, width, reach, rng)), 0)
    light = np.exp(rng.uniform(np.log(0.01), np.log(0.6)))  # of white, linear
    warm = rng.uniform(-0.12, 0.3)
    colour = light * np.array([1 - warm, 1 + rng.normal(0, 0.08), 1 + warm])
    lit = (picture.astype(np.float32) / 255) ** _GAMMA + (share * along)[..., None] * colour.astype(np.float32)
    return (np.clip(lit, 0, 1) ** (1 / _GAMMA) * 255).round().astype(np.uint8)


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
    die, face, cast = np.zeros((3, height, width), np.uint8)
    length = np.exp(rng.uniform(np.log(0.1), np.log(1.2))) * reach
    hull = cv2.convexHull(np.concatenate([outline, outline + away * length]).astype(np.float32))[:, 0]
    for mask, corners in ((die, outline), (face, top), (cast, hull)):
        cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
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
