"""The grain of a camera: one field for all tests that film, as each of its own took 15 MB and more of every worker."""

from __future__ import annotations

import numpy as np

GRAIN = np.random.default_rng(0).standard_normal((1440, 1920, 3), np.float32)
"""Levels of BGR, spread by one. A frame takes a part of it, each from another corner."""
