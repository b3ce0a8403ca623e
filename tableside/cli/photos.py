"""The command that reads photographs: ``read``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tableside.cli.options import DATA, GAME, JSON, SETS, complain, finish, say
from tableside.errors import PhotoError

if TYPE_CHECKING:
    from tableside.dice import Reading


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@SETS
@JSON
@click.option("--overlay", type=click.Path(file_okay=False), metavar="FOLDER", help="Write marked pictures there.")
@DATA
@GAME
def read(
    photos: Sequence[str], sets: Sequence[str], as_json: bool, overlay: str | None, data: str | None, game: str
) -> None:
    """Read the dice in photographs."""
    from tableside import paths
    from tableside.app.readers import installed_sets, open_reader, outcome_of, read_file, reading_json
    from tableside.rules import find_game

    if game:
        find_game(game)
    known = installed_sets(sets, paths.data_folder(data))
    reader = open_reader(known, game=game)
    overlays = _overlay_folder(overlay)
    failed = False
    for photo in photos:
        try:
            picture, reading = read_file(reader, Path(photo))
            if overlays is not None:
                _write_overlay(overlays, Path(photo), picture, reading)
        except PhotoError as error:
            failed = True
            if as_json:
                say({"image": photo, "error": str(error)})
            complain(error)
            continue
        if as_json:
            say({"image": photo} | reading_json(reading, game, known))
        else:
            outcome = outcome_of(reading, game, known)
            click.echo(describe(photo, reading, outcome.sentence if outcome else "No dice, or dice of no one game."))
    finish(failed=failed)


def describe(photo: str, reading: Reading, sentence: str) -> str:
    """Return a reading in plain words."""
    from tableside.dice import Doubt, Status, face_name
    from tableside.tray.proof import OUT_OF_FOCUS, TOO_FLAT, nearer_advice

    why = {
        Doubt.FACE: "which face?",
        Doubt.LEAN: "may lean",
        Doubt.SIDE: "another side may lie up",
        Doubt.EDGE: "cut by the edge",
        Doubt.GLARE: "nothing to see for glare",
        Doubt.FAINT: "may be no die",
        Doubt.BLUR: "out of focus",
        Doubt.COLOUR: "which of these differs by colour?",
    }
    lines = [f"{photo}: {sentence}"]
    for die in reading.dice:
        doubt = f": {why[die.doubt]}" if die.doubt else ""
        mark = "" if die.status is Status.SURE else f"  {die.status.value}{doubt}"
        lines.append(f"  {die.type:12} {face_name(die.face):24} {die.confidence:.3f}{mark}")
    if reading.suspects:
        lines.append(f"  {len(reading.suspects)} more could not be read")
    if reading.is_too_flat:
        lines.append(f"  {TOO_FLAT}")
    if reading.is_blurred:
        lines.append(f"  {OUT_OF_FOCUS}")
    if advice := nearer_advice(reading):
        lines.append(f"  {advice}")
    if not reading.sure:
        lines.append("  Not sure: please check.")
    return "\n".join(lines)


def _overlay_folder(overlay: str | None) -> Path | None:
    if overlay is None:
        return None
    folder = Path(overlay)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{overlay}: cannot be written to ({error.strerror}). Name another folder.") from error
    return folder


def _write_overlay(folder: Path, photo: Path, picture: Any, reading: Reading) -> None:

    from tableside.reader.overlay import draw_overlay
    from tableside.reader.photo import jpeg_of

    path = folder / f"{photo.stem}.jpg"
    if path.exists() and path.resolve() == photo.resolve():
        raise PhotoError("would be overwritten by its overlay", where=str(photo), hint="Name another folder.")
    try:
        path.write_bytes(jpeg_of(draw_overlay(picture, reading)))
    except OSError as error:
        hint = "Name another folder for overlays."
        raise PhotoError(f"cannot be written ({error.strerror})", where=str(path), hint=hint) from error
