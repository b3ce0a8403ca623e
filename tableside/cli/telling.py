"""Commands that tell something: ``watch``, ``config``, ``doctor`` and ``log``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tableside.cli.options import CORNERS, DATA, GAME, JSON, SETS, Within, complain, corners_of, finish, say
from tableside.errors import CameraError

if TYPE_CHECKING:
    from tableside.errors import StoreError
    from tableside.tray.watch import Event


@click.command()
@click.argument("clip", metavar="CLIP")
@click.option("--fps", type=Within(1, 1000), help="Frames a second; 30, or what the film states.")
@SETS
@CORNERS
@JSON
@DATA
@GAME
def watch(
    clip: str,
    fps: float | None,
    sets: Sequence[str],
    corners: str | None,
    as_json: bool,
    data: str | None,
    game: str,
) -> None:
    """Play a film, or a folder of pictures in name order, and tell what happens on the tray.

    With "--corners find", the tray is looked for in the first picture.
    """
    from tableside import paths
    from tableside.app.camera_choice import clip_camera
    from tableside.app.playback import Playback
    from tableside.app.readers import installed_sets, open_reader
    from tableside.tray.region import WHOLE

    region = WHOLE if corners is None else None if corners == "find" else corners_of(corners)
    camera = clip_camera(Path(clip), fps)
    reader = open_reader(installed_sets(sets, paths.data_folder(data)), game=game, camera_stays=True)
    played = Playback(reader, game=game, corners=region)
    failed = False
    try:
        for event in played.events(camera):
            _tell(event, as_json, game)
            outcome = played.outcome
            if event.happening.value == "joined" and outcome is not None and not as_json:
                click.echo(f"  together: {outcome.sentence}")
    except CameraError as error:
        failed = True
        complain(error)
    finish(failed=failed)


def _tell(event: Event, as_json: bool, game: str) -> None:
    from tableside.app.live import event_json
    from tableside.app.readers import outcome_of
    from tableside.cli.photos import describe

    if as_json:
        if event.happening.value != "healed":  # what follows tells that all is well again
            say(event_json(event, game))
        return
    line = f"{event.frame.time:8.2f} s  {event.happening.value}"
    if event.reading is None or not event.reading.dice:
        click.echo(f"{line}  {event.reason}".rstrip())
        return
    outcome = outcome_of(event.reading, game)
    click.echo(describe(line, event.reading, outcome.sentence if outcome else "Dice of no one game."))


@click.command()
@click.option("--config", "file", type=click.Path(dir_okay=False), metavar="FILE", help="The settings file.")
def config(file: str | None) -> None:
    """Print the settings in effect, as a settings file that says what each means.

    \b
    tableside config > tableside.toml     makes a file to change
    """
    from tableside.config import load_settings

    click.echo(load_settings(Path(file) if file else None).to_toml(is_explained=True), nl=False)


@click.command()
@click.option("--config", "file", type=click.Path(dir_okay=False), metavar="FILE", help="The settings file.")
@click.option("--wiring", is_flag=True, help="Try each lamp and button instead, with you looking and pressing.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Put what is found and the settings into this text file, too. Passwords are left out.",
)
@JSON
def doctor(file: str | None, wiring: bool, report: Path | None, as_json: bool) -> None:
    """Look at board, camera, light, pins, networks, history, port, disk and clock, and say what to do.

    Ends with status 1 where something is wrong. Bug reports ask for the file that --report writes.
    """
    from tableside.app.checkup import check_up, write_report
    from tableside.app.wiring import try_wiring
    from tableside.config import load_settings

    settings = load_settings(Path(file) if file else None)
    found = []
    ask = partial(click.confirm, default=True, err=True)
    for finding in try_wiring(settings.pins, ask=ask, tell=complain) if wiring else check_up(settings):
        found.append(finding)
        if as_json:
            say(finding.to_json())
        else:
            click.echo(finding.line)
    if report:
        write_report(report, found, settings)
    finish(failed=not all(finding.is_good for finding in found))


@click.command()
@DATA
@JSON
@click.option("--csv", "as_csv", is_flag=True, help="Print a table with commas, for a spreadsheet.")
@click.option(
    "--import",
    "file",
    type=click.Path(dir_okay=False, exists=True),
    metavar="FILE",
    help="Put the output of `log --json` into an empty data folder.",
)
def log(data: str | None, as_json: bool, as_csv: bool, file: str | None) -> None:
    """Print the table's history, oldest first, or read it back.

    \b
    tableside log --json > campaign.jsonl
    tableside log --import campaign.jsonl --data NEW
    """
    from datetime import UTC, datetime

    from tableside import paths
    from tableside.app.history import changes_in, import_changes
    from tableside.table.shown import csv_of

    if as_json + as_csv + bool(file) > 1:
        raise click.UsageError("Choose one of --json, --csv and --import.")
    folder = paths.data_folder(data)
    if file:
        with Path(file).open(encoding="utf-8", errors="replace") as lines:  # what is no text is no change
            count = import_changes(folder, lines, where=file)
        click.echo(f"{count} changes are now in {folder}")
        return
    damage: list[StoreError] = []
    changes = changes_in(folder, when_damaged=damage.append)
    if as_csv:
        for text in csv_of(changes):
            click.echo(text, nl=False)
    for change in () if as_csv else changes:
        when = datetime.fromtimestamp(change.at, tz=UTC).isoformat(timespec="seconds")
        if as_json:
            say({"when": when, **change.to_json()})
        else:
            click.echo(f"{change.number:6}  {when}  {change.sentence}")
    for wrong in damage:
        complain(wrong)
    finish(failed=bool(damage))
