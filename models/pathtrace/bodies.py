"""The shape of a die: rounded solids as meshes with a place in the atlas for every corner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.pathtrace.faces import REACH
from models.pathtrace.pen import Rng
from models.render.solids import Solid, solid

GRID = (4, 3)  # tiles of the atlas across and down
# Width across the flats in cm
FLATS = {"d6": (1.2, 1.65), "d8": (1.15, 1.5), "d10": (1.2, 1.6), "d12": (1.5, 1.9)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A mesh in cm round the origin.

    :ivar hull: fewer vertices of the same shape, for collisions.
    """

    solid: Solid
    size: float
    vertices: np.ndarray
    polygons: list[list[int]]
    smooth: list[bool]
    uv: np.ndarray
    hull: np.ndarray


def _cube(n: int, radius: float, sphere: float) -> tuple[np.ndarray, list[list[int]]]:
    """A cube with rounded edges, its corners cut by a sphere; ``n`` squares along each side."""
    core = 1 - radius
    line = np.linspace(-1, 1, n + 1)
    line = np.sign(line) * np.where(
        np.abs(line) < 0.5, np.abs(line) * 2 * core, core + (np.abs(line) - 0.5) * 2 * radius
    )
    index: dict[tuple[float, ...], int] = {}
    points: list[tuple[float, ...]] = []
    polygons = []

    def at(p: tuple[float, ...]) -> int:
        if p not in index:
            index[p] = len(points)
            points.append(p)
        return index[p]

    for axis in range(3):
        for sign in (1.0, -1.0):
            for i in range(n):
                for j in range(n):
                    quad = []
                    for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)):
                        p = [0.0, 0.0, 0.0]
                        p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3] = sign, line[a], line[b]
                        quad.append(at(tuple(p)))
                    polygons.append(quad if sign > 0 else quad[::-1])
    vertices = np.array(points)
    inside = np.clip(vertices, -core, core)
    outward = vertices - inside
    # The grid's outer part is spread by angle so that the round edge has even steps
    outward = np.sign(outward) * np.tan(np.clip(np.abs(outward) / radius, 0, 1) * np.pi / 4)
    vertices = inside + radius * outward / np.linalg.norm(outward, axis=1, keepdims=True)
    length = np.linalg.norm(vertices, axis=1, keepdims=True)
    return vertices * np.minimum(1.0, sphere / length), polygons


def _bevelled(shape: Solid, width: float) -> tuple[np.ndarray, list[list[int]]]:
    import bmesh

    mesh = bmesh.new()
    corners = [mesh.verts.new(v) for v in shape.vertices]
    for polygon in shape.polygons:
        mesh.faces.new([corners[int(np.argmin(((shape.vertices - p) ** 2).sum(1)))] for p in polygon])
    bmesh.ops.bevel(
        mesh, geom=list(mesh.edges), offset=width, offset_type="OFFSET", segments=4, profile=0.5, affect="EDGES"
    )
    mesh.verts.index_update()
    vertices = np.array([v.co[:] for v in mesh.verts])
    polygons = [[v.index for v in face.verts] for face in mesh.faces]
    mesh.free()
    return vertices, polygons


def make_body(rng: Rng, kind: str, *, round_body: bool) -> Body:
    """Invent a body. ``round_body`` is for the narrative d6, whose silhouette is a rounded square."""
    shape = solid(kind)
    size = rng.uniform(*FLATS[kind]) / 2
    if kind == "d6":
        radius = rng.uniform(0.26, 0.46) if round_body else rng.uniform(0.05, 0.3)
        sphere = rng.uniform(1.28, 1.5) if rng.random() < 0.4 else 9.0
        vertices, polygons = _cube(30, radius, sphere)
        hull = _cube(8, radius, sphere)[0]
    else:
        vertices, polygons = hull, _ = _bevelled(shape, rng.uniform(0.03, 0.12) * (1.3 if rng.random() < 0.3 else 1.0))
    uv, is_side = _laid_out(shape, vertices, polygons)
    return Body(
        solid=shape,
        size=size,
        vertices=vertices * size,
        polygons=polygons,
        smooth=[kind == "d6" or not flat for flat in is_side],
        uv=uv,
        hull=hull * size,
    )


def _laid_out(shape: Solid, vertices: np.ndarray, polygons: list[list[int]]) -> tuple[np.ndarray, list[bool]]:
    """Return the places of the polygons' corners (n, 2) in the atlas, and of each polygon whether it is a side."""
    counts = np.array([len(polygon) for polygon in polygons])
    first = np.cumsum(counts) - counts
    corners = vertices[np.concatenate(polygons)]
    middles = np.add.reduceat(corners, first) / counts[:, None]
    slots = (middles @ shape.normals.T).argmax(1)
    across = np.cross(corners[first + 1] - corners[first], corners[first + 2] - corners[first + 1])
    facing = (across * shape.normals[slots]).sum(1) / (np.linalg.norm(across, axis=1) + 1e-12)
    uv, slot_of = np.empty((len(corners), 2)), np.repeat(slots, counts)
    for slot in range(len(shape.normals)):
        uv[slot_of == slot] = _atlas(shape, slot, corners[slot_of == slot])
    return uv, (facing >= 0.9999).tolist()


def _atlas(shape: Solid, slot: int, points: np.ndarray) -> np.ndarray:
    """Return the place (n, 2) of points (n, 3) of a slot in the atlas, 0..1, origin at the lower left."""
    centre, u, v, radius = shape.frames[slot]
    flat = np.stack([(points - centre) @ u, (points - centre) @ v], 1) / radius[0]
    local = np.clip(flat / (2 * REACH) + 0.5, 0.004, 0.996)
    column, row = slot % GRID[0], slot // GRID[0]
    return (local + (column, GRID[1] - 1 - row)) / GRID


def atlas(tiles: np.ndarray) -> np.ndarray:
    """Lay tiles (n, s, s) on one sheet, row 0 on top."""
    side = tiles.shape[1]
    sheet = np.zeros((GRID[1] * side, GRID[0] * side), tiles.dtype)
    for slot, tile in enumerate(tiles):
        column, row = slot % GRID[0], slot // GRID[0]
        sheet[row * side : (row + 1) * side, column * side : (column + 1) * side] = tile
    return sheet
