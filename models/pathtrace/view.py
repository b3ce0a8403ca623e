"""The camera, and what the truth says of a die as it sees it."""

from __future__ import annotations

from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector

from models.pathtrace.bodies import Body
from models.pathtrace.pen import Rng

COCKED_DEGREES = 6.0


class Eye:
    """A pinhole camera; units cm and pixels.

    :ivar view: rows are the directions right, down and forward.
    """

    def __init__(self, place: np.ndarray, view: np.ndarray, focal: float, size: tuple[int, int]) -> None:
        self.place, self.view, self.focal, self.size = place, view, focal, size

    def project(self, points: np.ndarray) -> np.ndarray:
        """Return (n, 2) pixels of (n, 3) points; whole numbers are the middles of pixels, as in OpenCV."""
        local = (np.atleast_2d(points) - self.place) @ self.view.T
        return local[:, :2] / local[:, 2:3] * self.focal + np.array(self.size) / 2 - 0.5

    def ray(self, pixels: np.ndarray) -> np.ndarray:
        """Return unit directions through (n, 2) pixels."""
        flat = (np.atleast_2d(pixels) + 0.5 - np.array(self.size) / 2) / self.focal
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self.view
        return rays / np.linalg.norm(rays, axis=1, keepdims=True)


def invent_eye(rng: Rng, size: tuple[int, int], span: float) -> Eye:
    """Invent a camera that sees about ``span`` cm across round the origin: wide or tele, tilted up to 25 degrees."""
    distance = span * np.exp(rng.uniform(np.log(0.85), np.log(3.5)))
    tilt = np.radians(rng.uniform(0, 6) if rng.random() < 0.5 else rng.uniform(4, 25))
    azimuth, spin = rng.uniform(0, 2 * np.pi, 2)
    back = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    side = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    down = np.cross(-back, side)
    right, down = np.cos(spin) * side + np.sin(spin) * down, np.cos(spin) * down - np.sin(spin) * side
    return Eye(back * distance, np.stack([right, down, -back]), size[0] * distance / span, size)


def set_camera(rng: Rng, eye: Eye, target: np.ndarray) -> None:
    """Put Blender's camera where the eye is."""
    data = bpy.data.cameras.new("eye")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
    data.lens = float(eye.focal / eye.size[0] * 36)
    data.clip_start, data.clip_end = 0.5, 2000
    made = bpy.data.objects.new("eye", data)
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([eye.view[0], -eye.view[1], -eye.view[2]], 1)
    matrix[:3, 3] = eye.place
    made.matrix_world = Matrix(matrix.tolist())
    bpy.context.scene.collection.objects.link(made)
    bpy.context.scene.camera = made
    if rng.random() < 0.6:
        distance = float(np.linalg.norm(eye.place - target))
        data.dof.use_dof = True
        data.dof.focus_distance = distance * float(rng.uniform(0.97, 1.02))
        # The blur disc of something 2 cm nearer than the focus, in pixels, sets the aperture
        disc = rng.uniform(0.2, 2.0) * eye.size[0] / 960
        aperture = disc * (distance - 2) * distance / (2 * eye.focal)  # cm
        data.dof.aperture_fstop = float(max(data.lens / 1000 / max(aperture, 1e-4), 0.05))


def upper_slot(body: Body, turn: np.ndarray) -> tuple[int, float]:
    """Return the slot that points most upward and how many degrees it leans."""
    rise = body.solid.normals @ turn[2]
    slot = int(np.argmax(rise))
    return slot, float(np.degrees(np.arccos(np.clip(rise[slot], -1, 1))))


def _clip(polygon: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Return the part of a convex polygon that is in the picture."""
    frame = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    area, part = cv2.intersectConvexConvex(polygon.astype(np.float32), frame)
    return part.reshape(-1, 2) if area > 0 else np.zeros((0, 2))


def _seen_share(eye: Eye, name: str, outline: np.ndarray, depsgraph: Any) -> float:
    """Return how much of a silhouette belongs to the die: rays through a grid of its pixels."""
    x0, y0, x1, y1 = *outline.min(0), *outline.max(0)
    grid = np.stack(np.meshgrid(np.linspace(x0, x1, 13)[1:-1], np.linspace(y0, y1, 13)[1:-1]), -1).reshape(-1, 2)
    inside = [
        p for p in grid if cv2.pointPolygonTest(outline.astype(np.float32), (float(p[0]), float(p[1])), True) > 0.5
    ]
    if not inside:
        return 0.0
    own = 0
    for ray in eye.ray(np.array(inside)):
        own += _first_seen(Vector(eye.place), Vector(ray).normalized(), depsgraph) == name
    return own / len(inside)


def _first_seen(start: Any, ray: Any, depsgraph: Any) -> str:
    """Return the name of the first thing on a ray that the camera sees: a board that only shades is not in the way."""
    while True:
        hit, at, _, _, found, _ = bpy.context.scene.ray_cast(depsgraph, start, ray)
        if not hit or found.visible_camera:
            return found.name if hit else ""
        start = at + ray * 1e-3  # cm


def truth_of(
    eye: Eye, entry: dict[str, Any], body: Body, place: np.ndarray, turn: np.ndarray, name: str, depsgraph: Any
) -> dict[str, Any] | None:
    """Complete a die's truth with its geometry, or return ``None`` where the picture hardly shows it.

    ``whole`` is false for a die that the picture's edge cuts, or of which less than 0.55 can be seen.
    """
    outline = eye.project(body.vertices @ turn.T + place)
    hull = cv2.convexHull(outline.astype(np.float32))[:, 0]
    slot, tilt = upper_slot(body, turn)
    top = eye.project(body.solid.polygons[slot] @ turn.T * body.size + place)
    centre = eye.project((body.solid.polygons[slot].mean(0) * body.size) @ turn.T + place)[0]
    width, height = eye.size
    part = _clip(hull, eye.size)
    if len(part) < 3 or cv2.contourArea(part.astype(np.float32)) < 60:
        return None
    whole = hull.min() >= 0 and hull[:, 0].max() <= width and hull[:, 1].max() <= height
    seen = _seen_share(eye, name, part, depsgraph)
    if seen < 0.08:
        return None
    thin = cv2.approxPolyDP(part.astype(np.float32), 0.3, True)[:, 0]
    return {
        **entry,
        "cocked": tilt > COCKED_DEGREES,
        "tilt_deg": round(tilt, 1),
        "center": np.round(centre, 2).tolist(),
        "top": np.round(top, 2).tolist(),
        "outline": np.round(thin, 2).astype(float).tolist(),
        "whole": bool(whole and seen >= 0.55),
        "seen": round(seen, 2),
    }
