"""Lamps and buttons through gpiozero's real lgpio factory, as on a Pi 5, over a fake lgpio."""

from __future__ import annotations

import queue
import sys
from collections.abc import Iterator
from typing import Any

import gpiozero.pins.local
import pytest

from tableside.adapters.gpio import Buttons, Lamps, are_drawn, open_pins
from tableside.table.state import Destiny, TableState
from tests.fakes import lgpio

PI_5 = 0xC04170


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    lgpio.lines.clear()
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: PI_5)
    factory = open_pins("auto")
    yield factory
    factory.close()
    assert not lgpio.is_open


def test_real_pins_are_not_drawn(pins: Any) -> None:
    assert not are_drawn(pins)


def test_a_chattering_press_is_told_once_and_the_kernel_debounces(pins: Any) -> None:
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    buttons = Buttons(pins, pins={"flip_light": (17,)}, when_pressed=told.put, bounce_seconds=0.03)
    assert lgpio.lines[17].debounce_us == 30000
    assert lgpio.lines[17].mode & lgpio.SET_PULL_UP
    for _ in range(6):
        lgpio.drive(17, 0)
        lgpio.drive(17, 1)
    lgpio.drive(17, 0)
    assert told.get(timeout=5) == "flip_light"
    assert told.empty()
    buttons.close()


def test_points_are_shown_by_the_duty_of_their_pins(pins: Any) -> None:
    lamps = Lamps(pins, light=(5, 6), dark=(12,), result=(22, 23, 24))
    lamps.show(TableState(destiny=Destiny(light=1, dark=1)))
    duties = [lgpio.lines[pin].pwm[1] for pin in (5, 6, 12)]  # type: ignore[index]
    assert duties == [100, 0, 100]
    lamps.close()


def test_a_button_held_on_real_pins_tells_once(pins: Any) -> None:
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    buttons = Buttons(
        pins, pins={"undo": (18,)}, when_pressed=told.put, held=("undo",), hold_seconds=0.05, bounce_seconds=0.005
    )
    lgpio.drive(18, 0)
    assert told.get(timeout=5) == "undo"
    lgpio.drive(18, 1)
    assert told.empty()
    buttons.close()


def test_the_lamp_test_and_the_lamp_of_the_state_on_real_pins(pins: Any) -> None:
    lamps = Lamps(pins, light=(5,), dark=(12,), result=(22,), status=(4,))
    lamps.show(TableState(is_testing=True))
    assert [lgpio.lines[pin].pwm[1] for pin in (5, 12, 22, 4)] == [100] * 4  # type: ignore[index]
    lamps.show(TableState())
    assert [lgpio.lines[pin].pwm[1] for pin in (5, 12, 22, 4)] == [0, 0, 0, 100]  # type: ignore[index]
    lamps.close()
