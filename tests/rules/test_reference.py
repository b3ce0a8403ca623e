"""What people look up: sheets of a file, and the rows that have some words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableside.errors import GameError
from tableside.rules import find_game, game_names
from tableside.rules.reference import matching, read_sheets

PRICES = """
[prices]
title = "Prices of gear"
columns = ["Thing", "Credits"]
rows = [["Rope", 10], ["Medpac", 100]]
"""


def test_a_sheet_is_found_whole_by_its_title_and_else_by_its_rows(tmp_path: Path) -> None:
    file = tmp_path / "reference.toml"
    file.write_text(PRICES, encoding="utf-8")
    sheets = read_sheets(file)
    assert [sheet.rows for sheet in matching(sheets, "PRICES")] == [(("Rope", "10"), ("Medpac", "100"))]
    assert [sheet.rows for sheet in matching(sheets, "gear med")] == [(("Medpac", "100"),)]
    assert matching(sheets, "medpac rope") == ()
    assert matching(sheets, "") == sheets


def test_a_row_has_a_text_for_each_column(tmp_path: Path) -> None:
    file = tmp_path / "reference.toml"
    file.write_text(PRICES.replace(", 100]", "]"), encoding="utf-8")
    with pytest.raises(GameError, match=r"reference.toml \[prices\]: a row of 1 texts: Medpac. It has 2 columns."):
        read_sheets(file)


def test_a_game_without_a_file_has_nothing_to_look_up(tmp_path: Path) -> None:
    assert read_sheets(tmp_path / "reference.toml") == ()


@pytest.mark.parametrize("game", game_names())
def test_the_names_of_the_sheets_differ(game: str) -> None:
    names = [sheet.name for sheet in find_game(game).reference]
    assert len(set(names)) == len(names)
