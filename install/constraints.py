"""Write ``constraints.txt`` anew: ``python -m install.constraints``. It pins what the service is installed with.

The versions are those of this environment, so run it where the tests have passed. pip reads the file by
``--constraint``; it names no index, so that each machine uses its own.
"""

from __future__ import annotations

from pathlib import Path

from tableside.app.guide import packages

FILE = Path(__file__).parent / "constraints.txt"
_OF_PYTHON = {"setuptools", "typing-extensions"}
"""Packages name them that never load them, or for an older Python; each Python takes its own."""
_HEAD = "# Versions that the service is installed in, made by: python -m install.constraints\n"


def pinned() -> str:
    """Return the content of the file, for what is installed here."""
    pins = [f"{name}=={version}\n" for name, version, _ in packages() if name not in _OF_PYTHON]
    return _HEAD + "".join(pins)


if __name__ == "__main__":
    FILE.write_text(pinned(), encoding="utf-8")
