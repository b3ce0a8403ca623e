"""Where pins come from: the Pi's own, or drawn ones."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from tableside.errors import PinError

_APT = "On a Raspberry Pi, run `sudo apt install python3-lgpio` and join the group gpio."


def no_pins(why: str, *, hint: str = _APT) -> PinError:
    """Return the error of a machine without pins."""
    return PinError(f"no pins here: {why}", where="pins", hint=hint)


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
        raise no_pins(f"gpiozero is not installed ({error})", hint="Run `pip install gpiozero`.") from error
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
