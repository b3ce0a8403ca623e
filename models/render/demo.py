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
from numpy.typing import NDArray

from models.render.dice import make
from models.render.lamps import Lighting
from models.render.scene import Camera, Placed, expose, lay_tray, throw
from models.render.surfaces import noise

WIDTH, HEIGHT, SCALE = 1280, 960, 2
ROLLS: dict[str, tuple[int, tuple[str, ...]]] = {
    "roll-0": (9, ("proficiency", "proficiency", "ability", "boost", "challenge", "difficulty", "setback")),
    "roll-1": (20001, ("ability", "ability", "proficiency", "difficulty", "difficulty")),
    "roll-2": (20002, ("proficiency", "proficiency", "ability", "boost", "challenge", "difficulty", "setback")),
    "roll-3": (20003, ("force", "force", "force")),
    "roll-4": (20004, ("pip", "pip", "pip", "pip")),
    "roll-5": (20005, ("ability", "boost", "boost", "difficulty", "setback", "setback")),
    "roll-6": (20006, ("proficiency", "proficiency", "proficiency", "challenge", "challenge", "boost")),
    "roll-7": (20007, ("ability", "ability", "ability", "difficulty")),
    "roll-8": (20008, ("proficiency", "ability", "boost", "difficulty", "difficulty", "challenge", "setback", "force")),
    "roll-9": (24, ("pip", "pip", "pip", "pip", "pip")),
}
"""The seed and the dice of each picture."""
SEED = 20  # of felt and camera noise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "names", nargs="*", help="the rolls to add to the tray that is there; all anew with its tray without"
    )
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    width, height = WIDTH * SCALE, HEIGHT * SCALE  # drawn large and shrunk, so that edges are smooth
    view = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
    tilt = np.radians(6)
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    eye = np.array([0.0, -46 * np.sin(tilt), 46 * np.cos(tilt)])
    cam = Camera(eye, view @ lean.T, width * 46 / 22, width / 2, height / 2)
    area = (0.13, 0.16, 0.87, 0.84)
    felt = np.random.default_rng(SEED)
    albedo = np.full((height, width, 3), (0.035, 0.022, 0.11), np.float32)
    albedo *= (1 + 0.12 * felt.normal(0, 1, (height, width)).astype(np.float32))[..., None]
    albedo *= (1 + 0.06 * noise(felt, height, width, 40))[..., None]
    albedo = lay_tray(felt, cam, np.clip(albedo, 0.003, 1), area, wood=np.array([0.05, 0.11, 0.22]))
    lamps = np.array([[-25.0, 30, 70, 0.50, 0.54, 0.58], [40, -10, 80, 0.38, 0.39, 0.39]])
    lighting = Lighting(lamps, np.array([0.5, 0.5, 0.5, 0.2, 0.18, 0.16]), np.array([[0.5, 0.4, 0.12, 0.1, 0.3]]), 0.5)
    tray, _ = expose(np.random.default_rng(SEED), cam, lighting, albedo, [])
    tray = cv2.resize(tray, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    lies = options.folder / "empty.jpg"
    if not options.names:
        cv2.imwrite(str(lies), tray, [cv2.IMWRITE_JPEG_QUALITY, 88])
    for name in options.names or ROLLS:
        seed, kinds = ROLLS[name]
        placed = roll(np.random.default_rng(seed), cam, kinds, area, (width, height))
        picture, truth = expose(np.random.default_rng(SEED), cam, lighting, albedo, placed)
        picture = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        if options.names:
            picture = in_light_of(cv2.imread(str(lies)), picture, tray)
        cv2.imwrite(str(options.folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
        for entry in truth:
            for key in ("center", "top", "outline"):
                entry[key] = np.round(np.array(entry[key]) / SCALE, 1).tolist()
            entry.pop("area", None)
        label = {"image": f"{name}.jpg", "complete": True, "dice": truth}
        (options.folder / f"{name}.json").write_text(json.dumps(label) + "\n")


def in_light_of(
    lies: NDArray[np.uint8], picture: NDArray[np.uint8], tray: NDArray[np.uint8], *, blur_px: float = 6.0
) -> NDArray[np.uint8]:
    """Return the felt of a picture with the shadows of the empty tray that lies there, and that tray's rim."""
    gain = cv2.GaussianBlur(lies.astype(float), (0, 0), blur_px) / cv2.GaussianBlur(tray.astype(float), (0, 0), blur_px)
    felt = np.zeros((*lies.shape[:2], 1))
    felt[100:864, 110:1170] = 1
    felt = cv2.GaussianBlur(felt, (0, 0), blur_px)[..., None]
    return (picture * gain * felt + lies * (1 - felt)).clip(0, 255).astype(np.uint8)


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
