"""The Platonic solids and the d10 as planes, corners and face frames.

All solids have inradius 1: every face plane is ``normal . p = 1``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

_GOLDEN = (1 + 5**0.5) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Solid:
    """A convex polyhedron with inradius 1.

    :ivar normals: (faces, 3) outward unit normals.
    :ivar vertices: (corners, 3).
    :ivar frames: (faces, 4, 3) centre, u axis, v axis and (circumradius, 0, 0) of each face.
    :ivar polygons: for each face its corners (n, 3), counter-clockwise seen from outside.
    """

    name: str
    normals: np.ndarray
    vertices: np.ndarray
    frames: np.ndarray
    polygons: tuple[np.ndarray, ...]


def _normals(name: str) -> np.ndarray:
    if name == "d6":
        points = [tuple(s if i == a else 0 for i in range(3)) for a in range(3) for s in (1, -1)]
    elif name == "d8":
        points = [(x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)]
    elif name == "d12":
        points = [p for a in (1, -1) for b in (_GOLDEN, -_GOLDEN) for p in ((0, a, b), (a, b, 0), (b, 0, a))]
    elif name == "d20":
        inverse = 1 / _GOLDEN
        points = [(x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)]
        for a in (inverse, -inverse):
            for b in (_GOLDEN, -_GOLDEN):
                points += [(0, a, b), (a, b, 0), (b, 0, a)]
    elif name == "d10":
        elevation = np.radians(42)
        points = [
            (np.cos(phi) * np.cos(elevation), np.sin(phi) * np.cos(elevation), side * np.sin(elevation))
            for side, start in ((1, 0.0), (-1, np.pi / 5))
            for phi in start + np.arange(5) * 2 * np.pi / 5
        ]
    else:
        raise ValueError(f"no solid {name!r}")
    normals = np.array(points, float)
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)


@cache
def solid(name: str) -> Solid:
    """Return the named solid: d6, d8, d10, d12 or d20."""
    normals = _normals(name)
    found: list[np.ndarray] = []
    for triple in combinations(range(len(normals)), 3):
        matrix = normals[list(triple)]
        if abs(np.linalg.det(matrix)) < 1e-6:
            continue
        point = np.linalg.solve(matrix, np.ones(3))
        if (normals @ point <= 1 + 1e-6).all() and all(np.linalg.norm(point - q) > 1e-6 for q in found):
            found.append(point)
    vertices = np.array(found)
    frames, polygons = [], []
    for normal in normals:
        corners = vertices[np.abs(vertices @ normal - 1) < 1e-6]
        centre = corners.mean(0)
        u = corners[0] - centre
        u /= np.linalg.norm(u)
        v = np.cross(normal, u)
        angle = np.arctan2((corners - centre) @ v, (corners - centre) @ u)
        polygons.append(corners[np.argsort(angle)])
        radius = np.linalg.norm(corners - centre, axis=1).mean()
        frames.append(np.array([centre, u, v, (radius, 0, 0)]))
    return Solid(
        name=name,
        normals=normals,
        vertices=vertices,
        frames=np.array(frames),
        polygons=tuple(polygons),
    )


def rotation_to_up(normal: np.ndarray, spin: float) -> np.ndarray:
    """Return the (3, 3) rotation that turns ``normal`` to +z and then spins by ``spin`` radians about z."""
    z = np.array([0.0, 0.0, 1.0])
    axis = np.cross(normal, z)
    cosine = float(normal @ z)
    if np.linalg.norm(axis) < 1e-9:
        base = np.eye(3) if cosine > 0 else np.diag([1.0, -1.0, -1.0])
    else:
        axis /= np.linalg.norm(axis)
        base = rotation(axis, np.arccos(np.clip(cosine, -1, 1)))
    return rotation(z, spin) @ base


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """Return the (3, 3) rotation by ``angle`` radians about the unit ``axis`` (Rodrigues)."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
