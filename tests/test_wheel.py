"""The wheel holds all that a table needs: built, installed into an empty environment, and started there."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest

import tableside
from tests.conftest import ROOT

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command outside the checkout, so that nothing of it is imported by chance."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=500, check=False,
        env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    try:
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    except AssertionError as error:
        if re.search(r"No matching distribution|Connection", str(error)) and not os.environ.get("CI"):
            pytest.skip("pip cannot fetch hatchling: is the network up?")
        raise
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def command(wheel: Path) -> Path:
    """Return the installed command in an environment that had nothing."""
    run(sys.executable, "-m", "venv", "--without-pip", wheel.parent / "empty", cwd=wheel.parent)
    programs = wheel.parent / "empty" / "bin"
    install = ("install", "--quiet", "--no-compile", wheel)  # what is imported is compiled then
    run(sys.executable, "-m", "pip", "--python", programs / "python", *install, cwd=wheel.parent)
    return programs / "tableside"


def test_the_wheel_holds_pages_networks_samples_and_sets(wheel: Path) -> None:
    assert wheel.name == f"tableside-{tableside.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    web = {f"tableside/_web/{path.relative_to(ROOT / 'web')}" for path in (ROOT / "web").rglob("*") if path.is_file()}
    inside = [path for folder in ("samples", "dice/data") for path in (ROOT / "tableside" / folder).rglob("*")]
    ours = {str(path.relative_to(ROOT)) for path in inside if path.is_file()}
    models = {
        f"tableside/_models/{path.name}" for path in (ROOT / "models").glob("*.*") if path.suffix in (".onnx", ".npz")
    }
    guide = {f"tableside/_docs/{path.relative_to(ROOT / 'docs')}" for path in (ROOT / "docs").rglob("*.md")}
    assert sorted((web | ours | models | guide) - names) == []
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "tools/", "hardware/", "docs/"))]
    assert wheel.stat().st_size < 10_000_000


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    return int(number)


def test_the_installed_demo_serves_its_pages_and_reads_a_roll(command: Path, tmp_path: Path, port: int) -> None:
    log = (tmp_path / "demo.log").open("w+")
    demo = subprocess.Popen(
        [command, "demo", "--no-browser", "--port", str(port), "--data", tmp_path / "data"], cwd=tmp_path, stdout=log,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert run(command, "--version", cwd=tmp_path).strip().endswith(tableside.__version__)
    address = f"http://127.0.0.1:{port}"
    try:
        page = _get(f"{address}/", demo, seconds=60)
        assert b"<title>" in page
        assert b"export" in _get(f"{address}/table.js", demo, seconds=5) or b"import" in _get(
            f"{address}/table.js", demo
        )
        headers = {"Content-Type": "application/json", "Origin": address}
        tapped = urllib.request.Request(
            f"{address}/api/demo", b'{"do": "next"}', headers
        )  # else it waits a minute for it
        urllib.request.urlopen(tapped, timeout=60).close()
        deadline = time.monotonic() + 90
        while not (roll := json.loads(_get(f"{address}/api/state", demo))["roll"]):
            assert time.monotonic() < deadline, "no roll was read"
            time.sleep(0.2)
        assert roll["dice"]
        assert roll["headline"]
    finally:
        demo.terminate()
        demo.wait(timeout=60)
        log.close()
    assert demo.returncode in (0, -15), (tmp_path / "demo.log").read_text()


def _get(address: str, server: subprocess.Popen[bytes], *, seconds: float = 10) -> bytes:
    """Return what is served, as soon as it is."""
    deadline = time.monotonic() + seconds
    while True:
        assert server.poll() is None, "the demo has ended"
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return bytes(answer.read())
        except (urllib.error.URLError, ConnectionError):
            assert time.monotonic() < deadline, f"{address} does not answer"
            time.sleep(0.1)
