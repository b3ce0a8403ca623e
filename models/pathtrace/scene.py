"""One whole photograph: invent a table, drop the dice, trace the light, develop the picture, write down the truth."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import cv2
import numpy as np
from mathutils import Matrix

from models.pathtrace.bodies import Body, make_body
from models.pathtrace.clutter import forget, plain_box, scatter
from models.pathtrace.develop import develop
from models.pathtrace.faces import NARRATIVE_TYPES, all_faces, arrange, distinct, draw_sides, kind_of, make_style
from models.pathtrace.lamps import glare_panel, light_room, shade_board
from models.pathtrace.pen import Rng
from models.pathtrace.physics import Drop, settle
from models.pathtrace.plastic import add_die, make_look
from models.pathtrace.tables import build_tray, lay_table
from models.pathtrace.view import Eye, invent_eye, set_camera, truth_of, upper_slot

KINDS = ("narrative", "pips", "percentile", "mixed")
_SIZES = ((640, 480), (640, 480), (640, 480), (800, 600), (800, 600), (960, 720))
_POOLS = {"narrative": NARRATIVE_TYPES, "pips": ("pip",), "percentile": ("d10", "d100")}


def _pool(rng: Rng, kinds: str) -> list[str]:
    if kinds == "mixed":
        return [*NARRATIVE_TYPES, "pip", "pip", "pip", "d10", "d10", "d100"]
    pool = list(_POOLS[kinds])
    return list(rng.choice(pool, 3)) if kinds == "narrative" and rng.random() < 0.25 else pool


def _wanted(rng: Rng, die_type: str) -> Any:
    faces = distinct(die_type)
    return faces[rng.integers(len(faces))]


def _throw(rng: Rng, bodies: list[Body], drop: Drop, leaning: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Throw, again where fewer dice lean than wished for, at most four times; the throw with the most is kept."""
    best: list[tuple[np.ndarray, np.ndarray]] = []
    most = -1
    for _ in range(4 if leaning else 1):
        poses = settle(rng, [b.hull for b in bodies], drop)
        tilts = [upper_slot(b, turn)[1] for b, (_, turn) in zip(bodies, poses, strict=True)]
        count = sum(t > 8 for t in tilts)
        if count > most:
            best, most = poses, count
        if most >= leaning:
            break
    return best


def _render(size: tuple[int, int], seed: int, samples: int, threads: int) -> np.ndarray:
    """Trace the scene and return (h, w, 3) linear RGB."""
    scene = bpy.context.scene
    render, cycles = scene.render, scene.cycles
    render.engine = "CYCLES"
    render.resolution_x, render.resolution_y, render.resolution_percentage = *size, 100
    render.threads_mode, render.threads = "FIXED", threads
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, seed % 2**31
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.1, 4
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    # Without albedo and normal: at few samples these are noisy themselves and leave their noise in the picture
    cycles.denoising_input_passes, cycles.denoising_quality = "RGB", "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces, cycles.transmission_bounces = 5, 2, 2, 4
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 8.0
    scene.view_settings.view_transform = "Raw"
    render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "16"
    render.image_settings.exr_codec = "NONE"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        loaded = bpy.data.images.load(str(path))
        pixels = np.empty(size[0] * size[1] * 4, np.float32)
        loaded.pixels.foreach_get(pixels)
    return pixels.reshape(size[1], size[0], 4)[::-1, :, :3].copy()


class _Frame(NamedTuple):
    """What a photograph takes in: its size, px; a die's width in picture widths; the picture's width and half of either
    side on the table, as scenes measure; the camera; how many dice are thrown.
    """

    size: tuple[int, int]
    share: float
    span: float
    half: tuple[float, float]
    eye: Eye
    number: int


def _begun(seed: int, assets: str, hard: bool, size: tuple[int, int] | None) -> tuple[Rng, str, _Frame]:
    """Return the rest of a scene's chance, what kinds of dice it has and what it takes in."""
    rng = np.random.default_rng([seed, int(hard), int(assets == "train")])
    mode = str(rng.choice(KINDS, p=[0.5, 0.22, 0.12, 0.16]))
    drawn = _SIZES[rng.integers(len(_SIZES))]
    size = size or drawn
    share = np.exp(rng.uniform(np.log(35 / 960), np.log(300 / 960)))
    span = min(1.5 / share, 1.5 * size[0] / 35)
    eye = invent_eye(rng, size, span)
    half = span / 2, span * size[1] / size[0] / 2
    fits = 0.30 * 4 * half[0] * half[1] / 1.8**2
    number = int(np.clip(rng.integers(1, 21), 1, max(fits, 1.5)))
    return rng, mode, _Frame(size, share, span, half, eye, number)


def thrown(seed: int, *, assets: str, hard: bool = False) -> int:
    """Return how many dice the photograph of a seed throws, some of which it may not show."""
    return _begun(seed, assets, hard, None)[2].number


def photograph(
    seed: int,
    *,
    assets: str,
    hard: bool = False,
    kinds: str | None = None,
    samples: int = 8,
    threads: int = 1,
    size: tuple[int, int] | None = None,
) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the (h, w, 3) uint8 BGR photograph of a seed and its truth.

    :param assets: ``"train"`` or ``"held-out"``; the two share no drawing, surface, lamp or thing.
    :param hard: glare, hard shade, blur, wear, dice that touch and lean, more things that are no dice.
    """
    forget()
    rng, mode, frame = _begun(seed, assets, hard, size)
    mode, size, span, eye, number = kinds or mode, frame.size, frame.span, frame.eye, frame.number
    half = np.array(frame.half)
    pool = _pool(rng, mode)

    surface = lay_table(rng, assets)
    reach = np.clip(half * rng.uniform(0.7, 1.05, 2), 2.8, 16)
    drop = Drop(reach=(float(reach[0] * 0.6), float(reach[1] * 0.6)), lively=float(min(span / 20, 1.0)))
    if rng.random() < (0.7 if number > 3 or hard else 0.5):
        drop.blocks += build_tray(rng, assets, (float(reach[0]), float(reach[1])))
    else:
        drop.lively *= 0.35
    things = int(rng.integers(2, 8)) if hard else int(rng.integers(0, 4)) * int(rng.random() < 0.6)
    drop.blocks += scatter(rng, assets, things, (float(half[0]), float(half[1])))
    if hard:
        for _ in range(int(rng.integers(0, 4))):
            drop.blocks += plain_box(rng, rng.uniform(-1, 1, 2) * half)
    drop.gather = float(rng.uniform(0.2, 0.6)) if rng.random() < (0.6 if hard else 0.2) and number > 2 else 0.0

    style = make_style(rng, assets)
    makes: dict[str, tuple[Body, dict[str, Any], dict[str, Any]]] = {}
    types, bodies, looks, styles = [], [], [], []
    alike = rng.random() < 0.75
    for _ in range(number):
        die_type = str(pool[rng.integers(len(pool))])
        if die_type not in makes or not alike:
            look = make_look(rng, die_type, assets, hard=hard)
            own = style if alike else make_style(rng, assets)
            makes[die_type] = (
                make_body(rng, kind_of(die_type), round_body=die_type in ("boost", "setback")),
                look,
                own,
            )
        body, look, own = makes[die_type]
        types.append(die_type)
        bodies.append(body)
        looks.append(look)
        styles.append(own)
    leaning = 1 + number // 6 if hard and rng.random() < 0.6 else 0
    poses = _throw(rng, bodies, drop, leaning)

    near = [p[:2] for p, _ in poses if np.abs(p[:2]).max() < 30] or [np.zeros(2)]
    middle = np.mean(near, 0) if span > 9 else near[rng.integers(len(near))]
    shift = np.array([*(middle + rng.normal(0, 0.06, 2) * half), 0.0])
    eye.place = eye.place + shift
    set_camera(rng, eye, np.array([*middle, 1.0]))
    lamp = light_room(rng, assets, eye.place)
    if rng.random() < (0.45 if hard else 0.08):
        glare_panel(rng, eye.place)
    if rng.random() < (0.45 if hard else 0.06):
        shade_board(rng, float(half.min()))

    side = int(np.clip(frame.share * size[0] * 2.2, 128, 384))
    entries = []
    for i, (die_type, body, look, own, (place, turn)) in enumerate(
        zip(types, bodies, looks, styles, poses, strict=True)
    ):
        slot, _ = upper_slot(body, turn)
        faces = arrange(rng, die_type, slot, _wanted(rng, die_type))
        assert len(faces) == len(all_faces(die_type)) == len(body.solid.normals)
        sides = draw_sides(rng, die_type, faces, own, side)
        made = add_die(rng, f"die {i}", body, look, sides.tiles, drilled=die_type == "pip" and own["turn"] < 5.5)
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = turn, place
        made.matrix_world = Matrix(matrix.tolist())
        entries.append({"type": die_type, "kind": body.solid.name, "face": list(sides.faces[slot])})

    light = _render(size, seed, samples, threads)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    dice = []
    for i, (entry, body, (place, turn)) in enumerate(zip(entries, bodies, poses, strict=True)):
        seen = truth_of(eye, entry, body, place, turn, f"die {i}", depsgraph)
        if seen is not None:
            dice.append(seen)
    picture = develop(rng, light, hard=hard)
    truth = {"dice": dice, "mode": mode, "seed": seed, "assets": assets, "hard": hard, "surface": surface, "lamp": lamp}
    return picture, truth | {"drawing": style["family"]}


def jpeg(seed: int, picture: np.ndarray) -> bytes:
    """Return the photograph as a camera would store it."""
    quality = int(np.random.default_rng([seed, 7]).integers(70, 96))
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
