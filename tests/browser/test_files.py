"""What pages ask for: everything once, and of what does not change nothing when a page is loaded again."""

from __future__ import annotations

from functools import partial

import pytest
from playwright.sync_api import Browser

from tableside.app.running_table import RunningTable
from tests.browser.test_phones import Paired
from tools.bench.pages import Asked

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MOST_AGAIN = 12


@pytest.fixture(scope="module")
def port() -> int:
    """A port that no table had before: no file of a page is there yet."""
    return 0


def test_a_page_loaded_again_asks_for_few_things_and_for_none_of_its_parts(
    chromium: Browser, running: RunningTable, paired: Paired
) -> None:
    asked = Asked(running)
    with chromium.new_context(base_url=running.address) as screen:
        phones = {f"/{role}": paired(role, "Vex") for role in ("player", "gm")}
        for path, browser in {"/": screen, **phones}.items():
            page = browser.new_page()
            asked.of(partial(page.goto, running.address.rstrip("/") + path), page)
            parts = [one for one in asked.times if one.startswith("/v-")]
            assert len(parts) > 60
            assert {one for one in parts if asked.times[one] > 1} == set()  # what is named beforehand is what is used
            for _ in range(2):
                asked.of(page.reload, page)
                assert len(asked.times) <= MOST_AGAIN, asked.times
                assert not [one for one in asked.times if one.startswith("/v-")]
            page.close()
