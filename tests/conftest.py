"""What all tests share: the reference folder, and a watch for threads left behind."""

from __future__ import annotations

import io
import json
import os
import shutil
import threading
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tableside.cli import main
from tableside.dice import find_sets
from tableside.table import MemoryStore, System, Table
from tests.fakes.mosquitto import Mosquitto, need_mosquitto

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""Debian's chromium, without its windows where that package is installed: the same engine for half the work."""
hypothesis.settings.register_profile("tableside", deadline=None)  # no property has a time limit
hypothesis.settings.load_profile("tableside")
SYSTEM = System(sets=find_sets(["narrative", "pips", "percentile"]))
Run = Callable[..., tuple[int, str, str]]
_LEFT_OUT = {"slow": 0}
_WITH_OTHERS = ("tests/adapters/", "tests/whole/", "tests/test_app_")
"""Tests in which other processes or threads take the time that a busy machine gives them."""


def pytest_configure() -> None:
    """Say it at once where the games were installed from an older list: entry points are read by ``pip install``."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    installed = {point.name: point.value for point in entry_points(group="tableside.games")}
    if installed and not declared["tableside.games"].items() <= installed.items():
        raise pytest.UsageError("the installed games are not those of pyproject.toml: pip install --no-deps -e .")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--examples", type=Path, default=None, help="folder of rules cases (*.json)")
    parser.addoption("--soak", type=int, default=None, help="how often a test tries that looks for what is rare")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests to CI, and to who asks for them by ``-m``.

    In CI a test that waits for a browser, a broker, a camera or a whole table has a second try; the summary names it.
    """
    if os.environ.get("CI"):
        for item in items:
            if item.get_closest_marker("browser") or item.nodeid.startswith(_WITH_OTHERS):
                item.add_marker(pytest.mark.flaky(reruns=1))
    elif not config.option.markexpr:
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        getattr(config, "workeroutput", _LEFT_OUT)["slow"] = len(slow)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear from a worker how many tests it left out; all of them leave out the same."""
    _LEFT_OUT.update({"slow": getattr(node, "workeroutput", {}).get("slow", 0)})


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was left out, as a test that was not run shows nothing."""
    if _LEFT_OUT["slow"]:
        terminalreporter.write_line(f"Left out: {_LEFT_OUT['slow']} slow tests. `CI=true ./check` runs them, too.")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use every processor for the whole suite; what somebody picks begins sooner, and is debugged, in this process.

    One process more than there are processors: a third of a test's time is waiting for a page, a camera or a broker.
    """
    whole = {Path(arg).resolve() for arg in config.args} <= {ROOT, ROOT / "tests"}
    return (os.cpu_count() or 1) + 1 if whole else 0


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of reference material, or skip."""
    if not SHARED.is_dir():
        pytest.skip("the reference folder ../shared is not beside this checkout")
    return SHARED


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with these lines on standard input; return status, output and diagnostics."""

    def run(*arguments: object, lines: Sequence[object] = ()) -> tuple[int, str, str]:
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out, told.err

    return run


@pytest.fixture
def often(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """Return how often a test tries that looks for what is rare: ``--soak`` times, or as often as is usual for it."""
    wanted: int | None = request.config.getoption("--soak")
    return lambda usual: usual if wanted is None else wanted


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    """Undo in reverse order what a test started."""
    with ExitStack() as undo:
        yield undo


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def table(store: MemoryStore, undo: ExitStack) -> Table:
    """A table of symbol, pip and percentile dice over a store in memory."""
    table = Table(SYSTEM, store)
    undo.callback(table.close)
    return table


@pytest.fixture
def broker(tmp_path: Path, undo: ExitStack) -> Mosquitto:
    """Start a real broker of the test's own, or skip."""
    need_mosquitto()
    broker = Mosquitto(tmp_path / "mosquitto")
    broker.start()
    undo.callback(broker.stop)
    return broker


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """Fail a test that leaves a thread of ours running."""
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before and thread.name.startswith("tableside")]
    for thread in left:
        thread.join(timeout=30)
    assert not [thread.name for thread in left if thread.is_alive()]


@pytest.fixture(autouse=True)
def own_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep every test out of the user's data folder."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "data"))
