"""``python -m tools.bench NAME --json``: what measures the program and is not part of it.

Each bench is named by its function here, and imports what it needs when it runs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import msgspec

from tableside import paths
from tableside.app.readers import Reads, installed_sets, open_reader
from tableside.errors import CameraError, PhotoError, TablesideError
from tools.bench.films import KINDS

_SHARED = Path(__file__).parents[2].parent / "shared"
Records = Iterator[dict[str, Any]]


class Failed(Exception):
    """Something could not be measured; what came before stands."""


@cache
def _reader(sets: tuple[str, ...]) -> Reads:
    return open_reader(installed_sets(sets, Path("no-data")))


def clips(options: argparse.Namespace) -> Records:
    """Play clips with known truth and count which rolls were told, and when."""
    from tools.bench.clips import ClipScore, find_clips, score_clip

    reader, failed = _reader(tuple(options.set)), False
    for folder in options.folders:
        score, found = ClipScore(), find_clips(folder)
        if not found:
            failed = True
            _complain(CameraError("holds no clips", where=str(folder), hint="A clip is a folder with a clip.json."))
        for clip in found:
            try:
                score_clip(clip, reader, score)
            except CameraError as error:
                failed = True
                _complain(error)
        yield {"folder": str(folder)} | score.to_json()
    if failed:
        raise Failed


def films(options: argparse.Namespace) -> Records:
    """Play made films through the live tray and count what was told, and when."""
    from tools.bench.films import films as made
    from tools.bench.scored import FilmScore, score_film

    score = FilmScore()
    cv2.setNumThreads(1)
    for one in made(options.count, options.first, options.shared, options.kind or KINDS):
        before = len(score.lines)
        score_film(one, _reader(one.sets), score, say=_complain)
        for line in score.lines[before:]:
            _complain(line)
    yield {"bench": "films", "first": options.first} | score.to_json()


def film(options: argparse.Namespace) -> Records:
    """Write one film as pictures with its truth beside them, to be looked at or played by ``tableside watch``."""
    from tools.bench.films import films as made

    one = next(made(1, options.first, options.shared, options.kind or KINDS))
    options.to.mkdir(parents=True, exist_ok=True)
    one.open()
    for frame in one.frames():
        cv2.imwrite(str(options.to / f"{frame.number:05}.png"), frame.picture)
    acts = [f"{a.name} {a.start:.2f} {a.rest:.2f} {a.is_told}" for a in one.acts]
    (options.to / "acts.txt").write_text("\n".join([str(one.sensor), *acts]) + "\n", encoding="utf-8")
    yield {"bench": "film", "folder": str(options.to), "acts": len(one.acts)}


def focus(options: argparse.Namespace) -> Records:
    """Blur real photographs of pip dice, and count the rolls that lack dice and say nothing of it."""
    from tools.bench.focus import bench_focus

    cv2.setNumThreads(1)
    for kind in ("pips", "webcam", "phone"):
        yield from bench_focus(_reader(("pips",)), options.shared / "photos" / kind)


def hall(options: argparse.Namespace) -> Records:
    """Let many tables roll on one broker and time each roll's way to the displays of the hall."""
    from tools.bench.hall import bench_hall, broker_at, own_broker

    with broker_at(options.broker) if options.broker else own_broker() as address:
        found = bench_hall(
            address, tables=options.tables, displays=options.displays, seconds=options.seconds, every=options.every
        )
    yield {"bench": "from a roll at one of many tables to the displays of the hall"} | found
    if not found["complete"]:
        raise Failed


def laid(options: argparse.Namespace) -> Records:
    """Play made clips of dice that a hand lays, and of dice that are thrown, and count which was taken for which."""
    from tools.bench.laid import LaidScore, score_clip
    from tools.bench.laid import clips as made

    score = LaidScore()
    cv2.setNumThreads(1)
    for one in made(options.count, options.first, options.shared):
        before = len(score.lines)
        score_clip(one, _reader(one.sets), score)
        for line in score.lines[before:]:
            _complain(line)
    yield {"bench": "laid", "first": options.first} | score.to_json()


def lying(options: argparse.Namespace) -> Records:
    """Play scenes of real dice that lie still beside shadows, hands and things, and count what was told in time."""
    from tools.bench.lying import SCENES, bench_lying

    cv2.setNumThreads(1)
    for name in options.scene or SCENES:
        record = bench_lying(
            name, lambda: open_reader(installed_sets(("pips",), Path("no-data")), camera_stays=True), options.shared
        )
        for line in record.pop("lines"):
            _complain(line)
        yield {"bench": "lying"} | record


def numbers(options: argparse.Namespace) -> Records:
    """Halve and double the tray's numbers one after the other, and tell which scenes are told otherwise."""
    from tools.bench.numbers import bench_numbers

    yield from bench_numbers(options.number, options.scene or (), options.shared)


def pages(_: argparse.Namespace) -> Records:
    """Count what the pages ask the table for, the first time and loaded again. Needs chromium."""
    from tools.bench.pages import bench_pages

    yield from bench_pages()


def parts(options: argparse.Namespace) -> Records:
    """Read the photographs without one rule of the reader after the other, and tell what each changes."""
    from tools.bench.parts import PARTS, bench_parts, folders_of

    if unknown := set(options.part) - PARTS.keys():
        raise PhotoError(f"no part {', '.join(sorted(unknown))}", where="--part", hint=f"There are {', '.join(PARTS)}.")
    others = dict(options.folder)
    yield from bench_parts(others or folders_of(options.shared), options.part)


def phones(options: argparse.Namespace) -> Records:
    """Measure a photograph of 12 megapixels, and what a phone as the camera costs with 10 pictures a second."""
    from tools.bench.phones import bench_phone_camera, bench_photograph

    yield {"bench": "a photograph of 12 megapixels"} | bench_photograph()
    for moves in (False, True):
        words = "dice that never rest" if moves else "a still tray"
        yield {"bench": f"a phone as the camera, {words}"} | bench_phone_camera(moves=moves, seconds=options.seconds)


def reading(options: argparse.Namespace) -> Records:
    """Time readings of several pictures, in passes of a network of YOLOv8n's shape. Needs onnx of the drawing extra.

    Photographs are taken from the reference material where it is there, else the smaller ones of the checkout.
    """
    from tools.bench.reading import OWN_PHOTOS, bench_reading

    photos = options.shared / "photos"
    cv2.setNumThreads(1)
    yield from bench_reading(photos if photos.is_dir() else OWN_PHOTOS, options.times)


def rules(_: argparse.Namespace) -> Records:
    """Time odds against icepool in the same run, and the scoring of a roll."""
    from tools.bench.rules import bench_rules

    yield bench_rules()


def scores(options: argparse.Namespace) -> Records:
    """Score every set of photographs, and dice taught from some, and fail where models/scores.json says better."""
    from tools.bench.scores import bench_scores

    worse = []
    shared = options.shared if options.shared.is_dir() else None
    for name, now, before in bench_scores(shared, options.row, is_written=options.write):
        yield {"row": name, **msgspec.to_builtins(now), "before": before and msgspec.to_builtins(before)}
        worse += [name] if before and now.is_worse(before) else []
    if worse and not options.write:
        _complain(f"worse than models/scores.json: {', '.join(worse)}")
        raise Failed


def screen(_: argparse.Namespace) -> Records:
    """Time how long the table screen takes to follow a change, against its first drawing. Needs chromium."""
    from tools.bench.screen import bench_screen

    yield bench_screen()


def teach(options: argparse.Namespace) -> Records:
    """Teach dice from labelled photographs, read others, and count what was right, doubted and silently wrong.

    A folder of single dice without centres is taught whole and read with its photographs changed; a folder of rolls is
    taught by halves; in a folder with a folder for each die, each is taught alone from its show/, read from its ask/.
    """
    from tools.bench.teach import all_benches

    folders = options.folders or [options.shared / "rolls", options.shared / "photos" / "numbered"]
    for folder in folders:
        if not any(folder.glob("*.json")) and not any(folder.glob("*/show")):
            raise PhotoError("holds no labelled photographs", where=str(folder), hint="Name a folder that does.")
    yield from all_benches(folders, camera_stays=options.one_camera)


def watch(options: argparse.Namespace) -> Records:
    """Measure what watching the tray costs, and how soon a result is there after the dice lie still."""
    from tools.bench.watch import bench_idle, bench_result, bench_watching, bench_woken, sample_throw

    empty, rest = sample_throw(paths.samples_folder())
    yield {"bench": "watching a still tray"} | bench_watching(empty)
    yield {"bench": "following dice that never rest"} | bench_woken(_reader(()), rest)
    found = bench_result(_reader(()), empty, rest, throws=options.throws)
    yield {"bench": "last motion to published result, beyond the dwell"} | found
    idle = bench_idle(_reader(()), empty, rest, throws=options.throws)
    yield {"bench": "the same by processor time, as on an idle machine"} | idle
    if not (found["complete"] and idle["complete"]):
        raise Failed


def wild(options: argparse.Namespace) -> Records:
    """Render rolls under uneven light, one die of another colour, and count how the Wild Die is told or asked about.

    Needs the drawing extra, which the renderer is part of.
    """
    from tools.bench.wild import score_rolls

    cv2.setNumThreads(1)
    reader = open_reader([one.without_variants() for one in installed_sets(["pips"], Path("no-data"))])
    found = score_rolls(reader, first=options.first, count=options.count)
    yield {"bench": "wild", "first": options.first, "count": options.count} | found


def main(words: Sequence[str] | None = None) -> int:
    """Run a bench; return 0 where all was measured, 1 where something was not, 2 for wrong usage."""
    options = _parser().parse_args(words)
    try:
        for record in options.act(options):
            text = json.dumps(record) if options.json else "\n".join(f"{key}: {value}" for key, value in record.items())
            print(text, flush=True)
    except Failed:
        return 1
    except TablesideError as error:
        _complain(error)
        return 2
    return 0


_BENCHES = (
    clips,
    film,
    films,
    focus,
    hall,
    laid,
    lying,
    numbers,
    pages,
    parts,
    phones,
    reading,
    rules,
    scores,
    screen,
    teach,
    watch,
    wild,
)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description="Measure the program.")
    names = parser.add_subparsers(required=True, metavar="NAME")
    benches = {
        act: names.add_parser(act.__name__, help=(act.__doc__ or "").split("\n")[0], description=act.__doc__)
        for act in _BENCHES
    }
    for act, bench in benches.items():
        bench.add_argument("--json", action="store_true", help="print one JSON object a line")
        bench.set_defaults(act=act)
    for act in (film, films, focus, laid, lying, numbers, parts, reading, scores, teach):
        benches[act].add_argument("--shared", type=Path, default=_SHARED, help="the folder of reference material")
    benches[parts].add_argument("--part", action="append", default=[], metavar="NAME", help="one; may be repeated")
    benches[parts].add_argument(
        "--folder", action="append", default=[], nargs=2, metavar=("FOLDER", "SET"), help="other labelled photographs"
    )
    benches[scores].add_argument("--row", action="append", default=[], metavar="NAME", help="one row; may be repeated")
    benches[scores].add_argument("--write", action="store_true", help="keep what came of them in models/scores.json")
    for act in (film, films, laid, wild):
        benches[act].add_argument("--first", type=int, default=0, help="seed of the first")
    for act in (film, films):
        benches[act].add_argument("--kind", action="append", choices=KINDS)
    benches[films].add_argument("--count", type=int, default=60)
    benches[laid].add_argument("--count", type=int, default=102, help="clips of laying, and as many of throwing")
    for act in (lying, numbers):
        benches[act].add_argument("--scene", action="append", metavar="NAME", help="one of the scenes; may be repeated")
    benches[numbers].add_argument(
        "--number", action="append", default=[], metavar="FILE.NAME", help="one; may be repeated"
    )
    benches[wild].add_argument("--count", type=int, default=200, help="tables, each with six rolls")
    benches[film].add_argument("--to", type=Path, required=True, metavar="FOLDER")
    benches[clips].add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    benches[clips].add_argument("--set", action="append", default=[], metavar="NAME", help="a dice set to expect")
    benches[hall].add_argument("--tables", type=int, default=50)
    benches[hall].add_argument("--displays", type=int, default=3)
    benches[hall].add_argument("--seconds", type=float, default=30.0)
    benches[hall].add_argument("--every", type=float, default=5.0, help="each table rolls once in so many seconds")
    benches[hall].add_argument("--broker", metavar="HOST:PORT", help="an open broker; else a Mosquitto of our own")
    benches[phones].add_argument("--seconds", type=float, default=15.0)
    benches[reading].add_argument("--times", type=int, default=7, help="the least of so many counts")
    benches[teach].add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    benches[teach].add_argument("--one-camera", action="store_true", help="one camera took all of a die's photographs")
    benches[watch].add_argument("--throws", type=int, default=20)
    return parser


def _complain(line: object) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
