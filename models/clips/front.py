"""Film the throw that the front page shows: ``python -m models.clips.front docs/throw.mp4``.

One pool falls into a tray like the demo's. Needs what ``models.clips`` needs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.clips.film import FPS, develop, moving, shoot, studio
from models.clips.physics import fly, thrown
from models.render.dice import Model, make

POOL = ("proficiency", "proficiency", "ability", "boost", "difficulty", "difficulty")
SEED = 143  # six dice that lie apart: two successes and an advantage
SIZE, FINER = (640, 480), 2  # drawn larger and shrunk, so that edges are smooth
_EMPTY_SECONDS, _STILL_SECONDS = 1.0, 2.0
_MATT = np.array([0.12, 30, 0.08, 0.5, 0.1])
_STUDIO_SEED = 18  # dark red felt, as in the demo


def die(rng: np.random.Generator, kind: str) -> Model:
    """Return a die of one colour without gloss, as the demo's are."""
    model = make(rng, kind, marbled=0.0)
    return replace(model, gloss=_MATT, pattern=model.pattern * np.array([1, 0, 1, 0, 1]), deboss=-0.3)


def throw(seed: int) -> Iterator[np.ndarray]:
    """Yield the pictures of a throw, 30 a second: the empty tray, the dice as they fall, the dice as they lie."""
    place = studio(np.random.default_rng(_STUDIO_SEED), width=SIZE[0] * FINER, height=SIZE[1] * FINER)
    place = replace(place, noise=float(FINER))
    rng = np.random.default_rng(seed)
    dice = [die(rng, kind) for kind in POOL]
    flight = fly(dice, [thrown(rng, place.half, number) for number in range(len(dice))], place.half)
    empty, still = shoot(place, [], [])[0], shoot(place, dice, flight.end)[0]
    lights = [empty] * round(_EMPTY_SECONDS * FPS)
    lights += [moving(place, dice, flight.poses, frame) for frame in range(int(np.ceil(flight.rest * FPS)))]
    lights += [still] * round(_STILL_SECONDS * FPS)
    for light in lights:
        yield cv2.resize(develop(place, light, rng), SIZE, interpolation=cv2.INTER_AREA)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    film = cv2.VideoWriter(str(options.file), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    for picture in throw(options.seed):
        film.write(picture)
    film.release()


if __name__ == "__main__":
    main()
