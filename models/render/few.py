"""Render dice of no set to teach and to ask about: ``python -m models.render.few FOLDER --first 9500000 --count 24``.

Each seed is one die, in ``FOLDER/SEED``: ``show`` holds photographs of each of its faces to teach it from, named
``FACE-PHOTOGRAPH.jpg``, and ``ask`` others to read. Every photograph has a table, a lamp and a camera of its own.
Read them with ``tableside bench teach FOLDER``.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from models.render.camera import camera
from models.render.invented import invent
from models.render.scene import expose, light_up
from models.render.seeds import made, seed_parser
from models.render.single import lying
from models.render.surfaces import surface
from models.train.augment import photograph

SHOWN, ASKED = 5, 3
_WIDTH, _HEIGHT = 640, 480
_STRENGTH = 0.7  # of what cameras do to pictures, against training


def render(job: tuple[Path, int]) -> int:
    """Render every face of one seed's die, and return how many photographs that made."""
    folder, seed = job
    rng = np.random.default_rng([seed, 1])
    model = invent(rng)
    names = list(dict.fromkeys(model.faces))
    for part in ("show", "ask"):
        (folder / str(seed) / part).mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(names):
        choices = [i for i, face in enumerate(model.faces) if face == name]
        for photo in range(SHOWN + ASKED):
            radius = rng.uniform(36, 90)
            cam = camera(rng, _WIDTH, _HEIGHT, _WIDTH * model.size / radius)
            spot = rng.uniform(-0.25, 0.25, 2) * _HEIGHT * model.size / radius
            placed = lying(rng, model, int(rng.choice(choices)), spot)
            picture, truth = expose(rng, cam, light_up(rng), surface(rng, _HEIGHT, _WIDTH).astype(np.float32), [placed])
            entry = {
                "type": "mine",
                "kind": model.solid.name,
                "face": [symbol.lower() for symbol in name],
                "cocked": False,
            }
            shown = photo < SHOWN
            if not shown:
                entry |= {key: truth[0][key] for key in ("center", "outline")}
            path = folder / str(seed) / ("show" if shown else "ask") / f"{number}-{photo}.jpg"
            cv2.imwrite(str(path), photograph(picture, rng, strength=_STRENGTH), [cv2.IMWRITE_JPEG_QUALITY, 92])
            path.with_suffix(".json").write_text(json.dumps({"image": path.name, "dice": [entry]}))
    return len(names) * (SHOWN + ASKED)


def main() -> None:
    options = seed_parser(__doc__, count=24).parse_args()
    jobs = [(options.folder, seed) for seed in range(options.first, options.first + options.count)]
    print(sum(made(render, jobs, options.workers)), "photographs")


if __name__ == "__main__":
    main()
