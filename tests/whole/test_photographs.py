"""Two phones send ten photographs at once, the power fails in between, and each counts once, as `read` reads it."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode

import pytest

from tests.conftest import ROOT, Run
from tests.fakes.mosquitto import free_port
from tests.whole.test_killed import ask, table

PHOTOGRAPHS = sorted((ROOT / "tests" / "photos" / "phone").glob("*.jpg"))[:10]
NOT_NOW = 503


def post(address: str, body: dict[str, str]) -> Any:
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return urllib.request.urlopen(request, timeout=30)


class Phone:
    """A paired phone that sends until it is told what came of it, always by the same id."""

    def __init__(self, api: str, name: str) -> None:
        self.name = name
        with post(f"{api}pairing", {"role": "player"}) as answer:
            pin = json.load(answer)["pin"]
        with post(f"{api}pair", {"pin": pin, "name": name}) as answer:
            self.cookie = answer.headers["Set-Cookie"].partition(";")[0]

    def send(self, api: str, photograph: Path, **asked: str) -> Any:
        query = urlencode({"id": f"{self.name}-{photograph.stem}", "for": "loose"} | asked)
        request = urllib.request.Request(
            f"{api}rolls/photo?{query}", photograph.read_bytes(), {"Cookie": self.cookie, "Content-Type": "image/jpeg"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def send_all(self, api: str, photographs: list[Path], told: dict[str, Any], stop: threading.Event) -> None:
        waiting = list(photographs)
        while waiting and not stop.is_set():
            try:
                told[waiting[0].stem] = self.send(api, waiting[0])
                waiting.pop(0)
            except HTTPError as error:
                if error.code != NOT_NOW:
                    raise
                time.sleep(0.05)
            except (URLError, OSError, http.client.HTTPException):
                return


def faces(dice: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    return sorted((die["type"], die["face"]) for die in dice)


def as_read(run: Run) -> dict[str, list[tuple[str, list[str]]]]:
    """Return the dice of each photograph as the command tells them."""
    told = run("read", "--json", "--set", "pips", *PHOTOGRAPHS)[1].splitlines()
    return {Path(line["image"]).stem: faces(line["dice"]) for line in map(json.loads, told)}


@pytest.mark.slow
def test_ten_photographs_of_two_phones_count_once_each_as_read_though_the_power_fails(tmp_path: Path, run: Run) -> None:
    port = free_port()
    (tmp_path / "tableside.toml").write_text(
        f'[camera]\nkind = "none"\n[reader]\nsets = ["pips"]\n[table]\ndata = "data"\n'
        f'[web]\nport = {port}\n[pins]\nfactory = "none"\n',
        encoding="utf-8",
    )
    told: dict[str, Any] = {}
    stop = threading.Event()
    halves = (PHOTOGRAPHS[::2], PHOTOGRAPHS[1::2])
    with ThreadPoolExecutor(2) as pool:
        with table(tmp_path, port) as api:
            phones = [Phone(api, name) for name in ("Mara", "Jon")]
            sending = [
                pool.submit(phone.send_all, api, half, told, stop) for phone, half in zip(phones, halves, strict=True)
            ]
            while len(told) < 4 and not all(one.done() for one in sending):
                time.sleep(0.01)
        for one in sending:
            one.result()
    before = dict(told)
    assert 4 <= len(before) < len(PHOTOGRAPHS)
    with table(tmp_path, port) as api, ThreadPoolExecutor(2) as pool:
        for one in [
            pool.submit(phone.send_all, api, half, told, stop) for phone, half in zip(phones, halves, strict=True)
        ]:
            one.result()
        rolls = ask(f"{api}state")["history"]
        assert len(rolls) == len({roll["id"] for roll in rolls}) == len(PHOTOGRAPHS)
        assert {roll["by"] for roll in rolls} == {"Mara", "Jon"}
        with pytest.raises(HTTPError, match="409"):  # by the other phone, sent before the power failed
            phones[1].send(api, PHOTOGRAPHS[0])
        assert len(ask(f"{api}state")["history"]) == len(PHOTOGRAPHS)
    for name, roll in before.items():
        assert told[name]["dice"] == roll["dice"]
    assert {name: faces(roll["dice"]) for name, roll in told.items()} == as_read(run)
