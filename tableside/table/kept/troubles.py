"""Troubles that stay, over restarts, until somebody has seen them: one file beside the history."""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Iterable
from pathlib import Path

from tableside.durable import CutShort, end_changes, give_to_owner, write_durably
from tableside.errors import TablesideError
from tableside.table.kept.state import Trouble
from tableside.words import say

_log = logging.getLogger(__name__)
TROUBLES = "troubles.json"
HISTORY, DEVICES, FILES = "history", "devices", "files"
"""Parts that such troubles are of."""
_CHANGES = {
    "backup": ("writing a backup", True),
    "mend": ("mending what was damaged", True),
    "upgrade": ("bringing the history to its new form", True),
    "restore": ("putting a backup back", False),
    "rollback": ("bringing the history back to its older form", False),
    "teach": ("changing a taught dice set", False),
    "setup": ("keeping a set-up of the camera", False),
    "certificate": ("making a certificate", True),
}
"""Kinds of changes of several files, and whether each happens by itself."""


def kept_troubles(data: Path) -> tuple[Trouble, ...]:
    """Return the troubles of a data folder that nobody has seen yet, oldest first."""
    try:
        return tuple(Trouble.from_json(one) for one in json.loads((data / TROUBLES).read_bytes()))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError) as error:
        what = say("what went wrong before cannot be read ({=why})", why=error)
        hint = "Look at the history and at the paired phones."
        return (Trouble(id="all", part=FILES, what=what, where=str(data / TROUBLES), hint=hint, since=0.0),)


def with_trouble(data: Path, error: TablesideError, *, part: str, at: float) -> bytes:
    """Return what the file of kept troubles holds with one more.

    :param at: seconds since 1970.
    """
    new = Trouble(
        id=secrets.token_hex(4), part=part, what=error.what, where=error.where, hint=error.hint, since=round(at, 1)
    )
    known = kept_troubles(data)
    is_known = any((one.part, str(one)) == (part, str(new)) for one in known)
    return _encode(known if is_known else (*known, new))


def keep_trouble(data: Path, error: TablesideError, *, part: str, at: float) -> None:
    """Keep a trouble until somebody has seen it.

    :raises OSError: where that fails.
    """
    write_durably(data / TROUBLES, with_trouble(data, error, part=part, at=at))
    give_to_owner(data / TROUBLES, data)


def forget_trouble(data: Path, trouble_id: str) -> bool:
    """Drop a trouble that somebody has seen, and tell whether it was kept.

    :raises OSError: where that fails.
    """
    known = kept_troubles(data)
    left = [one for one in known if one.id != trouble_id]
    if len(left) < len(known):
        write_durably(data / TROUBLES, _encode(left))
    return len(left) < len(known)


def end_cut_short(data: Path, *folders: Path) -> None:
    """End in these folders what was cut short, or take it back, and keep which until somebody has seen it.

    :param data: the table's folder.
    :raises OSError: where that fails.
    """

    def tell(change: CutShort) -> None:
        words, is_automatic = _CHANGES[change.kind]
        if change.is_ended:
            what = say("{what} was cut short, and is done now", what=words)
            hint = say("What was there before is kept as {=name}.", name=change.kept) if change.kept else ""
        else:
            what = say("{what} was cut short; nothing was changed", what=words)
            hint = "It is done again by itself." if is_automatic else "Do it again if you still want it."
        said = TablesideError(what, where=str(data), hint=hint)
        _log.warning("%s", said)
        keep_trouble(data, said, part=FILES, at=time.time())

    for folder in folders:
        end_changes(folder, tell)


def _encode(troubles: Iterable[Trouble]) -> bytes:
    return json.dumps([one.to_json() for one in troubles], ensure_ascii=False).encode()
