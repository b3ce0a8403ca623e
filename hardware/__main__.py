"""Make everything anew: ``python -m hardware``. Needs ``pip install -e '.[hardware]'``.

``python -m hardware --step FOLDER`` writes the parts as STEP, for other programs, and makes nothing else.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m hardware", description=__doc__)
    asked.add_argument("--step", type=Path, metavar="FOLDER", help="write the parts as STEP there, and nothing else")
    folder = asked.parse_args().step
    try:
        from hardware import making
        from hardware.enclosure import PARTS
        from hardware.sizes import Sizes
    except ModuleNotFoundError as error:
        hint = "Run `pip install -e '.[hardware]'` in the checkout, then try again."
        sys.exit(f"python -m hardware: {(error.name or '').partition('.')[0]} is not installed. {hint}")
    if folder is None:
        making.make_all()
    else:
        making.write_steps({name: make(Sizes()) for name, (make, _) in PARTS.items()}, folder)


if __name__ == "__main__":
    main()
