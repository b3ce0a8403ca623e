"""``python -m tests.bench NAME --json``: what measures the program and is not part of it."""

from __future__ import annotations

import argparse
import json
import sys
from functools import cache
from pathlib import Path

import cv2

from tableside.app.reading import Reads, installed_sets, open_reader
from tests.bench.films import KINDS, Film, films
from tests.bench.scored import FilmScore, score_film
from tests.bench.screen import bench_screen

_SHARED = Path(__file__).parents[2].parent / "shared"


@cache
def _reader(sets: tuple[str, ...]) -> Reads:
    return open_reader(installed_sets(sets, Path("no-data")))


def bench_films(options: argparse.Namespace) -> int:
    """Play made films through the live tray and count what was told, and when."""
    score = FilmScore()
    cv2.setNumThreads(1)
    chosen = films(options.count, options.first, options.shared, options.kind or KINDS)
    for film in chosen:
        before = len(score.lines)
        score_film(film, _reader(film.sets), score, say=_complain)
        for line in score.lines[before:]:
            _complain(line)
    told = {"bench": "films", "first": options.first} | score.to_json()
    print(json.dumps(told) if options.json else "\n".join(f"{key}: {value}" for key, value in told.items()))
    return 0


def keep_film(options: argparse.Namespace) -> int:
    """Write one film as pictures with its truth beside them, to be looked at or played by ``tableside watch``."""
    film: Film = next(films(1, options.first, options.shared, options.kind or KINDS))
    options.to.mkdir(parents=True, exist_ok=True)
    film.open()
    for frame in film.frames():
        cv2.imwrite(str(options.to / f"{frame.number:05}.png"), frame.picture)
    acts = [f"{a.name} {a.start:.2f} {a.rest:.2f} {a.is_told}" for a in film.acts]
    (options.to / "acts.txt").write_text("\n".join([str(film.sensor), *acts]) + "\n", encoding="utf-8")
    return 0


def _complain(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=_SHARED, help="the folder of reference material")
    parser.add_argument("--json", action="store_true")
    names = parser.add_subparsers(required=True)
    for name, act in (("films", bench_films), ("film", keep_film)):
        one = names.add_parser(name, help=act.__doc__)
        one.add_argument("--first", type=int, default=0, help="seed of the first")
        one.add_argument("--kind", action="append", choices=KINDS)
        one.add_argument("--json", action="store_true")
        one.add_argument("--shared", type=Path, default=_SHARED)
        one.set_defaults(act=act)
        if name == "films":
            one.add_argument("--count", type=int, default=60)
        else:
            one.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    screen = names.add_parser("screen", help=bench_screen.__doc__)
    screen.add_argument("--json", action="store_true")
    screen.set_defaults(act=bench_screen)
    options = parser.parse_args()
    return int(options.act(options))


if __name__ == "__main__":
    sys.exit(main())
