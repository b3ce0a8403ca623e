"""The power fails: a whole `tableside run` is killed at once and started again, and nothing acknowledged is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.mosquitto import free_port


@contextmanager
def table(folder: Path, port: int) -> Iterator[str]:
    """Run a table over the data of this folder and kill it in the end."""
    command = [sys.executable, "-m", "tableside", "run", "--config", str(folder / "tableside.toml")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if f":{port}/" in line:
                break
        try:
            yield f"http://127.0.0.1:{port}/api/"
        finally:
            process.send_signal(signal.SIGKILL)


def ask(address: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps({"id": str(uuid.uuid4()), **body}).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def known(api: str) -> dict[str, Any]:
    told = {name: ask(api + name) for name in ("people", "tables", "state")}
    return told | {"state": {name: told["state"][name] for name in ("history", "asked", "game")}}


@pytest.mark.slow
@pytest.mark.second_try
def test_nothing_that_was_acknowledged_is_lost_when_the_power_fails(tmp_path: Path) -> None:
    port = free_port()
    settings = f'[camera]\nkind = "none"\n[table]\ndata = "data"\n[web]\nport = {port}\n[pins]\nfactory = "none"\n'
    (tmp_path / "tableside.toml").write_text(settings, encoding="utf-8")
    skills = [{"name": "Mechanics", "ask": {"characteristic": 2, "skill": 1}}]
    dice = [{"type": "ability", "face": ["success"]}, {"type": "proficiency", "face": []},
            {"type": "difficulty", "face": []}, {"type": "difficulty", "face": []}]  # fmt: skip
    called: list[tuple[str, dict[str, Any]]] = [
        ("game", {"game": "narrative"}),
        ("people", {"do": "add", "person": {"name": "Oskara", "kind": "player", "skills": skills}}),
        ("tables", {"name": "Scatter", "dice": "2D", "rows": [{"from": 1, "to": 12, "words": "There"}]}),
        ("ask", {"player": "Oskara", "ask": {"characteristic": 2, "skill": 1, "difficulty": "average"}}),
    ]
    told: list[dict[str, Any]] = []
    for steps in (called, [("rolls", {"dice": dice, "uses_ask": True})], []):
        with table(tmp_path, port) as api:
            assert not told or known(api) == told[-1]
            for address, body in steps:
                ask(api + address, body)
            told.append(known(api))
    assert [roll["by"] for roll in told[-1]["state"]["history"]] == ["Oskara"]
