"""Every error that tableside raises on purpose.

    TablesideError
    ├── SettingsError                 a settings file or a command-line value is wrong
    ├── DiceSetError                  a dice set cannot be used
    │   ├── UnknownDiceSet            (LookupError)
    │   ├── UnknownDieType            (LookupError)
    │   ├── BadFace                   (ValueError) a face that no die can have
    │   └── UnknownFace               (LookupError) a face that is not on that die
    ├── GameError                     a game cannot be played as asked
    │   ├── UnknownGame               (LookupError)
    │   └── BadAsk                    (ValueError)
    ├── PhotoError                    a picture cannot be read
    │   └── DamagedPhoto              a part of it is not what the camera saw
    ├── ModelError                    a network's weights are missing or damaged
    ├── CameraError                   (OSError) a camera cannot be opened or stopped giving frames
    ├── PinError                      (OSError) a lamp or button cannot be used
    ├── StoreError                    (OSError) the table's history cannot be read or written
    │   ├── NewerHistory              it was written by a newer tableside
    │   ├── HistoryInUse              another tableside is writing it
    │   ├── HistoryNotWritable        it can be read at most
    │   └── HistoryDamaged            its file is not as it was written
    ├── ConnectError                  (OSError) a connection to another program does not work
    │   ├── EventRefused              what was sent is never taken there
    │   └── NotConnected              it is not asked for in the settings
    ├── PortInUse                     (OSError) another program listens there
    └── TableError                    a message that the table cannot follow
        ├── UnknownRoll               (LookupError)
        ├── Busy                      others wait already
        └── BadChange                 (ValueError)
            └── Conflict              what others did meanwhile, or did not do, stands in the way

A message has three parts: what happened, where, and what to do next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from tableside.words import mapped, own, say

_FOLDERS = re.compile(
    r"""(?<![\w:/.-])(?!/(?:api|setup|symbols|hall)\b)   # neither an address nor a page of ours
        (?:/(?![ ])[^/\n'",;:()]*[^/\s'",;:()](?=/))+/   # folders, which may have spaces inside
        | \b[A-Za-z]:\\(?:[^\\\n'",;:()]+\\)*""",
    re.VERBOSE,
)


class TablesideError(Exception):
    """Base of all errors raised on purpose. A class may hold what most of its errors say, and their hint.

    :param what: what happened, without a full stop; the class's own where none is given.
    :param where: the file, setting, address or value it happened at.
    :param hint: what to do next, one sentence; the class's own where none is given.
    :param values: of the places in ``what``, see :func:`tableside.words.say`.
    """

    what = ""
    hint = ""

    def __init__(self, what: str = "", *, where: str = "", hint: str = "", **values: object) -> None:
        what = what or self.what
        self.what = say(what, **values) if values else what
        self.where = where
        self.hint = hint or self.hint
        super().__init__(str(self))

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}. {self.hint}" if self.hint else text


def without_folders(text: str) -> str:
    """Return a text in which files of this machine stand without the folders they are in."""
    return mapped(text, lambda part: _FOLDERS.sub("", part))


class SettingsError(TablesideError):
    """A settings file or a command-line value is wrong."""


class DiceSetError(TablesideError):
    """A dice set cannot be used."""


class UnknownDiceSet(DiceSetError, LookupError):
    """No dice set of that name is installed."""


class UnknownDieType(DiceSetError, LookupError):
    """No die type of that name is in the set."""


class BadFace(DiceSetError, ValueError):
    """No die has such a face."""


class UnknownFace(DiceSetError, LookupError):
    """That face is not on that die."""


class GameError(TablesideError):
    """A game cannot be played as asked."""


class UnknownGame(GameError, LookupError):
    """No game of that name is installed."""


class BadAsk(GameError, ValueError):
    """The game does not know what was asked of the roll."""


class PhotoError(TablesideError):
    """A picture cannot be read."""


class DamagedPhoto(PhotoError):
    """A part of the picture is missing or not what the camera saw."""


class ModelError(TablesideError):
    """A network's weights are missing or damaged."""


class CameraError(TablesideError, OSError):
    """A camera cannot be opened or stopped giving frames."""


class PinError(TablesideError, OSError):
    """A lamp or button cannot be used."""


class StoreError(TablesideError, OSError):
    """The table's history cannot be read or written."""


class NewerHistory(StoreError):
    """The history was written by a newer tableside."""


class HistoryInUse(StoreError):
    """Another tableside is writing this history."""


class HistoryNotWritable(StoreError):
    """The history can be read at most."""


class HistoryDamaged(StoreError):
    """The history's file is not as it was written."""


class ConnectError(TablesideError, OSError):
    """A connection to another program does not work.

    :ivar retry_seconds: when to try again, ``None`` to let time grow from try to try.
    """

    def __init__(self, what: str = "", *, retry_seconds: float | None = None, **told: Any) -> None:
        super().__init__(what, **told)
        self.retry_seconds = retry_seconds


class EventRefused(ConnectError):
    """What was sent is never taken there: to send it again is of no use."""


class NotConnected(ConnectError):
    """This connection is not asked for in the settings."""

    hint = "Set it in the settings file."


class PortInUse(TablesideError, OSError):
    """Another program listens on that address."""

    what = "another program listens there"


class TableError(TablesideError):
    """A message that the table cannot follow."""


class Busy(TableError):
    """So many wait already that one more is told to come back."""


class UnknownRoll(TableError, LookupError):
    """The table has no roll of that id."""

    what = "no such roll"


class BadChange(TableError, ValueError):
    """A change that would leave the table in an impossible state."""


class Conflict(BadChange):
    """A change that would be right in another state of the table."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint naming the known word nearest to ``word``, or all of them."""
    choices = sorted(known)
    near = get_close_matches(word, choices, n=1)
    if near:
        return say("Did you mean {near}?", near=own(near[0]))
    return say("Known are: {known}.", known=own(", ".join(choices))) if choices else ""
