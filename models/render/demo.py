"""Render the demo's recorded rolls: ``python -m models.render.demo tableside/samples``.

One table, one camera, one set of lamps; an empty tray and rolls of four games, each as a JPEG with its truth.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.render.dice import make
from models.render.lamps import Lighting
from models.render.scene import Camera, Placed, expose, lay_tray, throw
from models.render.surfaces import noise

WIDTH, HEIGHT, SCALE = 1280, 960, 2
ROLLS = (
    ("ability", "ability", "proficiency", "difficulty", "difficulty"),
    ("proficiency", "proficiency", "ability", "boost", "challenge", "difficulty", "setback"),
    ("force", "force", "force"),
    ("pip", "pip", "pip", "pip"),
    ("ability", "boost", "boost", "difficulty", "setback", "setback"),
    ("proficiency", "proficiency", "proficiency", "challenge", "challenge", "boost"),
    ("ability", "ability", "ability", "difficulty"),
    ("proficiency", "ability", "boost", "difficulty", "difficulty", "challenge", "setback", "force"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    width, height = WIDTH * SCALE, HEIGHT * SCALE  # drawn large and shrunk, so that edges are smooth
    view = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
    tilt = np.radians(6)
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    eye = np.array([0.0, -46 * np.sin(tilt), 46 * np.cos(tilt)])
    cam = Camera(eye, view @ lean.T, width * 46 / 22, width / 2, height / 2)
    area = (0.13, 0.16, 0.87, 0.84)
    felt = np.random.default_rng(options.seed)
    albedo = np.full((height, width, 3), (0.035, 0.022, 0.11), np.float32)
    albedo *= (1 + 0.12 * felt.normal(0, 1, (height, width)).astype(np.float32))[..., None]
    albedo *= (1 + 0.06 * noise(felt, height, width, 40))[..., None]
    albedo = lay_tray(felt, cam, np.clip(albedo, 0.003, 1), area, wood=np.array([0.05, 0.11, 0.22]))
    lamps = np.array([[-25.0, 30, 70, 0.50, 0.54, 0.58], [40, -10, 80, 0.38, 0.39, 0.39]])
    lighting = Lighting(lamps, np.array([0.5, 0.5, 0.5, 0.2, 0.18, 0.16]), np.array([[0.5, 0.4, 0.12, 0.1, 0.3]]), 0.5)
    for number, kinds in enumerate([(), *ROLLS]):
        rng = np.random.default_rng(1000 * options.seed + number)
        placed = roll(rng, cam, kinds, area, (width, height))
        picture, truth = expose(np.random.default_rng(options.seed), cam, lighting, albedo, placed)
        picture = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        name = f"roll-{number}" if kinds else "empty"
        cv2.imwrite(str(options.folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
        if kinds:
            for entry in truth:
                for key in ("center", "top", "outline"):
                    entry[key] = np.round(np.array(entry[key]) / SCALE, 1).tolist()
                entry.pop("area", None)
            label = {"image": f"{name}.jpg", "complete": True, "dice": truth}
            (options.folder / f"{name}.json").write_text(json.dumps(label) + "\n")


def roll(
    rng: np.random.Generator, cam: Camera, kinds: tuple[str, ...], area: tuple[float, ...], size: tuple[int, int]
) -> list[Placed]:
    """Throw dice of these kinds; the pip dice are of one make but for the last, the Wild Die."""
    placed: list[Placed] = []
    inner = (area[0] + 0.05, area[1] + 0.06, area[2] - 0.05, area[3] - 0.06)
    model = replace(make(rng, "pip"), gloss=np.array([0.12, 30, 0.08, 0.5, 0.1]), deboss=-0.3)
    for number, kind in enumerate(kinds):
        for _ in range(200):
            (die,) = throw(rng, cam, size, 1, [kind], inner, 0.0)
            matt = np.array([0.12, 30, 0.08, 0.5, 0.1])
            plain = die.model.pattern * np.array([1, 0, 1, 0, 1])
            die.model = replace(die.model, gloss=matt, pattern=plain, deboss=-0.3)
            if kind == "pip" and number < len(kinds) - 1:
                die.model = model
            if all(np.linalg.norm(die.centre - other.centre) > 1.02 * (die.reach + other.reach) for other in placed):
                placed.append(die)
                break
    return placed


if __name__ == "__main__":
    main()
