"""Which resistor each lamp needs, how much current its pin then gives by Ohm's law, and what a Pi allows.

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
AIM_MA = 2.5
"""What each lamp should draw usually, whatever its colour: with 3 mA all lamps at once could pass the limit."""
E12 = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
"""The resistors that every shop has, and ten and a hundred times as much. IEC 60063."""
RESISTOR_TOLERANCE = 0.05
PIN_LIMIT_MA = 16.0
DRIVE_LIMIT_MA = 8.0
ALL_LIMIT_MA = 50.0

FORWARD_VOLTS: Mapping[str, tuple[float, float]] = {
    "red": (1.8, 2.2),
    "green": (1.9, 2.4),
    "RGB green": (2.8, 3.2),
    "blue": (2.8, 3.2),
}
"""Least and most forward voltage of a 5 mm lamp in its datasheets' range: AlInGaP red and yellow-green, InGaN green (in
RGB lamps) and blue. The least voltage draws the most current."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What one lamp draws, in mA.

    :ivar least_ma: with the most voltage of its kind and the largest resistor of those sold as its own.
    :ivar most_ma: with the least voltage and the smallest resistor.
    """

    wire: Wire
    ohms: int
    least_ma: float
    usual_ma: float
    most_ma: float


def current_ma(volts: float, ohms: float) -> float:
    """Return the current through a resistor, in mA: Ohm's law."""
    return 1000 * max(0.0, volts) / ohms


def usual_volts(kind: str) -> float:
    """Return the middle of the forward voltages of a kind of lamp."""
    return sum(FORWARD_VOLTS[kind]) / 2


def resistor_ohms(kind: str, *, aim_ma: float = AIM_MA) -> int:
    """Return the smallest resistor with which a lamp of this kind usually draws no more than is aimed at."""
    needed = 1000 * (SUPPLY_VOLTS - usual_volts(kind)) / aim_ma
    choices = (step * decade for decade in (1, 10, 100) for step in E12)
    return next(ohms for ohms in choices if ohms >= round(needed, 6))


def draws(wires: Sequence[Wire], *, aim_ma: float = AIM_MA) -> tuple[Draw, ...]:
    """Return what each lamp draws. Buttons draw 66 microamperes at most, through the Pi's pull-up of 50 kilohms."""
    found = []
    for wire in wires:
        if wire.is_lamp:
            least_volts, most_volts = FORWARD_VOLTS[wire.kind]
            ohms = resistor_ohms(wire.kind, aim_ma=aim_ma)
            found.append(
                Draw(
                    wire=wire,
                    ohms=ohms,
                    least_ma=current_ma(SUPPLY_VOLTS - most_volts, ohms * (1 + RESISTOR_TOLERANCE)),
                    usual_ma=current_ma(SUPPLY_VOLTS - usual_volts(wire.kind), ohms),
                    most_ma=current_ma(SUPPLY_VOLTS - least_volts, ohms * (1 - RESISTOR_TOLERANCE)),
                )
            )
    return tuple(found)


def rgb_shares() -> tuple[float, float, float]:
    """Return by how much each colour of an RGB lamp is dimmed so that all three usually draw the same current."""
    usual = [current_ma(SUPPLY_VOLTS - usual_volts(kind), resistor_ohms(kind)) for kind in ("red", "RGB green", "blue")]
    red, green, blue = (round(min(usual) / one, 2) for one in usual)
    return red, green, blue


def table(wires: Sequence[Wire]) -> str:
    """Return the budget as a table in Markdown."""
    rows = ["| lamps | colour | resistor | least | usual | most |", "|---|---|---|---|---|---|"]
    found = draws(wires)
    alike: dict[tuple[str, str], list[Draw]] = {}
    for one in found:
        alike.setdefault((one.wire.setting, one.wire.colour), []).append(one)
    for (_, colour), lamps in alike.items():
        one = lamps[0]
        rows.append(
            f"| {one.wire.title}{f' to {len(lamps)}' if len(lamps) > 1 else ''} | {colour} | {one.ohms} Ω "
            f"| {one.least_ma:.1f} mA | {one.usual_ma:.1f} mA | {one.most_ma:.1f} mA |"
        )
    least, usual, most = (
        sum(sizes) for sizes in zip(*((d.least_ma, d.usual_ma, d.most_ma) for d in found), strict=True)
    )
    rows.append(f"| all at once | | | {least:.0f} mA | {usual:.0f} mA | {most:.0f} mA |")
    return "\n".join(rows)
