"""What every renderer on the command line does: many seeds, each worked on by one of several processes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2


def seed_parser(
    description: str | None, *, out: str = "folder", count: int, first: int | None = None
) -> argparse.ArgumentParser:
    """Return a parser of where to write, of the seeds (``--first``, ``--count``) and of ``--workers``.

    :param out: name of the path. :param first: the usual first seed; without one it must be given.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(out, type=Path)
    parser.add_argument("--first", type=int, default=first, required=first is None)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--workers", type=int, default=2)
    return parser


def made(work: Callable[..., Any], jobs: Sequence[Any], workers: int, *, chunk: int = 1) -> Iterator[Any]:
    """Yield what the work makes of each job, in order. Each process keeps OpenCV to one thread."""
    with Pool(workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.imap(work, jobs, chunksize=chunk)
