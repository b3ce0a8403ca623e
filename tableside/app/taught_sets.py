"""The taught sets of a data folder: listed, exported as one file, taken in from another table."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import filelock

from tableside import paths
from tableside.app.archive import unpack
from tableside.dice import DiceSet, find_sets
from tableside.dice.sets import SHIPPED_FOLDER, is_name
from tableside.dice.taught import CROP_PX, Taught, load_taught, save_taught
from tableside.errors import DiceSetError
from tableside.reader.photo import picture_size
from tableside.table.kept import end_cut_short
from tableside.words import say

_MOST_BYTES = 64_000_000
"""Of a taught set. Its samples are in memory twice while it is written, which a board of 512 MB bears."""
_MOST_OF = {"set.toml": 250_000, "samples.json": 4_000_000}
_MOST_OF_EACH = {("samples", "jpg"): 200_000, ("symbols", "svg"): 500_000}
"""Bytes. JSON of 4 MB takes 100 MB in memory at worst; a sample of 128 pixels takes some 10 kB."""


class TaughtSets:
    """The taught sets of a data folder.

    :param data: the user's data folder.
    """

    def __init__(self, data: Path) -> None:
        self.folder = paths.user_sets_folder(data)
        with suppress(OSError):  # a disk that takes nothing is said by who writes there
            end_cut_short(data, self.folder)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep others from changing the taught sets meanwhile."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with filelock.FileLock(self.folder / ".lock", timeout=30):
                yield
        except filelock.Timeout as error:
            raise DiceSetError("are being changed", where=str(self.folder), hint="Try again in a moment.") from error
        except OSError as error:
            hint = "Choose another folder with --data or TABLESIDE_DATA."
            raise DiceSetError(
                "cannot be written ({=why})", why=error.strerror, where=str(self.folder), hint=hint
            ) from error

    def path(self, name: str) -> Path:
        """Return the folder of a set of this name, which need not exist.

        :raises DiceSetError: for a name that no taught set may have.
        """
        if not is_name(name):
            hint = "Use lower-case letters, digits, - and _."
            raise DiceSetError("{=name} is no name for a dice set", name=repr(name), where="NAME", hint=hint)
        if (SHIPPED_FOLDER / name / "set.toml").is_file():
            hint = say(
                "Choose another name; to show your own dice of it: `tableside teach my-{=name} --like {=name}`.",
                name=name,
            )
            raise DiceSetError("is shipped and is not changed", where=name, hint=hint)
        return self.folder / name

    def names(self) -> list[str]:
        """Return the taught sets' names, sorted."""
        if not self.folder.is_dir():
            return []
        return [path.parent.name for path in sorted(self.folder.glob("*/set.toml")) if is_name(path.parent.name)]

    def load(self, name: str) -> Taught:
        """Return a taught set.

        :raises DiceSetError: where there is none.
        """
        path = self.path(name)
        if not (path / "set.toml").is_file():
            known = ", ".join(self.names()) or "none yet"
            raise DiceSetError("no such set was taught", where=name, hint=say("Taught are: {=known}.", known=known))
        return load_taught(path)

    def load_or_begin(self, name: str, *, like: str = "", title: str = "") -> Taught:
        """Return the set of this name, or one without samples where there is none.

        :param like: the set whose dice it shows, if any.
        :raises DiceSetError: where it was taught in another way.
        """
        path = self.path(name)
        if not (path / "set.toml").is_file():
            dice_set = DiceSet(name=name, title=title or name, types=(), folder=path, taught=True, like=like)
            return Taught(dice_set=dice_set, samples=())
        taught = self.load(name)
        if taught.dice_set.like == like:
            return taught
        if taught.dice_set.like:
            raise DiceSetError("shows dice of {=like}", like=taught.dice_set.like, where=name, hint="Use another name.")
        raise DiceSetError("stands for itself", where=name, hint="Use another name.")


def export_set(sets: TaughtSets, name: str, file: Path) -> None:
    """Write a taught set as one file.

    :raises DiceSetError: where there is none, or it cannot be written.
    """
    sets.load(name)
    folder, out = sets.path(name), io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            inside = f"{name}/{path.relative_to(folder).as_posix()}"
            if path.is_file() and most_bytes_of(inside):  # what the other table makes by itself stays here
                packed.write(path, inside)
    try:
        file.write_bytes(out.getvalue())
    except OSError as error:
        hint = "Name another file."
        raise DiceSetError("cannot be written ({=why})", why=error.strerror, where=str(file), hint=hint) from error


def import_set(sets: TaughtSets, file: Path, *, name: str = "") -> str:
    """Take in a set that another table exported, and return its name.

    :raises DiceSetError: where the file is none, or a set of that name is there already; nothing is written then.
    """

    def refuse(what: str) -> DiceSetError:
        hint = "Export it again on the other table."
        return DiceSetError(say("is no exported dice set; it {what}", what=what), where=str(file), hint=hint)

    with sets.writing():
        scratch = sets.folder / ".unpacked"
        try:
            files = unpack(file, scratch, limit=most_bytes_of, most_bytes=_MOST_BYTES, refuse=refuse)
            roots = {path.split("/")[0] for path in files}
            if len(roots) != 1:
                raise refuse("holds no set" if not roots else "holds several sets")
            (root,) = roots
            path = sets.path(name or root)
            if (path / "set.toml").is_file():
                what = "a set of this name is here already"
                raise DiceSetError(what, where=path.name, hint="Give another NAME, or remove it first.")
            try:
                taught = load_taught(scratch / root)
            except DiceSetError as error:
                raise refuse(f"cannot be used: {error.what}") from error
            for sample in taught.samples:
                if picture_size(sample.jpeg) != (CROP_PX, CROP_PX):
                    raise refuse(f"holds a sample that is no picture of {CROP_PX} x {CROP_PX} pixels, {sample.id}.jpg")
            save_taught(replace(taught, dice_set=replace(taught.dice_set, name=path.name)), path)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return path.name


def wrong_sets(data: Path) -> dict[str, DiceSetError]:
    """Return what is wrong with the taught sets of a data folder, by name; such sets are left out of reading."""
    sets = TaughtSets(data)
    wrong: dict[str, DiceSetError] = {}
    for name in sets.names():
        try:
            sets.load(name)
            find_sets([name], user_folder=sets.folder)
        except DiceSetError as error:
            wrong[name] = error
    return wrong


def joined_errors(wrong: Mapping[str, DiceSetError]) -> DiceSetError:
    """Return one error for several sets that are left out, which names all of them and explains the first."""
    first = next(iter(wrong.values()))
    if len(wrong) == 1:
        return DiceSetError(
            say("a taught set is left out: {what}", what=first.what), where=first.where, hint=first.hint
        )
    what = say(
        "{=n} taught sets are left out ({=names}); of the first: {what}",
        n=len(wrong),
        names=", ".join(wrong),
        what=first.what,
    )
    return DiceSetError(what, where=first.where, hint=first.hint)


def most_bytes_of(name: str) -> int:
    """Return how large a file of a taught set may be, by its path from the folder of all sets; 0 where it is none."""
    match name.split("/"):
        case [of, file] if is_name(of):
            return _MOST_OF.get(file, 0)
        case [of, kind, file] if is_name(of):
            stem, _, ending = file.rpartition(".")
            return _MOST_OF_EACH.get((kind, ending), 0) if is_name(stem) else 0
    return 0
