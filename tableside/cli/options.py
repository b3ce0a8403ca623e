"""Options and output that several commands share."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tableside.tray.region import Region

SETS = click.option("--set", "sets", multiple=True, metavar="NAME", help="A dice set to expect; may be repeated.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
DATA = click.option("--data", metavar="DIR", help="Folder of taught dice sets and history.")
CORNERS = click.option(
    "--corners", metavar="X,Y X,Y X,Y X,Y", help="Region of the tray in shares of the picture, clockwise."
)
GAME = click.option("--game", default="", metavar="NAME", help="Score by this game.")


class Within(click.FloatRange):
    """A number in a range; ``nan``, which is neither below nor above anything, is in none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found: float = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is no number.", param, ctx)
        return found


def say(record: dict[str, Any]) -> None:
    """Print one JSON object on a line of its own, at once."""
    print(json.dumps(record, ensure_ascii=False, separators=(", ", ": ")), flush=True)


def complain(text: object) -> None:
    """Print a diagnostic on standard error."""
    print(text, file=sys.stderr)


def finish(*, failed: bool) -> None:
    """End with status 1 when some input failed."""
    if failed:
        raise SystemExit(1)


def corners_of(text: str) -> Region:
    """Parse the corners of the command line."""
    from tableside.tray.region import MOST_POINTS, is_convex

    try:
        corners = tuple((float(x), float(y)) for x, y in (pair.split(",") for pair in text.split()))
    except ValueError as error:
        raise click.UsageError(f"--corners {text!r}: pairs such as 0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9.") from error
    if not all(0 <= value <= 1 for corner in corners for value in corner):
        raise click.UsageError("--corners: shares of the picture from 0 to 1.")
    if not 4 <= len(corners) <= MOST_POINTS:
        raise click.UsageError(f"--corners: 4 to {MOST_POINTS} pairs, clockwise from the top left.")
    if not is_convex(corners):
        raise click.UsageError("--corners: no convex tray. Go round it clockwise, from the top left.")
    return corners
