"""Setting the camera up while the table runs: what the page for it shows and does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from tableside.adapters.camera.port import AUTOMATIC, Camera, Controls
from tableside.app.calibrate import EMPTY_FRAMES, Calibrations, KeptSetup, made_of
from tableside.app.live import LiveTray
from tableside.app.readers import Reads
from tableside.dice import DiceSet
from tableside.errors import CameraError
from tableside.reader.photo import jpeg_of
from tableside.tray.calibration import GOOD_LEVELS, meters_of
from tableside.tray.card import GOOD_PAPER, CardReport, find_card, report_of
from tableside.tray.frame import Frame
from tableside.tray.proof import THROWS, doubts_of, framing_advice, steady_advice, throws_advice
from tableside.tray.region import WHOLE, Marks, Region, find_tray, marks_of
from tableside.words import made_words_json, say

_PATIENCE_SECONDS = 3.0
"""So long the next picture may take: a camera in the dark, or a busy machine, gives one a second or fewer."""
_MOST_SECONDS = 25.0
"""So long all pictures of the empty tray may take together."""
_CARD_SECONDS = 2.0
"""So long what was read of the test card stays: the same picture says the same, and the Pi has other things to do."""
_QUALITY = 80  # of 100: it is looked at once


class CardCheck:
    """Looks whether the test card lies in the picture, and what is read of it.

    :param make_reader: loads the networks, which takes a moment; called when the card is first seen. The tray's own
        reader is busy with the tray.
    :param sets: whose dice it reads.
    """

    def __init__(self, make_reader: Callable[[], Reads], sets: Callable[[], Sequence[DiceSet]]) -> None:
        self._make_reader = make_reader
        self._sets = sets
        self._reader: Reads | None = None
        self._at = float("-inf")
        self._report: CardReport | None = None
        self._lock = threading.Lock()

    def look(self, frame: Frame, marks: Marks | None = None) -> CardReport | None:
        """Return what the card proves, ``None`` where it is not seen.

        :param marks: those of the picture, where somebody has looked for them.
        """
        seen = find_card(frame.picture, marks)
        with self._lock:
            if seen is None:
                self._report = None
            elif self._report is None or abs(frame.time - self._at) >= _CARD_SECONDS:
                self._reader = self._reader or self._make_reader()
                reading = self._reader.read(frame.picture)
                self._report = report_of(seen, frame.picture, reading, self._sets())
                self._at = frame.time
            return self._report


class CameraSetup:
    """Looks through the running camera.

    :param made: what was settled before. :param card: looks for the test card.
    """

    def __init__(
        self, camera: Camera, tray: LiveTray, calibrations: Calibrations, made: KeptSetup | None, *, card: CardCheck
    ) -> None:
        self._camera = camera
        self._tray = tray
        self._calibrations = calibrations
        self._made = made
        self._card = card
        self._saving = threading.Lock()

    def now(self) -> dict[str, Any]:
        """Return what the camera sees, the newest picture's meters and tray, and what was settled before."""
        frame = self._tray.last_frame
        marks = None if frame is None else marks_of(frame.picture)
        found = None if frame is None else find_tray(frame.picture, marks)
        card = None if frame is None else self._card.look(frame, marks)
        is_still, throws = self._tray.is_still, list(self._tray.throws)
        return {
            "camera": self._camera.name,
            "view": None if self._camera.view is None else self._camera.view.to_json(),
            "meters": None if frame is None else meters_of(frame.picture).to_json(),
            "found": None if found is None else [[round(x, 4), round(y, 4)] for x, y in found],
            "made": None if self._made is None else self._made.calibration.to_json(),
            "moving": not is_still,
            "card": card and card.to_json() | {"advice": [_advice(text) for text in card.advice]},
            "good_light": list(GOOD_LEVELS if card is None else GOOD_PAPER),
            "proofs": self._proofs(found) if is_still else [],
            "throws": [{"dice": len(one.dice) + len(one.suspects), "doubts": doubts_of(one)} for one in throws],
            "throws_wanted": THROWS,
            "throws_advice": _advice(throws_advice(throws)) if len(throws) == THROWS else None,
        }

    def _proofs(self, found: Region | None) -> list[dict[str, Any]]:
        """Return what is proved of camera and light, with what to do where it is not good."""
        noise, flicker = steady_advice(list(self._tray.samples))
        tray = found if self._made is None else self._made.calibration.corners
        framing = [] if tray is None or tray == WHOLE else [("tray", framing_advice(tray))]
        return [{"part": part} | _advice(text) for part, text in (*framing, ("noise", noise), ("flicker", flicker))]

    def picture(self) -> bytes | None:
        """Return the newest picture as JPEG."""
        frame = self._tray.last_frame
        return None if frame is None else jpeg_of(frame.picture, quality=_QUALITY)

    def adjust(self) -> None:
        """Let the camera find focus, exposure and white balance by itself again."""
        self._camera.lock(AUTOMATIC)

    def save(self, corners: Region | None) -> dict[str, Any]:
        """Take the empty tray's picture, lock the camera, keep that and watch by it from now on; one after the other.

        :raises CameraError: when it is a bad moment for it.
        :raises SettingsError: when it cannot be kept.
        """
        with self._saving:
            self._save(corners)
        return self.now()

    def _save(self, corners: Region | None) -> None:
        began = time.monotonic()
        frames = self._tray.next_frames(EMPTY_FRAMES, patience=_PATIENCE_SECONDS, most=_MOST_SECONDS)
        if not frames:
            raise CameraError("gives no pictures", where=self._camera.name, hint=self._camera.cure())
        if len(frames) < EMPTY_FRAMES:
            rate = f"{len(frames) / (time.monotonic() - began):.1f}"
            hint = "Give it more light, and end other programs that keep this machine busy. Then try again."
            what = say("gives too few pictures for a set-up, {=rate} a second", rate=rate)
            raise CameraError(what, where=self._camera.name, hint=hint)
        made = made_of(self._camera, frames, corners=corners)
        self._camera.lock(Controls.from_json(dict(made.calibration.controls)))
        self._calibrations.save(made)
        self._made = made
        self._tray.set_up(made.calibration.corners, made.empty)


def _advice(text: str) -> dict[str, Any]:
    """Return a sentence so that pages say it in other languages."""
    said = made_words_json(advice=text)
    return {"advice": text} | ({"words": said} if said else {})
