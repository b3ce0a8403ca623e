"""The settings of ``tableside demo``: recorded rolls for a camera, drawn pins."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

from tableside import paths
from tableside.config import CameraSettings, PinSettings, Settings, TableSettings, WebSettings
from tableside.table.messages import ChangeDestiny, Do

_FPS = 10.0  # a demo shares the laptop with a browser


def opening() -> ChangeDestiny:
    """Return what a demo begins with: a pool to flip."""
    return ChangeDestiny(id=str(uuid.uuid4()), at=time.time(), do=Do.SET, light=3, dark=2, by="the demo")


def demo_settings(data: Path, *, port: int) -> Settings:
    """Return settings that need neither a camera nor pins. The demo's history lies in its own folder."""
    return Settings(
        camera=CameraSettings(kind="folder", path=paths.samples_folder(), fps=_FPS),
        table=TableSettings(data=data),
        web=WebSettings(port=port),
        pins=PinSettings(factory="mock"),
    )
