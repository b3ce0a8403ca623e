"""How much current each pin gives, by Ohm's law, and what a Pi allows.

Sources of the limits (Raspberry Pi documentation, "GPIO pads control" and "Voltage specifications"):
the pads are designed for 16 mA; the 3.3 V supply was designed for about 3 mA on each of the 17 pins of the first
header, which is the 50 mA that is usually quoted; a Pi 4's strongest drive is 8 mA. Raspberry Pi publishes no other
limit for all pins together, so the 50 mA are kept on every board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardware.pinmap import Wire

SUPPLY_VOLTS = 3.3
RESISTOR_OHMS = 330
RESISTOR_TOLERANCE = 0.05
PIN_LIMIT_MA = 16.0
DRIVE_LIMIT_MA = 8.0
ALL_LIMIT_MA = 50.0

FORWARD_VOLTS: Mapping[str, tuple[float, float]] = {
    "red": (1.8, 2.2),
    "green": (1.9, 3.2),
    "blue": (2.8, 3.2),
}
"""Least and most forward voltage of a 5 mm lamp in its datasheets' range: AlInGaP red and yellow-green, InGaN green
and blue. The least voltage draws the most current."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What one lamp draws, in mA: usually, and at worst (least voltage of the lamp, smallest resistor of its kind)."""

    wire: Wire
    usual_ma: float
    worst_ma: float


def current_ma(volts: float, ohms: float) -> float:
    """Return the current through a resistor, in mA: Ohm's law."""
    return 1000 * max(0.0, volts) / ohms


def draws(wires: Sequence[Wire], *, ohms: float = RESISTOR_OHMS) -> tuple[Draw, ...]:
    """Return what each lamp draws. Buttons draw 66 microamperes at most, through the Pi's pull-up of 50 kilohms."""
    found = []
    for wire in wires:
        if wire.is_lamp:
            least, most = FORWARD_VOLTS[wire.colour]
            usual = current_ma(SUPPLY_VOLTS - (least + most) / 2, ohms)
            worst = current_ma(SUPPLY_VOLTS - least, ohms * (1 - RESISTOR_TOLERANCE))
            found.append(Draw(wire=wire, usual_ma=usual, worst_ma=worst))
    return tuple(found)


def table(wires: Sequence[Wire]) -> str:
    """Return the budget as a table in Markdown."""
    rows = [
        "| GPIO | pin | lamp | colour | resistor | usual | at worst |",
        "|---|---|---|---|---|---|---|",
    ]
    found = draws(wires)
    for one in found:
        w = one.wire
        rows.append(
            f"| {w.gpio} | {w.pin} | {w.title} | {w.colour} | {RESISTOR_OHMS} Ω "
            f"| {one.usual_ma:.1f} mA | {one.worst_ma:.1f} mA |"
        )
    usual, worst = sum(one.usual_ma for one in found), sum(one.worst_ma for one in found)
    rows.append(f"| | | all lamps at once (the lamp test) | | | {usual:.0f} mA | {worst:.0f} mA |")
    return "\n".join(rows)
