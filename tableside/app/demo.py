"""The settings of ``tableside demo``: recorded rolls for a camera, drawn pins."""

from __future__ import annotations

from pathlib import Path

from tableside import paths
from tableside.config import CameraSettings, PinSettings, Settings, TableSettings, WebSettings

_FPS = 10.0  # a demo shares the laptop with a browser


def demo_settings(data: Path, *, port: int) -> Settings:
    """Return settings that need neither a camera nor pins. The demo's history lies in its own folder."""
    return Settings(
        camera=CameraSettings(kind="folder", path=paths.samples_folder(), fps=_FPS),
        table=TableSettings(data=data),
        web=WebSettings(port=port),
        pins=PinSettings(factory="mock"),
    )
