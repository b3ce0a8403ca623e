"""Play clips with known truth through the live pipeline and count what was told right."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tableside.adapters.camera.folder import FolderCamera
from tableside.adapters.camera.port import no_wait
from tableside.app.playback import Playback
from tableside.app.readers import Reads
from tableside.errors import CameraError
from tableside.tray.watch import Event, Happening

REST_SECONDS = 0.3
"""So far may the told moment of rest lie from the true one."""
_EARLY_SECONDS = 0.05
"""A frame and a half: what happens between two frames nobody can see."""
_TOLD = {Happening.ROLL: "roll", Happening.CHANGED: "changed", Happening.JOINED: "changed"}


@dataclass(slots=True)
class ClipScore:
    """What was told of some clips.

    :ivar found: true rolls and changes that were told once, and ``timely`` those whose moment of rest was right.
    :ivar unmoved: true changes after which the same dice showed the same faces, and changes told of that kind: the
        result stands whether it is told anew or not.
    :ivar early: told before the dice lay still. :ivar missed: never told.
    :ivar doubled: a second roll of one throw. :ivar invented: told where nothing had happened.
    :ivar dice: of the rolls found; ``right`` those with the right type and face, ``wrong`` surely read wrongly.
    """

    clips: int = 0
    rolls: int = 0
    found: int = 0
    timely: int = 0
    unmoved: int = 0
    early: int = 0
    missed: int = 0
    doubled: int = 0
    invented: int = 0
    dice: int = 0
    right: int = 0
    wrong: int = 0
    off_seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        off = sorted(self.off_seconds)
        return {
            "clips": self.clips,
            "rolls": self.rolls,
            "found": self.found,
            "timely": self.timely,
            "unmoved": self.unmoved,
            "early": self.early,
            "missed": self.missed,
            "doubled": self.doubled,
            "invented": self.invented,
            "rest_off_p95_s": round(off[int(0.95 * (len(off) - 1))], 3) if off else None,
            "dice": self.dice,
            "right": self.right,
            "silently_wrong": self.wrong,
            "faults": self.faults,
        }


def find_clips(folder: Path) -> list[Path]:
    """Return the clips with truth in a folder, or the folder itself where it is one, in name order."""
    if (folder / "clip.json").exists():
        return [folder]
    return sorted(path.parent for path in folder.glob("*/clip.json"))


def score_clip(folder: Path, reader: Reads, score: ClipScore) -> None:
    """Play one clip and add what came of it.

    :raises CameraError: when it cannot be played or has no truth.
    """
    known = _told(folder)
    truth, times = known["rolls"], known["times"]
    camera = FolderCamera(folder, wait=no_wait)
    told: list[tuple[str, float, Event]] = []
    since = 0.0
    for event in Playback(reader).events(camera):
        if event.happening is Happening.SETTLED and event.since is not None:
            since = times[event.since]
        elif event.happening in _TOLD:
            told.append((_TOLD[event.happening], since, event))
    score.clips += 1
    for number, true in enumerate(truth):
        # what is told before the next true event belongs to this one
        until = truth[number + 1]["rest"] - _EARLY_SECONDS if number + 1 < len(truth) else float("inf")
        here = [one for one in told if true["rest"] - _EARLY_SECONDS <= one[1] < until]
        before = truth[number - 1]["dice"] if number else []
        _judge(folder.name, true, before, here, score)
        told = [one for one in told if one not in here]
    for kind, at, _ in told:
        score.early += 1
        score.faults.append(f"{folder.name}: {kind} at rest from {at:.2f} s, before any dice lay still")


def _judge(
    name: str,
    true: dict[str, Any],
    before: Sequence[dict[str, Any]],
    here: Sequence[tuple[str, float, Event]],
    score: ClipScore,
) -> None:
    fitting = [one for one in here if one[0] == true["event"]]
    if not fitting and true["event"] == "changed" and _lying(before) == _lying(true["dice"]):
        score.unmoved += 1
        return
    score.rolls += 1
    if not fitting:
        score.missed += 1
        score.faults.append(f"{name}: {true['event']} at {true['rest']:.2f} s was not told")
    else:
        score.found += 1
        off = fitting[0][1] - true["rest"]
        score.off_seconds.append(abs(off))
        score.timely += abs(off) <= REST_SECONDS
        if abs(off) > REST_SECONDS:
            score.faults.append(f"{name}: {true['event']} at {true['rest']:.2f} s was told to rest {off:+.2f} s off")
        _count_dice(true["dice"], fitting[-1][2], score)
    for kind, at, _ in here:
        if kind == "roll" and (true["event"] != "roll" or (kind, at) != fitting[0][:2]):
            score.doubled += true["event"] == "roll"
            score.invented += true["event"] != "roll"
            score.faults.append(f"{name}: one more roll at {at:.2f} s")
    later = [event for kind, _, event in here if kind == "changed"][true["event"] == "changed" :]
    told_anew = sum(_read(event) == _lying(true["dice"]) for event in later)
    score.unmoved += told_anew
    if len(later) > told_anew:
        score.invented += len(later) - told_anew
        score.faults.append(f"{name}: {len(later) - told_anew} more changes after {true['rest']:.2f} s")


def _count_dice(true: Sequence[dict[str, Any]], event: Event, score: ClipScore) -> None:
    lying, read = _lying(true), _read(event)
    sure = _read(event, only_sure=True)
    score.dice += sum(lying.values())
    score.right += sum((lying & read).values())
    score.wrong += sum((sure - lying).values())


def _lying(dice: Sequence[dict[str, Any]]) -> Counter[tuple[str, tuple[str, ...]]]:
    return Counter((die["type"], tuple(die["face"])) for die in dice if not die["cocked"])


def _read(event: Event, *, only_sure: bool = False) -> Counter[tuple[str, tuple[str, ...]]]:
    assert event.reading is not None
    dice = [die for die in event.reading.dice if die.status.value == "sure" or not only_sure]
    return Counter((die.type, die.face) for die in dice)


def _told(folder: Path) -> dict[str, Any]:
    path = folder / "clip.json"
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        [float(time) for time in told["times"]]
        [(one["event"], float(one["rest"]), one["dice"]) for one in told["rolls"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        hint = "Fill in its rolls: event, rest and dice of each."
        raise CameraError(f"has no truth ({error!r})", where=str(path), hint=hint) from error
    return dict(told)
