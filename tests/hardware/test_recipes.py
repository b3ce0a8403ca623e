"""A recipe is complete, its settings are settings, and its commands are commands."""

from __future__ import annotations

import queue
import re
import time
from pathlib import Path

import pytest

from hardware.recipes import PAGE, Recipe, read_recipes
from tableside.adapters.gpio.buttons import Buttons
from tableside.adapters.gpio.factory import open_pins
from tableside.adapters.gpio.lamps import Lamps
from tableside.table.kept import TableState
from tests.commands import commands_in, parse_command

RECIPES = read_recipes()
TOLD = ("Parts", "Prove it", "You should see", "The usual mistake")


def test_every_section_is_a_recipe_with_settings() -> None:
    sections = re.findall(r"^## ", PAGE.read_text(encoding="utf-8"), re.M)
    assert len(RECIPES) == len(sections) >= 7


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_recipe_tells_everything(recipe: Recipe) -> None:
    assert [told for told in TOLD if f"**{told}**" not in recipe.text] == []
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", recipe.text)
    assert pictures
    assert [picture for picture in pictures if not (PAGE.parent / picture).exists()] == []


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_the_commands_of_a_recipe_exist(recipe: Recipe, tmp_path: Path) -> None:
    commands = commands_in(recipe.text)
    assert commands
    for command in commands:
        parse_command(command)


def test_a_recipe_with_a_wrong_setting_is_said(tmp_path: Path) -> None:
    from tableside.errors import SettingsError

    page = tmp_path / "recipes.md"
    page.write_text("## One\n\n```toml\n[pins]\nstate = 4\n```\n")
    with pytest.raises(SettingsError, match="state: unknown setting"):
        read_recipes(page)


@pytest.mark.parametrize("recipe", [one for one in RECIPES if one.wires], ids=lambda recipe: recipe.name)
def test_what_is_wired_as_drawn_works(recipe: Recipe) -> None:
    """Pull each button's wire to ground, and see current in each lamp's wire during the lamp test."""
    factory = open_pins("mock")
    pins = recipe.settings.pins.pins()
    lamps = Lamps(factory, pins=pins)
    pressed: queue.SimpleQueue[str] = queue.SimpleQueue()
    buttons = Buttons(factory, pins=pins, when_pressed=pressed.put, hold_seconds=0.05)
    try:
        lamps.show(TableState(is_testing=True))
        for wire in recipe.wires:
            pin = factory.pin(wire.gpio)
            if wire.is_lamp:
                deadline = time.monotonic() + 60
                while not pin.state:  # an RGB lamp goes through its colours
                    assert time.monotonic() < deadline, wire
                    time.sleep(0.01)
            else:
                pin.drive_low()
                assert pressed.get(timeout=10) == wire.setting
                pin.drive_high()
    finally:
        buttons.close()
        lamps.close()
        factory.close()
        factory.reset()
