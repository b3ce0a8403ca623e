"""A poor camera: what its lens, its sensor, its processor and its cable make of what is before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

Picture = np.ndarray
_FIELDS = 6
"""So many fields of noise are drawn once, and shifted at random: drawing them anew takes most of the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor:
    """What one camera does to a picture.

    :ivar fps: pictures a second. :ivar noise: grey levels at mid grey, of the sensor.
    :ivar denoiser: 0..1, the share of the last picture that stays where nothing seems to move.
    :ivar blotches: grey levels of spots of colour 10 px wide. :ivar drift: share by which exposure and white balance
        wander. :ivar answer: share by which exposure answers what covers the picture.
    :ivar bands: amplitude, as a share, of the lamp's flicker. :ivar hertz: of that flicker: twice the mains'.
    :ivar quality: of JPEG. :ivar tremble: px, of the camera.
    """

    fps: float = 30.0
    noise: float = 2.0
    denoiser: float = 0.0
    blotches: float = 0.0
    drift: float = 0.0
    answer: float = 0.0
    bands: float = 0.0
    hertz: float = 100.0
    quality: int = 85
    tremble: float = 0.0

    def pictures(self, scene: Iterable[Picture], rng: np.random.Generator) -> Iterator[Picture]:
        """Yield what the camera gives of (h, w, 3) uint8 pictures without a fault, one for one."""
        fields: list[np.ndarray] = []
        last: np.ndarray | None = None
        first_level, gain = 0.0, 1.0
        phase = float(rng.uniform(0, 6))
        for number, clean in enumerate(scene):
            height, width = clean.shape[:2]
            if not fields:
                spread = np.array([1.5, 1.0, 1.3], np.float32)
                fields = [rng.normal(0, 1, (height, width, 3)).astype(np.float32) * spread for _ in range(_FIELDS)]
                first_level = float(clean.mean())
            seen = clean.astype(np.float32)
            if self.tremble:
                x, y = rng.normal(0, self.tremble, 2)
                move = np.array([[1, 0, x], [0, 1, y]], np.float32)
                seen = cv2.warpAffine(seen, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
            time = number / self.fps
            wanted = 1 + self.answer * np.clip((first_level - float(clean.mean())) / first_level * 4, -1, 1)
            gain += (wanted - gain) * min(1.0, 4 / self.fps)
            wander = self.drift * np.sin(phase + time * np.array([1.1, 0.7, 0.9]))
            seen *= (gain * (1 + wander)).astype(np.float32)
            if self.bands:
                rows = np.arange(height) / height * 0.028  # seconds that reading a picture takes
                band = 1 + self.bands * np.sin(2 * np.pi * self.hertz * (time + rows) + phase)
                seen *= band.astype(np.float32)[:, None, None]
            field = fields[int(rng.integers(_FIELDS))]
            field = np.roll(field, (int(rng.integers(height)), int(rng.integers(width))), (0, 1))
            seen += field * (self.noise * np.sqrt(np.clip(seen, 4, 255) / 128))
            if self.blotches:
                coarse = rng.normal(0, self.blotches, (height // 10 + 1, width // 10 + 1, 3)).astype(np.float32)
                seen += cv2.resize(coarse * np.array([1.4, 0.5, 1.2], np.float32), (width, height))
            if self.denoiser and last is not None:
                away = cv2.blur(np.abs(seen - last).max(axis=2), (5, 5))
                kept = self.denoiser * np.clip(2 - away / (2.5 * self.noise + 2), 0, 1)
                seen += (last - seen) * kept[..., None]
            last = seen
            levels = np.clip(seen, 0, 255).astype(np.uint8)
            _, data = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
            yield np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def drawn(rng: np.random.Generator) -> Sensor:
    """Draw a camera: most have two faults that are strong, and a little of the others."""
    strong = set(rng.choice(["noise", "denoiser", "blotches", "light", "bands", "tremble"], 2, replace=False))
    fps = float(rng.choice([5, 10, 15, 25, 30, 60], p=[0.15, 0.2, 0.2, 0.2, 0.2, 0.05]))
    return Sensor(
        fps=fps,
        noise=float(rng.uniform(4, 8) if "noise" in strong else rng.uniform(2, 3)),
        denoiser=float(rng.uniform(0.4, 0.75)) if "denoiser" in strong else 0.0,
        blotches=float(rng.uniform(1.5, 4) if "blotches" in strong else rng.uniform(0, 0.7)),
        drift=float(rng.uniform(0.02, 0.05) if "light" in strong else 0.005),
        answer=float(rng.uniform(0.1, 0.4) if "light" in strong else 0.03),
        bands=float(rng.uniform(0.02, 0.06) if "bands" in strong else rng.uniform(0, 0.006)),
        hertz=float(rng.choice([100, 120])) * float(rng.uniform(0.99, 1.01)),
        quality=int(rng.integers(60, 86)),
        tremble=float(rng.uniform(0.2, 0.3) if "tremble" in strong else 0.0),
    )
