"""Draw the layers anew: ``python docs/layers.py``. It follows import-linter's contract in ``pyproject.toml``."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import schemdraw
from schemdraw import flow

ROOT = Path(__file__).parent.parent
PICTURE = Path(__file__).parent / "pictures" / "layers.svg"
_WORDS = {
    "__main__": "python -m tableside",
    "cli": "the command line",
    "app": "the wiring: the only one that names a device",
    "adapters": "the outside world",
    "config": "settings",
    "paths": "where files lie",
    "delivery": "what connections share",
    "table": "what is happening now: the only owner of state",
    "games": "a folder a game: its rules, all of them",
    "rules": "what all games share: what is asked, thrown, spent",
    "tray": "frames to events",
    "teaching": "samples to a taught set",
    "reader": "a picture to a reading",
    "dice": "what dice are",
    "errors": "every error",
    "setting": "how one setting is read and written",
    "record": "data to and from JSON, by types",
    "words": "English that knows its pattern",
    "durable": "files that a power cut leaves whole",
    "typed": "values of a type, whichever threads ask first",
}
_WIDE, _HIGH, _STEP = 13.0, 1.2, 1.75


def layers() -> Sequence[Sequence[str]]:
    """Return the layers of the contract, the outermost first; siblings share one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in project["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    return [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]


def picture() -> bytes:
    """Return the layers as SVG: an arrow is an import that is allowed."""
    sys.path.insert(0, str(ROOT))
    from hardware.schematic import as_svg

    schemdraw.use("svg")
    schemdraw.svgconfig.text = "text"
    with schemdraw.Drawing(show=False, fontsize=12) as drawing:
        drawing.config(bgcolor="white", font="DejaVu Sans, Arial, sans-serif", margin=0.3)
        for number, names in enumerate(layers()):
            wide = (_WIDE - 0.3 * (len(names) - 1)) / len(names)
            for place, name in enumerate(names):
                left, top = place * (wide + 0.3), -number * _STEP
                box = flow.Box(w=wide, h=_HIGH).at((left, top)).anchor("NW").fill("#eef3f8")
                drawing += box.label(f"{name}\n{_WORDS.get(name, '')}", fontsize=11)
            if number:
                top = -number * _STEP
                drawing += flow.Arrow().at((_WIDE / 2, top + _STEP - _HIGH)).to((_WIDE / 2, top))
    return as_svg(drawing)


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(picture())
