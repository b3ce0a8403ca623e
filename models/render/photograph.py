"""What cameras do to a picture: white balance, exposure, blur, noise, compression. In place of any one camera, all."""

from __future__ import annotations

import cv2
import numpy as np

Rng = np.random.Generator


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
