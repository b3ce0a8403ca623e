"""From a table that is switched on to its first called roll: every tap on the screen and on two phones is counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tableside.adapters.web.pairing import qr_rows
from tableside.app.running_table import RunningTable
from tableside.table.messages import ChangeDestiny, ChooseGame, Do
from tests.browser.conftest import Opens, new_id, own_table, throw
from tests.browser.test_forms import URL
from tests.browser.test_phones import called
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
running = own_table
COUNTS = """
const count = (event) => {
    if (event.type === "click" && event.detail === 0) return;  // a key did it, or the page itself
    sessionStorage.setItem("test." + event.type, Number(sessionStorage.getItem("test." + event.type) ?? 0) + 1);
};
if (location.protocol !== "about:")
    for (const kind of ["click", "keydown"]) document.addEventListener(kind, count, true);
"""
"""Counts also over pages: joining leads from one to the next."""


def counted(*pages: Page) -> tuple[int, int]:
    """Return the taps and the keys on all these pages."""
    told = [page.evaluate("['click', 'keydown'].map((kind) => Number(sessionStorage.getItem('test.' + kind) ?? 0))")
            for page in pages]  # fmt: skip
    return sum(taps for taps, _ in told), sum(keys for _, keys in told)


@pytest.fixture
def phones(chromium: Browser) -> Iterator[list[BrowserContext]]:
    made = [chromium.new_context(viewport={"width": 390, "height": 844}) for _ in range(2)]
    for phone in made:
        phone.add_init_script(COUNTS)
    yield made
    for phone in made:
        phone.close()


def reachable(route: Route) -> None:
    """Answer as a table on the network does; the one of a test listens to its own machine."""
    answer = route.fetch()
    offer = answer.json()
    if offer.get("pin"):
        offer |= {"reachable": True, "url": URL, "qr": qr_rows(f"{URL}#{offer['pin']}")}
    route.fulfill(response=answer, json=offer)


def test_a_new_table_comes_to_its_first_called_roll_in_seven_taps(
    opens: Opens, phones: list[BrowserContext], running: RunningTable
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=0, dark=0))
    screen = opens("/pair", viewport={"width": 1280, "height": 800})
    screen.add_init_script(COUNTS)
    screen.route("**/api/pairing*", reachable)
    screen.goto(running.address)
    screen.locator('#stage[data-kind="host"]').wait_for()
    pin = screen.locator(".pin").inner_text().replace(" ", "").replace("\n", "")
    master, player = (phone.new_page() for phone in phones)
    for page in (master, player):
        page.goto(f"{running.address}pair#{pin}")
        page.locator('[data-role="gm"]').wait_for()  # both are asked: neither said yet what it is
    master.locator('[data-role="gm"]').click()
    master.wait_for_url("**/gm")
    player.locator('[data-role="player"]').click()
    screen.locator('[data-act="bring_in"]').click()
    wait_for(running.table, lambda state: len(state.people) == 4)
    player.locator('.person-card[data-who="Vex"]').click()
    player.wait_for_url("**/player")
    assert sorted(one.name for one in running.table.state.people) == ["Ilun", "Lowhhrick", "Oskara", "Vex"]
    master.locator('.upright[data-who="Vex"]').click()
    master.locator('.skill[data-skill="Stealth"]').click()
    master.locator("#ask-now").click()
    asked = wait_for(running.table, lambda state: bool(state.asked.id)).asked
    assert (asked.player, asked.skill) == ("Vex", "Stealth")
    screen.locator("#headline", has_text="Vex rolls").wait_for()
    taps, keys = counted(screen, master, player)
    assert (taps, keys) == (7, 0)
    for page in (screen, master, player):  # and it is all still there
        page.reload()
    screen.locator("#headline", has_text="Vex rolls").wait_for()
    called(master, "Vex", "Stealth")
    expect(player.locator("#headline")).to_have_text("Your roll")
    throw(running, ("ability", ("success",)), ("proficiency", ("success",)), ("proficiency", ("advantage",)),
          ("difficulty", ()), ("difficulty", ()))  # fmt: skip
    screen.locator('#stage[data-kind="result"], #stage[data-kind="wrong"]').wait_for()
