"""The pool of light and dark points."""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from tableside.record import Record


class Side(StrEnum):
    """The two faces of a destiny point."""

    LIGHT = "light"
    DARK = "dark"

    @property
    def other(self) -> Side:
        return Side.DARK if self is Side.LIGHT else Side.LIGHT


class Destiny(Record, frozen=True, kw_only=True):
    """The pool of destiny points. Neither side is ever below zero."""

    light: int = 0
    dark: int = 0

    def count(self, side: Side) -> int:
        return self.light if side is Side.LIGHT else self.dark

    def with_count(self, side: Side, count: int) -> Destiny:
        return replace(self, light=count) if side is Side.LIGHT else replace(self, dark=count)
