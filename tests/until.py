"""Wait for what another thread or another process will do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

LOOK_SECONDS = 0.02


def until(is_so: Callable[[], Any], *, seconds: float = 30.0) -> None:
    """Return as soon as it is so, and fail where it is not so for ``seconds``: a test that passes waits no longer."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(LOOK_SECONDS)
