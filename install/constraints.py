"""Write ``constraints.txt`` anew: ``python -m install.constraints``. It pins what the service is installed with.

The versions are those of this environment, so run it where the tests have passed. pip reads the file by
``--constraint``; it names no index, so that each machine uses its own.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from docs.licences import declared, with_their_own

FILE = Path(__file__).parent / "constraints.txt"
_OF_PYTHON = {"setuptools"}
"""One of its packages names it and never loads it; each Python takes its own."""
_HEAD = "# Versions that the service is installed in, made by: python -m install.constraints\n"


def pinned() -> str:
    """Return the content of the file.

    :raises PackageNotFoundError: where a package is not installed here.
    """
    return _HEAD + "".join(f"{name}=={version(name)}\n" for name in sorted(with_their_own(declared()) - _OF_PYTHON))


if __name__ == "__main__":
    FILE.write_text(pinned(), encoding="utf-8")
