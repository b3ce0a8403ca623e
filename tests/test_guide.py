"""The guide tells everything and nothing untrue: settings, commands, addresses, links, examples and pictures."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import pytest
from PIL import Image, ImageSequence

from docs.settings import page as settings_page
from tableside import paths
from tableside.adapters.web import Services, create_app
from tableside.cli import tableside
from tableside.config import SECTIONS, Settings, parse_settings
from tableside.dice import find_sets
from tableside.table import MemoryStore, System, Table
from tests.commands import commands_in, parse_command
from tests.conftest import CHROMIUM, ROOT
from tests.pages import PAGES, Example, anchors, examples, links, section

DOCS = ROOT / "docs"
SETTINGS, COMMANDS = DOCS / "settings.md", DOCS / "commands.md"
MOVING = DOCS / "pictures" / "throw.webp"
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


def usual(name: str, key: str) -> str:
    """Return a setting's default as the settings file has it."""
    found = re.search(rf"^\[{name}\]\n(?:[^\[].*\n|\n)*?{key} = (.+)$", Settings().to_toml(), re.M)
    return f"`{found[1]}`" if found else "not set"


# --- settings


def test_the_page_of_settings_says_what_the_code_says() -> None:
    text = SETTINGS.read_text(encoding="utf-8")
    assert settings_page(text) == text, "docs/settings.md: run `python docs/settings.py`"


@pytest.mark.parametrize("name", SECTIONS)
def test_every_setting_is_on_its_page_with_its_default(name: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| .{3,} \|$", section(SETTINGS, f"[{name}]"), re.M)
    assert all(key.default is not MISSING or key.default_factory is not MISSING for key in fields(SECTIONS[name]))
    assert rows == [(key.name, usual(name, key.name)) for key in fields(SECTIONS[name])]


def test_every_section_of_the_page_is_one_of_the_settings() -> None:
    named = re.findall(r"^## \[(\w+)\]", SETTINGS.read_text(encoding="utf-8"), re.M)
    assert set(named) == set(SECTIONS), "docs/settings.md: a heading '## [section]' for each section of the settings"


# --- commands


@pytest.mark.parametrize("name", [name for name, _ in commands(tableside)])
def test_every_command_and_option_is_on_its_page(name: str) -> None:
    command = dict(commands(tableside))[name]
    text = section(COMMANDS, name)
    assert text, f"docs/commands.md lacks the heading '## {name}'"
    options = {max(one.opts, key=len) for one in command.params if isinstance(one, click.Option) and not one.hidden}
    missing = sorted(option for option in options if f"`{option}" not in text)
    assert missing == [], f"docs/commands.md, below ## {name}, lacks {', '.join(missing)}"


def test_no_page_names_an_option_or_command_that_is_gone() -> None:
    named = re.findall(r"^## (.+)$", COMMANDS.read_text(encoding="utf-8"), re.M)
    known = dict(commands(tableside))
    assert [name for name in named if name not in known] == [], "docs/commands.md: no such commands"
    wrong = []
    for name in named:
        told = set(re.findall(r"`(--[a-z-]+)", section(COMMANDS, name)))
        have = {option for one in known[name].params for option in one.opts}
        wrong += [f"{name} {option}" for option in told - have]
    assert wrong == [], "docs/commands.md: no such options"


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
    missing = sorted(served() - told)
    assert missing == [], (
        "not documented: pages belong into the table of docs/README.md, the rest into docs/api.md: "
        + ", ".join(missing)
    )


def test_the_table_of_pages_names_no_address_that_is_gone() -> None:
    told = named_addresses(DOCS / "README.md", r"^\| `(/[^`]*)` \|")
    assert told
    assert told - served() == set()


def test_every_page_is_in_the_table_of_pages() -> None:
    pages = {f"/{page.stem}".replace("/index", "/") for page in paths.web_folder().glob("*.html")} & served()
    assert {"/", "/camera", "/gm"} <= pages
    assert pages - named_addresses(DOCS / "README.md", r"`(/[^`]*)`") == set()


def test_the_way_to_copy_an_address_is_one_that_pages_have() -> None:
    told = re.search(
        r"has it to copy: ([^.]*)\. So has\s+the table's screen: ([^.]*)\.", (DOCS / "foundry.md").read_text()
    )
    assert told is not None
    english = json.loads((paths.web_folder() / "words" / "en.json").read_text(encoding="utf-8"))["pages"]
    assert set(re.findall(r'"([^"]+)"', told[0])) <= set(english.values())


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


# --- pictures


def test_every_picture_of_the_guide_is_used_and_made_by_the_script() -> None:
    sys.path.insert(0, str(DOCS))
    try:
        from screenshots import SHOTS
    finally:
        sys.path.remove(str(DOCS))
    made = {f"{name}.png" for name in SHOTS} | OF_OTHERS
    used = {link for page in DOCS.glob("*.md") for link in links(page) if link.startswith("pictures/")}
    assert used == {f"pictures/{name}" for name in made} | {"pictures/layers.svg"} & used
    assert {path.name for path in (DOCS / "pictures").glob("*.png")} == made
    stills = [path for path in (DOCS / "pictures").iterdir() if path != MOVING]
    assert sum(path.stat().st_size for path in stills) < 1_800_000


def test_the_front_page_is_short_and_shows_a_throw_and_a_flip() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.split()) < 600
    assert f"]({MOVING.relative_to(ROOT)})" in text
    assert MOVING.stat().st_size < 1_500_000
    with Image.open(MOVING) as picture:
        frames = [np.asarray(frame.convert("L"), np.float32) for frame in ImageSequence.Iterator(picture)]
    height, width = frames[0].shape
    tray, screen = np.s_[: height * 3 // 4, : width // 3], np.s_[: height * 3 // 4, width // 2 :]
    moved = [(np.abs(b - a)[tray].max() > 60, np.abs(b - a)[screen].max() > 60) for a, b in pairwise(frames)]
    throw = [number for number, (in_tray, _) in enumerate(moved) if in_tray]
    assert len(throw) > 5
    assert sum(on_screen for _, on_screen in moved[throw[-1] + 1 :]) >= 2  # the result, then the point


@pytest.mark.browser
@pytest.mark.slow
def test_the_moving_picture_can_be_made_again(tmp_path: Path) -> None:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    command = [sys.executable, str(DOCS / "moving_picture.py"), str(tmp_path / "throw.webp")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / "throw.webp") as made, Image.open(MOVING) as kept:
        assert made.size == kept.size
        assert made.n_frames > 10


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_pictures_can_be_made_again(part: int, tmp_path: Path) -> None:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    pictures = sorted(path for path in (DOCS / "pictures").glob("*.png") if path.name not in OF_OTHERS)[part::4]
    command = [sys.executable, str(DOCS / "screenshots.py"), str(tmp_path), *(path.stem for path in pictures)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    for kept in pictures:
        made, old = cv2.imread(str(tmp_path / kept.name)), cv2.imread(str(kept))
        assert made is not None, kept.name
        assert old is not None
        assert made.shape == old.shape, kept.name
        assert made.std() > 5, kept.name  # something is on it
