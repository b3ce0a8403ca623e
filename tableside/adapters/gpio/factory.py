"""Where pins come from: the Pi's own, or drawn ones; and who may hold one that cannot be had."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tableside.errors import PinError
from tableside.words import say, sentences

_APT = "On a Raspberry Pi, run `sudo apt install python3-lgpio` and join the group gpio."

_I2C = "the I2C bus (dtparam=i2c_arm=on)"
_SPI = "the SPI bus (dtparam=spi=on)"
_SERIAL = "the serial port (enable_uart=1)"
_SOUND = "a sound board (dtparam=i2s=on, or the board's own overlay)"
GIVEN_AWAY: Mapping[int, str] = {
    **dict.fromkeys((0, 1), "the identity chip of an expansion board"),
    **dict.fromkeys((2, 3), _I2C),
    4: "1-Wire (dtoverlay=w1-gpio)",
    **dict.fromkeys((7, 8, 9, 10, 11), _SPI),
    **dict.fromkeys((14, 15), _SERIAL),
    **dict.fromkeys((18, 19, 20, 21), _SOUND),
}
"""What Raspberry Pi OS uses a BCM pin for where that is switched on in ``config.txt``. Source: the README of its device
tree overlays and Raspberry Pi's documentation, "GPIO and the 40-pin header"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BusyPin:
    """A pin that cannot be had.

    :ivar gpio: BCM number. :ivar name: its setting in ``[pins]``. :ivar why: what the library says.
    :ivar holder: what the kernel calls who has it, ``""`` where it does not know.
    """

    gpio: int
    name: str
    why: str
    holder: str = ""

    def __str__(self) -> str:
        if self.holder:
            return say("GPIO {n} is held by {=holder}", n=self.gpio, holder=self.holder)
        return say("GPIO {n} cannot be had ({=why})", n=self.gpio, why=self.why)

    @property
    def suspect(self) -> str:
        """Who commonly has this pin, ``""`` where nobody has it by a setting of the system."""
        return GIVEN_AWAY.get(self.gpio, "")


def try_pin(factory: Any, gpio: int, name: str) -> BusyPin | None:
    """Take a pin, which then stays ours until the factory is closed, and say so where it cannot be had."""
    try:
        factory.pin(gpio)
    except Exception as error:  # each factory has errors of its own: lgpio.error where somebody else has the line
        why = str(error).strip("'") or type(error).__name__
        return BusyPin(gpio=gpio, name=name, why=why, holder="" if are_drawn(factory) else _holder(factory, gpio))
    return None


def all_busy(busy: Sequence[BusyPin], *, then: str = "") -> PinError:
    """Return the error that names each pin that cannot be had, and who may hold it.

    :param then: a sentence on what happens next.
    """
    suspects: dict[str, list[str]] = {}
    for one in busy:
        suspects.setdefault(one.suspect, []).append(str(one.gpio))
    hints: list[str] = [
        say(
            "GPIO {=pins} {n:is|are} commonly taken by {suspect}: switch that off.",
            pins=", ".join(pins),
            n=len(pins),
            suspect=suspect,
        )
        for suspect, pins in suspects.items()
        if suspect
    ]
    if any(one.holder == "lg" for one in busy):
        hints.append("lg is a program that uses lgpio, such as a table that runs: stop it first.")
    hints += ["End what uses it, or name a free pin.", then]
    where = f"[pins] {', '.join(dict.fromkeys(one.name for one in busy))}"
    return PinError("{all}", all=[one.__str__() for one in busy], where=where, hint=sentences(*hints))


def _holder(factory: Any, gpio: int) -> str:
    """Return what the kernel calls the holder of a line, ``""`` where it does not say."""
    import lgpio

    try:
        return str(lgpio.gpio_get_line_info(factory._handle, gpio)[4])
    except (AttributeError, lgpio.error):  # an older lgpio cannot ask; the pin is named all the same
        return ""


def is_board(system: str = "/") -> bool:
    """Return whether this is a board that may have pins, such as a Pi: Linux tells of those by their device tree."""
    return os.path.exists(f"{system}/proc/device-tree")  # noqa: PTH110


def no_pins(why: str, *, hint: str = _APT) -> PinError:
    """Return the error of a machine without pins."""
    return PinError("no pins here: {=why}", why=why, where="pins", hint=hint)


def open_pins(kind: str) -> Any:
    """Return a gpiozero pin factory, which the caller closes.

    :param kind: ``mock`` for drawn pins, ``auto`` for real ones (a Pi 5 has them through lgpio only). The variable
        GPIOZERO_PIN_FACTORY=mock turns ``auto`` into ``mock``.
    :raises PinError: where there are none.
    """
    if kind == "auto" and os.environ.get("GPIOZERO_PIN_FACTORY") == "mock":
        kind = "mock"
    if kind == "none":
        raise no_pins("switched off in the settings", hint="Set [pins] factory to auto to use them.")
    try:
        import gpiozero.pins.mock as mock
    except ImportError as error:
        raise no_pins(
            say("gpiozero is not installed ({=why})", why=error), hint="Run `pip install gpiozero`."
        ) from error
    if kind == "mock":
        # MockPin cannot dim; the revision is a Pi 4's, so that every BCM pin exists
        return mock.MockFactory(revision="c03111", pin_class=mock.MockPWMPin)
    # lgpio leaves a pipe file in the folder it is started in, unless told where else
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        import lgpio
    except ImportError as error:
        raise no_pins(f"lgpio is not installed ({error})") from error
    if not hasattr(lgpio, "gpiochip_open"):
        raise no_pins("the installed lgpio is the empty stub 0.0.0.2 from the package index")
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except Exception as error:  # lgpio.error, PinUnknownPi, PermissionError: whatever it is, there are no pins
        raise no_pins(str(error) or type(error).__name__) from error


def are_drawn(factory: Any) -> bool:
    """Tell whether these pins are mock ones, which alone can be pressed from a page."""
    from gpiozero.pins.mock import MockFactory

    return isinstance(factory, MockFactory)
