"""Commands for the camera: ``calibrate`` and ``record``."""

from __future__ import annotations

from pathlib import Path

import click

from tableside.cli.options import CORNERS, DATA, JSON, Within, complain, corners_of, finish, say
from tableside.errors import CameraError

_CONFIG = click.option("--config", "file", type=click.Path(dir_okay=False), metavar="FILE", help="The settings file.")


@click.command()
@_CONFIG
@CORNERS
@click.option(
    "--sheet", type=click.Path(dir_okay=False), metavar="FILE.svg", help="Only write a sheet of marks to print."
)
@click.option(
    "--card", type=click.Path(dir_okay=False), metavar="FILE.svg", help="Only write the test card to print, A4."
)
@DATA
@JSON
def calibrate(
    file: str | None, corners: str | None, sheet: str | None, card: str | None, data: str | None, as_json: bool
) -> None:
    """Set the camera up over its empty tray: find the tray, lock the camera, remember the light."""
    from tableside import paths
    from tableside.app.calibrate import FOLDER, Calibrations
    from tableside.app.calibrate import calibrate as set_up
    from tableside.app.camera_choice import camera_for
    from tableside.config import load_settings
    from tableside.tray.prints import card_svg, marks_svg
    from tableside.tray.region import WHOLE

    if sheet is not None:
        _write(Path(sheet), marks_svg(), "print it at 100 % and lay it into the tray, or glue the marks to its corners")
    if card is not None:
        words = "tableside test card. Print at 100 %, in colour: the line below is 100 mm long."
        _write(Path(card), card_svg(words), "print it at 100 %, lay it below the camera and open /setup")
    if sheet is not None or card is not None:
        return
    settings = load_settings(Path(file) if file else None)
    camera = camera_for(settings.camera)
    wanted = None if corners is None else corners_of(corners)
    try:
        made = set_up(
            camera,
            corners=wanted,
            meter=lambda now: complain(f"sharpness {now.sharpness:8.1f}  light {now.level:5.0f} of 255  {now.advice}"),
        )
    except CameraError as error:
        complain(error)
        finish(failed=True)
        return
    path = Calibrations(paths.data_folder(data or settings.table.data) / FOLDER).save(made)
    found = made.calibration
    if as_json:
        say(found.to_json() | {"file": str(path), "tray_found": found.corners != WHOLE})
        return
    if found.corners == WHOLE:
        click.echo("No tray was found: the whole picture counts. Print the marks (--sheet) or give --corners.")
    else:
        click.echo("Tray: " + " ".join(f"{x:.3f},{y:.3f}" for x, y in found.corners))
    click.echo(f"Saved in {path}. Start `tableside run` and throw some dice.")


@click.command()
@click.argument("folder", metavar="FOLDER")
@_CONFIG
@click.option("--seconds", type=Within(0.1, 120), default=10.0, show_default=True, help="How long.")
def record(folder: str, file: str | None, seconds: float) -> None:
    """Keep a clip of the tray as a folder of pictures, for `watch` or a bug report."""
    from tableside.app.camera_choice import camera_for
    from tableside.app.clip import record as keep
    from tableside.config import load_settings

    settings = load_settings(Path(file) if file else None)
    try:
        clip = keep(camera_for(settings.camera), Path(folder), seconds=seconds)
    except CameraError as error:
        complain(error)
        finish(failed=True)
        return
    click.echo(f"{len(clip['times'])} pictures in {folder}. Play them with `tableside watch {folder}`.")


def _write(path: Path, text: str, hint: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"{path}: cannot be written ({error.strerror}). Name another file.") from error
    click.echo(f"{path}: {hint}.")
