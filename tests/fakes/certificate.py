"""A certificate for localhost that signs itself."""

from __future__ import annotations

import subprocess
from pathlib import Path


def certificate(folder: Path) -> Path:
    """Write ``cert.pem`` and ``key.pem``, and return the folder."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"), "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder
