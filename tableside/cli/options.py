"""Options and output that several commands share."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

SETS = click.option("--set", "sets", multiple=True, metavar="NAME", help="A dice set to expect; may be repeated.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
DATA = click.option("--data", metavar="DIR", help="Folder of taught dice sets and history.")
GAME = click.option("--game", default="", metavar="NAME", help="Score by this game.")


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
