"""The printed parts: closed, printable, made from today's measures, and they fit together. The camera sees the tray."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from math import radians, tan
from pathlib import Path
from typing import Any

import pytest

from hardware.optics import LENSES, WIDTH_PX, Lens, height_mm, hole_of, hole_words
from hardware.places import fingerprint, lamp_places
from hardware.sizes import Sizes
from tableside.config import PinSettings
from tests.conftest import ROOT

PRINT = ROOT / "hardware" / "print"
SIZES = Sizes()
RECORD = json.loads((PRINT / "parts.json").read_text(encoding="utf-8"))
WHY = "build123d is missing: pip install -e '.[hardware]'"


@pytest.fixture(scope="module")
def parts() -> dict[str, Any]:
    """Return all parts, built anew."""
    pytest.importorskip("build123d", reason=WHY)
    from hardware.enclosure import PARTS

    return {name: make(SIZES) for name, (make, _) in PARTS.items()}


@pytest.mark.parametrize("name", RECORD["parts"])
def test_a_printed_part_is_closed_and_of_its_measures(name: str) -> None:
    trimesh = pytest.importorskip("trimesh", reason="trimesh is missing: pip install -e '.[dev]'")
    mesh = trimesh.load_mesh(PRINT / f"{name}.stl")
    told = RECORD["parts"][name]
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.body_count == 1
    assert mesh.extents.tolist() == pytest.approx(told["size_mm"], abs=0.05)
    assert mesh.volume == pytest.approx(told["volume_mm3"], rel=0.003)


@pytest.mark.parametrize("name", RECORD["parts"])
def test_a_part_fits_the_bed_lying_on_one_of_its_sides(name: str) -> None:
    assert sorted(RECORD["parts"][name]["size_mm"])[2] <= SIZES.bed_mm - 4


def test_the_printed_parts_are_of_todays_measures_and_pins() -> None:
    assert RECORD["made_from"] == fingerprint(SIZES, PinSettings()), "run `python -m hardware`"


def test_a_lamp_without_a_pin_changes_no_print_and_one_with_a_pin_does() -> None:
    usual = fingerprint(SIZES, PinSettings())
    assert fingerprint(SIZES, replace(PinSettings(), pool=(2, 3, 4))) != usual
    assert fingerprint(SIZES, replace(PinSettings(), undo=())) != usual
    assert "pool" not in lamp_places(SIZES, PinSettings())  # a row, with no usual pin


def test_all_that_is_made_stays_small() -> None:
    made = [path for folder in ("drawings", "print") for path in (ROOT / "hardware" / folder).iterdir()]
    assert sum(path.stat().st_size for path in made) <= 3_000_000


def test_every_part_is_one_sound_solid_of_the_recorded_size(parts: dict[str, Any]) -> None:
    for name, part in parts.items():
        assert part.is_valid, name
        assert len(part.solids()) == 1, name
        told = RECORD["parts"][name]
        assert part.volume == pytest.approx(told["volume_mm3"], rel=1e-4), name
        assert list(part.bounding_box().size) == pytest.approx(told["size_mm"], abs=0.01), name


def test_nothing_runs_into_anything_else(parts: dict[str, Any]) -> None:
    from build123d import Pos

    lens = LENSES[0]
    placed = parts | {
        "arm": Pos(0, 0, height_mm(lens, SIZES) + lens.drop_mm) * parts["arm"],
        "upper mast": Pos(0, 0, SIZES.segment_mm) * parts["mast"],
    }
    del placed["panel"]  # it stands for itself
    for (one, a), (other, b) in combinations(placed.items(), 2):
        common = a & b
        assert not common or common.volume < 0.01, (one, other)


def test_what_slides_has_slack_and_what_touches_touches(parts: dict[str, Any]) -> None:
    from build123d import Pos

    left, right = parts["tray-left"], parts["tray-right"]
    nudged = (Pos(0, 2 * SIZES.slack_mm, 0) * left) & right
    assert nudged.volume > 1  # held along the seam, to twice the slack
    pulled = (Pos(-3, 0, 0) * left) & right
    assert pulled.volume > 1  # the dovetails hold the halves together
    assert parts["strap"].distance_to(left) == pytest.approx(0, abs=1e-3)
    assert parts["foot"].distance_to(right) == pytest.approx(0, abs=1e-3)
    pushed = (Pos(2 * SIZES.slack_mm, 0, 0) * parts["mast"]) & parts["foot"]
    assert pushed.volume > 1
    assert not ((Pos(SIZES.slack_mm * 0.8, 0, 0) * parts["mast"]) & parts["foot"])


def test_parts_are_written_for_other_programs_into_the_folder_that_is_named(
    parts: dict[str, Any], tmp_path: Path
) -> None:
    from build123d import import_step

    from hardware.making import write_steps

    write_steps({"strap": parts["strap"], "foot": parts["foot"]}, tmp_path / "steps")
    for name in ("strap", "foot"):
        read = import_step(tmp_path / "steps" / f"{name}.step")
        assert read.volume == pytest.approx(parts[name].volume, rel=1e-6), name
    assert not list(PRINT.glob("*.step"))


def widths(part: Any, diameter: float) -> int:
    """Count the round holes of a diameter."""
    from build123d import GeomType

    return len([f for f in part.faces().filter_by(GeomType.CYLINDER) if f.radius == pytest.approx(diameter / 2)])


def test_the_panel_has_a_hole_for_each_lamp_and_button_of_the_pin_map(parts: dict[str, Any]) -> None:
    pins = PinSettings()
    assert widths(parts["panel"], SIZES.lamp_mm) == len(pins.light) + len(pins.dark) + 2  # and result and state
    assert widths(parts["panel"], SIZES.button_mm) == 4


def test_lamps_do_not_fall_through_their_holes() -> None:
    # T-1 3/4 lamps: body 5.0 mm, flange 5.6 to 5.9 mm
    assert 5.0 < SIZES.lamp_mm < 5.6


def test_more_lamps_than_the_panel_is_wide_are_refused() -> None:
    with pytest.raises(ValueError, match="wider than 210 mm"):
        lamp_places(SIZES, PinSettings(light=tuple(range(8))))


def test_the_plate_takes_the_screws_of_every_camera(parts: dict[str, Any]) -> None:
    from hardware.enclosure.mast import HQ_HOLES_MM, MODULE_HOLES_MM

    plate = parts["arm"]
    half_x, half_y = MODULE_HOLES_MM[0] / 2, MODULE_HOLES_MM[1] / 2
    holes = [(x * half_x, y * half_y + shift, 1.0) for x in (-1, 1) for y in (-1, 1) for shift in (-3, 0, 3)]
    holes += [(x * HQ_HOLES_MM / 2, y * HQ_HOLES_MM / 2, 1.2) for x in (-1, 1) for y in (-1, 1)]
    holes.append((0, 0, 3.175))
    from build123d import Cylinder, Pos

    for x, y, radius in holes:
        assert not (plate & (Pos(x, y, SIZES.plate_mm / 2) * Cylinder(radius, SIZES.plate_mm))), (x, y)


@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
def test_the_camera_sees_the_whole_rim_with_its_marks(lens: Lens) -> None:
    """Project the four outer corners of the rim, and the aim's error, as a pinhole does."""
    distance = height_mm(lens, SIZES) - SIZES.wall_high_mm
    across, high = lens.field_deg
    # of the sensor the middle 4:3 is used: one of its two sides is used whole
    used = min(tan(radians(across) / 2), 4 / 3 * tan(radians(high) / 2))
    focal_px = WIDTH_PX / 2 / used
    for x in (-1, 1):
        for y in (-1, 1):
            u = WIDTH_PX / 2 + focal_px * (x * (SIZES.rim_mm[0] / 2 + SIZES.aim_mm)) / distance
            v = WIDTH_PX * 3 / 8 + focal_px * (y * (SIZES.rim_mm[1] / 2 + SIZES.aim_mm)) / distance
            assert 0 <= u <= WIDTH_PX
            assert 0 <= v <= WIDTH_PX * 3 / 4
    assert distance >= lens.nearest_mm
    assert focal_px * 16 / height_mm(lens, SIZES) >= 55  # a 16 mm die is not read from fewer pixels


@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
def test_the_arm_is_bolted_to_a_hole_that_exists(lens: Lens) -> None:
    hole = hole_of(lens, SIZES)
    assert 1 <= hole <= SIZES.holes
    assert hole != SIZES.joint_hole


def test_holes_are_counted_as_one_sees_them() -> None:
    seen = {lens.name: hole_words(lens, SIZES) for lens in LENSES}
    assert seen["Camera Module 3"] == "upper 12"  # the 31st step: 18 holes below the joint, none in it, 12 above
    assert seen["Camera Module 3 Wide"] == "lower 18"


def test_a_mast_that_is_too_short_is_said() -> None:
    tele = Lens(name="a tele lens", field_deg=(20, 15), nearest_mm=200, drop_mm=50)
    with pytest.raises(ValueError, match="a tele lens needs number"):
        hole_of(tele, SIZES)


def test_the_mast_has_the_holes_that_are_counted(parts: dict[str, Any]) -> None:
    through = 2 * round(SIZES.segment_mm / SIZES.hole_step_mm) - 2  # of both segments, none in the joint
    assert through == SIZES.holes - 1
    # a hole through the mortise or the tenon is cut in two, so that faces are more than holes
    assert widths(parts["mast"], SIZES.m4_mm) >= through / 2 + 1


@pytest.mark.parametrize("lacks", ["build123d", "schemdraw", "reportlab"])
@pytest.mark.parametrize("asked", [[], ["--step", "parts"]], ids=["all", "step"])
def test_without_its_packages_it_says_how_to_get_them(tmp_path: Path, lacks: str, asked: list[str]) -> None:
    script = f"import runpy, sys; sys.modules[{lacks!r}] = None; runpy.run_module('hardware', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", script, *asked], cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(
        r"python -m hardware: \w+ is not installed\. Run `pip install .*\[hardware\].*\.\n", done.stderr
    )
    assert not list(tmp_path.iterdir())
