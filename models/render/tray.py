"""A tray about the dice: its floor, and walls that stand up round it."""

from __future__ import annotations

import cv2
import numpy as np

from models.render.camera import Camera, on_table
from models.render.surfaces import noise, surface

Rng = np.random.Generator


def floor_of(cam: Camera, size: tuple[int, int], area: tuple[float, ...]) -> np.ndarray:
    """Return the corners (4, 2), cm, of the floor of a tray round ``area``, fractions of the picture of that size."""
    width, height = size
    a = on_table(cam, area[0] * width, area[1] * height)
    b = on_table(cam, area[2] * width, area[1] * height)
    d = on_table(cam, area[0] * width, area[3] * height)
    u, v = b - a, d - a
    v = np.array([-u[1], u[0]]) / np.linalg.norm(u) * np.linalg.norm(v) * np.sign(u[0] * v[1] - u[1] * v[0])
    pad = 1.2
    a = a - pad * (u / np.linalg.norm(u) + v / np.linalg.norm(v))
    u, v = u * (1 + 2 * pad / np.linalg.norm(u)), v * (1 + 2 * pad / np.linalg.norm(v))
    return np.stack([a, a + u, a + u + v, a + v])


def lay_tray(
    rng: Rng,
    cam: Camera,
    albedo: np.ndarray,
    area: tuple[float, ...],
    *,
    wood: np.ndarray | None = None,
    outside: np.ndarray | None = None,
) -> np.ndarray:
    """Draw walls of a tray round ``area`` (fractions of the picture) into the albedo.

    :param wood: colour of the walls, or a picture (height, width, 3) of what they bear. :param outside: what they stand on.
    """
    height, width = albedo.shape[:2]
    inner = floor_of(cam, (width, height), area)
    wall, rim = rng.uniform(1.0, 4.0), rng.uniform(0.2, 1.6)
    colour = surface(rng, 4, 4).mean((0, 1)) * rng.uniform(0.4, 1.2)
    centre = inner.mean(axis=0)
    if wood is not None:
        colour = wood
    if outside is None:
        is_other = rng.random() < 0.6 and wood is None
        outside = surface(rng, height, width) if is_other else np.full_like(albedo, colour * 0.5)
    floor = np.zeros((height, width), np.uint8)
    cv2.fillPoly(floor, [cam.project(np.array([(*p, 0) for p in inner])).astype(np.int32)], 255)
    out = np.where(floor[..., None] > 0, albedo, outside)
    outer = [centre + (p - centre) * (1 + rim / max(np.linalg.norm(p - centre), 1)) for p in inner]
    grain = 1 + rng.uniform(0, 0.15) * noise(rng, height, width, rng.uniform(20, 120), rng.uniform(1, 15))[..., None]
    for i in range(4):
        j = (i + 1) % 4
        for quad, shade in (
            ([(*inner[i], 0), (*inner[j], 0), (*inner[j], wall), (*inner[i], wall)], rng.uniform(0.35, 1.0)),
            (
                [(*inner[i], wall), (*inner[j], wall), (*outer[j], wall), (*outer[i], wall)],
                rng.uniform(0.8, 1.3),
            ),
        ):
            mask = np.zeros((height, width), np.uint8)
            cv2.fillPoly(mask, [np.clip(cam.project(np.array(quad)), -9999, 9999).astype(np.int32)], 255, cv2.LINE_AA)
            cover = mask[..., None] / np.float32(255)
            out = out * (1 - cover) + cover * np.clip(colour * shade * grain, 0, 1).astype(np.float32)
    return out.astype(np.float32)
