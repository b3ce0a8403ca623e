"""What cameras do to a picture: white balance, exposure, blur, noise, compression. In place of any one camera, all."""

from __future__ import annotations

import math

import cv2
import numpy as np

from models.render.pips import USUAL

Rng = np.random.Generator


def hardened(wear: tuple[float, float], share: float) -> float:
    """Return how much views are spoilt when that share of them was drawn, 0..1: it grows evenly from first to last."""
    first, last = wear
    return first + (last - first) * share


def photograph(picture: np.ndarray, rng: Rng, *, strength: float = 1.0) -> np.ndarray:
    """Return the (H, W, 3) uint8 BGR picture as another camera would have taken it."""
    out = picture
    if rng.random() < 0.2 * strength:
        out = _light(out, rng)
    if rng.random() < 0.45 * strength:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.3))
    if rng.random() < 0.08 * strength:
        out = _motion(out, rng)
    table = np.arange(256, dtype=np.float32)[:, None] / 255
    gains = 1 + rng.normal(0, 0.07, 3) * strength
    if rng.random() < 0.2:  # the light's own colour, which the camera did not make up for
        warmth = rng.normal(0, 0.22) * strength
        gains *= np.exp([-warmth, -0.2 * warmth, 0.6 * warmth])
    gain = np.exp(rng.normal(0, 0.22) * strength)
    gamma = np.exp(rng.normal(0, 0.22) * strength)
    lift = rng.uniform(-0.06, 0.10) * strength
    curve = lift + (1 - lift) * (table**gamma) * gain * gains
    if rng.random() < 0.3:  # a contrast curve
        curve = np.clip(curve, 0, 1)
        curve = curve + rng.uniform(-0.25, 0.35) * (curve * curve * (3 - 2 * curve) - curve)
    curve = (np.clip(curve, 0, 1) * 255).astype(np.uint8)
    out = cv2.LUT(out, curve.reshape(1, 256, 3))
    if rng.random() < 0.5:
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        amount = rng.uniform(0.55, 1.3)
        out = cv2.addWeighted(out, amount, grey, 1 - amount, 0)
    if rng.random() < 0.6:
        sigma = abs(rng.normal(0, 5)) * strength
        grain = np.empty(out.shape, np.int16)
        cv2.randn(grain, 0, sigma)
        if rng.random() < 0.5:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.7)
        out = np.clip(out + grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:  # a phone's sharpening
        out = _sharpened(out, rng)
    if rng.random() < 0.35:
        out = _compressed(out, rng, 35, 95)
    return out


def mistreat(picture: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the (H, W, 3) uint8 BGR picture as a poor camera or a poor setting of it spoils it; most stay as they are."""
    fate = rng.random()
    if fate < 0.12:
        picture = _blotched(picture, rng)
    light = np.arange(256, dtype=np.float32) / 255
    if fate < 0.06 or 0.12 <= fate < 0.17:  # harsh: dark tones black, light ones white
        low = rng.uniform(0, 0.25)
        light = (light - low) / (rng.uniform(0.45, 1.0) - low)
    elif 0.17 <= fate < 0.27:  # a veil of stray light
        veil = rng.uniform(0.1, 0.55)
        light = light * (1 - veil) + veil * rng.uniform(0.2, 0.9)
    elif 0.27 <= fate < 0.35:
        light = light ** np.exp(rng.normal(0, 0.5))
    else:
        return picture
    return cv2.LUT(picture, (np.clip(light, 0, 1) * 255).astype(np.uint8))


def _blotched(picture: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture with the coarse coloured grain that smoothing leaves of a small sensor's noise in the dark."""
    height, width = picture.shape[:2]
    size = rng.uniform(1.5, 5)
    grain = rng.normal(0, rng.uniform(3, 16), (int(height / size) + 2, int(width / size) + 2, 3)).astype(np.float32)
    coarse = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)
    dark = 1 - picture.max(2, keepdims=True) * np.float32(rng.uniform(0, 1) / 255)
    return np.clip(picture + coarse * dark, 0, 255).astype(np.uint8)


def _light(picture: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture with the edge of a shadow across it, or with a lamp's blurred reflection on it."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle, side = rng.uniform(0, 2 * np.pi), max(height, width)
    at_x, at_y = rng.uniform(0, width), rng.uniform(0, height)
    along = (x - at_x) * np.float32(np.cos(angle)) + (y - at_y) * np.float32(np.sin(angle))
    if rng.random() < 0.5:
        edge = np.clip(0.5 + along / (side * rng.uniform(0.01, 0.5)), 0, 1)
        return (picture * (1 - rng.uniform(0.2, 0.75) * edge)[..., None]).astype(np.uint8)
    across = (y - at_y) * np.float32(np.cos(angle)) - (x - at_x) * np.float32(np.sin(angle))
    length, breadth = side * rng.uniform(0.08, 0.5), side * rng.uniform(0.04, 0.25)
    glow = np.exp(-((along / length) ** 2 + (across / breadth) ** 2)) * rng.uniform(40, 220)
    return np.clip(picture + glow[..., None] * rng.uniform(0.85, 1, 3), 0, 255).astype(np.uint8)


def _motion(picture: np.ndarray, rng: Rng) -> np.ndarray:
    length = int(rng.integers(2, 5))
    kernel = np.zeros((9, 9), np.float32)
    angle = rng.uniform(0, np.pi)
    for step in np.linspace(-length / 2, length / 2, 12):
        kernel[round(4 + step * np.sin(angle)), round(4 + step * np.cos(angle))] = 1
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def coarsen(picture: np.ndarray, rng: Rng, least: float, most: float = 1.0) -> np.ndarray:
    """Return the picture as it looks when fewer pixels caught it, scaled back to its size.

    Half of such pictures bear what a camera does to its own pixels, which are larger than those of the result.

    :param least: from which to which share of the picture's pixels along a side. :param most: likewise.
    """
    factor = rng.uniform(min(least, most), most)
    if factor > 0.95:
        return picture
    height, width = picture.shape[:2]
    small = cv2.resize(
        picture, (max(6, int(width * factor)), max(6, int(height * factor))), interpolation=cv2.INTER_AREA
    )
    if rng.random() < 0.5:
        small = _stored(small, rng)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR)


def _stored(picture: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture as a cheap camera stores it: blurred colours, grain, smoothing, sharpening, compression."""
    out = picture
    if rng.random() < 0.35:
        parts = cv2.cvtColor(out, cv2.COLOR_BGR2YCrCb)
        parts[..., 1:] = cv2.GaussianBlur(parts[..., 1:], (0, 0), rng.uniform(0.5, 1.6))
        out = cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR)
    if rng.random() < 0.6:
        grain = np.empty(out.shape if rng.random() < 0.6 else (*out.shape[:2], 1), np.int16)
        cv2.randn(grain, 0, abs(rng.normal(0, 8)))
        out = np.clip(out + grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        is_median = rng.random() < 0.4
        out = cv2.medianBlur(out, 3) if is_median else cv2.bilateralFilter(out, 5, rng.uniform(15, 50), 2)
    if rng.random() < 0.25:
        out = _sharpened(out, rng)
    if rng.random() < 0.5:
        out = _compressed(out, rng, 25, 90)
    return out


def _sharpened(picture: np.ndarray, rng: Rng) -> np.ndarray:
    soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 2))
    amount = rng.uniform(0.2, 1.2)
    return cv2.addWeighted(picture, 1 + amount, soft, -amount, 0)


def _compressed(picture: np.ndarray, rng: Rng, worst: float, best: float) -> np.ndarray:
    """Return the picture as JPEG of some quality leaves it; where its blocks begin is left to chance."""
    left, above = (int(n) for n in rng.integers(0, 8, 2))
    framed = cv2.copyMakeBorder(picture, above, 0, left, 0, cv2.BORDER_REPLICATE)
    ok, data = cv2.imencode(".jpg", framed, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(worst, best))])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)[above:, left:] if ok else picture


def overlap(picture: np.ndarray, rng: Rng, radii: tuple[float, float]) -> None:
    """Lay something round over the upper or lower edge of a square picture.

    :param radii: from which to which, px.
    """
    side = picture.shape[0]
    at = (int(rng.uniform(0, side)), 0 if rng.random() < 0.5 else side)
    cv2.circle(picture, at, int(rng.uniform(*radii)), rng.uniform(0, 255, 3).tolist(), -1)


def cover(picture: np.ndarray, rng: Rng, other: np.ndarray, outline: np.ndarray, pixels: float) -> None:
    """Lay another die over a part of the die in the middle of a square picture, or close beside it, with its shadow.

    :param other: a square picture with that die in its middle. :param outline: its corners there, (n, 2) px.
    :param pixels: of a silhouette's radius, in both pictures.
    """
    side, size = picture.shape[0], math.exp(rng.normal(0, 0.12))
    turn, where = rng.uniform(0, 2 * np.pi, 2)
    away = pixels * (1 + size) * rng.uniform(0.62, 1.05)
    matrix = cv2.getRotationMatrix2D((other.shape[1] / 2, other.shape[0] / 2), math.degrees(turn), size)
    matrix[:, 2] += side / 2 - np.array(other.shape[1::-1]) / 2 + away * np.array([math.cos(where), math.sin(where)])
    mask = np.zeros((side, side), np.uint8)
    corners = outline @ matrix[:, :2].T + matrix[:, 2]
    cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    if rng.random() < 0.6:
        moved = np.roll(mask, rng.integers(-8, 9, 2), (0, 1))
        shade = cv2.GaussianBlur(moved, (0, 0), rng.uniform(0.8, 6.0)) * (rng.uniform(0.1, 0.6) / 255)
        picture[:] = _blended(picture, shade, 0.0)
    over = cv2.warpAffine(other, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    picture[:] = _blended(picture, cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.3, 0.8)) / 255, over)


def _blended(picture: np.ndarray, share: np.ndarray, colour: np.ndarray | float) -> np.ndarray:
    """Return the picture with a colour in the place of (H, W) shares of it, 0..1."""
    share = share[..., None]
    return (picture * (1 - share) + share * colour).astype(np.uint8)


def glints(picture: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture with the lamps' curved reflections round dents and along rounded edges."""
    side = min(picture.shape[:2])
    layer = np.zeros(picture.shape[:2], np.uint8)
    for _ in range(int(rng.integers(1, 5))):
        centre = tuple(int(v) for v in rng.uniform(0.15, 0.85, 2) * picture.shape[1::-1])
        axes = tuple(int(v) for v in np.exp(rng.uniform(np.log(0.04), np.log(0.4), 2)) * side + 1)
        start, extent = rng.uniform(0, 360), rng.uniform(40, 360)
        thick = int(rng.integers(1, 2 + side // 24))
        cv2.ellipse(layer, centre, axes, rng.uniform(0, 180), start, start + extent, 255, thick, cv2.LINE_AA)
    glow = cv2.GaussianBlur(layer, (0, 0), rng.uniform(0.4, 1.4)) * (rng.uniform(0.4, 1.0) / 255)
    return _blended(picture, glow, rng.uniform(200, 256, 3))


def rings(picture: np.ndarray, rng: Rng, centre: np.ndarray, radius: float) -> np.ndarray:
    """Return the picture with wavy rings of light round a domed face's middle, or parts of them."""
    layer = np.zeros(picture.shape[:2], np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        start, sweep = rng.uniform(0, 2 * np.pi), rng.choice([2 * np.pi, rng.uniform(0.6, 5)])
        angle = start + np.linspace(0, sweep, 60)
        wave = 1 + rng.uniform(0, 0.14) * np.sin(int(rng.integers(2, 9)) * angle + rng.uniform(0, 2 * np.pi))
        reach = radius * rng.uniform(0.12, 0.78) * wave
        at = centre + rng.normal(0, 0.1 * radius, 2)
        path = at + np.stack([np.cos(angle), np.sin(angle)], 1) * reach[:, None]
        thick = int(rng.integers(1, 2 + max(1, round(radius / 14))))
        cv2.polylines(layer, [np.round(path * 16).astype(np.int32)], False, 255, thick, cv2.LINE_AA, 4)
    glow = cv2.GaussianBlur(layer, (0, 0), rng.uniform(0.4, 1.2)) * (rng.uniform(0.3, 1.0) / 255)
    return _blended(picture, glow, rng.uniform(200, 256, 3))


def gloss(picture: np.ndarray, rng: Rng, centre: np.ndarray, radius: float) -> np.ndarray:
    """Return the picture with lamps mirrored in a polished face that is dished, wavy, and dented round its marks.

    A lamp shows where the face's slope turns its light to the camera: as arcs along the rim and round the marks.

    :param centre: of the face, px. :param radius: its circumradius, px.
    """
    height, width = picture.shape[:2]
    turn, corners = rng.uniform(0, np.pi / 2), np.float32(rng.uniform(2, 4))  # 2: a round rim, 4: one with corners
    c, s = np.float32(np.cos(turn) / radius), np.float32(np.sin(turn) / radius)
    x = np.arange(width, dtype=np.float32) - np.float32(centre[0])
    y = np.arange(height, dtype=np.float32)[:, None] - np.float32(centre[1])
    out = cv2.pow(cv2.pow(np.abs(x * c + y * s), corners) + cv2.pow(np.abs(y * c - x * s), corners), 1 / corners)
    face = out < 0.8
    if face.sum() < 30:
        return picture
    marks = _marks(picture, radius * 0.5) * (out < 0.95)
    marks = np.minimum(marks / np.float32(max(20.0, float(np.percentile(marks[face], 95)))), 1)
    dents = cv2.GaussianBlur(marks, (0, 0), max(0.6, radius * rng.uniform(0.03, 0.13)))
    cells = int(rng.integers(2, 6))
    waves = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    is_fine = rng.random() < 0.35  # thin lines of light round the marks and from one to the next
    surface = (
        np.float32(rng.normal(0, 0.5)) * out * out
        + np.float32(rng.uniform(0, 1)) * cv2.pow(np.minimum(out, 1.2), rng.uniform(4, 10))
        + np.float32(rng.normal(0, 1.2 if is_fine else 0.45)) * dents
        + np.float32(abs(rng.normal(0, 0.12))) * cv2.resize(waves, (width, height), interpolation=cv2.INTER_CUBIC)
    )
    slope_y, slope_x = np.gradient(surface * np.float32(radius))
    seen = np.stack([slope_x[face], slope_y[face]])
    steep = float(np.percentile(np.hypot(*seen), 75)) + 1e-3
    glow = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        at = seen[:, rng.integers(seen.shape[1])] + rng.normal(0, 0.1 * steep, 2)
        wide, high = np.exp(rng.normal(0, 0.4, 2)).astype(np.float32)
        off = np.hypot((slope_x - np.float32(at[0])) * wide, (slope_y - np.float32(at[1])) * high)
        most = float(np.percentile(off[face], 25))  # most of the face stays free
        reach = min(steep * rng.uniform(0.04, 0.13 if is_fine else 0.45), most)
        if rng.random() < 0.3:  # a ring of light
            off, reach = np.abs(off - np.float32(steep * rng.uniform(0.2, 0.8))), 0.6 * reach
        edge = np.float32(reach * rng.uniform(0.05, 0.6) + 1e-3)
        glow = np.maximum(glow, np.clip((np.float32(reach) - off) / edge, 0, 1) * np.float32(rng.uniform(0.25, 1.0)))
    glow = cv2.GaussianBlur(glow * (out < rng.uniform(0.85, 1.05)), (0, 0), rng.uniform(0.35, 0.8))
    return _blended(picture, glow, _white(rng))


def _marks(picture: np.ndarray, reach: float) -> np.ndarray:
    """Return by how much each pixel stands out from what lies within that reach, px, about it, (H, W) uint8."""
    broad = 2 * int(reach) + 1
    return cv2.absdiff(picture, cv2.blur(picture, (broad, broad))).max(2)


def _white(rng: Rng) -> np.ndarray:
    """Return a lamp's colour as a polished face mirrors it, (3,)."""
    return (rng.uniform(205, 256) + rng.normal(0, 8, 3)).clip(0, 255).astype(np.float32)


def bridges(picture: np.ndarray, rng: Rng, centre: np.ndarray, radius: float) -> np.ndarray:
    """Return the picture with lines of light from one mark of a polished face to the next, and round some of them.

    The dents of two marks meet there and mirror a lamp between them: white marks grow together, or seem one more.

    :param centre: of the face, px. :param radius: its circumradius, px.
    """
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    face = np.hypot(x - np.float32(centre[0]), y - np.float32(centre[1])) < 0.75 * radius
    marks = _marks(picture, radius * 0.4)
    stands_out = ((marks > 0.5 * np.percentile(marks[face], 99)) & face).astype(np.uint8)
    _, _, found, middles = cv2.connectedComponentsWithStats(stands_out)
    blobs = [i for i in range(1, len(found)) if found[i, cv2.CC_STAT_AREA] > 0.004 * radius * radius]
    if not blobs:
        return picture
    layer = np.zeros((height, width), np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        first = middles[blobs[rng.integers(len(blobs))]]
        others = sorted((middles[i] for i in blobs), key=lambda at: float(np.hypot(*(at - first))))
        last = others[min(int(rng.integers(1, 4)), len(others) - 1)] + rng.normal(0, 0.05 * radius, 2)
        if len(others) == 1 or rng.random() < 0.25:  # to the rim, or to another mark
            turn = rng.uniform(0, 2 * np.pi)
            last = first + radius * rng.uniform(0.2, 0.6) * np.array([np.cos(turn), np.sin(turn)])
        bend = (first + last) / 2 + rng.normal(0, 0.12 * radius, 2)
        t = np.linspace(*sorted(rng.uniform(0, 1, 2)) if rng.random() < 0.4 else (0, 1), 16)[:, None]
        path = (1 - t) ** 2 * first + 2 * t * (1 - t) * bend + t**2 * last
        thick = max(1, round(radius * float(rng.uniform(0.02, 0.1))))
        cv2.polylines(layer, [np.round(path * 16).astype(np.int32)], False, 255, thick, cv2.LINE_AA, 4)
    if rng.random() < 0.5:  # along the edges of marks
        edge = cv2.dilate(stands_out, np.ones((3, 3), np.uint8)) - stands_out
        turn = rng.uniform(0, 2 * np.pi)
        lit = (x - np.float32(centre[0])) * np.cos(turn) + (y - np.float32(centre[1])) * np.sin(turn)
        layer = np.maximum(layer, edge * np.uint8(255) * (lit > rng.normal(0, 0.4 * radius)))
    glow = cv2.GaussianBlur(layer, (0, 0), rng.uniform(0.4, 1.1)) * (rng.uniform(0.4, 1.0) / 255)
    glow *= 1 - rng.uniform(0, 1) * stands_out  # paint shines less than plastic
    return _blended(picture, glow, _white(rng))


def ghosts(picture: np.ndarray, rng: Rng, centre: np.ndarray, radius: float) -> np.ndarray:
    """Return the picture with soft round shades on the face, darker or lighter than its body, in no ink's colour.

    So look the far side's pips through clear plastic, and the camera itself in a polished face.
    """
    layer = np.zeros(picture.shape[:2], np.uint8)
    middle = centre + rng.normal(0, 0.12 * radius, 2)
    turn, spread = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 0.6) * radius
    c, s = np.cos(turn) * spread, np.sin(turn) * spread
    size = radius * rng.uniform(0.07, 0.2)
    count = int(rng.integers(1, 7))
    for along, across in USUAL[count]:
        at = middle + np.array([c * along - s * across, s * along + c * across])
        axes = np.maximum(size * np.exp(rng.normal(0, 0.12, 2)), 0.6)
        cv2.ellipse(layer, (tuple(at.tolist()), tuple((2 * axes).tolist()), rng.uniform(0, 180)), 255, -1, cv2.LINE_AA)
    blur = rng.uniform(0.5, 1.2) + size * rng.uniform(0, 0.3)
    shade = cv2.GaussianBlur(layer, (0, 0), blur) * (rng.uniform(0.15, 0.6) / 255)
    return _blended(picture, shade, rng.uniform(0, 60) if rng.random() < 0.75 else rng.uniform(150, 256, 3))


def swirls(picture: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture with soft veins or with layers, lighter or darker, as in marbled, pearly or poured plastic."""
    height, width = picture.shape[:2]
    cells = int(rng.integers(2, 9))
    waves = [
        cv2.resize(rng.normal(0, 1, (n, n)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        for n in (cells, cells, cells, 2 * cells)
    ]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    bend = np.float32(rng.uniform(0, 0.25) * height)
    vein = cv2.remap(
        waves[2] + np.float32(rng.uniform(0, 0.7)) * waves[3],
        x + bend * waves[0],
        y + bend * waves[1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    strength, shine = rng.uniform(0.04, 0.3), 40
    if rng.random() < 0.15:  # thin veins in a plain body
        vein = 1 - 2 * np.clip(np.abs(vein) / np.float32(rng.uniform(0.2, 0.6)), 0, 1)
    elif rng.random() < 0.2:  # layers of two colours
        angle, wide = rng.uniform(0, 2 * np.pi), height * rng.uniform(0.1, 0.4)
        along = (x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))) / np.float32(wide)
        bent = np.float32(rng.uniform(0, 0.6)) * waves[0] + np.float32(rng.uniform(0, 6))
        vein = np.sin(2 * np.pi * along + bent) * np.float32(rng.uniform(2, 10))
        strength, shine = rng.uniform(0.1, 0.5), 120
    share = np.clip(vein * rng.uniform(0.3, 1.2), -1, 1)[..., None] * np.float32(strength)
    tint = 1 + rng.normal(0, 0.25, 3).astype(np.float32)
    return np.clip(picture * (1 + share * tint) + share * np.float32(rng.uniform(0, shine)), 0, 255).astype(np.uint8)


def fade(picture: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the picture with little contrast between ink and body, or with most of it overexposed."""
    if rng.random() < 0.4:
        return np.clip(picture * rng.uniform(1.3, 2.2) + rng.uniform(0, 30), 0, 255).astype(np.uint8)
    soft = cv2.GaussianBlur(picture, (0, 0), min(picture.shape[:2]) * rng.uniform(0.08, 0.3)).astype(np.float32)
    return np.clip(soft + (picture - soft) * rng.uniform(0.3, 0.8), 0, 255).astype(np.uint8)
