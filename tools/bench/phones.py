"""What phones cost the table: a photograph of 12 megapixels, and one that is the tray's camera."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside import paths
from tableside.adapters.camera.kind import CameraSettings
from tableside.app.photographs import Photographs
from tableside.app.readers import open_reader
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import find_sets
from tableside.reader.photo import Picture
from tableside.table import MemoryStore, System, Table

_PHOTO_SIZE = (4000, 3000)
_QUALITY = 90
_NOISE_LEVELS = 2
_WARM_UP_SECONDS = 3.0
_FACTS = ("size", "megabytes", "ms", "baseline", "baseline_ms", "ratio", "memory_mb", "baseline_memory_mb")


def photograph_of_12_megapixels() -> bytes:
    """Return a recorded roll of 8 dice as a phone's camera would give it."""
    small = cv2.imread(str(paths.samples_folder() / "roll-8.jpg"))
    return _jpeg(np.asarray(cv2.resize(small, _PHOTO_SIZE, interpolation=cv2.INTER_CUBIC), np.uint8))


def bench_photograph(*, times: int = 9) -> dict[str, Any]:
    """Return the processor time and the memory of a throw by photograph, beside one of 1280 x 960 in the same run.

    Memory is how much the program's largest size grows by it, after a first small one has loaded the networks.
    """
    start = multiprocessing.get_context("spawn")
    small, large = (paths.samples_folder() / "roll-8.jpg").read_bytes(), photograph_of_12_megapixels()
    with start.Pool(1) as pool:
        seconds = pool.apply(_times, ((small, large), times))
    grown = []
    for data in (small, large):
        with start.Pool(1) as pool:
            grown.append(pool.apply(_growth, (small, data)))
    baseline, of_large = (1000 * statistics.median(one) for one in seconds)
    found = (
        list(_PHOTO_SIZE),
        round(len(large) / 1e6, 1),
        round(of_large, 1),
        "a photograph of 1280 x 960",
        round(baseline, 1),
        round(statistics.median(b / a for a, b in zip(*seconds, strict=True)), 2),
        round(grown[1], 1),
        round(grown[0], 1),
    )
    return dict(zip(_FACTS, found, strict=True))


def _reads() -> Callable[[bytes], object]:
    """Return what reads a photograph as the table does, on one thread."""
    cv2.setNumThreads(1)
    table = Table(System(sets=find_sets()), MemoryStore())
    sets = find_sets()
    photographs = Photographs(
        table, make_reader=lambda: open_reader(sets), keep_picture=lambda *_: True, find_picture=lambda _: None
    )
    return photographs.look


def _times(photographs: tuple[bytes, bytes], times: int) -> tuple[list[float], list[float]]:
    look = _reads()
    found: tuple[list[float], list[float]] = ([], [])
    for number in range(times + 1):
        for data, seconds in zip(photographs, found, strict=True):
            begin = time.process_time()
            look(data)
            if number:  # the first ones load
                seconds.append(time.process_time() - begin)
    return found


def _growth(first: bytes, data: bytes) -> float:
    look = _reads()
    look(first)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    look(data)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def bench_phone_camera(*, moves: bool, fps: float = 10.0, seconds: float = 15.0) -> dict[str, Any]:
    """Return the share of a core that the table takes while a phone sends pictures, beside decoding them alone.

    :param moves: dice never come to rest; else the tray lies still.
    """
    empty, rest = (cv2.imread(str(paths.samples_folder() / f"{name}.jpg")) for name in ("empty", "roll-8"))
    noise = np.random.default_rng(1)
    shown = [np.roll(rest, (7 * n, 25 * n), (0, 1)) if moves else empty for n in range(24)]
    pictures = [_jpeg(cv2.add(one, noise.integers(0, _NOISE_LEVELS, one.shape, np.uint8)), 80) for one in shown]
    decoding = _decoding_seconds(pictures)
    start = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            camera=CameraSettings(kind="phone"),
            table=TableSettings(data=Path(folder) / "data"),
            web=WebSettings(port=0),
            pins=PinSettings(factory="none"),
        )
        running = RunningTable(settings, store=MemoryStore())
        running.start()
        port = int(running.address.rstrip("/").rsplit(":", 1)[1])
        asleep = _share(2.0)
        has_begun = start.Event()
        whole = seconds + 2 * _WARM_UP_SECONDS
        sender = start.Process(target=_send, args=(port, pictures, fps, whole, has_begun), daemon=True)
        sender.start()
        has_begun.wait(60)
        time.sleep(_WARM_UP_SECONDS)
        share = _share(seconds)
        rolls = len(running.table.state.rolls)
        sender.join()
        running.close()
    return {
        "size": [1280, 960],
        "fps": fps,
        "moves": moves,
        "rolls": rolls,
        "share_of_a_core": round(share, 4),
        "share_without_pictures": round(asleep, 4),
        "baseline": "decoding these pictures alone",
        "baseline_share": round(decoding * fps, 4),
        "ratio": round(share / (decoding * fps), 2),
    }


def _share(seconds: float) -> float:
    """Return what share of a core this program takes for so long."""
    cpu, begin = time.process_time(), time.monotonic()
    time.sleep(seconds)
    return (time.process_time() - cpu) / (time.monotonic() - begin)


def _decoding_seconds(pictures: list[bytes]) -> float:
    begin = time.process_time()
    for one in pictures:
        cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_COLOR)
    return (time.process_time() - begin) / len(pictures)


def _send(port: int, pictures: list[bytes], fps: float, seconds: float, has_begun: Event) -> None:
    """Be the phone."""
    own = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

    def post(path: str, body: bytes, headers: dict[str, str]) -> http.client.HTTPResponse:
        own.request("POST", path, body, headers)
        return own.getresponse()

    def told(path: str, body: dict[str, str], cookie: str = "") -> tuple[Any, str]:
        answer = post(path, json.dumps(body).encode(), {"Content-Type": "application/json", "Cookie": cookie})
        return json.load(answer), answer.getheader("Set-Cookie", "").partition(";")[0]

    offer, _ = told("/api/pairing", {"role": "player"})
    _, cookie = told("/api/pair", {"pin": offer["pin"], "name": "Mara"})
    told("/api/camera", {"do": "begin"}, cookie)
    has_begun.set()
    begin = time.monotonic()
    number = 0
    while (now := time.monotonic() - begin) < seconds:
        post("/api/camera/frames", pictures[number % len(pictures)], {"Cookie": cookie}).read()
        number += 1
        time.sleep(max(0.0, number / fps - now))
    own.close()


def _jpeg(picture: Picture, quality: int = _QUALITY) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])
