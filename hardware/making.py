"""Make drawings, tables, parts and marks anew. Needs ``pip install -e '.[hardware]'``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from build123d import Compound, Pos, Rot, Shape, export_step, export_stl

from hardware import optics
from hardware.breadboard import breadboard
from hardware.drawings import drawing, picture
from hardware.enclosure import PARTS
from hardware.pages import FOLDER, filled
from hardware.pinmap import wires
from hardware.places import fingerprint
from hardware.recipes import read_recipes
from hardware.schematic import schematic
from hardware.sheets import PAPERS, corner_marks
from hardware.sizes import Sizes
from tableside.config import PinSettings

_MADE = datetime(2026, 1, 1)
_FINE_MM, _FINE_RAD = 0.08, 0.25  # how far a printed round may be from a true one


def whole(sizes: Sizes) -> Compound:
    """Return everything where it belongs, with the arm at the height of the recommended camera."""
    made = {name: make(sizes) for name, (make, _) in PARTS.items()}
    lens = optics.LENSES[0]
    up = optics.height_mm(lens, sizes) + lens.drop_mm
    made["arm"] = Pos(0, 0, up) * made["arm"]
    upper = Pos(0, 0, sizes.segment_mm) * made["mast"]
    front = -sizes.outer_mm[1] / 2 - sizes.panel_gap_mm
    made["panel"] = Pos(0, front, sizes.panel_mm[1] / 2 - sizes.floor_mm) * Rot(-90, 0, 180) * made["panel"]
    return Compound(children=[*made.values(), upper])


def write_steps(parts: Mapping[str, Shape], folder: Path) -> None:
    """Write each part as STEP. The same measures make the same files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in parts.items():
        export_step(part, folder / f"{name}.step", timestamp=_MADE)


def make_all() -> None:
    """Make pictures, tables, drawings, STL and marks."""
    drawings, prints = FOLDER / "drawings", FOLDER / "print"
    for folder in (drawings, prints):
        folder.mkdir(exist_ok=True)
    for page in sorted(FOLDER.glob("*.md")):
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    (drawings / "schematic.svg").write_bytes(schematic(wires()))
    (drawings / "breadboard.svg").write_bytes(breadboard(wires()))
    for recipe in read_recipes():
        if recipe.wires:
            (drawings / recipe.picture).write_bytes(schematic(recipe.wires))
    sizes = Sizes()
    for paper in PAPERS:
        (prints / f"corner-marks-{paper}.pdf").write_bytes(corner_marks(paper, sizes))
    _make_parts(sizes, drawings, prints)


def _make_parts(sizes: Sizes, drawings: Path, prints: Path) -> None:
    told: dict[str, object] = {}
    for name, (make, count) in PARTS.items():
        part = make(sizes)
        export_stl(part, prints / f"{name}.stl", tolerance=_FINE_MM, angular_tolerance=_FINE_RAD)
        shown: Shape = Rot(0, 180, 0) * part if name == "panel" else part
        (drawings / f"{name}.svg").write_bytes(drawing(shown, title=f"{name}, {count} x" if count > 1 else name))
        size = part.bounding_box().size
        told[name] = {"count": count, "size_mm": [round(v, 2) for v in size], "volume_mm3": round(part.volume, 1)}
    (drawings / "whole.svg").write_bytes(picture(whole(sizes), title="the whole"))
    record = {"made_from": fingerprint(sizes, PinSettings()), "parts": told}
    (prints / "parts.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
