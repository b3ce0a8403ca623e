"""Commands that keep what a table knows: ``backup`` and ``restore``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tableside.cli.options import DATA, JSON, say
from tableside.errors import SettingsError

if TYPE_CHECKING:
    from tableside.app.backups import Kept


@click.command()
@click.argument("file", required=False, metavar="[FILE]", type=click.Path(dir_okay=False))
@DATA
@JSON
def backup(file: str | None, data: str | None, as_json: bool) -> None:
    """Write history, taught dice, paired devices and camera set-ups into one file; the table may run meanwhile.

    \b
    tableside backup /media/stick/table.zip
    Without FILE it is the backup of today in the data folder, where the last seven lie.
    """
    from zipfile import is_zipfile

    from tableside import paths
    from tableside.app.backups import backup_of_today, write_backup

    folder = paths.data_folder(data)
    if file and Path(file).is_file() and Path(file).stat().st_size and not is_zipfile(file):
        raise SettingsError("is there already and is no backup", where=file, hint="Name another file for the backup.")
    kept = write_backup(folder, Path(file) if file else backup_of_today(folder, now=time.time()))
    if as_json:
        say({"file": str(kept.path), "changes": kept.changes, "files": kept.files})
    else:
        click.echo(f"{kept.path}: {_count_of(kept)}")


@click.command()
@click.argument("file", required=False, metavar="[FILE]", type=click.Path(dir_okay=False))
@DATA
@JSON
def restore(file: str | None, data: str | None, as_json: bool) -> None:
    """Put a backup in place of what the data folder holds. What was there is kept in a dated folder beside it.

    \b
    tableside restore                 lists the daily backups
    tableside restore 2026-11-26      puts one of them back
    tableside restore table.zip       puts any other back; stop the table first
    """
    from tableside import paths
    from tableside.app.backups import backups_in, restore_backup

    folder = paths.data_folder(data)
    known = {path.stem: path for path in backups_in(folder)}
    if file is None:
        for path in known.values():
            say({"file": str(path)}) if as_json else click.echo(path)
        return
    chosen = known.get(file, Path(file))
    if not chosen.exists():
        hint = f"Name a file, or a day: {', '.join(known) or 'there is no daily backup yet'}."
        raise SettingsError("there is no such backup", where=file, hint=hint)
    kept = restore_backup(folder, chosen, now=time.time())
    if as_json:
        payload = {"data": str(kept.path), "changes": kept.changes, "files": kept.files, "before": str(kept.aside)}
        say(payload)
    else:
        click.echo(f"{kept.path}: {_count_of(kept)} are back.")
        click.echo(f"What was there before is in {kept.aside}")


def _count_of(kept: Kept) -> str:
    counts = ((kept.changes, "change"), (kept.files, "other file"))
    return " and ".join(f"{count} {words}{'' if count == 1 else 's'}" for count, words in counts)
