"""Lamps and buttons through gpiozero's real lgpio factory, as on a Pi 5, over a fake lgpio."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero import LED

from tableside.adapters.gpio.buttons import Buttons
from tableside.adapters.gpio.factory import all_busy, are_drawn, open_pins
from tableside.adapters.gpio.lamps import Lamps
from tableside.table.kept import Destiny, TableState
from tests.fakes import lgpio


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    lgpio.install(monkeypatch)
    factory = open_pins("auto")
    yield factory
    factory.close()
    assert not lgpio.is_open()


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
    assert told.get(timeout=30) == "flip_light"
    assert told.empty()
    buttons.close()


def test_points_are_shown_by_the_duty_of_their_pins(pins: Any) -> None:
    lamps = Lamps(pins, pins={"light": (5, 6), "dark": (12,), "result": (22, 23, 24)})
    lamps.show(TableState(destiny=Destiny(light=1, dark=1)))
    duties = [lgpio.lines[pin].pwm[1] for pin in (5, 6, 12)]
    assert duties == [100, 0, 100]
    lamps.close()


def test_a_button_held_on_real_pins_tells_once(pins: Any) -> None:
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    buttons = Buttons(pins, pins={"undo": (18,)}, when_pressed=told.put, hold_seconds=0.05, bounce_seconds=0.005)
    lgpio.drive(18, 0)
    assert told.get(timeout=30) == "undo"
    lgpio.drive(18, 1)
    assert told.empty()
    buttons.close()


def test_the_lamp_test_and_the_lamp_of_the_state_on_real_pins(pins: Any) -> None:
    lamps = Lamps(pins, pins={"light": (5,), "dark": (12,), "result": (22,), "status": (4,)})
    lamps.show(TableState(is_testing=True))
    assert [lgpio.lines[pin].pwm[1] for pin in (5, 12, 22, 4)] == [100] * 4
    lamps.show(TableState())
    assert [lgpio.lines[pin].pwm[1] for pin in (5, 12, 22, 4)] == [0, 0, 0, 100]
    lamps.close()


def test_the_stand_in_refuses_a_line_that_somebody_else_has(pins: Any) -> None:
    lgpio.held_by[5] = "onewire@0"
    with pytest.raises(lgpio.error, match="'GPIO busy'"):
        LED(5, pin_factory=pins)
    lamp = LED(6, pin_factory=pins)
    another_program = lgpio.gpiochip_open(0)
    with pytest.raises(lgpio.error, match="'GPIO busy'"):
        lgpio.gpio_claim_output(another_program, 6)
    with pytest.raises(lgpio.error, match="'GPIO not allocated'"):
        lgpio.gpio_read(another_program, 6)
    assert lgpio.gpio_get_line_info(another_program, 6)[4] == "lg"
    lamp.close()
    lgpio.gpiochip_close(another_program)


@pytest.mark.parametrize("busy", [5, 6, 12, 23, 25])
def test_a_busy_pin_takes_nothing_but_its_own_lamp_away(pins: Any, busy: int) -> None:
    lgpio.held_by[busy] = "spi0 CS0"
    wires = {"light": (5, 6), "dark": (12,), "result": (22, 23, 24), "status": (25,)}
    lamps = Lamps(pins, pins=wires)
    assert [(one.gpio, one.holder, one.why) for one in lamps.take()] == [(busy, "spi0 CS0", "GPIO busy")]
    lamps.show(TableState(is_testing=True))
    for own in ((5,), (6,), (12,), (22, 23, 24), (25,)):
        assert any(lgpio.line(pin).pwm == (100, 100) for pin in own) == (busy not in own)
    del lgpio.held_by[busy]
    assert lamps.take() == ()
    lamps.show(TableState(is_testing=True))
    assert lgpio.line(22 if busy == 23 else busy).pwm == (100, 100)
    lamps.close()


def test_points_are_counted_on_the_lamps_that_are_had(pins: Any) -> None:
    lgpio.held_by[5] = "onewire@0"
    lamps = Lamps(pins, pins={"light": (5, 6, 13)})
    lamps.show(TableState(destiny=Destiny(light=1)))
    assert [lgpio.line(pin).pwm for pin in (5, 6, 13)] == [None, (100, 100), (100, 0)]
    lamps.close()


def test_a_busy_pin_takes_nothing_but_its_own_button_away(pins: Any) -> None:
    lgpio.held_by[17] = "another program"
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    buttons = Buttons(pins, pins={"flip_light": (17,), "flip_dark": (27,)}, when_pressed=told.put, bounce_seconds=0)
    assert [(one.gpio, one.name) for one in buttons.take()] == [(17, "flip_light")]
    lgpio.drive(27, 0)
    assert told.get(timeout=30) == "flip_dark"
    del lgpio.held_by[17]
    assert buttons.take() == ()
    lgpio.drive(17, 0)
    assert told.get(timeout=30) == "flip_light"
    for pin in (17, 27):
        lgpio.drive(pin, 1)
    buttons.close()


def test_a_library_that_cannot_tell_who_holds_a_pin_names_the_pin(pins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(lgpio, "gpio_get_line_info")
    lgpio.held_by[4] = "onewire@0"
    lamps = Lamps(pins, pins={"status": (4,)})
    told = all_busy(lamps.take())
    lamps.close()
    assert (told.what, told.where) == ("GPIO 4 cannot be had (GPIO busy)", "[pins] status")
    assert "commonly taken by 1-Wire (dtoverlay=w1-gpio)" in told.hint
