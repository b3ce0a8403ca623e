"""What cameras do to a picture: white balance, exposure, blur, noise, compression. In place of any one camera, all."""

from __future__ import annotations

import cv2
import numpy as np

Rng = np.random.Generator


def photograph(picture: np.ndarray, rng: Rng, *, strength: float = 1.0) -> np.ndarray:
    """Return the (H, W, 3) uint8 BGR picture as another camera would have taken it."""
    out = picture
    if rng.random() < 0.45 * strength:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.3))
    if rng.random() < 0.08 * strength:
        out = _motion(out, rng)
    table = np.arange(256, dtype=np.float32)[:, None] / 255
    gains = 1 + rng.normal(0, 0.07, 3) * strength
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
        soft = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.7, 2))
        amount = rng.uniform(0.2, 1.2)
        out = cv2.addWeighted(out, 1 + amount, soft, -amount, 0)
    if rng.random() < 0.35:
        quality = int(rng.uniform(35, 95))
        ok, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if ok:
            out = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return out


def _motion(picture: np.ndarray, rng: Rng) -> np.ndarray:
    length = int(rng.integers(2, 5))
    kernel = np.zeros((9, 9), np.float32)
    angle = rng.uniform(0, np.pi)
    for step in np.linspace(-length / 2, length / 2, 12):
        kernel[round(4 + step * np.sin(angle)), round(4 + step * np.cos(angle))] = 1
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def coarsen(picture: np.ndarray, rng: Rng, least: float) -> np.ndarray:
    """Return the picture as it looks when fewer pixels caught it, scaled back to its size."""
    factor = rng.uniform(least, 1.0)
    if factor > 0.95:
        return picture
    height, width = picture.shape[:2]
    small = cv2.resize(
        picture, (max(6, int(width * factor)), max(6, int(height * factor))), interpolation=cv2.INTER_AREA
    )
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR)
