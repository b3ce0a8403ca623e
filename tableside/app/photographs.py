"""Throws by photograph: what a player's phone sends is read like the tray, and counts as that player's roll."""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from msgspec.structs import asdict, replace

from tableside.app.readers import Reads
from tableside.dice import DieReading, Face, Point, Reading
from tableside.dice.same import is_same_throw
from tableside.errors import Busy, Conflict, PhotoError
from tableside.reader.photo import SENT_PIXELS, Picture, decode_photo, load_photo
from tableside.table import Table
from tableside.table.acts import step
from tableside.table.kept import Dismissed, Roll, RollDie
from tableside.table.messages import NewRoll, NewThrow, Photo, Signed
from tableside.tray.proof import nearer_advice
from tableside.words import say

_MOST_SIDE_PX = 2048
"""Larger photographs are shrunk to this, as the pages do: dice that are read are larger than 24 px even so."""
_WAITING = 2
"""So many photographs wait while one is read."""
_LEAST_REACH = 0.02
"""Share of the width: so much around a find is compared at least."""
_PATCH_PX, _FLAT = 32, 2.0
"""Of a die and around it so many pixels a side are compared, and of so many grey levels of noise nothing follows."""
_ALIKE = 0.85
"""Correlation of a die with itself in a copy: copies have more, to two fifths of the size and JPEG at 60. Other dice
have less, and the same one turned."""
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

    :param make_reader: loads a reader, at the first photograph.
    :param keep_picture: keeps a roll's picture by its id. :param find_picture: gives where it is kept.
    """

    def __init__(
        self,
        table: Table,
        *,
        make_reader: Callable[[], Reads],
        keep_picture: Callable[[str, Picture], bool],
        find_picture: Callable[[str], Path | None],
    ) -> None:
        self._table = table
        self._make_reader = make_reader
        self._keep_picture = keep_picture
        self._find_picture = find_picture
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
        known = self._table.state.find_roll(signed.id)
        if known is not None and _mark_of(data) in known.photos:
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
        sent = (roll for roll in state.rolls if roll.photos)
        same = next((roll for roll in sent if mark in roll.photos or self._shows(roll, picture, reading)), None)
        is_known = state.find_roll(signed.id) is not None or self._table.has_followed(signed.id)
        if same is not None and is_known:
            return same, True
        if same is not None or is_known:  # an id is of one photograph alone
            what = "this photograph was sent before" if same else "its id is of another photograph"
            raise Conflict(what, where="photograph", hint="Throw again and take a new one.")
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
            return self._worker.submit(lambda: self._now().read(_decode(data))).result()
        finally:
            self._looking.release()

    def _shows(self, roll: Roll, picture: Picture, reading: Reading) -> bool:
        """Tell whether a picture shows the throw that the newest one of a roll shows, such as a copy of that.

        A subset is no copy.
        """
        found: list[RollDie | Dismissed] = [*roll.dice, *roll.dismissed]
        last = max((die.throw for die in found if die.center), default=0)
        lay = [_Lying.of(die, roll.width) for die in found if die.center and die.throw == last]
        now = [_Lying.of(die, reading.width) for die in reading.dice]

        @cache
        def kept() -> Picture | None:
            try:
                return load_photo(path) if (path := self._find_picture(roll.id)) else None
            except PhotoError:  # its picture is lost, as on a full disk: nothing tells more than its bytes
                return None

        return is_same_throw(
            lay, now, lambda die: (was := kept()) is not None and _likeness(picture, was, die) > _ALIKE
        )

    def _now(self) -> Reads:
        if self._reader is None:
            self._reader = self._make_reader()
            self._read_last.clear()
        return self._reader

    def _read(self, data: bytes) -> tuple[Picture, Reading, str]:
        picture, reader = _decode(data), self._now()
        seen = picture[::4, ::4].astype(np.int16)
        near = (np.abs(seen - ground).max(axis=2) <= _COMPRESSED_BY for ground in PAGE_GROUNDS_BGR)
        if any(float(one.mean()) > _MOST_GROUND for one in near):  # no photograph shows so much of just this colour
            hint = "Photograph the dice themselves."
            raise PhotoError("is a screenshot of the table's pages", where="photograph", hint=hint)
        mark = _mark_of(data)
        reading = self._read_last.get(mark) or reader.read(picture)
        self._read_last = {**self._read_last, mark: reading}
        for gone in list(self._read_last)[:-_REMEMBERED]:
            del self._read_last[gone]
        if not reading.dice and reading.suspects and not reading.is_blurred:
            what = say("shows {n:a die|dice} that I do not know", n=len(reading.suspects))
            hint = "Teach it at /setup/dice, or enter it by hand. If you taught it, it needs more light."
            raise PhotoError(what, where="photograph", hint=hint)
        if not reading.dice:
            hint = nearer_advice(reading) or "More light, and straight from above."
            raise PhotoError("shows no dice", where="photograph", hint=hint)
        return picture, reading, mark


def _mark_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _decode(data: bytes) -> Picture:
    picture = decode_photo(data, where="photograph", most_pixels=SENT_PIXELS)
    largest = max(picture.shape[:2])
    if largest <= _MOST_SIDE_PX:
        return picture
    scale = _MOST_SIDE_PX / largest
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lying:
    """A find in a picture.

    :ivar place: with ``reach`` in shares of the width. :ivar shows: type and face, ``""`` where no reader told them.
    """

    place: Point
    reach: float
    shows: tuple[str, Face]

    @classmethod
    def of(cls, die: DieReading | RollDie | Dismissed, width: int) -> _Lying:
        x, y = die.center or (0.0, 0.0)
        reach = max((math.dist(corner, (x, y)) for corner in die.outline), default=0.0)
        read = die.read if isinstance(die, RollDie) else die.type and (die.type, die.face or ())
        return cls(place=(x / width, y / width), reach=max(reach / width, _LEAST_REACH), shows=read or ("", ()))


def _likeness(one: Picture, other: Picture, die: _Lying) -> float:
    """Return the correlation of two pictures around a die: 1 for the same in any light, 0 for nothing in common."""
    (x, y), reach = die.place, die.reach
    patches = []
    for picture in (one, other):
        sides = (round(v * picture.shape[1]) for v in (x - reach, y - reach, x + reach, y + reach))
        left, top, right, bottom = (max(0, side) for side in sides)
        cut = picture[top:bottom, left:right]
        if not cut.size:
            return 0.0
        small = cv2.resize(cut, (_PATCH_PX, _PATCH_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
        patches.append((small - small.mean(axis=(0, 1))).ravel())
    a, b = patches
    flat = len(a) * _FLAT**2
    return float((a @ b + flat) / math.sqrt((a @ a + flat) * (b @ b + flat)))


def _stand_back() -> None:
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
