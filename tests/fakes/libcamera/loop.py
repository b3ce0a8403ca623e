"""Exposure, white balance and focus as the Raspberry Pi's part of libcamera handles them (``ipa_base.cpp``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SWITCHES = {"AeEnable": ("ExposureTime", "AnalogueGain"), "AwbEnable": ("ColourGains",)}
"""What each switch stops and starts."""


class Loop:
    """What a camera finds by itself, and what it is held to.

    libcamera goes through the controls of a request in no order of its own. Here the switches come last, which is the
    worst: switching off freezes what was found until then, whatever value came in the same request.

    :ivar found: what it finds by itself. :ivar stuck: what it stays at, whatever it is asked for.
    """

    def __init__(self) -> None:
        self.found: dict[str, Any] = {
            "ExposureTime": 20000, "AnalogueGain": 1.5, "ColourGains": (1.5, 1.5), "LensPosition": 4.0
        }  # fmt: skip
        self.stuck: dict[str, Any] = {}
        self._held: dict[str, Any] = {}

    @property
    def now(self) -> Mapping[str, Any]:
        """What the next frame is taken with."""
        return self.found | self._held | self.stuck

    def obey(self, asked: Mapping[str, Any]) -> None:
        """Take the controls of one request."""
        before = self.now
        self._held |= {name: value for name, value in asked.items() if name in self.found}
        if int(asked.get("AfMode", 0)):
            self._held.pop("LensPosition", None)
        for switch, names in _SWITCHES.items():
            if asked.get(switch) is None:
                continue
            for name in names:
                if asked[switch]:
                    self._held.pop(name, None)
                else:
                    self._held[name] = before[name]
