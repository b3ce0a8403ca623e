"""What the cases of all games share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Case: TypeAlias = dict[str, Any]
Play: TypeAlias = Callable[[Case], Case]
