"""Pairing, overlay, hall and teaching in the forms of the table screen: laid out well, readable, by keyboard alone."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tableside.adapters.web.pairing import qr_rows
from tableside.app.running_table import RunningTable
from tests.browser.conftest import LANGUAGES, SIZES, Opens, look, resize, roll, throw
from tests.browser.test_accessible import faults

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8").partition("\n")[2]
PIN, URL = "421387", "http://192.0.2.17:8000/pair"


def laid_out(page: Page, name: str, *, scrolls: bool | None = None) -> None:
    """Look at the page, and fail where something overlaps, leaves the window, is cut or too small to be tapped."""
    size = page.viewport_size
    assert size is not None
    page.evaluate("document.fonts.ready")
    look(page, f"forms-{name}-{size['width']}")
    tall = size["height"] > size["width"] if scrolls is None else scrolls
    assert page.evaluate(LAYOUT, tall) == []


class Offers:
    """Answers as a table that phones can reach does: a PIN, and who is in."""

    def __init__(self, page: Page) -> None:
        self.phones: list[dict[str, str]] = []
        page.route("**/api/pairing*", self._answer)

    def _answer(self, route: Route) -> None:
        told = {"pin": PIN, "role": "any", "seconds": 120, "url": URL, "qr": qr_rows(f"{URL}#{PIN}"),
                "reachable": True, "paired": [], "phones": self.phones}  # fmt: skip
        route.fulfill(body=json.dumps(told), content_type="application/json")


def to_phones(page: Page) -> None:
    page.locator("#menu").click()
    page.locator("[data-group=phones]").first.click()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_menu_shows_code_and_pin_and_who_is_in(opens: Opens, lang: str) -> None:
    page = opens(f"/?lang={lang}", reduced_motion="reduce")
    offers = Offers(page)
    page.reload()  # the host of a new table has asked already
    page.locator("body[data-ready]").wait_for()
    to_phones(page)
    expect(page.locator("#sheet .pin")).to_have_text("421 387")
    sizes = [SIZES[size] for size in ("table", "phone", "laptop")]
    for size in sizes:
        resize(page, size)
        laid_out(page, f"pairing-{lang}")
    offers.phones = [
        {"id": str(n), "name": f"Lowhhrick Würfelzähler {n}", "role": "player", "person": ""} for n in range(7)
    ]
    expect(page.locator("#sheet [data-phone]")).to_have_count(5)  # of more the page turns
    for size in sizes:
        resize(page, size)
        laid_out(page, f"pairing-in-{lang}")
        assert faults(page) == []
    page.locator("#sheet #pair-large").click()
    for size in sizes:
        resize(page, size)
        laid_out(page, f"pairing-large-{lang}")


def test_a_table_for_this_machine_only_offers_this_screen(opens: Opens) -> None:
    page = opens("/", viewport={"width": 800, "height": 480})
    to_phones(page)
    expect(page.locator(".alone")).to_contain_text("listens to this machine only")
    laid_out(page, "pairing-alone")
    assert faults(page) == []
    page.locator("#master-here").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/gm")
    page.locator("body[data-ready]").wait_for()
    page.goto(page.url.replace("/gm", "/pair"))
    page.locator("#unpair").click()
    page.locator("#pin").wait_for()


def film(page: Page) -> None:
    """Put the brightest and busiest picture behind the page."""
    stripes = "repeating-linear-gradient(45deg, #fff 0 40px, #0a0 40px 80px, #f80 80px 120px)"
    page.evaluate("film => { document.documentElement.style.background = film }", stripes)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_overlay_is_readable_over_any_film(opens: Opens, running: RunningTable, lang: str) -> None:
    page = opens(f"/overlay?lang={lang}&seconds=always", reduced_motion="reduce")
    roll(running)
    page.locator(".plate .die").first.wait_for()
    sizes = [SIZES[size] for size in ("laptop", "television", "tall")]
    for size in sizes:
        resize(page, size)
        bare = cv2.imdecode(np.frombuffer(page.screenshot(omit_background=True), np.uint8), cv2.IMREAD_UNCHANGED)
        assert bare[: size[1] // 3, :, 3].max() == 0, size  # above the plate the film is seen
    film(page)
    for size in sizes:
        resize(page, size)
        laid_out(page, f"overlay-{lang}")
        expect(page.locator(".plate .die")).to_have_count(2)
        assert faults(page) == []


DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Teaches:
    """Answers as a table does that is taught a die that counts as a pip die."""

    def __init__(self, page: Page, faces: dict[str, int], *, weak: Sequence[str], plays_as: str) -> None:
        drawn = [{"face": [face], "dice": [f"{face}{n}" for n in range(count)]} for face, count in faces.items()]
        self.draft: dict[str, Any] | None = {
            "set": "my-pips", "type": "bone", "solid": "d6", "plays_as": plays_as, "sides": 6, "pictures": len(faces),
            "faces": drawn, "groups": [], "right": 0.9812, "weak": list(weak), "close": [],
            "good": not weak and len(faces) == 6,
        }  # fmt: skip
        self.dropped: list[str] = []
        page.route("**/api/dice", self._answer)
        page.route("**/api/dice/draft/save", self._answer)
        page.route("**/api/dice/draft/drop", self._answer)
        page.route("**/api/dice/draft/dice/*", lambda route: route.fulfill(body=DOT, content_type="image/png"))

    def _answer(self, route: Route) -> None:
        if route.request.url.endswith("/drop"):
            self.dropped = route.request.post_data_json["dice"]
        if route.request.url.endswith("/save"):
            self.draft = None
        sets = [
            {"name": "own-narrative", "like": "narrative", "types": [], "samples": 4, "corrections": 4, "doubted": []},
            {"name": "my-pips", "like": "", "samples": 18, "corrections": 0, "doubted": [],
             "types": [{"name": "bone", "solid": "d6", "body": "#e8ddc0", "ink": "#201a10",
                        "faces": [[str(n)] for n in range(1, 7)], "plays_as": "pip"}]},
        ]  # fmt: skip
        told = {"sets": sets, "draft": self.draft, "camera": False, "symbols": []}
        route.fulfill(body=json.dumps(told), content_type="application/json")


def teaching(
    opens: Opens, faces: dict[str, int], *, weak: Sequence[str] = (), plays_as: str = "pip", query: str = ""
) -> tuple[Page, Teaches]:
    page = opens("/pair", viewport={"width": 800, "height": 480}, reduced_motion="reduce")
    teaches = Teaches(page, faces, weak=weak, plays_as=plays_as)
    page.goto(page.url.replace("/pair", f"/setup/dice{query}"))
    page.locator(".face-sheet").wait_for()
    return page, teaches


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_says_which_face_comes_next(opens: Opens, lang: str) -> None:
    page, _ = teaching(opens, {"1": 3, "2": 1, "3": 3, "4": 2}, weak=["3"], query=f"?lang={lang}")
    expect(page.locator("#progress")).to_have_text(
        "Show the face with 5 pips" if lang == "en" else "Zeigt die Seite mit 5 Augen"
    )
    expect(page.locator(".slot .die-drawing[data-missing]")).to_have_count(2)
    expect(page.locator("[data-closed]")).to_have_text("1")  # three pictures, and it is not mistaken for another
    assert "98" not in page.locator("#dice-setup").inner_text()  # numbers stand only where it is tried
    laid_out(page, f"teach-next-{lang}", scrolls=True)
    page.emulate_media(forced_colors="active")
    look(page, "forms-teach-forced")
    page.emulate_media(forced_colors="none")
    page.evaluate("localStorage.setItem('tableside.theme', 'light')")
    page.reload()
    page.locator(".face-sheet").wait_for()
    assert faults(page) == []


def test_a_wrong_picture_is_a_tap_to_drop(opens: Opens) -> None:
    page, teaches = teaching(opens, {"1": 3, "2": 1}, plays_as="")
    expect(page.locator("#progress")).to_have_text("Show the face with 3")
    expect(page.locator(".slot[data-next]")).to_have_text("3")
    page.locator("button.slot").first.focus()
    page.keyboard.press("Enter")
    with page.expect_response("**/draft/drop"):
        page.locator("#namer .crop").nth(1).click()
    expect(page.locator("#namer")).to_be_hidden()
    assert teaches.dropped == ["11"]


def test_a_taught_die_is_tried_and_no_built_in_set_is_named_as_taught(opens: Opens, running: RunningTable) -> None:
    page, _ = teaching(opens, {str(n): 3 for n in range(1, 7)})
    expect(page.locator("#progress")).to_have_text("All faces are shown")
    page.locator("#save").click()
    expect(page.locator("#progress")).to_have_text("Try it")
    expect(page.locator(".numbers")).to_contain_text("98 of 100")
    expect(page.locator("#sets b")).to_have_text("my-pips")
    expect(page.locator("#own b")).to_have_text("narrative")
    roll_id = throw(running, ("pip", ("5",)))
    expect(page.locator("#progress")).to_have_text("Is it right?")
    laid_out(page, "teach-try", scrolls=True)
    assert faults(page) == []
    page.locator("#nod").click()
    expect(page.locator(".numbers")).to_contain_text("1 of 1")
    roll_id = throw(running, ("pip", ("5",)))
    page.locator(".other-face").nth(5).click()
    expect(page.locator(".numbers")).to_contain_text("1 of 2")
    changed = running.table.state.find_roll(roll_id)
    assert changed is not None
    assert changed.dice[0].face == ("6",)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_players_page_draws_dice_and_points_as_the_table_does(
    opens: Opens, running: RunningTable, scheme: str
) -> None:
    page = opens("/player", color_scheme=scheme, reduced_motion="reduce")
    expect(page.locator("#points .token-drawing")).to_have_count(2)  # light ones: players have no dark points
    roll(running, doubtful=True)
    expect(page.locator("#now-card .crop")).to_be_visible()
    expect(page.locator("#now-card .answer-card .die-drawing")).to_have_count(2)
    laid_out(page, f"player-{scheme}")
    assert faults(page) == []
