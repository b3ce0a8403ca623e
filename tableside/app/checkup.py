"""What ``tableside doctor`` looks at."""

from __future__ import annotations

import importlib.metadata
import platform
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tableside import __version__, paths
from tableside.app.cameras import camera_for, opened
from tableside.app.reading import installed_sets, open_reader
from tableside.config import Settings
from tableside.errors import TablesideError

_PACKAGES = ("numpy", "opencv-python", "opencv-python-headless", "flask", "waitress", "gpiozero", "picamera2", "lgpio")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of a check-up."""

    part: str
    text: str
    is_good: bool = True

    def to_json(self) -> dict[str, Any]:
        return {"part": self.part, "text": self.text, "good": self.is_good}


def check_up(settings: Settings) -> list[Finding]:
    """Try every part for a moment and give it back."""
    checks: dict[str, Callable[[], str]] = {
        "dice sets": lambda: _sets(settings),
        "networks": lambda: _networks(settings),
        "camera": lambda: _camera(settings),
        "pins": lambda: _pins(settings),
        "data": lambda: _data(settings),
    }
    findings = [Finding(part="versions", text=_versions())]
    for part, check in checks.items():
        try:
            findings.append(Finding(part=part, text=check()))
        except TablesideError as error:
            findings.append(Finding(part=part, text=str(error), is_good=False))
    return findings


def _versions() -> str:
    found = [f"tableside {__version__}", f"Python {platform.python_version()}", platform.machine()]
    for package in _PACKAGES:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def _sets(settings: Settings) -> str:
    found = installed_sets(settings.reader.sets, paths.data_folder(settings.table.data))
    return ", ".join(one.name for one in found)


def _networks(settings: Settings) -> str:
    open_reader(installed_sets(settings.reader.sets, paths.data_folder(settings.table.data)))
    return str(paths.models_folder())


def _camera(settings: Settings) -> str:
    with opened(camera_for(settings.camera, wait=lambda seconds: seconds)) as camera:
        height, width = next(camera.frames()).picture.shape[:2]
        return f"{camera.name}, {width}x{height}"


def _pins(settings: Settings) -> str:
    from tableside.adapters.gpio import open_pins

    factory = open_pins(settings.pins.factory)
    factory.close()
    return type(factory).__name__


def _data(settings: Settings) -> str:
    folder = paths.data_folder(settings.table.data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return str(folder)
    except OSError as error:
        from tableside.errors import StoreError

        hint = "Choose another with --data or TABLESIDE_DATA."
        raise StoreError(f"cannot be written to ({error.strerror})", where=str(folder), hint=hint) from error
