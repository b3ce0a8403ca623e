"""What all tests share: the reference folder, and a watch for threads left behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--examples", type=Path, default=None, help="folder of rules cases (*.json)")
    parser.addoption("--soak", type=int, default=100, help="throws of the soak test")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of reference material, or skip."""
    if not SHARED.is_dir():
        pytest.skip("the reference folder ../shared is not beside this checkout")
    return SHARED


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """Fail a test that leaves a thread of ours running."""
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before and thread.name.startswith("tableside")]
    for thread in left:
        thread.join(timeout=2)
    assert not [thread.name for thread in left if thread.is_alive()]


@pytest.fixture(autouse=True)
def own_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep every test out of the user's data folder."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "data"))
