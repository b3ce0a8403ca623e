"""Write scores into the cards: ``python -m models.score FOLDER... --json | python -m models.report``.

Scores of folders that were not measured stay.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

_OF_ALL = (
    "rolls",
    "rolls_right",
    "rolls_answered",
    "rolls_flat",
    "rolls_flat_answered",
    "rolls_silently_wrong",
    "rolls_wrong_unsaid",
    "dice",
)
_OF = {
    "locator": (*_OF_ALL, "dice_missed", "dice_invented"),
    "place": (*_OF_ALL, "dice_leaning", "leaning_noticed"),
    "classifier": (*_OF_ALL, "dice_right", "types_right", "calibration_error"),
}
_LIMITS = {
    "locator": "Dice of 14 to 152 px across in its input. Dice on top of one another, and dice cut by the picture's edge, "
    "may be missed. A pattern of a die's size on paper may be taken for one.",
    "place": "Dice of at least 14 px across. Of made dice that lean on walls, dice and things one in six is not "
    "noticed, mostly such as lean little. One of fewer than three dice is told by its own look only, but for those of earlier rolls at a table. Which of two sides of a d20 lies up is often "
    "told wrongly from one picture. Seen 26 to 52 degrees aslant, one made die in seven is misread.",
    "classifier": "Upper faces of at least 20 px across. Weak where glare covers symbols, where two symbols touch and are "
    "small, and on numbered dice.",
}


def write(folder: Path, measured: list[dict[str, Any]]) -> None:
    """Write scores into the cards of a folder, by the name of what was read. Scores of what was not measured stay.

    :param measured: as ``python -m models.score --json`` prints them.
    """
    for name, keys in _OF.items():
        path = folder / f"{name}.json"
        card = json.loads(path.read_text())
        card.setdefault("scores", {}).update({Path(m["folder"]).name: {key: m[key] for key in keys} for m in measured})
        card["limits_in_words"] = _LIMITS[name]
        path.write_text(json.dumps(card, indent=2) + "\n")


def main() -> None:
    write(Path("models"), [json.loads(line) for line in sys.stdin if line.startswith("{")])


if __name__ == "__main__":
    main()
