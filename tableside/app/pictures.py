"""Pictures of the last rolls, one JPEG a roll, with a bound on their number."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path

from tableside.reader.photo import Picture, jpeg_of

_log = logging.getLogger(__name__)
FOLDER = "pictures"
_SAFE = re.compile(r"[0-9A-Za-z-]{1,64}")
MOST_PICTURES = 200
MOST_BYTES = 500_000_000
"""A card of 16 GB holds the system beside it."""
_QUALITY = 88  # of 100: a 1280x960 tray takes some 150 kB


class RollPictures:
    """Keeps pictures in a folder. A disk that is full or read-only loses pictures, never rolls.

    :param kept: so many at most, and ``most_bytes`` in all; the oldest go first.
    """

    def __init__(self, folder: Path, *, kept: int = MOST_PICTURES, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._kept = kept
        self._most_bytes = most_bytes

    def keep(self, roll_id: str, picture: Picture) -> bool:
        """Keep a roll's picture in place of an earlier one, and tell whether that succeeded."""
        if not self._kept:
            return False
        target = self._folder / f"{roll_id}.jpg"
        unfinished = target.with_suffix(".part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(jpeg_of(picture, quality=_QUALITY))
            os.replace(unfinished, target)  # noqa: PTH105
            self._forget_oldest()
        except OSError as error:
            _log.warning("the picture of roll %s is lost: %s", roll_id, error)
            return False
        return True

    def path(self, roll_id: str) -> Path | None:
        """Return where a roll's picture is, or ``None``."""
        if not _SAFE.fullmatch(roll_id):
            return None
        path = self._folder / f"{roll_id}.jpg"
        return path if path.is_file() else None

    def _forget_oldest(self) -> None:
        found = [(path.stat(), path) for path in self._folder.glob("*.jpg")]
        total = 0
        for number, (stat, path) in enumerate(sorted(found, key=lambda one: -one[0].st_mtime_ns)):
            total += stat.st_size
            if number and (number >= self._kept or total > self._most_bytes):  # the newest is shown, whatever its size
                path.unlink(missing_ok=True)
