"""Invented light: lamps, the light of the room, and what mirrors in polished dice."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Lighting:
    """Lamps (n, 6) with place in cm and colour, the room's light from above and below (6), mirrored panels (n, 5)."""

    lamps: np.ndarray
    ambient: np.ndarray
    panels: np.ndarray
    level: float


def light_up(rng: Rng, *, tidy: bool = False) -> Lighting:
    """Invent one to three lamps, the light of the room, and bright panels that mirror in the dice."""
    lamp_count = int(rng.integers(1, 4))
    lamps = np.zeros((lamp_count, 6))
    total = rng.uniform(0.5, 1.25)
    warm = rng.uniform(-0.35, 0.25) * (0.4 if tidy else 1)
    shares = rng.dirichlet(np.ones(lamp_count))
    for i in range(lamp_count):
        angle, height_cm = rng.uniform(0, 2 * np.pi), rng.uniform(20, 150)
        away = height_cm * rng.uniform(0.0, 1.6)
        own = warm + rng.normal(0, 0.06)
        lamps[i] = [
            away * np.cos(angle),
            away * np.sin(angle),
            height_cm,
            *(shares[i] * total * np.array([1 + own, 1 + rng.normal(0, 0.04), 1 - own])),
        ]
    share = rng.uniform(0.15, 0.8)
    lamps[:, 3:] *= 1 - share
    level = total * share
    ambient = np.concatenate(
        [
            level * np.array([1 + warm * 0.7, 1, 1 - warm * 0.7]) * rng.uniform(0.95, 1.05, 3),
            level * rng.uniform(0.15, 0.7) * np.ones(3),
        ]
    )
    panels = np.array(
        [
            [*rng.normal(0, 0.7, 2), rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.4), rng.uniform(0.2, 1.6)]
            for _ in range(int(rng.integers(1, 4)))
        ]
    )
    return Lighting(lamps, ambient, panels, level)


def deepen(rng: Rng, lighting: Lighting, albedo: np.ndarray) -> tuple[Lighting, np.ndarray]:
    """Return the lighting with little light of the room, so that shadows are deep, and a darker table."""
    share = rng.uniform(0.05, 0.4)
    less = replace(lighting, ambient=lighting.ambient * share, level=lighting.level * share)
    return less, albedo * np.float32(rng.uniform(0.12, 0.5))


def under_ceiling(rng: Rng, lighting: Lighting) -> Lighting:
    """Return the lighting with a bright ceiling or window besides, which mirrors in whole upper faces."""
    size, softness, brightness = rng.uniform(0.4, 1.3), rng.uniform(0.1, 0.8), np.exp(rng.uniform(np.log(0.1), 0))
    wide = [*rng.normal(0, 0.5, 2), size, softness, brightness]
    return replace(lighting, panels=np.concatenate([lighting.panels, [wide]]))
