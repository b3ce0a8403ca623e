"""The guide tells everything and nothing untrue: settings, commands, addresses, links, examples and pictures."""

from __future__ import annotations

import doctest
import functools
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from PIL import Image, ImageSequence

from tableside import paths
from tableside.adapters.web import Services, create_app
from tableside.adapters.web.openapi import openapi_document
from tableside.cli import tableside
from tableside.config import SECTIONS, Settings, parse_settings
from tableside.dice import find_sets
from tableside.table import MemoryStore, System, Table
from tests.commands import commands_in, parse_command
from tests.conftest import ROOT
from tests.pages import PAGES, Example, anchors, examples, links, script

DOCS = ROOT / "docs"
COMMANDS = DOCS / "commands.md"
MOVING, FRONT = DOCS / "pictures" / "throw.webp", DOCS / "pictures" / "front.webp"
OF_OTHERS = {"home-assistant.png"}
"""Pictures of programs that show the table; ``docs/screenshots.py`` cannot make them again."""
EXAMPLES = [example for page in PAGES for example in examples(page)]
MARKERS = {"console", "toml", "sh", "json", "python", "text", "yaml", "xml", "ini", "http", "html", "javascript"}
"""``console`` is run, ``toml`` are settings, ``sh`` names commands, ``json`` and ``python`` are parsed."""


def marked(marker: str) -> list[Example]:
    return [example for example in EXAMPLES if example.marker == marker]


def commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


# --- commands and settings


@pytest.mark.parametrize("name", [name for name, _ in commands(tableside)])
def test_a_command_says_what_it_and_each_of_its_options_does(name: str) -> None:
    command = dict(commands(tableside))[name]
    assert command.help
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    assert [one.opts for one in options if not one.help] == []
    assert f"`tableside {name}" in COMMANDS.read_text(encoding="utf-8")


def test_every_setting_is_printed_below_what_it_means() -> None:
    printed = Settings().to_toml(is_explained=True)
    assert tomllib.loads(printed) == tomllib.loads(Settings().to_toml())
    for section in SECTIONS:
        part = printed.partition(f"[{section}]\n")[2].partition("\n\n")[0].splitlines()
        for key in fields(SECTIONS[section]):
            at = next(n for n, line in enumerate(part) if re.match(rf"(# )?{key.name} (=|is )", line))
            assert at > 0, key.name
            assert re.match(r"# \S", part[at - 1]), f"[{section}] {key.name}: nothing is said of it"
    assert "](" not in printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_page_shows_is_understood(page: Path) -> None:
    for command in commands_in(page.read_text(encoding="utf-8")):
        parse_command(command)


# --- addresses


class _NoSetup:
    """Stands for the set-up and the cameras, so that their addresses are there."""

    phone = None

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


def served() -> set[str]:
    """Return every address of the program, with ``{}`` for what varies."""
    sets = find_sets(["narrative"])
    table = Table(System(sets=sets), MemoryStore())
    try:
        folders = {"web_folder": paths.web_folder(), "guide_folder": DOCS}
        app = create_app(Services(table=table, setup=_NoSetup, cameras=_NoSetup(), **folders))
        found = set()
        for rule in app.url_map.iter_rules():
            several = re.search(r"<any\(([^)]+)\):\w+>", rule.rule)
            choices = (
                [rule.rule.replace(several[0], one.strip(" '\"")) for one in several[1].split(",")] if several else []
            )
            found |= {re.sub(r"<[^>]+>", "{}", one) for one in choices or [rule.rule]}
        return found - {"/{}", "/static/{}"}
    finally:
        table.close()


def named_addresses(page: Path, pattern: str = r"`(?:[A-Z]+ )?(/[\w{}/.\-]*)`") -> set[str]:
    found = re.findall(pattern, page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"\{\w+\}", "{}", address) for address in found}


def test_every_address_is_documented() -> None:
    told = set().union(*(named_addresses(page) for page in DOCS.glob("*.md")))
    told |= {re.sub(r"\{\w+\}", "{}", address) for address in openapi_document()["paths"]}
    missing = sorted(served() - told)
    assert missing == [], (
        "not documented: pages belong into the table of docs/README.md, the rest into openapi.py: " + ", ".join(missing)
    )


def test_the_table_of_pages_names_no_address_that_is_gone() -> None:
    told = named_addresses(DOCS / "README.md", r"`(/[^`]*)`")
    assert told
    assert told - served() == set()


def test_every_page_is_in_the_table_of_pages() -> None:
    pages = {f"/{page.stem}".replace("/index", "/") for page in paths.web_folder().glob("*.html")} & served()
    assert {"/", "/camera", "/gm"} <= pages
    assert pages - named_addresses(DOCS / "README.md", r"`(/[^`]*)`") == set()


# --- links


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_and_anchor_is_alive(page: Path) -> None:
    dead = []
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            dead.append(link)
        elif anchor and anchor not in anchors(target / "README.md" if target.is_dir() else target):
            dead.append(f"{link} (no such heading)")
    assert dead == []


def test_every_page_of_the_guide_is_in_its_contents() -> None:
    listed = {(DOCS / link.partition("#")[0]).resolve() for link in links(DOCS / "README.md")}
    missing = [page.name for page in DOCS.glob("*.md") if page.name != "README.md" and page.resolve() not in listed]
    assert missing == [], "docs/README.md does not link to these"


# --- examples


def test_every_fenced_block_says_what_it_is() -> None:
    unknown = [str(example) for example in EXAMPLES if example.marker not in MARKERS]
    assert unknown == [], f"use one of {', '.join(sorted(MARKERS))}"


@pytest.mark.parametrize("example", marked("toml"), ids=str)
def test_examples_of_settings_are_settings(example: Example) -> None:
    parse_settings(tomllib.loads(example.text), file=Path("tableside.toml"))


@pytest.mark.parametrize("example", marked("json"), ids=str)
def test_examples_in_json_are_json(example: Example) -> None:
    json.loads(example.text)


@pytest.mark.parametrize("example", marked("python"), ids=str)
def test_examples_in_python_are_python(example: Example) -> None:
    compile(example.text, str(example), "exec")


@pytest.mark.parametrize("example", marked("console"), ids=str)
def test_examples_do_what_they_show(example: Example, tmp_path: Path) -> None:
    """Run each line after ``$ `` in a folder with the demo's photographs; ``...`` stands for anything."""
    for photo in paths.samples_folder().glob("*.jpg"):
        shutil.copy(photo, tmp_path)
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    program = f"tableside() {{ '{sys.executable}' -m tableside \"$@\"; }}\n"
    for step in re.split(r"^\$ ", example.text, flags=re.M)[1:]:
        command, _, wanted = step.partition("\n")
        done = subprocess.run(
            ["bash", "-c", program + command], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert checker.check_output(wanted, done.stdout, flags), f"{command}\n{done.stdout}"


def test_a_wrong_example_would_be_noticed(tmp_path: Path) -> None:
    wrong = Example(page=COMMANDS, line=1, marker="console", text="$ tableside config\n[nothing of the kind]\n")
    with pytest.raises(AssertionError):
        test_examples_do_what_they_show(wrong, tmp_path)
    with pytest.raises(AssertionError, match="unknown option"):
        parse_command("read --overlap FOLDER a.jpg")
    with pytest.raises(AssertionError, match="there is no command"):
        parse_command("reed a.jpg")


# --- words of the pages

FOR_USERS = [DOCS / f"{name}.md" for name in ("laptop", "evening", "phones", "screen", "camera", "teach", "history")]
FOR_USERS += [page for page in PAGES if page.name == "guide.md"]
OF_OTHER_PROGRAMS = {"Advanced", "Proceed", "Add to home screen", "Install", "cannot listen there", "+", "…"}
"""Words of browsers and of the command line, and signs that are drawn."""


def texts_of(form: Any) -> Iterator[str]:
    """Yield every text of a file of words, keys that are English patterns among them."""
    if isinstance(form, dict):
        for key, value in form.items():
            yield key
            yield from texts_of(value)
    elif isinstance(form, list):
        for value in form:
            yield from texts_of(value)
    else:
        yield str(form)


@functools.cache
def patterns() -> list[re.Pattern[str]]:
    """Return what each text of the program may be once its values are filled in."""
    files = [paths.web_folder() / "words" / "en.json", paths.web_folder() / "words" / "de.json"]
    files += (ROOT / "tableside" / "games").glob("*/words/de.json")
    texts = {text for file in files for text in texts_of(json.loads(file.read_text(encoding="utf-8")))}
    found = []
    for text in texts:
        parts = re.split(r"\{([^}]*)\}", text.rstrip(".").replace("’", "'"))
        for n in range(1, len(parts), 2):  # a value, or a choice of words
            parts[n] = "|".join(map(re.escape, parts[n].partition(":")[2].split("|"))) or ".+?"
        parts[::2] = map(re.escape, parts[::2])
        if re.search(r"\w", "".join(parts).replace(".+?", "")):
            groups = [f"(?:{part})" if n % 2 else part for n, part in enumerate(parts)]
            found.append(re.compile(rf"{''.join(groups)}\.?", re.I))
    return found


def is_said(words: str) -> bool:
    """Tell whether the program says this, whole or as the first of several sentences."""
    return any(found.fullmatch(words) or found.fullmatch(f"{words}. This may be old") for found in patterns())


@pytest.mark.parametrize("page", FOR_USERS, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_quotes_the_program_says(page: Path) -> None:
    text = re.sub(
        r"^```.*?^```|^ {4}.*$|`[^`\n]*`|\]\([^)]*\)", "", page.read_text(encoding="utf-8"), flags=re.M | re.S
    )
    quoted = {" ".join(words.split()) for words in re.findall(r'"([^"]+)"', text)} - OF_OTHER_PROGRAMS
    assert [words for words in sorted(quoted) if not is_said(words)] == []


def test_words_that_the_program_does_not_say_are_noticed() -> None:
    assert is_said("Oskara rolls Mechanics")
    assert not is_said("Oskara throws Mechanics")
    assert not is_said("Bring in the cat")


# --- figures


def test_what_is_told_of_reading_is_what_was_scored_last() -> None:
    """README and the page of accuracy tell the same photographs as ``models/scores.json``, which the suite holds."""
    scores = json.loads((ROOT / "models" / "scores.json").read_text(encoding="utf-8"))
    rows = re.findall(
        r"^\| `(\w+)` \|[^|]+\| \d+ of \d+ \| (\d+) of (\d+) \| (\d+) \| (\d+) \|",
        (DOCS / "accuracy.md").read_text(encoding="utf-8"),
        re.M,
    )
    assert {"pips", "phone", "webcam", "oblique", "tower", "backlit", "rolls"} == {name for name, *_ in rows}
    for name, *told in rows:
        kept = scores[name]
        wanted = [
            kept["right"],
            kept["of"],
            kept["answered"] + kept["silent"],
            kept["silent"],
        ]  # a silent one was answered
        assert [int(count) for count in told] == wanted, name
    front = (ROOT / "README.md").read_text(encoding="utf-8")
    dice = 0
    for name in ("pips", "phone", "webcam"):
        of, answered, silent = (scores[name][key] for key in ("of", "answered", "silent"))
        found = re.search(rf"^\| {of} of .+ \| (\d+) of \1 \| {answered} of {of} \| {silent} \|$", front, re.M)
        assert found, name
        dice += int(found[1])
    assert f"{dice} of {dice} pip dice" in front


def test_the_guide_is_no_longer_than_somebody_reads() -> None:
    told = sum(len(page.read_text(encoding="utf-8").split()) for page in DOCS.glob("*.md"))
    assert told <= 15_000


# --- pictures


def test_every_picture_of_the_guide_is_used_and_made_by_the_script() -> None:
    made = {f"{name}.png" for name in script("screenshots").SHOTS} | OF_OTHERS
    used = {link for page in DOCS.glob("*.md") for link in links(page) if link.startswith("pictures/")}
    others = {"pictures/layers.svg", "pictures/throw.webp"}
    assert used - others == {f"pictures/{name}" for name in made}
    assert {path.name for path in (DOCS / "pictures").glob("*.png")} == made
    stills = [path for path in (DOCS / "pictures").iterdir() if path != MOVING]
    assert sum(path.stat().st_size for path in stills) < 1_800_000


def test_the_front_page_is_short_and_begins_with_a_picture_of_an_evening() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.split()) <= 550
    pictures = [link for link in links(ROOT / "README.md") if link.startswith("docs/pictures/")]
    assert pictures[0] == str(FRONT.relative_to(ROOT))
    assert len(pictures) == 4
    with Image.open(FRONT) as picture:
        assert picture.size == (1600, 900)
        assert np.asarray(picture.convert("L")).std() > 20


def test_the_moving_picture_shows_a_throw_and_a_flip() -> None:
    assert MOVING.relative_to(DOCS).as_posix() in links(DOCS / "camera.md")
    assert MOVING.stat().st_size < 1_500_000
    with Image.open(MOVING) as picture:
        frames = [np.asarray(frame.convert("L"), np.float32) for frame in ImageSequence.Iterator(picture)]
    height, width = frames[0].shape
    tray, screen = np.s_[: height * 3 // 4, : width // 3], np.s_[: height * 3 // 4, width // 2 :]
    moved = [(np.abs(b - a)[tray].max() > 60, np.abs(b - a)[screen].max() > 60) for a, b in pairwise(frames)]
    throw = [number for number, (in_tray, _) in enumerate(moved) if in_tray]
    assert len(throw) > 5
    assert sum(on_screen for _, on_screen in moved[throw[-1] + 1 :]) >= 2  # the result, then the point
