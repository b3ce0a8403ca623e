"""The drawn wiring is the program's: the committed pictures say the pins of the code, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware.pages import filled
from hardware.pinmap import Wire, ground_pins, header, pin_of, wires
from hardware.recipes import read_recipes
from tableside.config import PinSettings
from tests.conftest import ROOT

DRAWINGS = ROOT / "hardware" / "drawings"
MAKE = "run `python -m hardware`"


def texts(picture: Path | bytes) -> list[str]:
    """Return the words of an SVG in order."""
    root = ElementTree.fromstring(picture.read_bytes() if isinstance(picture, Path) else picture)
    return ["".join(one.itertext()).strip() for one in root.iter("{http://www.w3.org/2000/svg}text")]


def circuits(words: list[str]) -> set[tuple[int, int]]:
    """Return the GPIO and header numbers that a schematic shows."""
    found = (re.fullmatch(r"GPIO (\d+) · pin (\d+)", word) for word in words)
    return {(int(one[1]), int(one[2])) for one in found if one}


def on_boards(words: list[str]) -> Counter[int]:
    """Return the GPIO numbers beside the parts on the breadboards."""
    lists = (re.search(r"^\D.* · GPIO ([\d/]+)$", word) for word in words)
    return Counter(int(number) for one in lists if one for number in one[1].split("/"))


def test_the_header_is_that_of_a_pi() -> None:
    assert header()[1] == "3V3"
    assert ground_pins() == (6, 9, 14, 20, 25, 30, 34, 39)
    # the first and last rows of Raspberry Pi's own pinout
    assert [pin_of(gpio) for gpio in (2, 14, 26, 21)] == [3, 8, 37, 40]


def test_every_wire_of_the_settings_is_there_once() -> None:
    assert [(wire.setting, wire.gpio) for wire in wires()] == PinSettings().wires()


def test_the_schematic_shows_the_pins_of_the_code() -> None:
    shown = circuits(texts(DRAWINGS / "schematic.svg"))
    assert shown == {(wire.gpio, wire.pin) for wire in wires()}, MAKE


def test_the_schematic_names_each_circuit() -> None:
    words = texts(DRAWINGS / "schematic.svg")
    assert [wire.title for wire in wires() if wire.title not in words] == [], MAKE


def test_the_breadboards_show_the_pins_of_the_code() -> None:
    shown = on_boards(texts(DRAWINGS / "breadboard.svg"))
    assert shown == Counter(wire.gpio for wire in wires()), MAKE


def test_another_pin_map_is_not_what_is_drawn() -> None:
    moved = wires(replace(PinSettings(), status=(7,)))
    assert circuits(texts(DRAWINGS / "schematic.svg")) != {(wire.gpio, wire.pin) for wire in moved}


def test_both_pictures_are_as_the_code_draws_them() -> None:
    pytest.importorskip("schemdraw", reason="schemdraw is missing: pip install -e '.[dev]'")
    from hardware.breadboard import breadboard
    from hardware.schematic import schematic

    assert texts(schematic(wires())) == texts(DRAWINGS / "schematic.svg"), MAKE
    assert texts(breadboard(wires())) == texts(DRAWINGS / "breadboard.svg"), MAKE


def test_on_the_breadboards_each_circuit_has_rows_of_its_own() -> None:
    pytest.importorskip("schemdraw", reason="schemdraw is missing: pip install -e '.[dev]'")
    from hardware.boards import ROWS, layout

    taken: dict[tuple[int, int], Wire | str] = {}
    for part in layout(wires()):
        for wire in part.wires:
            assert taken.setdefault((part.board, part.row_of(wire)), wire) is wire
        ground = (part.board, part.ground_row)
        assert ground not in taken or taken[ground] == "ground"
        taken[ground] = "ground"
    assert all(1 <= row <= ROWS for _, row in taken)
    assert len([one for one in taken.values() if one != "ground"]) == len(wires())


def test_lamps_that_do_not_fit_on_the_boards_are_said() -> None:
    pytest.importorskip("schemdraw", reason="schemdraw is missing: pip install -e '.[dev]'")
    from hardware.boards import layout

    with pytest.raises(ValueError, match="board 2 has no room for dark point 4"):
        layout(wires(replace(PinSettings(), light=(5, 6, 18, 19, 2, 3, 4))))


@pytest.mark.parametrize("page", sorted((ROOT / "hardware").glob("*.md")), ids=lambda page: page.name)
def test_the_tables_of_the_pages_are_those_of_the_code(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert filled(text) == text, MAKE


@pytest.mark.parametrize("recipe", read_recipes(), ids=lambda recipe: recipe.name)
def test_the_picture_of_a_recipe_shows_its_own_settings(recipe: object) -> None:
    from hardware.recipes import Recipe

    assert isinstance(recipe, Recipe)
    if recipe.wires:
        assert f"drawings/{recipe.picture}" in recipe.text
        assert circuits(texts(DRAWINGS / recipe.picture)) == {(wire.gpio, wire.pin) for wire in recipe.wires}, MAKE
