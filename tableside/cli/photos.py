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
    reader = open_reader(installed_sets(sets, paths.data_folder(data)), game=game)
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
            say({"image": photo} | reading_json(reading, game))
        else:
            outcome = outcome_of(reading, game)
            click.echo(describe(photo, reading, outcome.sentence if outcome else "No dice, or dice of no one game."))
    finish(failed=failed)


@click.group()
def bench() -> None:
    """Measure this program."""


@bench.command("read")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@SETS
@DATA
def bench_read(folders: Sequence[str], sets: Sequence[str], data: str | None) -> None:
    """Read labelled photographs and print how many dice and rolls were right, as JSON, a line a folder."""
    from tableside import paths
    from tableside.app.reading import installed_sets, open_reader
    from tableside.vision.scoring import find_labels

    reader = open_reader(installed_sets(sets, paths.data_folder(data)))
    failed = False
    for folder in folders:
        labels = find_labels(Path(folder))
        if not labels:
            failed = True
            complain(
                PhotoError("holds no labelled photographs", where=folder, hint="A label is NAME.json beside NAME.jpg.")
            )
            continue
        record, missed = _bench_folder(reader, labels)
        failed = failed or missed
        say({"folder": folder, "sets": list(sets)} | record)
    finish(failed=failed)


def describe(photo: str, reading: Reading, sentence: str) -> str:
    """Return a reading in plain words."""
    from tableside.dice import Status, face_name

    marks = {Status.SURE: "", Status.UNSURE: "  unsure", Status.COCKED: "  cocked"}
    lines = [f"{photo}: {sentence}"]
    lines += [f"  {d.type:12} {face_name(d.face):24} {d.confidence:.3f}{marks[d.status]}" for d in reading.dice]
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

    from tableside.vision.overlay import draw_overlay

    path = folder / f"{photo.stem}.jpg"
    if path.exists() and path.resolve() == photo.resolve():
        raise PhotoError("would be overwritten by its overlay", where=str(photo), hint="Name another folder.")
    done, data = cv2.imencode(".jpg", draw_overlay(picture, reading))
    try:
        path.write_bytes(data.tobytes() if done else b"")
    except OSError as error:
        hint = "Name another folder for overlays."
        raise PhotoError(f"cannot be written ({error.strerror})", where=str(path), hint=hint) from error


def _bench_folder(reader: Any, labels: Sequence[Path]) -> tuple[dict[str, Any], bool]:
    """Return what was measured, and whether a picture could not be read."""
    import resource
    import statistics

    from tableside.app.reading import read_file
    from tableside.vision.scoring import Score, read_label

    score = Score()
    times: list[float] = []
    failed = False
    for path in labels:
        try:
            label = read_label(path)
            reading = read_file(reader, label.picture)[1]
        except PhotoError as error:
            failed = True
            complain(error)
            continue
        score.add(label, reading)
        times.append(reading.timings.total)
    times.sort()
    measured = {
        "ms_median": round(statistics.median(times), 1) if times else None,
        "ms_p95": round(times[int(0.95 * (len(times) - 1))], 1) if times else None,
        "memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }
    return score.to_json() | measured, failed
