"""No pin gives more than it may, and all together neither."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.budget import (
    ALL_LIMIT_MA,
    DRIVE_LIMIT_MA,
    PIN_LIMIT_MA,
    current_ma,
    draws,
    resistor_ohms,
    rgb_shares,
)
from hardware.pinmap import wires
from tableside.adapters.gpio.lamps import RGB_SHARES
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
    assert max(one.most_ma for one in found) <= min(PIN_LIMIT_MA, DRIVE_LIMIT_MA)
    assert sum(one.most_ma for one in found) <= ALL_LIMIT_MA


@pytest.mark.parametrize("pins", CHOICES.values(), ids=CHOICES)
def test_lamps_of_all_colours_draw_the_same(pins: PinSettings) -> None:
    for one in draws(wires(pins)):
        assert 2.3 <= one.usual_ma <= 2.5, one
        assert 0.75 <= one.least_ma < one.usual_ma < one.most_ma <= 4.5, one


@pytest.mark.parametrize(
    ("kind", "ohms"), [("red", 560), ("green", 470), ("RGB green", 120), ("blue", 120)]
)  # by hand: 1.3 V, 1.15 V, 0.3 V and 0.3 V over 2.5 mA are 520, 460, 120 and 120 ohms
def test_each_colour_has_the_next_common_resistor(kind: str, ohms: int) -> None:
    assert resistor_ohms(kind) == ohms


def test_three_milliamperes_each_would_be_too_much_for_all() -> None:
    assert sum(one.most_ma for one in draws(wires(), aim_ma=3)) > ALL_LIMIT_MA


def test_a_white_rgb_lamp_draws_the_same_for_each_colour() -> None:
    assert rgb_shares() == RGB_SHARES
    lamp = [one for one in draws(wires()) if one.wire.is_rgb]
    assert [one.wire.colour for one in lamp] == ["red", "green", "blue"]
    mixed = [one.usual_ma * share for one, share in zip(lamp, RGB_SHARES, strict=True)]
    assert mixed == pytest.approx([mixed[0]] * 3, rel=0.01)


def test_buttons_are_not_in_the_sum() -> None:
    assert not [one for one in draws(wires()) if not one.wire.is_lamp]
