"""The taught sets of a data folder: listed, exported as one file, taken in from another table."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import filelock

from tableside import paths
from tableside.dice.sets import SHIPPED_FOLDER, is_name
from tableside.dice.taught import Taught, load_taught, save_taught
from tableside.errors import DiceSetError

_MOST_FILES = 20_000
_MOST_BYTES = 400_000_000


class TaughtSets:
    """The taught sets of a data folder.

    :param data: the user's data folder.
    """

    def __init__(self, data: Path) -> None:
        self.folder = paths.user_sets_folder(data)

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
            raise DiceSetError(f"cannot be written ({error.strerror})", where=str(self.folder), hint=hint) from error

    def path(self, name: str) -> Path:
        """Return the folder of a set of this name, which need not exist.

        :raises DiceSetError: for a name that no taught set may have.
        """
        if not is_name(name):
            hint = "Use lower-case letters, digits, - and _."
            raise DiceSetError(f"{name!r} is no name for a dice set", where="NAME", hint=hint)
        if (SHIPPED_FOLDER / name / "set.toml").is_file():
            hint = f"Choose another name; to show your own dice of it: `tableside teach my-{name} --like {name}`."
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
        if not (path / "set.toml").is_file() and not path.with_name(f".{name}.new").exists():
            known = ", ".join(self.names()) or "none yet"
            raise DiceSetError("no such set was taught", where=name, hint=f"Taught are: {known}.")
        return load_taught(path)


def export_set(sets: TaughtSets, name: str, file: Path) -> None:
    """Write a taught set as one file.

    :raises DiceSetError: where there is none, or it cannot be written.
    """
    sets.load(name)
    folder, out = sets.path(name), io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".npz":
                packed.write(path, f"{name}/{path.relative_to(folder).as_posix()}")
    try:
        file.write_bytes(out.getvalue())
    except OSError as error:
        hint = "Name another file."
        raise DiceSetError(f"cannot be written ({error.strerror})", where=str(file), hint=hint) from error


def import_set(sets: TaughtSets, file: Path, *, name: str = "", replaces: bool = False) -> str:
    """Take in a set that another table exported, and return its name.

    :raises DiceSetError: where the file is none, or a set of that name is there already.
    """
    hint = "Export it again on the other table."
    try:
        with zipfile.ZipFile(file) as packed:
            infos = [info for info in packed.infolist() if not info.is_dir()]
            if len(infos) > _MOST_FILES or sum(info.file_size for info in infos) > _MOST_BYTES:
                raise DiceSetError("is larger than any taught set", where=str(file), hint=hint)
            files = {info.filename: packed.read(info) for info in infos}
    except (OSError, zipfile.BadZipFile, RuntimeError) as error:
        raise DiceSetError(f"is no exported dice set ({error})", where=str(file), hint=hint) from error
    roots = {path.split("/")[0] for path in files}
    root = next(iter(roots), "")
    if len(roots) != 1 or not all(_is_ours(path.split("/")[1:]) for path in files):
        raise DiceSetError("is no exported dice set", where=str(file), hint=hint)
    path = sets.path(name or root)
    with sets.writing():
        if (path / "set.toml").is_file() and not replaces:
            what = "a set of this name is here already"
            raise DiceSetError(what, where=path.name, hint="Give another NAME, or remove it first.")
        unpacked = sets.folder / ".unpacked" / root
        _clear(unpacked.parent)
        try:
            for inner, content in files.items():
                target = unpacked.parent / inner
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            taught = load_taught(unpacked)
            renamed = replace(taught, dice_set=replace(taught.dice_set, name=path.name))
            save_taught(renamed, path)
        finally:
            _clear(unpacked.parent)
    return path.name


def _clear(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _is_ours(parts: Sequence[str]) -> bool:
    if parts in (["set.toml"], ["samples.json"]):
        return True
    stem, _, suffix = parts[-1].rpartition(".") if parts else ("", "", "")
    return len(parts) == 2 and (parts[0], suffix) in (("samples", "jpg"), ("symbols", "svg")) and is_name(stem)
