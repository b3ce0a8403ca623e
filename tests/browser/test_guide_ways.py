"""The ways that the guide names are ways that the pages have."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.conftest import Opens
from tests.conftest import ROOT
from tests.pages import section

pytestmark = pytest.mark.browser
DOCS = ROOT / "docs"


def test_the_tabs_of_the_game_master_are_those_of_the_guide(
    opens: Opens, paired: Callable[[str, str], BrowserContext]
) -> None:
    page = opens("/gm", phone=paired("gm", "Mara"))
    tabs = page.locator(".tabs button").all_inner_texts()
    told = re.findall(r"^- \*\*(\w+)\*\* ", section(DOCS / "phones.md", "The game master's page"), re.M)
    assert [" ".join(tab.split()) for tab in tabs] == ["Now", *told]


def test_the_menu_has_what_the_guide_says(page: Page) -> None:
    page.locator("#menu").click()
    groups = [" ".join(one.split()).lower() for one in page.locator(".menu-rail button").all_inner_texts()]
    told = " ".join((DOCS / "screen.md").read_text(encoding="utf-8").split())
    found = re.search(r"\*\*The menu\*\* has (.*?):", told)
    assert found
    assert [group for group in groups if group not in found[1].lower()] == []
    for group, words in (("phones", "Let phones in"), ("camera", "Use a phone’s camera"), ("screen", "Aloud")):
        page.locator(f'.menu-rail [data-group="{group}"]').click()
        page.get_by_text(words, exact=True).first.wait_for()
