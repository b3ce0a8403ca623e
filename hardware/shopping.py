"""What to buy for lamps and buttons, counted from the wiring as it is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hardware.boards import jumpers, layout
from hardware.budget import FORWARD_VOLTS, resistor_ohms
from hardware.pinmap import Wire
from tableside.adapters.gpio.parts import RGB

_INSTEAD = {
    "blue": "white of the same voltage; as many as you have points",
    "red": "as many as you have points",
    "green": "any colour but the others, with the resistor that [the budget](README.md#currents) gives it",
}


def plain_lamps(wires: Sequence[Wire]) -> Counter[str]:
    """Count the lamps of one colour by their kind."""
    return Counter(wire.kind for wire in wires if wire.is_lamp and not wire.is_rgb)


def rgb_lamps(wires: Sequence[Wire]) -> int:
    return sum(wire.is_rgb for wire in wires) // len(RGB)


def resistors(wires: Sequence[Wire]) -> Counter[int]:
    """Count the resistors by their ohms."""
    return Counter(resistor_ohms(wire.kind) for wire in wires if wire.is_lamp)


def table(wires: Sequence[Wire]) -> str:
    """Return the list of lamps and buttons as a table in Markdown."""

    def volts(kind: str) -> str:
        least, most = FORWARD_VOLTS[kind]
        return f"{least:g} to {most:g} V"

    rows = ["| part | how many | instead of it |", "|---|---|---|"]
    for kind, count in plain_lamps(wires).items():
        rows.append(f"| LED 5 mm {kind}, {volts(kind)} | {count} | {_INSTEAD[kind]} |")
    if count := rgb_lamps(wires):
        rows.append(
            f"| RGB LED 5 mm, common cathode, diffuse: red {volts('red')}, green {volts('RGB green')}, "
            f"blue {volts('blue')} | {count} | three single LEDs; one plain LED with `result = 22` |"
        )
    for ohms, count in sorted(resistors(wires).items()):
        kinds = " and ".join(
            dict.fromkeys(wire.kind for wire in wires if wire.is_lamp and resistor_ohms(wire.kind) == ohms)
        )
        instead = "up to three times as much: darker; less: see [the budget](README.md#currents) first"
        rows.append(f"| resistor {ohms} Ω, 1/4 W, 5 %, for {kinds} | {count} | {instead} |")
    rows += [
        f"| push button for a hole of 12 mm, closing | {sum(not wire.is_lamp for wire in wires)} "
        "| 6 mm tact switches on a breadboard |",
        "| breadboard, 400 holes | 2 | one of 830 holes; a board to solder on |",
        f"| jumper wires, 20 cm, socket to pin: from the header to the boards, ground too | {len(wires) + 1} | |",
        f"| jumper wires, 10 cm, pin to pin: on the boards, to ground | {len(jumpers(layout(wires)))} "
        "| bent pieces of solid wire |",
    ]
    return "\n".join(rows)


def words(wires: Sequence[Wire]) -> str:
    """Return what one recipe needs, as a sentence."""
    found = [_counted(count, f"{kind} LED") for kind, count in plain_lamps(wires).items()]
    if count := rgb_lamps(wires):
        found.append(_counted(count, "RGB LED") + " with a **common cathode**")
    found += [_counted(count, "resistor") + f" of {ohms} Ω" for ohms, count in sorted(resistors(wires).items())]
    if count := sum(not wire.is_lamp for wire in wires):
        found.append(_counted(count, "push button") + " (12 mm for the panel, 6 mm for a breadboard)")
    found.append(f"{len(wires) + 1} wires to the header")
    parts = layout(wires)
    if len(parts) > 1:
        found.append(f"{len(jumpers(parts))} jumpers to ground")
    return f"**Parts**: {', '.join(found)}."


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
