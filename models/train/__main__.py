"""Make the networks from nothing: ``python -m models.train [FOLDER] [--quick]``.

``recipe.toml`` beside this file says what is drawn and how each network learns. FOLDER holds all that is made on the
way. A run that was stopped goes on where it was when the command is given again. At the end ``FOLDER/networks`` holds
what ships, with the scores of every set in the cards, and ``FOLDER/scores.json`` all of them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from models.train.recipe import RECIPE, Recipe, goes_on, load, quick
from tableside.errors import SettingsError, TablesideError


def begin(folder: Path, recipe: Path, *, is_quick: bool) -> Recipe:
    """Return the recipe, and note in the folder what it is made by.

    A folder that another recipe made goes on with this one where all that lies there would come out the same.

    :raises SettingsError: when the recipe cannot be read, or another one made what lies there, and made it otherwise.
    """
    try:
        whole = load(recipe)
    except (OSError, msgspec.DecodeError) as error:
        hint = f"{RECIPE} is the recipe of the networks that ship."
        raise SettingsError(f"is no recipe ({error})", where=str(recipe), hint=hint) from error
    wanted = quick(whole) if is_quick else whole
    note, said = folder / "made-by.json", msgspec.json.encode(wanted)
    if note.exists() and note.read_bytes() != said:
        try:
            is_same = goes_on(folder, msgspec.json.decode(note.read_bytes(), type=Recipe), wanted)
        except msgspec.DecodeError:
            is_same = False
        if not is_same:
            hint = "Name a folder that is not there yet, or take this one away."
            raise SettingsError("was made by another recipe", where=str(folder), hint=hint)
    folder.mkdir(parents=True, exist_ok=True)
    if not note.exists() or note.read_bytes() != said:
        note.write_bytes(said)
    return wanted


def make(recipe: Recipe, folder: Path, workers: int) -> None:
    """Go the whole way of a recipe in a folder.

    :raises SettingsError: when a package or a typeface is missing.
    """
    try:
        from models.train.run import Run
    except ModuleNotFoundError as error:  # torch and the like are no part of what runs a table
        hint = "Training has packages of its own: pip install -e '.[training]'"
        raise SettingsError(f"lacks the package {error.name}", where="python -m models.train", hint=hint) from error
    Run(recipe, folder, workers).make()


def main(words: Sequence[str] | None = None) -> int:
    """Make the networks; return 0 where they are made, 2 for what is wrong with the recipe, the folder or this machine."""
    parser = argparse.ArgumentParser(
        prog="python -m models.train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path("models/data/recipe"))
    parser.add_argument("--recipe", type=Path, default=RECIPE)
    parser.add_argument("--quick", action="store_true", help="the whole way in minutes, with less of everything")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count(), help="processes that draw (default: %(default)s)"
    )
    options = parser.parse_args(words)
    try:
        make(begin(options.folder, options.recipe, is_quick=options.quick), options.folder, options.workers)
    except TablesideError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"stopped; the same command goes on with what lies in {options.folder}", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
