"""Render labelled scenes: ``python -m models.render FOLDER --first SEED --count N [--workers 2]``.

Each seed gives the same picture on every machine, as NAME.jpg with NAME.json beside it. Scenes that are there already are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from models.render.scene import scene
from models.render.seeds import made, seed_parser
from models.render.trouble import TROUBLES


def render(job: tuple[str, int, dict[str, Any]]) -> int:
    """Render one seed into the folder and return the seed."""
    folder, seed, options = job
    path = Path(folder) / f"{seed}.jpg"
    truth_path = path.with_suffix(".json")
    if truth_path.exists():
        return seed
    picture, truth = scene(seed, **options)
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    whole = truth_path.with_suffix(".new")  # what has its name is whole
    whole.write_text(json.dumps({"image": path.name, **truth}))
    whole.replace(truth_path)
    return seed


def draw(folder: Path, first: int, count: int, workers: int, wanted: dict[str, Any]) -> Iterator[int]:
    """Render so many seeds into the folder, and yield each as soon as its scene is there.

    :param wanted: what is drawn, by the names of :func:`models.render.scene.scene`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(str(folder), seed, wanted) for seed in range(first, first + count)]
    yield from made(render, jobs, workers, chunk=8)


def main() -> None:
    parser = seed_parser(__doc__, count=100, first=1_000_000)
    parser.add_argument("--hard", action="store_true", help="more leaning dice, and flat patches that are no dice")
    parser.add_argument("--pages", action="store_true", help="printed and written pages under the dice")
    parser.add_argument(
        "--table",
        choices=["busy", "woven", "printed"],
        default="",
        help="table tops with patterns, of weaves, or with pictures in print",
    )
    parser.add_argument(
        "--kinds", choices=["narrative", "pips", "percentile", "mixed", "others", "lookalikes", "strangers", "boost"]
    )
    parser.add_argument("--marbled", type=float, default=0.06, help="share of symbol dice of two colours")
    parser.add_argument("--deep", action="store_true", help="dark dice in deep shadows on dark tables")
    parser.add_argument("--things", action="store_true", help="boxes, phones, caps and dust about the dice")
    parser.add_argument("--fittings", action="store_true", help="holes, snaps, magnets, stains, beads and chips")
    parser.add_argument(
        "--finishes", action="store_true", help="stripes, flakes, rims, metal and the like on most dice"
    )
    parser.add_argument("--propped", action="store_true", help="dice lean on walls, dice and things, as real ones do")
    parser.add_argument("--blank", action="store_true", help="blank faces, most of them black, under bright ceilings")
    parser.add_argument("--wide", action="store_true", help="through a phone's or Pi camera's lens, from near by")
    parser.add_argument("--steep", action="store_true", help="from the side, as somebody who sits at the table sees it")
    meant = "; ".join(f"{name}: {what}" for name, what in TROUBLES.items())
    parser.add_argument("--trouble", default="", choices=["", *TROUBLES], help=f"what is hard to read. {meant}")
    wanted = vars(parser.parse_args())  # what is left of it says how scenes are drawn
    folder, first, count, workers = (wanted.pop(name) for name in ("folder", "first", "count", "workers"))
    for number, _ in enumerate(draw(folder, first, count, workers, wanted), start=1):
        if number % 500 == 0:
            print(f"{number} of {count}", flush=True)


if __name__ == "__main__":
    main()
