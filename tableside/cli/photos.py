"""Commands that read photographs: ``read`` and ``bench``."""

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
    from tableside.app.reading import installed_sets, open_reader, outcome_of, read_file, reading_json
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


@click.group()
def bench() -> None:
    """Measure this program."""


@bench.command("read")
@click.argument("folders", nargs=-1, metavar="[FOLDER]...")
@SETS
@click.option("--no-wild", is_flag=True, help="Take no die for a Wild Die, where no label says which would be one.")
@click.option("--close-ups", is_flag=True, help="Also read single dice, enlarged until they fill the picture.")
@click.option(
    "--far", is_flag=True, help="Also read the photographs with more table round them, so that dice are small."
)
@click.option("--spoilt", is_flag=True, help="Also read them in worse light, by worse cameras and on other tables.")
@DATA
def bench_read(
    folders: Sequence[str],
    sets: Sequence[str],
    no_wild: bool,
    close_ups: bool,
    far: bool,
    spoilt: bool,
    data: str | None,
) -> None:
    """Read labelled photographs and print what was right, doubted and silently wrong, as JSON, a line a folder.

    Without FOLDER: every set for measuring that is at hand. Times are of one thread, the least of three.
    """
    from tableside import paths
    from tableside.app.bench import bench_close_ups, bench_far, bench_folder
    from tableside.app.bench_spoilt import bench_spoilt
    from tableside.app.reading import installed_sets, open_reader
    from tableside.reader.scoring import find_labels

    jobs = [(folder, tuple(sets)) for folder in folders] or [
        (str(folder), tuple(sets) or of) for folder, of in paths.measuring_folders()
    ]
    if not jobs:
        hint = "Name a folder, or render the held-out set as models/README.md says."
        raise click.UsageError(f"no labelled photographs here. {hint}")
    failed = False
    for folder, of in jobs:
        labels = find_labels(Path(folder))
        if not labels:
            failed = True
            complain(
                PhotoError("holds no labelled photographs", where=folder, hint="A label is NAME.json beside NAME.jpg.")
            )
            continue
        known = installed_sets(of, paths.data_folder(data))
        reader = open_reader([one.without_variants() for one in known] if no_wild else known)
        record, missed = bench_folder(reader, labels, complain)
        failed = failed or missed
        more = {"close_ups": (close_ups, bench_close_ups), "far": (far, bench_far), "spoilt": (spoilt, bench_spoilt)}
        record |= {name: measure(reader, labels, _told) for name, (is_asked, measure) in more.items() if is_asked}
        say({"folder": folder, "sets": list(of)} | record)
    finish(failed=failed)


def _told(_: PhotoError) -> None:
    """Say nothing of a picture that was complained of already."""


def describe(photo: str, reading: Reading, sentence: str) -> str:
    """Return a reading in plain words."""
    from tableside.dice import Doubt, Status, face_name

    why = {
        Doubt.FACE: "which face?", Doubt.LEAN: "may lean", Doubt.SIDE: "another side may lie up",
        Doubt.EDGE: "cut by the edge", Doubt.GLARE: "nothing to see for glare", Doubt.FAINT: "may be no die",
    }  # fmt: skip
    lines = [f"{photo}: {sentence}"]
    for die in reading.dice:
        doubt = f": {why[die.doubt]}" if die.doubt else ""
        mark = "" if die.status is Status.SURE else f"  {die.status.value}{doubt}"
        lines.append(f"  {die.type:12} {face_name(die.face):24} {die.confidence:.3f}{mark}")
    if reading.suspects:
        lines.append(f"  {len(reading.suspects)} more could not be read")
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
    import cv2

    from tableside.reader.overlay import draw_overlay

    path = folder / f"{photo.stem}.jpg"
    if path.exists() and path.resolve() == photo.resolve():
        raise PhotoError("would be overwritten by its overlay", where=str(photo), hint="Name another folder.")
    done, data = cv2.imencode(".jpg", draw_overlay(picture, reading))
    try:
        path.write_bytes(data.tobytes() if done else b"")
    except OSError as error:
        hint = "Name another folder for overlays."
        raise PhotoError(f"cannot be written ({error.strerror})", where=str(path), hint=hint) from error
