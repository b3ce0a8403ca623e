"""Back to an older version: the history as it was before a newer one changed its form.

``install/service`` runs ``python -m tableside.app.rollback DATA FORM NAME`` of the newer version: FORM is the number of
the form that the older one knows, and what the newer one made of the history is kept as NAME.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tableside.adapters.sqlite_store import STORE_NAME, SqliteStore, hold, put_history
from tableside.durable import change_files, free_name
from tableside.errors import StoreError, TablesideError

_KEPT = re.compile(rf"{re.escape(STORE_NAME)}\.version\d+(-\d+)?")


def roll_back(data: Path, *, known: int, name: str) -> str:
    """Put the newest history that an older version can read in place of one that it cannot, and return what was done.

    :param known: the newest form that the older version knows. :param name: where the history of now is kept.
    :raises StoreError: where there is no such history, or it cannot be put there; nothing is changed then.
    """
    path = data / STORE_NAME
    lock = hold(path)
    try:
        with closing(SqliteStore(path, is_reader=True)) as store:
            if store.version <= known:
                return "The history is as the older version knows it."
            of_now = {change.number: change.id for change in store.changes()}
        _, kept = max(_fitting(data, known, of_now), default=(0, None))
        if kept is None:
            hint = f"The older version cannot read it, and no whole {STORE_NAME}.version* lies beside it."
            raise StoreError("stays as the newer version made it", where=str(path), hint=hint)
        with change_files(data, "rollback") as change:
            with closing(SqliteStore(kept, is_reader=True)) as older:
                older.copy_to(change.new / STORE_NAME)
                count = older.check()
            aside = free_name(data, name)
            put_history(change, path, aside=aside)
    except StoreError:
        raise
    except OSError as error:
        hint = "See that its disk has room, and run it again."
        raise StoreError(f"cannot be brought back ({error.strerror or error})", where=str(path), hint=hint) from error
    else:
        later = len(of_now) - count
        lost = f" {later} change{'' if later == 1 else 's'} that came later stand there alone." if later else ""
        return (
            f"The history is as it was in {kept.name}; what the new release made of it is kept as {data / aside}.{lost}"
        )
    finally:
        lock.release()


def _fitting(data: Path, known: int, of_now: dict[int, str]) -> Iterator[tuple[int, Path]]:
    """Yield the whole histories that an upgrade has kept, of this one and of a known form, with their counts."""
    for path in sorted(data.iterdir()):
        if not _KEPT.fullmatch(path.name):
            continue
        try:
            with closing(SqliteStore(path, is_reader=True)) as store:
                count = store.check()
                same = all(of_now.get(change.number) == change.id for change in store.changes())
                if same and store.version <= known:
                    yield count, path
        except StoreError as error:
            print(f"{path.name} is of no use: {error}", file=sys.stderr)


if __name__ == "__main__":
    try:
        print(roll_back(Path(sys.argv[1]), known=int(sys.argv[2]), name=sys.argv[3]), file=sys.stderr)
    except TablesideError as error:
        sys.exit(str(error))
