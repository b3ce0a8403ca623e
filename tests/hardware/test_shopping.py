"""The list of parts has what is drawn: wires, jumpers, resistors and lamps are counted in the pictures."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

from hardware.boards import GROUND, ROWS, jumpers, layout
from hardware.pinmap import wires
from tests.conftest import ROOT
from tests.hardware.test_traced import PICTURE, SVG
from tests.hardware.test_wiring import texts

HARDWARE = ROOT / "hardware"
Place = tuple[str, float, float]


def listed(words: str) -> int:
    """Return how many of a part the list of parts names."""
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \|", (HARDWARE / "parts.md").read_text(encoding="utf-8"), re.M)
    (count,) = [int(count) for part, count in rows if part.startswith(words)]
    return count


def drawn(*, is_ground: bool) -> int:
    """Count the wires in the picture of the breadboards: lines of one colour that hang together."""
    root = ElementTree.parse(PICTURE).getroot()
    style = root.findtext(f"{SVG}style") or ""
    inks = dict(re.findall(r"\.(s\d+)\{stroke:(#\w+);fill:none;stroke-width:2\.2;", style))
    groups: list[set[Place]] = []
    for path in root.iter(f"{SVG}path"):
        ink = inks.get(path.attrib.get("class", ""))
        if ink is None or (ink == "#111") != is_ground:
            continue
        places = re.findall(r"(-?[\d.]+),(-?[\d.]+)", path.attrib["d"])
        ends = {(ink, float(x), float(y)) for x, y in (places[0], places[-1])}
        joined = [group for group in groups if group & ends]
        groups = [group for group in groups if not group & ends] + [ends.union(*joined)]
    return len(groups)


def test_the_jumpers_of_the_drawing_are_in_the_list() -> None:
    to_the_header = 1  # the wire from the header's ground is one of those to the boards
    assert drawn(is_ground=True) - to_the_header == len(jumpers(layout(wires())))
    assert listed("jumper wires, 10 cm, pin to pin") == drawn(is_ground=True) - to_the_header


def test_the_wires_from_the_header_are_in_the_list() -> None:
    assert listed("jumper wires, 20 cm, socket to pin") == drawn(is_ground=False) + 1


def test_the_resistors_of_the_schematic_are_in_the_list() -> None:
    shown = Counter(word for word in texts(HARDWARE / "drawings" / "schematic.svg") if word.endswith("Ω"))
    assert shown
    assert {word: listed(f"resistor {word},") for word in shown} == shown


def test_the_lamps_and_buttons_of_the_schematic_are_in_the_list() -> None:
    words = texts(HARDWARE / "drawings" / "schematic.svg")
    count = {start: sum(word.startswith(start) for word in words) for start in ("light point", "dark point", "flip")}
    assert listed("LED 5 mm blue") == count["light point"]
    assert listed("LED 5 mm red") == count["dark point"]
    assert listed("LED 5 mm green") == words.count("state") == 1
    assert listed("RGB LED") == words.count("result red") == 1
    assert listed("push button") == count["flip"] + words.count("undo (hold)") + words.count("read again")


def test_no_hole_takes_two_wires() -> None:
    parts = layout(wires())
    holes = [GROUND, *(hole for jumper in jumpers(parts) for hole in jumper)]
    holes += [(part.board, f"A{part.row_of(wire)}") for part in parts for wire in part.wires]
    assert len(holes) == len(set(holes))
    assert all(1 <= int(re.sub(r"\D*\d?_|\D", "", name)) <= ROWS for _, name in holes)


def test_every_part_is_joined_to_the_ground_of_the_header() -> None:
    parts = layout(wires())
    rails = {GROUND[0]}
    for (one, start), (other, end) in jumpers(parts):
        if start.startswith("R2_") and end.startswith("R2_"):
            rails |= {one, other}
    joined = {start for start, end in jumpers(parts) if end[1].startswith("R2_") and end[0] in rails}
    assert {(part.board, f"J{part.ground_row}") for part in parts} <= joined
