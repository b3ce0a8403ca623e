"""Whole invented photographs: camera, lamps, tray, things and dice, with their truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from models.render.artwork import lay_prints
from models.render.camera import Camera, camera, on_table
from models.render.dice import Model
from models.render.finishes import finished
from models.render.fittings import lay_fittings
from models.render.grounds import ground, weave
from models.render.lamps import Lighting, deepen, light_up, under_ceiling
from models.render.lookalike import LOOKALIKE, STRANGER, make_any
from models.render.march import march
from models.render.pages import lay_pages
from models.render.props import Props, draw_things
from models.render.solids import rotation, rotation_to_up
from models.render.surfaces import clutter, noise, patches, surface
from models.render.things import lay_belongings, lay_things
from models.render.tray import floor_of, lay_tray
from models.render.trouble import area_of, grounded, in_rows, lens_of, px_of, troubled
from tableside.dice import BLANK

Rng = np.random.Generator
_BLANK, _POLISHED = 0.75, 0.7  # under a bright ceiling, the shares of dice that show a blank face, of makes that shine
_PROPPED, _TRAYS = 0.3, 0.75  # where dice lean on something, the shares of them that do, and of tables with a tray
_TYPES = ("boost", "setback", "ability", "difficulty", "proficiency", "challenge", "force")


@dataclass(slots=True)
class Placed:
    """A die at its place.

    :ivar propped: it leans on something. :ivar touches: it could; not known of other scenes' dice.
    """

    model: Model
    turn: np.ndarray
    centre: np.ndarray
    face: int
    cocked: bool
    propped: bool = False
    touches: bool | None = None

    @property
    def reach(self) -> float:
        return float(np.linalg.norm(self.model.solid.vertices, axis=1).max()) * self.model.size


def _place(rng: Rng, model: Model, cocked: bool, blank: float) -> Placed:
    solid = model.solid
    distinct = sorted(set(model.faces))
    wanted = distinct[rng.integers(len(distinct))]
    if blank and BLANK in distinct and rng.random() < blank:
        wanted = BLANK
    choices = [i for i, face in enumerate(model.faces) if face == wanted]
    face = int(rng.choice(choices))
    turn = rotation_to_up(solid.normals[face], rng.uniform(0, 2 * np.pi))
    if cocked:
        angle = rng.uniform(0, 2 * np.pi)
        most = {"d6": 44, "d8": 34, "d10": 30, "d12": 30, "d20": 19}[solid.name]
        turn = rotation(np.array([np.cos(angle), np.sin(angle), 0]), np.radians(rng.uniform(9, most))) @ turn
    lowest = (solid.vertices @ turn.T)[:, 2].min() if cocked else -1.0
    return Placed(model, turn, np.array([0, 0, -lowest * model.size]), face, cocked)


def lying(rng: Rng, model: Model, face: int, spot: np.ndarray) -> Placed:
    """Return the die lying flat at (2,) ``spot`` on the table in cm, ``face`` up, turned at random."""
    turn = rotation_to_up(model.solid.normals[face], rng.uniform(0, 2 * np.pi))
    return Placed(model, turn, np.array([*spot, model.size]), face, False)


def throw(
    rng: Rng,
    cam: Camera,
    size: tuple[int, int],
    count: int,
    kinds: list[str],
    area: tuple[float, ...],
    cocked_share: float,
    marbled: float = 0.06,
    blank: float = 0.0,
) -> list[Placed]:
    """Return dice on the table that do not lie through one another.

    :param area: (left, top, right, bottom), shares of the picture. :param blank: share of the dice that have a blank
        face which show it; for the others, each face is as likely.
    """
    placed: list[Placed] = []
    tight = rng.random() < 0.35
    makers: dict[str, Model] = {}
    alike = rng.random() < 0.7  # one table usually owns one make of each die
    for _ in range(count):
        kind = kinds[rng.integers(len(kinds))]
        if alike and kind in _TYPES and kind in makers:
            model = makers[kind]
        else:
            model = makers[kind] = make_any(rng, kind, marbled=marbled)
        die = _place(rng, model, bool(rng.random() < cocked_share), blank)
        for _ in range(40):
            spot = on_table(cam, rng.uniform(area[0], area[2]) * size[0], rng.uniform(area[1], area[3]) * size[1])
            if tight and placed and rng.random() < 0.7:  # roll up against another die
                other = placed[rng.integers(len(placed))]
                heading = spot - other.centre[:2]
                heading /= np.linalg.norm(heading) + 1e-9
                reach = 0.5 * (die.reach + other.reach) + 0.5 * (die.model.size + other.model.size)
                spot = other.centre[:2] + heading * reach * rng.uniform(0.92, 1.08)
            apart = [
                np.linalg.norm(spot - q.centre[:2])
                / (0.5 * (die.reach + q.reach) + 0.5 * (die.model.size + q.model.size))
                for q in placed
            ]
            if not apart or min(apart) > 0.93:
                die.centre[:2] = spot
                placed.append(die)
                break
    return placed


def _leaning_share(tidy: bool, hard: bool, propped: bool) -> float:
    return 0.0 if tidy else _PROPPED if propped else 0.2 if hard else 0.05


def _is_seen(cam: Camera, spot: np.ndarray, width: int, height: int) -> bool:
    ((x, y),) = cam.project(np.array([*spot, 0.0]))
    return bool(0 < x < width and 0 < y < height)


def finish_all(rng: Rng, placed: list[Placed]) -> None:
    """Give dice finishes, in place; those of one model the same."""
    of_model: dict[int, Model] = {}
    for die in placed:
        model = die.model
        die.model = of_model.setdefault(id(model), finished(rng, model))


def trouble_all(rng: Rng, placed: list[Placed], trouble: str) -> None:
    """Make dice as the trouble has them, in place; those of one model the same."""
    of_model = {id(die.model): die.model for die in placed}
    made = {key: troubled(rng, model, trouble) for key, model in of_model.items()}
    for die in placed:
        die.model = made[id(die.model)]


def polish_all(rng: Rng, placed: list[Placed]) -> None:
    """Make most dice mirror what is above them, in place; those of one model the same."""
    of_model: dict[int, Model] = {}
    for die in placed:
        model = die.model
        if id(model) not in of_model:
            gloss = model.gloss.copy()
            gloss[2] = rng.uniform(0.2, 1.2) if rng.random() < _POLISHED else gloss[2]
            of_model[id(model)] = replace(model, gloss=gloss)
        die.model = of_model[id(model)]


def _shadows(
    rng: Rng, cam: Camera, picture: np.ndarray, placed: list[Placed], lamps: np.ndarray, ambient: float
) -> np.ndarray:
    """Return the (H, W, 3) light on the table: lamps with falloff and soft shadows, and the ambient."""
    height, width = picture.shape[:2]
    small = 0.5
    w, h = int(width * small), int(height * small)
    light = np.full((h, w, 3), 0.0, np.float32)
    grid_x, grid_y = np.meshgrid(np.linspace(0, width, 9), np.linspace(0, height, 9))
    ground = np.array([on_table(cam, x, y) for x, y in zip(grid_x.ravel(), grid_y.ravel(), strict=True)])
    contact = np.zeros((h, w), np.float32)
    for die in placed:
        foot = np.column_stack(
            [
                (die.model.solid.vertices @ die.turn.T)[:, :2] * die.model.size * 1.08 + die.centre[:2],
                np.zeros(len(die.model.solid.vertices)),
            ]
        )
        hull = cv2.convexHull((cam.project(foot) * small).astype(np.float32))
        cv2.fillConvexPoly(contact, hull.astype(np.int32), 1.0)
    reach = max(cam.focal / cam.eye[2] * 0.5 * small, 1.0)
    contact = cv2.GaussianBlur(contact, (0, 0), reach) * rng.uniform(0.3, 0.8)
    for lamp in lamps:
        offset = lamp[:3] - np.column_stack([ground, np.zeros(len(ground))])
        distance = np.linalg.norm(offset, axis=1)
        falloff = (
            (offset[:, 2] / distance * (np.linalg.norm(lamp[:3]) / distance) ** 2).reshape(9, 9).astype(np.float32)
        )
        shade = np.zeros((h, w), np.float32)
        for die in placed:
            points = (die.model.solid.vertices * 0.97) @ die.turn.T * die.model.size + die.centre
            points[:, 2] = np.maximum(points[:, 2], 0)
            cast = points + (points - lamp[:3]) * (points[:, 2:3] / np.maximum(lamp[2] - points[:, 2:3], 1e-3))
            hull = cv2.convexHull((cam.project(cast) * small).astype(np.float32))
            cv2.fillConvexPoly(shade, np.clip(hull, -5000, 5000).astype(np.int32), 1.0)
        shade = cv2.GaussianBlur(shade, (0, 0), reach * rng.uniform(0.1, 1.0))
        light += (cv2.resize(falloff, (w, h), interpolation=cv2.INTER_CUBIC) * (1 - shade))[..., None] * lamp[
            3:
        ].astype(np.float32)
    light = (light + ambient) * (1 - contact)[..., None]
    return cv2.resize(light, (width, height))


def _outline(mask: np.ndarray, origin: tuple[int, int]) -> np.ndarray:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(np.concatenate(contours))[:, 0].astype(np.float32)
    return cv2.approxPolyDP(hull, 0.8, True)[:, 0] + origin if len(hull) > 8 else hull + origin


def scene(
    seed: int,
    *,
    width: int = 720,
    height: int = 720,
    kinds: str | None = None,
    count: int | None = None,
    die_px: float | None = None,
    tidy: bool = False,
    hard: bool = False,
    pages: bool = False,
    marbled: float = 0.06,
    table: str = "",
    deep: bool = False,
    things: bool = False,
    fittings: bool = False,
    finishes: bool = False,
    propped: bool = False,
    blank: bool = False,
    wide: bool = False,
    steep: bool = False,
    trouble: str = "",
) -> tuple[np.ndarray, dict[str, Any]]:
    """Render one photograph.

    :param kinds: ``"narrative"``, ``"pips"``, ``"percentile"``, ``"mixed"``, ``"others"`` (dice of no set),
        ``"lookalikes"`` (symbol dice among numbered ones in their colours), ``"strangers"`` (symbol and pip dice among
        others in their colours, with any marks), ``"boost"`` (the lightest of the symbol dice) or ``None`` to draw by
        lot.
    :param hard: more dice that lean, and flat patches that are no dice. :param pages: printed and written pages below.
    :param table: ``"busy"`` for a table top with a pattern, ``"woven"`` for one of ribs or weaves, ``"printed"`` for
        pictures in print: a playmat, a box whose walls bear them, cards and screens.
    :param marbled: share of symbol dice of two colours. :param deep: shadows as dark as dark dice, on dark tables.
    :param things: boxes, phones, caps and dust, on dark tables often, and no dice in one picture of five.
    :param fittings: holes, snaps, magnets, stains, beads and chips. :param finishes: stripes, flakes, metal and the like.
    :param propped: dice that lean do so on a tray's wall, another die or a thing, and many lie flat at walls and dice.
    :param blank: most dice show a blank face, many are black, and a bright ceiling mirrors in most of them.
    :param wide: seen by a phone's or Pi camera's lens from near by, so that dice at the edges show their sides. :param steep: from a seat.
    :param trouble: one of :data:`models.render.trouble.TROUBLES`: what is hard to read on photographs.
    :param tidy: no clutter, nothing cocked, no die across the picture's edge (for the demo).
    :returns: (height, width, 3) uint8 BGR picture and the truth in the form of labelled photographs.
    """
    rng = np.random.default_rng(seed)
    mode = kinds or str(rng.choice(["narrative", "pips", "percentile", "mixed"], p=[0.5, 0.24, 0.12, 0.14]))
    pool = {
        "narrative": [*_TYPES] * 2 + ([] if tidy else ["other"]),
        "pips": ["pip"] * (1 if tidy else 14) + ([] if tidy else ["other"]),
        "percentile": ["d10", "d100"] * 5 + ["other"],
        "mixed": [*_TYPES, *["pip"] * 4, *["other"] * 4, *["d10", "d100"] * 2],
        "others": ["other"],
        "lookalikes": [*_TYPES, *[LOOKALIKE] * len(_TYPES)],
        "strangers": [*_TYPES, *["pip"] * 2, *[STRANGER] * (len(_TYPES) + 2)],
        "boost": ["boost"],
    }[mode]
    if mode == "narrative" and rng.random() < 0.3 and not tidy:
        pool = list(rng.choice(_TYPES, 3))
    if deep or blank:
        pool = [*pool, *["setback"] * len(pool)]
    hard_to = np.random.default_rng([seed, 11])
    px = die_px or px_of(hard_to, trouble) or np.exp(rng.uniform(np.log(34), np.log(170)))
    number = count or int(rng.integers(1, 20 if px < 70 else 13 if px < 110 else 7))
    if trouble == "rows":
        number = int(hard_to.integers(2, 36))
    if (rng.random() < 0.04 and not tidy) or ((things or trouble == "edge") and seed % 5 == 0):
        number = 0
    span = 1.6 * width / px
    cam = camera(rng, width, height, span, wide=wide or trouble == "aslant", steep=steep)
    if tidy:
        area: tuple[float, ...] = (0.14, 0.18, 0.86, 0.82)
    else:
        area = (
            (0.02, 0.02, 0.98, 0.98)
            if rng.random() < (0.2 if table == "printed" else 0.55)
            else (rng.uniform(0.1, 0.3), rng.uniform(0.1, 0.3), rng.uniform(0.7, 0.9), rng.uniform(0.7, 0.9))
        )
    has_tray = None
    if propped:
        own = np.random.default_rng([seed, 9])
        if has_tray := bool(own.random() < _TRAYS):
            area = (*own.uniform(0.04, 0.28, 2), *own.uniform(0.72, 0.96, 2))
    if trouble == "aslant":
        area = area_of(hard_to)
    leaning = 0.0 if trouble in ("rows", "aslant") else _leaning_share(tidy, hard, propped)
    plain = _BLANK if blank or trouble == "bare" else 0.0
    placed = throw(rng, cam, (width, height), number, pool, area, leaning, marbled, plain)
    props = None
    if propped:
        floor = floor_of(cam, (width, height), area) if has_tray else None
        props = Props(own, floor, lambda spot: _is_seen(cam, spot, width, height))
        placed = props.lay(placed)

    if trouble == "rows":
        edges = np.array(area).reshape(2, 2) * (width, height)
        placed = in_rows(hard_to, placed, lambda: on_table(cam, *hard_to.uniform(*edges)))
    if trouble:
        trouble_all(hard_to, placed, trouble)
    if finishes:
        finish_all(np.random.default_rng([seed, 8]), placed)

    lighting = light_up(rng, tidy=tidy)
    if blank:
        sky = np.random.default_rng([seed, 10])
        lighting = under_ceiling(sky, lighting)
        polish_all(sky, placed)
    albedo = surface(rng, height, width).astype(np.float32)
    albedo = grounded(hard_to, albedo, [die.model for die in placed], trouble)
    walls = None
    if table == "printed":
        albedo, walls = lay_prints(np.random.default_rng([seed, 4]), albedo, width / span)
    elif table:
        draw = {"busy": ground, "woven": weave}[table]
        albedo = draw(np.random.default_rng([seed, 3]), height, width, width / span)
    if pages:
        lay_pages(np.random.default_rng([seed, 1]), albedo, width / span)
    if rng.random() < 0.55 and not tidy:
        clutter(rng, albedo, width / span, int(rng.integers(1, 6)))
    if things:
        lay_things(np.random.default_rng([seed, 6]), albedo, width / span)
    if fittings:
        lay_fittings(np.random.default_rng([seed, 7]), albedo, width / span)
    if walls is not None:
        albedo = lay_tray(rng, cam, albedo, area, wood=walls, outside=surface(rng, height, width))
    elif has_tray if has_tray is not None else tidy or rng.random() < 0.45:
        albedo = lay_tray(rng, cam, albedo, area)
    if props is not None:
        draw_things(props.rng, cam, albedo, props.things)
    if hard:
        patches(rng, albedo, width / span)
    if trouble == "edge":
        lay_belongings(hard_to, albedo, width / span)
    if deep:
        lighting, albedo = deepen(np.random.default_rng([seed, 5]), lighting, albedo)
    out, truth = expose(rng, cam, lighting, albedo, placed, lens_of(hard_to, trouble, px))
    return out, {"dice": truth, "mode": mode, "seed": seed}


def expose(
    rng: Rng,
    cam: Camera,
    lighting: Lighting,
    albedo: np.ndarray,
    placed: list[Placed],
    lens: Callable[[np.ndarray], np.ndarray] | None = None,
) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """Return the (H, W, 3) uint8 BGR photograph of the dice on the table, and each die's truth.

    :param lens: what the camera makes of the (H, W, 3) light, before it is cut off at white.
    """
    height, width = albedo.shape[:2]
    light = _shadows(rng, cam, albedo, placed, lighting.lamps, lighting.level)
    picture = np.ascontiguousarray(albedo * light, np.float32)
    depth = np.full((height, width), 1e9, np.float32)
    truth = [_draw(cam, die, picture, depth, lighting.lamps, lighting.ambient, lighting.panels) for die in placed]
    if rng.random() < 0.35:  # somebody's shadow across the tray
        veil = np.clip(0.5 + noise(rng, height, width, 2.5) * rng.uniform(1, 5), 0, 1)
        picture *= (1 - rng.uniform(0.2, 0.7) * veil)[..., None]
    exposure = rng.uniform(0.75, 1.15) / max(float(np.percentile(picture, 90)), 0.25)
    picture = picture * (rng.uniform(0.8, 1.1) if rng.random() < 0.5 else exposure)
    picture = np.clip(lens(picture) if lens else picture, 0, None)
    picture = np.where(picture > 0.8, 0.8 + 0.2 * np.tanh((picture - 0.8) / 0.2), picture)  # a camera's soft shoulder
    out = (np.clip(picture, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    return out, [entry for entry in truth if entry is not None]


def _draw(
    cam: Camera,
    die: Placed,
    picture: np.ndarray,
    depth: np.ndarray,
    lamps: np.ndarray,
    ambient: np.ndarray,
    panels: np.ndarray,
) -> dict[str, Any] | None:
    model = die.model
    height, width = depth.shape
    corners = cam.project(model.solid.vertices @ die.turn.T * model.size + die.centre)
    x0, y0 = np.floor(corners.min(0)).astype(int) - 1
    x1, y1 = np.ceil(corners.max(0)).astype(int) + 2
    box = np.array([max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)])
    if box[0] >= box[2] or box[1] >= box[3]:
        return None
    mask = np.zeros((height, width), np.uint8)
    march(
        picture,
        depth,
        mask,
        box,
        cam.packed(),
        cam.view,
        die.centre,
        die.turn,
        model.solid.normals,
        model.size,
        model.rounding,
        model.sphere,
        model.solid.frames,
        model.texture,
        model.body,
        model.body2,
        model.ink,
        model.pattern,
        model.finish,
        model.gloss,
        model.deboss,
        lamps,
        ambient,
        panels,
    )
    seen = mask[box[1] : box[3], box[0] : box[2]]
    if cv2.countNonZero(seen) < 60:
        return None
    up = int(np.argmax(model.solid.normals @ die.turn[2]))
    polygon = model.solid.polygons[up] @ die.turn.T * model.size + die.centre
    top = cam.project(polygon)
    centre = cam.project(polygon.mean(0))[0]
    whole = bool(x0 >= 0 and y0 >= 0 and x1 <= width and y1 <= height)
    return {
        "type": model.type,
        "kind": model.solid.name,
        "face": list(model.faces[up]),
        "cocked": die.cocked,
        "center": centre.tolist(),
        "top": top.tolist(),
        "outline": _outline(seen, (int(box[0]), int(box[1]))).tolist(),
        "whole": whole,
        **({"propped": True} if die.propped else {}),
        **({"touches": die.touches} if die.touches is not None else {}),
    }
