"""Busy table tops: cork, terrazzo, tiles, maps of hexagons, printed art, many of whose pieces have a die's size; and weaves."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np

from models.render.surfaces import noise

Rng = np.random.Generator


def ground(rng: Rng, height: int, width: int, px_per_cm: float) -> np.ndarray:
    """Return a (height, width, 3) float32 linear BGR albedo of a table top with a pattern."""
    kind = str(rng.choice(["chips", "tiles", "hexagons", "levels", "petals"]))
    piece = px_per_cm * float(np.exp(rng.uniform(np.log(0.4), np.log(4.0))))
    colours = palette(rng, int(rng.integers(2, 7)))
    picture = {"chips": _chips, "tiles": _tiles, "hexagons": _hexagons, "levels": _levels, "petals": _petals}[kind](
        rng, height, width, piece, colours
    )
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 2.5)))
    return _uneven(rng, picture, coarse=0.15, grain=0.08)


def weave(rng: Rng, height: int, width: int, px_per_cm: float) -> np.ndarray:
    """Return a (height, width, 3) float32 linear BGR albedo of ribs, a basket's weave, zigzags or small checks."""
    period = float(np.clip(px_per_cm * np.exp(rng.uniform(np.log(0.08), np.log(1.2))), 2.5, 60))
    u, v = _turned(rng, height, width, period)
    sway = rng.uniform(0, 0.6)
    u = u + sway * noise(rng, height, width, rng.uniform(2, 12))
    kind = str(rng.choice(["ribs", "basket", "zigzag", "checks"], p=[0.45, 0.25, 0.15, 0.15]))
    long = rng.uniform(1, 6)
    if kind == "ribs":
        wave = np.sin(2 * np.pi * u)
    elif kind == "basket":
        across = (np.floor(u / 2) + np.floor(v / long)) % 2 > 0
        wave = np.where(across, np.sin(2 * np.pi * u), np.sin(2 * np.pi * v * rng.choice([1.0, 0.5])))
    elif kind == "zigzag":
        wave = np.sin(2 * np.pi * (u + np.abs((v / long) % 2 - 1) * rng.uniform(0.5, 3)))
    else:
        wave = np.sin(2 * np.pi * u / 2) * np.sin(2 * np.pi * v / 2)
    shape = np.clip(0.5 + 0.5 * wave * np.exp(rng.uniform(-0.3, 1.5)), 0, 1).astype(np.float32)
    shape = shape ** np.float32(np.exp(rng.uniform(-0.8, 0.8)))
    low, high = palette(rng, 2)
    if rng.random() < 0.7:  # one colour with dark grooves
        low = high * np.float32(rng.uniform(0.05, 0.85))
    picture = low + (high - low) * shape[..., None]
    return _uneven(rng, picture, coarse=0.12, grain=0.1)


def _uneven(rng: Rng, picture: np.ndarray, *, coarse: float, grain: float) -> np.ndarray:
    """Return the albedo with stains and grain, each at most so strong."""
    height, width = picture.shape[:2]
    stains = noise(rng, height, width, rng.uniform(2, 40)) * rng.uniform(0, coarse)
    grains = rng.normal(0, rng.uniform(0, grain), (height, width)).astype(np.float32)
    return np.clip(picture * (1 + stains + grains)[..., None], 0.002, 1.0).astype(np.float32)


def palette(rng: Rng, count: int) -> np.ndarray:
    """Return (count, 3) linear BGR colours: shades of one colour, or of any."""
    hue, is_one = rng.random(), rng.random() < 0.6
    low, high = sorted(rng.uniform(0.08, 0.95, 2))
    found = []
    for _ in range(count):
        h = (hue + rng.normal(0, 0.03)) % 1 if is_one else rng.random()
        found.append(colorsys.hsv_to_rgb(h, rng.uniform(0, 0.9), rng.uniform(low, high)))
    return (np.array(found, np.float32)[:, ::-1] ** 2.2).astype(np.float32)


def _painted(rng: Rng, index: np.ndarray, colours: np.ndarray) -> np.ndarray:
    """Colour the pieces of an (h, w) int map of piece numbers, each a little unlike its like."""
    count = int(index.max()) + 1
    own = colours[rng.integers(len(colours), size=count)] * rng.uniform(0.8, 1.2, (count, 1)).astype(np.float32)
    return own[index].astype(np.float32)


def _chips(rng: Rng, height: int, width: int, piece: float, colours: np.ndarray) -> np.ndarray:
    """Pieces as in cork, gravel and terrazzo: the nearest of many points, with or without joints."""
    count = int(np.clip(height * width / piece**2, 4, 3000))
    points = rng.uniform(0, 1, (count, 2)) * [width, height]
    seeds = np.full((height, width), 255, np.uint8)
    spots = np.clip(points, 0, [width - 1, height - 1]).astype(int)
    seeds[spots[:, 1], spots[:, 0]] = 0
    _, labels = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    bend = np.float32(piece * rng.uniform(0, 0.3))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    cells = max(3.0, width / piece * 2)
    bent = cv2.remap(
        labels.astype(np.float32),
        x + bend * noise(rng, height, width, cells),
        y + bend * noise(rng, height, width, cells),
        cv2.INTER_NEAREST,
        borderMode=cv2.BORDER_REPLICATE,
    )
    picture = _painted(rng, bent.astype(int), colours)
    return _joints(rng, picture, bent) if rng.random() < 0.4 else picture


def _tiles(rng: Rng, height: int, width: int, piece: float, colours: np.ndarray) -> np.ndarray:
    """Squares, bricks and boards of games, turned at random."""
    u, v = _turned(rng, height, width, piece)
    v = v / (1.0 if rng.random() < 0.6 else rng.uniform(0.4, 1.0))
    row = np.floor(v)
    column = np.floor(u + (0.5 * (row % 2) if rng.random() < 0.4 else 0))
    row, column = row - row.min(), column - column.min()
    wide = int(column.max()) + 1
    if rng.random() < 0.4:  # a chess board
        picture = colours[((row + column) % 2).astype(int)].astype(np.float32)
    else:
        picture = _painted(rng, (row * wide + column).astype(int), colours)
    return _joints(rng, picture, row * wide + column) if rng.random() < 0.6 else picture


def _hexagons(rng: Rng, height: int, width: int, piece: float, colours: np.ndarray) -> np.ndarray:
    """A map of hexagons, in colours or only lines."""
    u, v = _turned(rng, height, width, piece)
    q, r = u * 2 / 3, -u / 3 + v / np.sqrt(3)
    x, z = np.round(q), np.round(r)
    y = np.round(-q - r)
    dx, dy, dz = np.abs(x - q), np.abs(y + q + r), np.abs(z - r)
    x = np.where((dx > dy) & (dx > dz), -y - z, x)
    z = np.where((dz >= dx) & (dz >= dy), -x - y, z)
    x, z = x - x.min(), z - z.min()
    number = z * (x.max() + 1) + x
    if rng.random() < 0.5:
        return _joints(rng, np.broadcast_to(colours[0], (height, width, 3)).astype(np.float32), number)
    return _joints(rng, _painted(rng, number.astype(int), colours), number)


def _levels(rng: Rng, height: int, width: int, piece: float, colours: np.ndarray) -> np.ndarray:
    """Blots with edges, as in camouflage, maps and printed art."""
    field = noise(rng, height, width, max(2.0, width / piece))
    level = np.digitize(field, np.sort(rng.normal(0, 0.9, len(colours) - 1)))
    return colours[level].astype(np.float32)


def _petals(rng: Rng, height: int, width: int, piece: float, colours: np.ndarray) -> np.ndarray:
    """Leaves, discs and boxes strewn over a plain ground."""
    picture = np.full((height, width, 3), colours[0], np.float32)
    for _ in range(int(np.clip(height * width / piece**2 * rng.uniform(0.1, 0.8), 3, 500))):
        at = tuple(int(v) for v in rng.uniform(0, 1, 2) * [width, height])
        axes = tuple(int(v) for v in np.maximum(rng.uniform(0.2, 0.8, 2) * piece, 1))
        colour = tuple(float(v) for v in colours[rng.integers(len(colours))] * rng.uniform(0.7, 1.3))
        thick = -1 if rng.random() < 0.7 else int(rng.integers(1, 5))
        if rng.random() < 0.7:
            cv2.ellipse(picture, at, axes, rng.uniform(0, 360), 0, 360, colour, thick, cv2.LINE_AA)
        else:
            corners = cv2.boxPoints((at, (2.0 * axes[0], 2.0 * axes[1]), float(rng.uniform(0, 90)))).astype(np.int32)
            if thick < 0:
                cv2.fillConvexPoly(picture, corners, colour, cv2.LINE_AA)
            else:
                cv2.polylines(picture, [corners], True, colour, thick, cv2.LINE_AA)
    return picture


def _turned(rng: Rng, height: int, width: int, piece: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (h, w) coordinates in pieces, turned and moved at random."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / np.float32(piece)
    angle = rng.uniform(0, 2 * np.pi)
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return c * x - s * y + np.float32(rng.random()), s * x + c * y + np.float32(rng.random())


def _joints(rng: Rng, picture: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Draw the borders between pieces darker or lighter than they are."""
    grey = number.astype(np.float32)
    edge = (cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0).astype(np.float32)
    edge = cv2.dilate(edge, np.ones((int(rng.integers(1, 4)),) * 2, np.uint8))[..., None]
    return picture * (1 - edge) + edge * np.float32(rng.choice([rng.uniform(0, 0.1), rng.uniform(0.3, 0.9)]))
