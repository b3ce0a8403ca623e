"""The wiring test: one lamp at a time, and presses at the right and the wrong pin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tableside.adapters.gpio.factory import open_pins
from tableside.app.checkup import Finding
from tableside.app.wiring import buttons_of, lamps_of, try_wiring
from tableside.config import PinSettings
from tests.fakes import lgpio

PINS = PinSettings(light=(5, 6), dark=(12,), result=(22, 23, 24), status=(4,), undo=(18,), read_again=(11,))
LAMPS = {"light 1": 5, "light 2": 6, "dark 1": 12, "result red": 22, "result green": 23, "result blue": 24, "status": 4}
BUTTONS = {"flip_light": 17, "flip_dark": 27, "undo": 18, "read_again": 11}


@pytest.fixture
def factory() -> Iterator[Any]:
    factory = MockFactory(revision="c03111", pin_class=MockPWMPin)
    yield factory
    factory.close()


def press(factory: Any, pin: int) -> None:
    factory.pin(pin).drive_low()
    factory.pin(pin).drive_high()


def presses(factory: Any, pins: dict[str, int]) -> Callable[[str], None]:
    """A person who presses the pin of the button that is named."""

    def tell(text: str) -> None:
        name = next(name for name in BUTTONS if f" {name} " in text)
        if name in pins:
            press(factory, pins[name])

    return tell


def tried(
    factory: Any, *, pins: dict[str, int] = BUTTONS, ask: Callable[[str], bool] = lambda _: True
) -> list[Finding]:
    tell = presses(factory, pins)
    return list(try_wiring(PINS, ask=ask, tell=tell, press_seconds=0.05, factory=factory))


def test_every_lamp_and_button_of_the_settings_is_tried() -> None:
    assert dict(lamps_of(PINS)) == LAMPS
    assert {name: pin for pin, name in buttons_of(PINS).items()} == BUTTONS
    assert [name for name, _ in lamps_of(PinSettings(light=(), dark=(), result=(22,), status=()))] == ["result"]


def test_each_lamp_burns_alone_while_it_is_asked_for(factory: Any) -> None:
    burnt: list[list[int]] = []

    def ask(_text: str) -> bool:
        burnt.append([pin for pin in LAMPS.values() if factory.pin(pin).state])
        return True

    found = tried(factory, ask=ask)
    assert burnt == [[pin] for pin in LAMPS.values()]
    assert [one.part for one in found] == [f"lamp {name}" for name in LAMPS] + [f"button {name}" for name in BUTTONS]
    assert all(one.is_good for one in found)


def test_a_lamp_that_nobody_sees_is_told_with_what_to_do(factory: Any) -> None:
    bad = [one for one in tried(factory, ask=lambda text: "light 2" not in text) if not one.is_good]
    assert [(one.part, one.text) for one in bad] == [("lamp light 2", "GPIO 6: nobody saw it burn alone")]
    assert "Turn the LED round" in bad[0].hint


def test_swapped_buttons_are_told_by_the_pin_at_which_the_press_came(factory: Any) -> None:
    found = tried(factory, pins=BUTTONS | {"flip_light": 27, "flip_dark": 17})
    bad = {one.part: one.text for one in found if not one.is_good}
    assert bad == {
        "button flip_light": "GPIO 17: the press came at GPIO 27 (flip_dark)",
        "button flip_dark": "GPIO 27: the press came at GPIO 17 (flip_light)",
    }


def test_a_button_that_is_down_already_is_told(factory: Any) -> None:
    def tell(text: str) -> None:
        if " flip_dark " in text:  # somebody leans on the next one instead
            factory.pin(18).drive_low()
        else:
            presses(factory, BUTTONS)(text)

    found = list(try_wiring(PINS, ask=lambda _: True, tell=tell, press_seconds=0.05, factory=factory))
    bad = {one.part: one.text for one in found if not one.is_good}
    assert bad == {
        "button flip_dark": "GPIO 27: the press came at GPIO 18 (undo)",
        "button undo": "GPIO 18: is down already",
    }


def test_a_button_that_nobody_presses_is_told(factory: Any) -> None:
    found = tried(factory, pins={name: pin for name, pin in BUTTONS.items() if name != "flip_dark"})
    bad = {one.part: one.text for one in found if not one.is_good}
    assert bad == {"button flip_dark": "GPIO 27: no press within 0.05 s"}


def test_a_pin_in_use_is_told_and_the_other_lamps_are_tried(factory: Any) -> None:
    with_twice = replace(PINS, light=(5, 99), dark=(), result=())
    found = list(try_wiring(with_twice, ask=lambda _: True, tell=presses(factory, BUTTONS), factory=factory))
    assert [one.is_good for one in found[:3]] == [True, False, True]
    assert "GPIO 99 cannot be had" in found[1].text


def test_drawn_and_absent_pins_have_no_wiring_to_try() -> None:
    for kind, words in (("mock", "drawn pins"), ("none", "switched off")):
        found = list(try_wiring(PinSettings(factory=kind), ask=lambda _: True, tell=print))
        assert [one.is_good for one in found] == [False]
        assert words in found[0].text


def test_a_busy_pin_leaves_the_others_to_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio.install(monkeypatch)
    lgpio.held_by |= {4: "onewire@0", 11: "spi0"}
    asked: list[str] = []
    with closing(open_pins("auto")) as factory:
        found = list(
            try_wiring(
                PINS, ask=lambda text: not asked.append(text), tell=lambda _: None, press_seconds=0, factory=factory
            )
        )
    told = {one.part: one.text for one in found if not one.is_good}
    assert len(asked) == len(LAMPS) - 1
    assert told == {
        "lamp status": "[pins] status: GPIO 4 is held by onewire@0",
        "button read_again": "[pins] read_again: GPIO 11 is held by spi0",
        **{f"button {name}": f"GPIO {pin}: no press within 0 s" for name, pin in BUTTONS.items() if pin != 11},
    }
