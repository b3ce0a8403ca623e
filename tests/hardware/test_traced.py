"""Follow each drawn wire with a finger: from the pin whose number stands beside it to the part that is named there."""

from __future__ import annotations

import re
from collections import defaultdict
from xml.etree import ElementTree

from hardware.pinmap import pin_of, wires
from tests.conftest import ROOT

PICTURE = ROOT / "hardware" / "drawings" / "breadboard.svg"
SVG = "{http://www.w3.org/2000/svg}"
Place = tuple[float, float]


def words_at() -> dict[str, Place]:
    """Return where each text stands."""
    found = {}
    for text in ElementTree.parse(PICTURE).iter(f"{SVG}text"):
        span = next(iter(text))
        found[(span.text or "").strip()] = (float(text.attrib["x"]), float(text.attrib["y"]) + float(span.attrib["dy"]))
    return found


def traced() -> list[tuple[Place, Place]]:
    """Return both ends of each coloured wire, the left one first."""
    root = ElementTree.parse(PICTURE).getroot()
    style = root.findtext(f"{SVG}style") or ""
    inks = dict(re.findall(r"\.(s\d+)\{stroke:(#\w+);fill:none;stroke-width:2\.2;", style))
    ends: dict[str, dict[Place, int]] = defaultdict(lambda: defaultdict(int))
    for path in root.iter(f"{SVG}path"):
        ink = inks.get(path.attrib.get("class", ""))
        if ink is not None and ink != "#111":  # black is ground
            places = [tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path.attrib["d"])]
            for place in (places[0], places[-1]):
                ends[ink][(place[0], place[1])] += 1
    chains = [sorted(place for place, count in of.items() if count == 1) for of in ends.values()]
    assert all(len(chain) == 2 for chain in chains)  # each colour is one unbroken wire
    return [(chain[0], chain[1]) for chain in chains]


def gpio_at(start: Place, words: dict[str, Place]) -> int:
    """Return the GPIO number of the pin that a wire begins at, by the words on its own side of the header."""
    left = {word: place for word, place in words.items() if re.fullmatch(r"GPIO \d+ · \d+", word)}
    right = {word: place for word, place in words.items() if re.fullmatch(r"\d+ · GPIO \d+", word)}
    near = [
        (abs(place[1] - start[1]) + abs(place[0] - start[0]) / 10, word) for word, place in {**left, **right}.items()
    ]
    found = re.search(r"GPIO (\d+)", min(near)[1])
    assert found is not None
    return int(found[1])


def gpios_of_part(end: Place, words: dict[str, Place]) -> list[int]:
    """Return the GPIO numbers beside the part that a wire ends at, red before green before blue."""
    parts = {word: place for word, place in words.items() if re.match(r"\D.* · GPIO [\d/]+$", word)}
    nearest = min(parts, key=lambda word: abs(parts[word][1] - end[1]))
    return [int(number) for number in nearest.rpartition(" ")[2].split("/")]


def test_each_wire_leads_from_its_pin_to_its_part() -> None:
    words = words_at()
    ends = [(gpio_at(start, words), end) for start, end in traced()]
    assert sorted(gpio for gpio, _ in ends) == sorted(wire.gpio for wire in wires())
    for gpio, end in ends:
        assert gpio in gpios_of_part(end, words), f"GPIO {gpio} (pin {pin_of(gpio)})"


def test_the_legs_of_the_rgb_lamp_are_red_green_blue_from_above() -> None:
    words = words_at()
    height = {gpio_at(start, words): end[1] for start, end in traced()}
    legs = [wire.gpio for wire in wires() if wire.setting == "result"]
    assert sorted(legs, key=lambda gpio: height[gpio]) == legs
