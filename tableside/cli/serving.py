"""Commands that run a table: ``demo`` and ``run``."""

from __future__ import annotations

from pathlib import Path

import click

from tableside.cli.options import DATA


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Where the pages are.")
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page.")
@DATA
def demo(port: int, browser: bool, data: str | None) -> None:
    """Run everything on any machine: recorded rolls for a camera, drawn lamps for pins."""
    from tableside import paths
    from tableside.app.demo import FIRST, Demo, demo_settings, opening
    from tableside.app.serve import serve

    settings = demo_settings(paths.data_folder(data) / "demo", port=port)
    serve(settings, announce=click.echo, open_browser=browser, opening=opening(), demo=Demo(first=FIRST))


@click.command()
@click.option("--config", "file", type=click.Path(dir_okay=False), metavar="FILE", help="The settings file.")
@click.option("--browser/--no-browser", default=False, show_default=True, help="Open the page.")
def run(file: str | None, browser: bool) -> None:
    """Run the real table."""
    from tableside.app.serve import serve
    from tableside.config import NAME, load_settings

    settings = load_settings(Path(file) if file else None)
    if settings.file is None:
        click.echo(f"There is no {file or NAME}, so all settings are usual. Write one: ./start config > {NAME}")
    serve(settings, announce=click.echo, open_browser=browser)
