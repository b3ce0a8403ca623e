"""The page on which reference data is looked up."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import ChangeTable, Row
from tests.browser.conftest import Opens, look, new_id

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("lang", "word", "shown"), [("en", "desert", "Daunting"), ("de", "Wüste", "öde Wüste")])
def test_a_word_finds_the_rows_that_have_it(opens: Opens, lang: str, word: str, shown: str) -> None:
    page = opens(f"/lookup?game=narrative&lang={lang}")
    tables = page.locator(".sheet").count()
    page.locator("#words").fill(word)
    expect(page.locator(".sheet tbody tr")).to_have_count(1)
    expect(page.locator(".sheet tbody")).to_contain_text(shown)
    look(page, f"lookup-{lang}")
    page.locator("#words").fill("zzz")
    expect(page.locator(".sheet")).to_have_count(0)
    page.locator("#words").fill("")
    expect(page.locator(".sheet")).to_have_count(tables)


def test_the_tables_of_the_group_are_there_in_every_game(opens: Opens, running: RunningTable) -> None:
    rows = (Row(least=1, most=5, words="Minor nick"), Row(least=6, most=6, words="Slowed down"))
    running.table.ask(ChangeTable(id=new_id(), at=1.0, name="Critical injuries", dice="d100", rows=rows))
    page = opens("/lookup?words=nick")
    row = page.locator(".sheet tr", has_text="Minor nick")
    expect(row).to_contain_text("1–5")
