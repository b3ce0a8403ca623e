"""What was told of made films beside what happened in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tableside.app.playback import Playback
from tableside.app.readers import Reads
from tableside.dice import Reading
from tableside.tray.watch import Happening
from tools.bench.films import Act, Film

_TOLD = (Happening.ROLL, Happening.CHANGED, Happening.JOINED)
_EARLY_SECONDS = 0.05
_SOON, _LATE = 0.4, 0.5  # seconds after the rest


@dataclass(slots=True)
class FilmScore:
    """Counts over films.

    :ivar rests: at which something must be told; ``soon`` and ``in_time`` of them were told within 0.4 s and 0.5 s.
    :ivar twice: rests told more than once. :ivar early: told while something moved.
    :ivar invented: told of what is no throw. :ivar doubts: changes without a throw that settled a doubt and no more.
    :ivar lines: what was not as it should be.
    """

    films: int = 0
    seconds: float = 0.0
    rests: int = 0
    told: int = 0
    soon: int = 0
    in_time: int = 0
    twice: int = 0
    early: int = 0
    invented: int = 0
    doubts: int = 0
    events: int = 0
    troubles: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        delays = sorted(self.delays)

        def at(share: float) -> float | None:
            return round(delays[int(share * (len(delays) - 1))], 3) if delays else None

        return {
            "films": self.films,
            "seconds": round(self.seconds),
            "rests": self.rests,
            "told": self.told,
            "within_0.5_s": self.in_time,
            "within_0.4_s": self.soon,
            "missed": self.rests - self.told,
            "twice": self.twice,
            "early": self.early,
            "invented": self.invented,
            "doubts": self.doubts,
            "events": self.events,
            "delay_median_s": at(0.5),
            "delay_p95_s": at(0.95),
            "troubles": dict(self.troubles),
        }


class _Told(NamedTuple):
    """An event that told a reading. ``is_as_before``: it shows the faces that the event before it showed."""

    time: float
    word: str
    is_as_before: bool


def _faces(reading: Reading | None) -> Counter[tuple[str, tuple[str, ...]]] | None:
    return None if reading is None else Counter((die.type, die.face) for die in reading.dice)


def score_film(film: Film, reader: Reads, score: FilmScore, say: Callable[[str], object] = lambda _: None) -> None:
    """Play a film and add what came of it."""
    told: list[_Told] = []
    last: Reading | None = None
    end = 0.0
    for event in Playback(reader).events(film):
        end = event.frame.time
        if event.happening in _TOLD:
            told.append(_Told(event.frame.time, event.happening.value, _faces(event.reading) == _faces(last)))
            last = event.reading
        elif event.happening is Happening.TROUBLE:
            score.troubles[event.reason.split(".")[0]] += 1
            say(f"{film.name} {event.frame.time:.2f} s: trouble, {event.reason}")
    score.films += 1
    score.seconds += max(end, film.acts[-1].rest)
    score.events += len(told)
    for number, act in enumerate(film.acts):
        until = film.acts[number + 1].start if number + 1 < len(film.acts) else float("inf")
        # what lies there may be told a little after the next thing began: it was read already
        here = [one for one in told if act.start <= one.time < until + 1e-6]
        _judge(film, act, here, score)
    for one in told:
        if one.time < film.acts[0].start:
            score.invented += 1
            score.lines.append(f"{film.name} {one.time:.2f} s: {one.word} before anything happened")


def _judge(film: Film, act: Act, here: Sequence[_Told], score: FilmScore) -> None:
    where = f"{film.name} ({film.sensor.fps:.0f} fps) {act.name} {act.start:.2f}..{act.rest:.2f} s"
    early = [one for one in here if one.time < act.rest - act.waits - _EARLY_SECONDS]
    after = [one for one in here if one not in early]
    if act.is_told is False:
        invented = [one for one in here if not one.is_as_before]
        score.invented += len(invented)
        score.doubts += len(here) - len(invented)
        score.lines += [f"{where}: {one.word} at {one.time:.2f} s" for one in invented]
        return
    score.early += len(early)
    score.lines += [f"{where}: {one.word} early at {one.time:.2f} s" for one in early]
    score.twice += max(0, len(after) - 1)
    if len(after) > 1:
        score.lines.append(
            f"{where}: told {len(after)} times, " + ", ".join(f"{one.word} {one.time:.2f}" for one in after)
        )
    if act.is_told is None:
        return
    score.rests += 1
    if not after:
        score.lines.append(f"{where}: missed")
        return
    delay = after[0].time - act.rest
    score.told += 1
    score.delays.append(delay)
    score.soon += delay <= _SOON + 1e-6
    score.in_time += delay <= _LATE + 1e-6
    if delay > _LATE:
        score.lines.append(f"{where}: told {delay:.2f} s after it")
