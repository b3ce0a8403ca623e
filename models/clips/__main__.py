"""Make films of throws: ``python -m models.clips FOLDER --first SEED --count N [--workers 2]``.

Each clip is a folder of pictures with ``clip.json`` beside them: the form of ``tableside record``, with the truth in
``rolls``. A seed gives the same clip on every machine. Needs the drawing extra.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from models.clips.film import FPS
from models.clips.script import begin, play
from models.render.seeds import made, seed_parser


def make_clip(job: tuple[str, int, int, int]) -> str:
    """Make the clip of one seed and return its name; one that is complete is kept."""
    root, seed, width, height = job
    clip = begin(seed, width=width, height=height)
    folder = Path(root) / f"{seed:05}-{clip.scenario.replace(' ', '-')}"
    if (folder / "clip.json").exists():
        return folder.name
    folder.mkdir(parents=True, exist_ok=True)
    for number, picture in enumerate(play(clip)):
        cv2.imwrite(str(folder / f"{number:05}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    truth = {
        "camera": "models.clips", "seed": seed, "scenario": clip.scenario, "size_px": [width, height], "fps": FPS,
        "times": [round(n / FPS, 4) for n in range(clip.frames)], "rolls": clip.events,
    }  # fmt: skip
    (folder / "clip.json").write_text(json.dumps(truth))
    return folder.name


def main() -> None:
    parser = seed_parser(__doc__, count=60, first=0)
    parser.add_argument("--size", type=int, nargs=2, default=(640, 480), metavar=("WIDTH", "HEIGHT"))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    jobs = [(str(options.folder), options.first + n, *options.size) for n in range(options.count)]
    for name in made(make_clip, jobs, options.workers):
        print(name, flush=True)


if __name__ == "__main__":
    main()
