"""What all tests share: the reference folder, and a watch for threads left behind."""

from __future__ import annotations

import ctypes
import gc
import io
import json
import os
import shutil
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from uuid import uuid4

import cv2
import hypothesis
import pytest

from tableside import paths
from tableside.adapters.web.pages import Files
from tableside.cli import main
from tableside.dice import find_sets
from tableside.reader import network
from tableside.rules.people import Lasting
from tableside.table import MemoryStore, System, Table, TableState
from tests.fakes.mosquitto import Mosquitto, need_mosquitto

if TYPE_CHECKING:
    from tests.described import Answers

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""Debian's chromium, without its windows where that package is installed: the same engine for half the work."""
hypothesis.settings.register_profile(  # no property has a time limit
    "tableside", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("tableside")
SYSTEM = System(sets=find_sets(["narrative", "pips", "percentile"]))
Run = Callable[..., tuple[int, str, str]]
_LEFT_OUT = {"slow": 0, "second": 0}
_SLOWEST = 40
"""So many of the slowest tests CI names."""


def carried(state: TableState) -> tuple[Lasting, ...]:
    """Return what waits for a call that uses it up, whose it is in turn."""
    return tuple(one for person in state.people for one in person.states if one.is_once)


@pytest.fixture(autouse=True)
def answers(request: pytest.FixtureRequest) -> Iterator[Answers | None]:
    """What apps answer in tests of the web is as the API's description says."""
    if not request.node.nodeid.startswith(("tests/adapters/", "tests/test_app_")):
        yield None
        return
    from tests.described import Answers  # not where a test asks for none of it

    answers = Answers()
    yield answers
    answers.close()
    assert answers.faults == []


def pytest_configure(config: pytest.Config) -> None:
    """Have OpenCV use one thread, as each processor has a test of its own.

    Say it at once where the games were installed from an older list: entry points are read by ``pip install``.
    """
    os.environ["OPENCV_FOR_THREADS_NUM"] = "1"  # in what tests start
    os.environ["MALLOC_ARENA_MAX"] = "2"  # in workers as well: a heap a thread keeps half as much again for nothing
    cv2.setNumThreads(1)
    if os.environ.get("CI") and config.option.durations is None:
        config.option.durations = _SLOWEST
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    installed = {point.name: point.value for point in entry_points(group="tableside.games")}
    if installed and not declared["tableside.games"].items() <= installed.items():
        raise pytest.UsageError("the installed games are not those of pyproject.toml: pip install --no-deps -e .")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--examples", type=Path, default=None, help="folder of rules cases (*.json)")
    parser.addoption("--soak", type=int, default=None, help="how often a test tries that looks for what is rare")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests to CI, and to who asks for them by ``-m``.

    In CI a test that waits for a program which is not ours has a second try; the summary names it.
    """
    left_out: dict[str, int] = getattr(config, "workeroutput", _LEFT_OUT)
    if os.environ.get("CI"):
        second = [item for item in items if _waits_for_others(item)]
        for item in second:
            item.add_marker(pytest.mark.flaky(reruns=1))
        left_out["second"] = len(second)
    elif not config.option.markexpr:
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        left_out["slow"] = len(slow)


def pytest_collection_finish() -> None:
    """Have the garbage collector pass over the tests: beside so many it would seldom look at what they make."""
    gc.collect()
    gc.freeze()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Give back what a file of tests took: the allocator of Linux keeps pictures that nobody holds any more."""
    if (nextitem is None or nextitem.path != item.path) and sys.platform == "linux":
        gc.collect()
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def _waits_for_others(item: pytest.Item) -> bool:
    """Tell whether a test waits for a broker, or what its mark says. What a page shows is never a matter of luck."""
    if item.get_closest_marker("browser"):
        return False
    return bool(item.get_closest_marker("second_try")) or "broker" in getattr(item, "fixturenames", ())


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear from a worker how many tests it left out or may try again; all of them say the same."""
    _LEFT_OUT.update({name: getattr(node, "workeroutput", {}).get(name, 0) for name in _LEFT_OUT})


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was left out, as a test that was not run shows nothing."""
    if _LEFT_OUT["slow"]:
        terminalreporter.write_line(f"Left out: {_LEFT_OUT['slow']} slow tests. `CI=true ./check` runs them, too.")
    if _LEFT_OUT["second"]:
        tried = len(terminalreporter.stats.get("rerun", ()))
        terminalreporter.write_line(f"Second tries: {tried} of the {_LEFT_OUT['second']} tests that may have one.")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use every processor for the whole suite; what somebody picks begins sooner, and is debugged, in this process.

    Two processes more than there are processors: a third of a test's time is waiting for a page, a camera or a broker.
    """
    whole = {Path(arg).resolve() for arg in config.args} <= {ROOT, *(ROOT / one for one in config.getini("testpaths"))}
    return (os.cpu_count() or 1) + 2 if whole else 0


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


@pytest.fixture(scope="session", autouse=True)
def pages_are_read_once() -> Iterator[None]:
    """Each app reads all files of the pages when it starts; here they stay as they are."""
    once = cache(Files)

    def read(folder: Path) -> Files:
        return once(folder) if folder == paths.web_folder() else Files(folder)

    with patch("tableside.adapters.web.application.Files", read):
        yield


@pytest.fixture(scope="session", autouse=True)
def networks_are_opened_once() -> Iterator[None]:
    """Each reader opens its networks, and tests open many readers; a network keeps nothing of a picture."""
    true, made = network.onnxruntime.InferenceSession, {}  # type: ignore[attr-defined]

    def opened(path: str, options: Any, **more: Any) -> Any:
        key = (path, Path(path).stat().st_mtime_ns, options.intra_op_num_threads)
        made[key] = made.get(key) or true(path, options, **more)
        return made[key]

    with patch.object(network.onnxruntime, "InferenceSession", opened):  # type: ignore[attr-defined]
        yield


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
def own_data_folder(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep every test out of the user's data folder. One that wants no folder has the path of one that is not there."""
    is_there = "tmp_path" in request.fixturenames
    folder = request.getfixturevalue("tmp_path") if is_there else tmp_path_factory.getbasetemp() / uuid4().hex
    monkeypatch.setenv("TABLESIDE_DATA", str(folder / "data"))
