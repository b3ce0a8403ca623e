"""No pin gives more than it may, and all together neither."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.budget import ALL_LIMIT_MA, DRIVE_LIMIT_MA, PIN_LIMIT_MA, current_ma, draws
from hardware.pinmap import wires
from tableside.config import PinSettings

CHOICES = {
    "as usual": PinSettings(),
    "one lamp for the pool": replace(PinSettings(), light=(), dark=(), pool=(5, 6, 12)),
    "a plain result": replace(PinSettings(), result=(22,)),
}


@pytest.mark.parametrize(("volts", "ohms", "milliamperes"), [(1.3, 330, 3.94), (3.3, 330, 10.0), (0.3, 330, 0.91)])
def test_ohms_law(volts: float, ohms: float, milliamperes: float) -> None:
    assert current_ma(volts, ohms) == pytest.approx(milliamperes, abs=0.005)


def test_a_lamp_that_needs_more_than_the_supply_draws_nothing() -> None:
    assert current_ma(3.3 - 3.6, 330) == 0


@pytest.mark.parametrize("pins", CHOICES.values(), ids=CHOICES)
def test_no_pin_and_not_all_pins_give_too_much(pins: PinSettings) -> None:
    found = draws(wires(pins))
    assert found
    assert max(one.worst_ma for one in found) <= min(PIN_LIMIT_MA, DRIVE_LIMIT_MA)
    assert sum(one.worst_ma for one in found) <= ALL_LIMIT_MA


def test_smaller_resistors_would_be_too_much() -> None:
    assert sum(one.worst_ma for one in draws(wires(), ohms=220)) > ALL_LIMIT_MA
    assert max(one.worst_ma for one in draws(wires(), ohms=100)) > DRIVE_LIMIT_MA


def test_buttons_are_not_in_the_sum() -> None:
    assert not [one for one in draws(wires()) if not one.wire.is_lamp]
