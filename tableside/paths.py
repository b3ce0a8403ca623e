"""Where the program's own files and the user's data lie."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tableside.errors import SettingsError

_PACKAGE = Path(__file__).resolve().parent


def web_folder() -> Path:
    """Return the folder of the pages: in the wheel ``_web``, in a checkout the top-level ``web``."""
    return _either("_web", "web")


def guide_folder() -> Path:
    """Return the folder of the guide: in the wheel ``_docs``, in a checkout the top-level ``docs``."""
    return _either("_docs", "docs")


def models_folder() -> Path:
    """Return the folder of the networks: in the wheel ``_models``, in a checkout the top-level ``models``."""
    return _either("_models", "models")


def samples_folder() -> Path:
    """Return the folder of the recorded rolls that the demo plays."""
    return _PACKAGE / "samples"


def data_folder(option: str | Path | None = None) -> Path:
    """Return the user's data folder, absolute: the option, else ``TABLESIDE_DATA``, else the platform's usual place.

    :raises SettingsError: where that is in a home folder that is not known.
    """
    named = option or os.environ.get("TABLESIDE_DATA")
    try:
        return (Path(named).expanduser() if named else _usual_data_folder()).absolute()
    except RuntimeError as error:
        hint = "Write the whole path to --data or TABLESIDE_DATA."
        raise SettingsError("is in a home folder that is not known", where=str(named or "data"), hint=hint) from error


def _usual_data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "tableside"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tableside"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tableside"


def user_sets_folder(data: Path) -> Path:
    """Return the folder of taught dice sets within the data folder."""
    return data / "sets"


def _either(packaged: str, checkout: str) -> Path:
    folder = _PACKAGE / packaged
    return folder if folder.is_dir() else _PACKAGE.parent / checkout
