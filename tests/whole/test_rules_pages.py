"""The pages of the games: they name every purpose, act and setting, and their examples are played."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tableside.rules import find_game
from tableside.rules.code import Code
from tests.pages import section
from tests.whole.evening import Evening

NAMES = ("narrative", "heroic", "d6-companion", "d6-wild")


def page(name: str) -> Path:
    guide = find_game(name).guide
    assert guide is not None
    return guide


@pytest.mark.parametrize("name", NAMES)
def test_a_page_names_every_purpose_act_and_setting_and_ends_with_what_is_not_done(name: str) -> None:
    game, text = find_game(name), " ".join(page(name).read_text(encoding="utf-8").split())
    titles = [title for _, title in game.form.field("purpose", game=name).choices]
    titles += [act.title for act in game.characters.acts]
    assert [title for title in titles if f'"{title}"' not in text] == []
    settings = section(page(name), "Readings that a table may choose")
    assert [field.title for field in game.form if field.is_setting and field.title not in settings] == []
    assert re.findall(r"^## (.+)$", page(name).read_text(encoding="utf-8"), re.M)[-1] == "What it does not do"


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_page_come_out_at_a_table(name: str, tmp_path: Path) -> None:
    rows = re.findall(r"^\| ([a-z_]+=.+?) \| (.+?) \| (.+?) \|$", section(page(name), "Examples"), re.M)
    assert len(rows) >= 8
    form = find_game(name).form
    with Evening(tmp_path, name) as evening:
        for call, dice, result in rows:
            ask = form.parsed(call.split(), game=name)
            evening.gm("api/ask", {"ask": {field: _told(value) for field, value in ask.items()}})
            first, *more = dice.split("; ")
            roll = evening.throw(first)
            for thrown in more:
                roll = evening.throw_on(roll, thrown)
            assert roll["headline"] == result, call


def _told(value: Any) -> Any:
    return str(value) if isinstance(value, Code) else value
