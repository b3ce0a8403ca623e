"""What a camera does to light: exposure, white balance, blur, bloom, noise, tone curve, sharpening."""

from __future__ import annotations

import cv2
import numpy as np

from models.pathtrace.pen import Rng

_WHITE = 0.9  # linear light that an ordinary exposure lets no more than 1.5 % of the picture exceed


def _standard(light: np.ndarray) -> np.ndarray:
    light = np.clip(light, 0, 1)
    return np.where(light < 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055)


def _filmic(light: np.ndarray) -> np.ndarray:
    """A film's long shoulder (the fit by Narkowicz, 2015)."""
    x = light * 0.9
    return _standard(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14))


def _shoulder(light: np.ndarray) -> np.ndarray:
    return _standard(np.where(light > 0.7, 0.7 + 0.3 * np.tanh((light - 0.7) / 0.45), light))


def _streak(length: float, angle: float) -> np.ndarray:
    side = int(np.ceil(length)) | 1
    kernel = np.zeros((side + 2, side + 2), np.float32)
    middle = (side + 1) / 2
    offset = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    a, b = np.array([middle, middle]) - offset, np.array([middle, middle]) + offset
    cv2.line(kernel, tuple(int(v * 16) for v in a), tuple(int(v * 16) for v in b), 1.0, 1, cv2.LINE_AA, 4)
    return kernel / kernel.sum()


def develop(rng: Rng, light: np.ndarray, *, hard: bool) -> np.ndarray:
    """Return the (h, w, 3) uint8 BGR photograph of linear (h, w, 3) RGB light."""
    height, width = light.shape[:2]
    light = np.maximum(np.nan_to_num(light), 0).astype(np.float32)
    grey = light @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    # A camera balances most of the lamp's colour away, and never all of it
    means = np.maximum(np.minimum(light, np.percentile(grey, 98)).reshape(-1, 3).mean(0), 1e-6)
    balance = (means.mean() / means) ** rng.uniform(0.0, 0.55)
    error = rng.normal(0, 0.07 if hard else 0.045)
    light *= (balance * np.array([1 + error, 1 + rng.normal(0, 0.015), 1 - error])).astype(np.float32)
    level = max(float(np.minimum(grey, np.percentile(grey, 97)).mean()), 1e-6)
    target = rng.uniform(0.15, 0.30) * 2 ** rng.normal(0, 0.45 if hard else 0.25)
    dark_table = float(np.percentile(grey, 50)) / level  # a die on a dark table is what the camera looks at
    gain = target / level * (0.75 + 0.25 * min(dark_table, 1.0))
    if not hard:  # an ordinary camera gives way where much of the picture would be white
        gain = min(gain, _WHITE / max(float(np.percentile(grey, 98.5)), 1e-6))
    light *= gain
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    far = ((xx / width - 0.5) ** 2 + (yy / width - 0.5 * height / width) ** 2) / 0.39
    light *= (1 - rng.uniform(0.0, 0.45) * far)[..., None]
    if rng.random() < (0.6 if hard else 0.3):
        bright = np.maximum(light - 0.9, 0)
        glow = cv2.GaussianBlur(np.minimum(bright, 6), (0, 0), width * rng.uniform(0.004, 0.02))
        light += glow * rng.uniform(0.1, 0.5) + rng.uniform(0, 0.02)
    blur = rng.uniform(0.6, 2.0) * width / 960 if hard and rng.random() < 0.45 else rng.uniform(0.25, 0.8)
    light = cv2.GaussianBlur(light, (0, 0), blur)
    if rng.random() < (0.25 if hard else 0.05):
        light = cv2.filter2D(light, -1, _streak(rng.uniform(2, 6) * width / 960, rng.uniform(0, np.pi)))
    shot, read = rng.uniform(0.002, 0.02 if hard else 0.012), rng.uniform(0.0005, 0.005)
    grain = rng.normal(size=light.shape).astype(np.float32)
    if rng.random() < 0.5:  # colour is stored coarser than brightness
        grain = 0.6 * grain.mean(-1, keepdims=True) * 1.7 + 0.5 * cv2.GaussianBlur(grain, (0, 0), 0.8)
    light = light + grain * np.sqrt(shot**2 * np.maximum(light, 0) + read**2)
    curve = (_standard, _filmic, _shoulder)[rng.choice(3, p=[0.25, 0.35, 0.4])]
    shown = curve(np.maximum(light, 0)).astype(np.float32)
    mean = shown.mean(-1, keepdims=True)
    shown = mean + (shown - mean) * rng.uniform(0.85, 1.2)
    if rng.random() < 0.5:
        shown += rng.uniform(0.2, 1.0) * (shown - cv2.GaussianBlur(shown, (0, 0), 1.2))
    return (np.clip(shown[..., ::-1], 0, 1) * 255 + 0.5).astype(np.uint8)
