"""Throws by photograph: what a player's phone sends is read like the tray, and counts as that player's roll."""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import cv2
import numpy as np
from msgspec.structs import asdict, replace

from tableside.app.readers import Reads
from tableside.dice import Reading
from tableside.errors import Busy, Conflict, PhotoError
from tableside.reader.photo import SENT_PIXELS, Picture, decode_photo
from tableside.table import Table
from tableside.table.acts import step
from tableside.table.kept import Roll
from tableside.table.messages import NewRoll, NewThrow, Photo, Signed

_MOST_SIDE_PX = 2048
"""Larger photographs are shrunk to this, as the pages do: dice that are read are larger than 24 px even so."""
_WAITING = 2
"""So many photographs wait while one is read."""
_SAME_SHARE = 0.004
"""A die lies at the same place if its middle is nearer than this share of the width: a tenth of a die."""
PAGE_GROUNDS_BGR = ((0xE8, 0xF0, 0xF3), (0x13, 0x0E, 0x0B))
"""``--ground`` of ``web/theme.css``, by day and by night."""
_COMPRESSED_BY = 2
"""So far a compressed picture leaves a colour, in grey levels."""
_MOST_GROUND = 0.1
"""More of a picture in one of those colours is a page: of photographs, strongly compressed too, the most is 0.004."""
_REMEMBERED = 4
"""Readings of so many photographs are kept: one that is asked about comes again with what its sender says."""
_NICE = 10
"""The tray's own pictures go first."""


class Photographs:
    """Reads photographs one after the other, and gives the table the rolls.

    :param make_reader: loads a reader, at the first photograph. :param keep_picture: keeps a roll's picture by its id.
    """

    def __init__(
        self, table: Table, *, make_reader: Callable[[], Reads], keep_picture: Callable[[str, Picture], bool]
    ) -> None:
        self._table = table
        self._make_reader = make_reader
        self._keep_picture = keep_picture
        self._reader: Reads | None = None
        self._read_last: dict[str, Reading] = {}
        self._places = threading.BoundedSemaphore(1 + _WAITING)
        self._looking = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="tableside photographs", initializer=_stand_back)

    def forget_reader(self) -> None:
        """Load a reader anew for the next photograph, since other dice may be known."""
        self._reader = None

    def close(self) -> None:
        """Read what still waits, and stop."""
        self._worker.shutdown()

    def throw(
        self, data: bytes, photo: Photo, signed: Signed, *, doubts: Literal["count", "ask", "show"]
    ) -> tuple[Roll, bool]:
        """Read a photograph and return its roll, and whether that counts.

        :param doubts: whether a roll with a doubt counts; of ``show`` none does.
        :raises PhotoError: where it is no photograph of dice.
        :raises Conflict: where it was sent before. :raises Busy: where others wait already.
        """
        if (known := self._table.state.find_roll(signed.id)) is not None:
            return known, True
        if not self._places.acquire(blocking=False):
            raise Busy("others are being read", where="photograph", hint="It is sent again in a moment.")
        try:
            return self._worker.submit(self._throw, data, photo, signed, doubts).result()
        finally:
            self._places.release()

    def _throw(self, data: bytes, photo: Photo, signed: Signed, doubts: str) -> tuple[Roll, bool]:
        """Read and count one after the other, since of two phones with one photograph the second is told."""
        picture, reading, mark = self._read(data)
        state = self._table.state
        if (known := state.find_roll(signed.id)) is not None:
            return known, True
        same = next((roll for roll in state.rolls if mark in roll.photos or _is_same(reading, roll)), None)
        if same is not None:
            if self._table.has_followed(signed.id):
                return same, True
            raise Conflict(
                "this photograph was sent before", where="photograph", hint="Throw again and take a new one."
            )
        photo = replace(photo, mark=mark)
        waits = next((roll for roll in state.rolls if roll.awaits and photo.who and roll.who == photo.who), None)
        roll_id = waits.id if waits else signed.id
        signature = asdict(signed)

        def message(*, kept: bool) -> NewRoll | NewThrow:
            if waits is None:
                return NewRoll(**signature, reading=reading, has_picture=kept, photo=photo)
            return NewThrow(**signature, roll_id=waits.id, reading=reading, has_picture=kept, photo=photo)

        counts = doubts == "count" or (doubts == "ask" and reading.sure)
        if counts:
            made = self._table.ask(message(kept=self._keep_picture(roll_id, picture))).find_roll(roll_id)
        else:
            made = step(state, message(kept=False), self._table.system).find_roll(roll_id)
        if made is None:
            raise Conflict("the roll was taken back meanwhile", where="photograph", hint="Send the photograph again.")
        return made, counts

    def look(self, data: bytes) -> Reading | None:
        """Return what a picture shows that counts for nothing, ``None`` where others look: photographs go first.

        :raises PhotoError: where it is no picture.
        """
        if not self._looking.acquire(blocking=False):
            return None
        try:
            return self._worker.submit(lambda: self._now().read(_decoded(data))).result()
        finally:
            self._looking.release()

    def _now(self) -> Reads:
        if self._reader is None:
            self._reader = self._make_reader()
            self._read_last.clear()
        return self._reader

    def _read(self, data: bytes) -> tuple[Picture, Reading, str]:
        picture, reader = _decoded(data), self._now()
        seen = picture[::4, ::4].astype(np.int16)
        near = (np.abs(seen - ground).max(axis=2) <= _COMPRESSED_BY for ground in PAGE_GROUNDS_BGR)
        if any(float(one.mean()) > _MOST_GROUND for one in near):  # no photograph shows so much of just this colour
            hint = "Photograph the dice themselves."
            raise PhotoError("is a screenshot of the table's pages", where="photograph", hint=hint)
        mark = hashlib.sha256(data).hexdigest()[:32]
        reading = self._read_last.get(mark) or reader.read(picture)
        self._read_last = {**self._read_last, mark: reading}
        for gone in list(self._read_last)[:-_REMEMBERED]:
            del self._read_last[gone]
        if not reading.dice:
            raise PhotoError("shows no dice", where="photograph", hint="More light, and straight from above.")
        return picture, reading, mark


def _decoded(data: bytes) -> Picture:
    picture = decode_photo(data, where="photograph", most_pixels=SENT_PIXELS)
    largest = max(picture.shape[:2])
    if largest <= _MOST_SIDE_PX:
        return picture
    scale = _MOST_SIDE_PX / largest
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _is_same(reading: Reading, roll: Roll) -> bool:
    """Tell whether a photograph shows a roll's dice where they lay: two throws never come to rest so much alike."""
    lay = [centre for centre in (*(d.center for d in roll.dice), *(d.center for d in roll.dismissed)) if centre]
    if not roll.photos or not lay or not roll.width:
        return False
    scale = reading.width / roll.width
    near = _SAME_SHARE * reading.width
    return all(any(math.dist(die.center, (x * scale, y * scale)) < near for x, y in lay) for die in reading.dice)


def _stand_back() -> None:
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
