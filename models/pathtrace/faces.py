"""What stands on each face of a die: the symbols, their layout, and the tile of ink."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from models.pathtrace import glyphs_held, glyphs_train
from models.pathtrace.digits import STYLES, write
from models.pathtrace.pen import Rng
from models.render.solids import Solid, solid
from tableside.dice import Face, find_sets

FAMILIES = {"train": glyphs_train.FAMILIES, "held-out": glyphs_held.FAMILIES}
REACH = 1.12  # a tile spans this many circumradii each way from the middle of its face
_NARRATIVE = find_sets(["narrative"])[0]
NARRATIVE_TYPES = ("boost", "setback", "ability", "difficulty", "proficiency", "challenge", "force")
_NUMBERS = {"d10": [str(i) for i in range(10)], "d100": [f"{i}0" for i in range(10)]}
# Largest extent of one symbol in circumradii of the face, from the measurements in the design notes, widened
_SINGLE = {"d6": (0.68, 0.95), "d8": (0.68, 1.0), "d12": (0.95, 1.3), "d10": (0.62, 0.86)}
_RELATIVE = {"light": 0.85, "dark": 0.8, "threat": 0.85, "triumph": 1.12, "failure": 1.06, "despair": 1.05}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The faces of one kind of die of one make.

    :ivar faces: symbols of each slot of the solid.
    :ivar tiles: (faces, size, size) ink of each slot, upright in the slot's u, v frame.
    """

    faces: tuple[Face, ...]
    tiles: np.ndarray


def kind_of(die_type: str) -> str:
    if die_type == "pip":
        return "d6"
    return "d10" if die_type in _NUMBERS else _NARRATIVE.type(die_type).solid


def distinct(die_type: str) -> list[Face]:
    """Return the different faces of a type."""
    if die_type == "pip":
        return [(str(i),) for i in range(1, 7)]
    if die_type in _NUMBERS:
        return [(n,) for n in _NUMBERS[die_type]]
    return list(_NARRATIVE.type(die_type).distinct_faces)


def all_faces(die_type: str) -> list[Face]:
    """Return the faces of every side of a real die of this type."""
    if die_type in _NUMBERS or die_type == "pip":
        return distinct(die_type)
    return list(_NARRATIVE.type(die_type).faces)


def arrange(rng: Rng, die_type: str, up: int, wanted: Face) -> list[Face]:
    """Return the face of every slot with ``wanted`` at slot ``up``; opposite pips add up to seven."""
    faces = all_faces(die_type)
    order = [faces[i] for i in rng.permutation(len(faces))]
    if die_type == "pip" and rng.random() < 0.85:
        pairs = [(1, 6), (2, 5), (3, 4)]
        values: list[int] = []
        for i in rng.permutation(3):
            values += list(pairs[i]) if rng.random() < 0.5 else list(pairs[i][::-1])
        order = [(str(v),) for v in values]
        if order[up] != wanted:  # exchange whole pairs so that the sums stay
            at = order.index(wanted)
            a, b = at // 2 * 2, up // 2 * 2
            if a != b:
                order[a : a + 2], order[b : b + 2] = order[b : b + 2], order[a : a + 2]
            if order[up] != wanted:
                order[b], order[b + 1] = order[b + 1], order[b]
        return order
    at = order.index(wanted)
    order[at], order[up] = order[up], order[at]
    return order


def make_style(rng: Rng, assets: str) -> dict[str, Any]:
    """Invent what all dice of one maker share: the drawings and their proportions."""
    families = FAMILIES[assets]
    names = list(families)
    family = str(rng.choice(names, p=[0.4, 0.35, 0.25]))
    art = {symbol: draw(rng).done() for symbol, draw in families[family].items()}
    return {
        "assets": assets,
        "family": family,
        "art": art,
        "digits": str(rng.choice(STYLES[assets])),
        "single": rng.random(),
        "double": rng.uniform(0.5, 0.68),
        "gap": rng.uniform(1.0, 1.12),
        "turn": rng.uniform(0, 2 * np.pi),
        "axis": rng.choice([0.0, np.pi / 2, np.pi / 4]),
        "regular": rng.random(),
        "narrow": rng.uniform(0.5, 1.0),
        "close": rng.choice([1.0, rng.uniform(0.55, 1.0)]),
    }


def _paste(tile: np.ndarray, art: np.ndarray, x: float, y: float, span: float, turn: float) -> None:
    """Lay a glyph of ``span`` circumradii at (x, y), y up, turned against the clock."""
    side, board = tile.shape[0], art.shape[0]
    scale = span * side / (2 * REACH) / board
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    px, py = side / 2 + x * side / (2 * REACH), side / 2 - y * side / (2 * REACH)
    middle = board / 2
    matrix = np.array([[c, s, px - c * middle - s * middle], [-s, c, py + s * middle - c * middle]])
    small = cv2.GaussianBlur(art, (0, 0), max(0.4 / scale, 0.3)) if scale < 0.9 else art
    np.maximum(tile, cv2.warpAffine(small, matrix, (side, side)), out=tile)


def _room(shape: Solid, slot: int, size: int, margin: float) -> np.ndarray:
    centre, u, v, radius = shape.frames[slot]
    corners = shape.polygons[slot] - centre
    flat = np.stack([corners @ u, corners @ v], 1) / radius[0] * margin
    mask = np.zeros((size, size), np.uint8)
    points = size / 2 + flat * (1, -1) * size / (2 * REACH)
    cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 255)
    return mask


def _up_angle(shape: Solid, slot: int) -> float:
    """The angle, in the slot's frame, from a kite's wide end to its pole."""
    _, u, v, _ = shape.frames[slot]
    pole = np.array([0, 0, np.sign(shape.normals[slot][2])])
    return float(np.arctan2(pole @ v, pole @ u))


def _symbol_tile(rng: Rng, shape: Solid, slot: int, face: Face, style: dict[str, Any], size: int) -> np.ndarray:
    low, high = _SINGLE[shape.name]
    room = _room(shape, slot, size, 0.95)
    base = low + (high - low) * style["single"]
    turn = style["turn"] + (rng.uniform(0, 2 * np.pi) if style["regular"] < 0.4 else rng.integers(4) * np.pi / 2)
    axis = style["axis"] + (rng.uniform(0, np.pi) if style["regular"] < 0.5 else 0.0)
    x, y = rng.normal(0, 0.03, 2)
    pair = list(face)
    rng.shuffle(pair)
    for shrink in 0.95 ** np.arange(14):
        tile = np.zeros((size, size), np.uint8)
        if len(pair) == 1:
            span = base * _RELATIVE.get(pair[0], 1.0) * shrink
            _paste(tile, style["art"][pair[0]], x, y, span, turn)
        else:
            spans = [base * style["double"] * min(_RELATIVE.get(s, 1.0), 1.05) * shrink for s in pair]
            apart = sum(spans) / 2 * style["gap"]
            for sign, symbol, span in zip((-0.5, 0.5), pair, spans, strict=True):
                own = turn + (axis + np.pi * (sign > 0) if 0.4 < style["regular"] < 0.5 else 0.0)
                at = sign * apart * np.array([np.cos(axis), np.sin(axis)])
                _paste(tile, style["art"][symbol], x + at[0], y + at[1], span, own)
        if (tile[room == 0] > 80).sum() < 4:
            break
    return tile


def _number_tile(rng: Rng, shape: Solid, slot: int, text: str, style: dict[str, Any], size: int) -> np.ndarray:
    low, high = _SINGLE["d10"]
    art = write(text, style["digits"], rng)
    if text in ("6", "9", "60", "90") and style["gap"] < 1.09:
        art = _underlined(art, dot=style["gap"] < 1.03)
    turn = _up_angle(shape, slot) - np.pi / 2 + (np.pi if style["single"] < 0.5 else 0.0)
    room = _room(shape, slot, size, 0.92)
    for shrink in 0.94 ** np.arange(16):
        tile = np.zeros((size, size), np.uint8)
        _paste(tile, art, 0.0, 0.0, (low + (high - low) * style["double"]) * shrink * 1.1, turn)
        if (tile[room == 0] > 80).sum() < 4:
            break
    return tile


def _underlined(art: np.ndarray, *, dot: bool) -> np.ndarray:
    side = art.shape[0]
    columns = np.nonzero(art.max(0) > 60)[0]
    out = cv2.resize(art, None, fx=0.84, fy=0.84, interpolation=cv2.INTER_AREA)
    board = np.zeros_like(art)
    pad = (side - out.shape[0]) // 2
    board[: out.shape[0], pad : pad + out.shape[1]] = out
    half = (columns[-1] - columns[0]) * 0.42
    rows = np.nonzero(board.max(1) > 60)[0]
    y = int(min(rows[-1] + 0.11 * side, side - 0.05 * side))
    if dot:
        cv2.circle(board, (int(side / 2 + half), int(y - 0.05 * side)), int(0.05 * side), 255, -1, cv2.LINE_AA)
    else:
        cv2.line(board, (int(side / 2 - half), y), (int(side / 2 + half), y), 255, int(0.07 * side), cv2.LINE_AA)
    return board


_SPOTS = {
    "1": [(0, 0)],
    "2": [(-1, -1), (1, 1)],
    "3": [(-1, -1), (0, 0), (1, 1)],
    "4": [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    "5": [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    "6": [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def _pip_tile(rng: Rng, shape: Solid, slot: int, value: str, style: dict[str, Any], size: int) -> np.ndarray:
    held = style["assets"] == "held-out"
    spread = 0.30 + 0.10 * style["single"]
    radius = (0.085 + 0.055 * (style["double"] - 0.5) / 0.18) * (
        1.75 if held and style["gap"] > 1.07 and value == "1" else 1
    )
    tile = np.zeros((size, size), np.uint8)
    unit = size / (2 * REACH) * 16
    corner = shape.polygons[slot][0] - shape.frames[slot][0]
    _, u, v, _ = shape.frames[slot]
    start = np.arctan2(corner @ v, corner @ u) + np.pi / 4 + rng.integers(2) * np.pi / 2
    spin = np.array([[np.cos(start), -np.sin(start)], [np.sin(start), np.cos(start)]])
    squeeze = {"6": (style["narrow"], 1.0), "2": style["close"], "4": style["close"] ** 0.5}.get(value, 1.0)
    for spot in _SPOTS[value]:
        at = spin @ (np.array(spot) * squeeze * spread) * (1, -1) * unit + size / 2 * 16
        if held and style["axis"] == np.pi / 4:  # squarish dots
            offsets = np.array(
                [
                    (np.sign(c) * abs(c) ** 0.5, np.sign(s) * abs(s) ** 0.5)
                    for c, s in zip(np.cos(np.linspace(0, 6.28, 40)), np.sin(np.linspace(0, 6.28, 40)), strict=True)
                ]
            )
            cv2.fillPoly(
                tile,
                [np.round(at + offsets @ spin.T * (1, -1) * radius * 0.92 * unit).astype(np.int32)],
                255,
                cv2.LINE_AA,
                4,
            )
        else:
            cv2.circle(tile, tuple(int(c) for c in at), int(radius * unit), 255, -1, cv2.LINE_AA, 4)
            if held and style["regular"] < 0.15:
                cv2.circle(tile, tuple(int(c) for c in at), int(radius * 0.5 * unit), 0, -1, cv2.LINE_AA, 4)
    return tile


def draw_sides(rng: Rng, die_type: str, faces: list[Face], style: dict[str, Any], size: int) -> Sides:
    """Draw the tile of every slot."""
    shape = solid(kind_of(die_type))
    tiles = []
    for slot, face in enumerate(faces):
        if not face:
            tiles.append(np.zeros((size, size), np.uint8))
        elif die_type == "pip":
            tiles.append(_pip_tile(rng, shape, slot, face[0], style, size))
        elif die_type in _NUMBERS:
            tiles.append(_number_tile(rng, shape, slot, face[0], style, size))
        else:
            tiles.append(_symbol_tile(rng, shape, slot, face, style, size))
    return Sides(faces=tuple(faces), tiles=np.stack(tiles))
