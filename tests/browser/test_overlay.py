"""The page for films and walls: the throw, the dice, the result for a while; and what its address may ask for."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tableside.app.running_table import RunningTable
from tableside.dice import Die
from tableside.table.messages import CallRoll, ChangeTable, CorrectDie, EnterRoll, Redo, Row, Undo
from tests.browser.conftest import Opens, look, new_id, own_table, resize, roll
from tests.browser.test_moments import DESPAIR, PLAIN, TRIUMPH, throw
from tests.conftest import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.slow]
running = own_table
FILM = {"width": 1280, "height": 720}
ALL = "show=film,who,words,symbols,dice,sentence"
NOTE = """() => {
    window.seen = [];
    const note = (what) => window.seen.at(-1) !== what && window.seen.push(what);
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        if (this.matches(".die")) note("land");
        if (this.matches(".headline")) note(how[1].delay > 0 ? "said later" : "said at once");
        return animate.apply(this, how);
    };
    new MutationObserver(() => {
        if (document.querySelector("#film")) note("film");
        else if (document.querySelector(".headline")) note("result");
    }).observe(document.getElementById("overlay"), { subtree: true, childList: true });
}"""
"""Writes down what comes and goes, in order."""


def seen(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.seen")
    return found


def enter(running: RunningTable, label: str, *, is_hidden: bool = False) -> None:
    dice = (Die(type="ability", face=("success",)),)
    running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=dice, label=label, is_hidden=is_hidden))


def test_the_overlay_is_transparent_and_shows_a_roll_for_a_while(opens: Opens, running: RunningTable) -> None:
    page = opens("/overlay?seconds=1", viewport=FILM)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.evaluate(NOTE)
    throw(running, PLAIN)  # its film is longer than that, and takes nothing of the time
    page.wait_for_function("() => window.seen.includes('result')")
    look(page, "overlay", omit_background=True)
    page.locator(".plate").wait_for(state="detached")


def test_dice_are_drawn_also_where_the_first_question_for_them_was_lost(
    chromium: Browser, running: RunningTable
) -> None:
    page = chromium.new_page(viewport={"width": 640, "height": 360})
    try:
        page.route("**/api/sets", lambda route: route.abort(), times=1)
        page.goto(running.address + "overlay?motion=none")
        enter(running, "Perception")
        drawing = page.locator(".plate .die use").get_attribute("href")
        assert drawing is not None
        expect(
            page.locator(drawing).locator("polygon").first
        ).to_be_attached()  # eight sides; a die that nobody knows is a cube
    finally:
        page.close()


def test_the_film_plays_first_then_the_dice_land_and_only_then_it_is_said(opens: Opens, running: RunningTable) -> None:
    page = opens("/overlay", viewport=FILM)
    page.evaluate(NOTE)
    roll_id = throw(running, PLAIN, DESPAIR, TRIUMPH)
    page.locator(".headline").wait_for()
    page.wait_for_function("() => window.seen.includes('result')")
    assert seen(page) == ["film", "land", "said later", "result"]
    expect(page.locator(".plate")).to_have_attribute("data-moods", "triumph despair")
    running.table.ask(
        CorrectDie(id=new_id(), at=time.time(), roll_id=roll_id, index=1, type="challenge", face=("failure",))
    )
    expect(page.locator(".plate")).to_have_attribute("data-moods", "triumph")
    assert seen(page) == ["film", "land", "said later", "result"]  # a correction has no moment of its own


def test_a_film_at_half_its_speed_takes_twice_its_time(opens: Opens) -> None:
    shown = opens("/overlay", viewport=FILM).evaluate("""async () => {
        const { playFilm } = await import("/part/replay.js");
        let next = null;
        let isOver = false;
        window.requestAnimationFrame = (draw) => { next = draw; };
        const [canvas, sheet] = [document.createElement("canvas"), document.createElement("canvas")];
        const view = { x: 0, y: 0, width: 4, height: 3 };
        const film = { times: [0, 1, 2, 3], width: 4, height: 3, columns: 4 };
        playFilm(canvas, sheet, film, { view, across: 4, rate: 0.5, whenOver: () => { isOver = true; } });
        return [0, 1900, 2100, 7900, 8100].map((ms) => { next(ms); return isOver ? "over" : canvas.dataset.picture; });
    }""")
    assert shown == ["0", "0", "1", "3", "over"]


@pytest.mark.parametrize(("address", "motion"), [("/overlay", "reduce"), ("/overlay?motion=none", "no-preference")])
def test_nothing_moves_where_that_is_asked_for(opens: Opens, running: RunningTable, address: str, motion: str) -> None:
    page = opens(address, viewport=FILM, reduced_motion=motion)
    page.evaluate(NOTE)
    throw(running, PLAIN)
    page.locator(".headline").wait_for()
    assert seen(page) == ["result"]
    assert page.evaluate("document.getAnimations().length") == 0


def test_what_is_taken_back_goes_and_no_older_result_comes_in_its_place(opens: Opens, running: RunningTable) -> None:
    page = opens("/overlay", viewport=FILM)
    enter(running, "Stealth")
    page.locator(".plate", has_text="Stealth").wait_for()
    enter(running, "Cool")
    page.locator(".plate", has_text="Cool").wait_for()
    running.table.ask(Undo(id=new_id(), at=time.time()))
    expect(page.locator(".plate")).to_have_count(0)
    running.table.ask(Redo(id=new_id(), at=time.time()))
    page.locator(".plate", has_text="Cool").wait_for()


def test_a_throw_for_a_table_of_the_group_says_its_row(opens: Opens, running: RunningTable) -> None:
    page = opens("/overlay", viewport=FILM)
    rows = (Row(least=1, most=100, words="Minor nick"),)
    running.table.ask(ChangeTable(id=new_id(), at=1.0, name="Injuries", rows=rows))
    running.table.ask(CallRoll(id=new_id(), at=1.0, ask={"purpose": "percentile"}, table="Injuries", player="Oskara"))
    throw(running, ("d100", ("40",)), ("d10", ("7",)), is_filmed=False)
    expect(page.locator(".headline")).to_have_text("47")
    expect(page.locator(".sentence")).to_have_text("Minor nick")


def test_what_is_in_doubt_is_asked_about_and_no_result(opens: Opens, running: RunningTable) -> None:
    page = opens(f"/overlay?{ALL}", viewport=FILM)
    roll_id = roll(running, doubtful=True)
    plate = page.locator(".plate")
    expect(plate.locator(".headline")).to_have_text("Being asked")
    expect(plate.locator(".asked")).to_have_text("?")
    expect(plate.locator(".marks, .sentence")).to_have_count(0)
    index = next(n for n, die in enumerate(running.table.state.roll.dice) if die.status != "sure")  # type: ignore[union-attr]
    face = ("success", "success")
    running.table.ask(
        CorrectDie(id=new_id(), at=time.time(), roll_id=roll_id, index=index, type="proficiency", face=face)
    )
    expect(plate.locator(".headline")).not_to_have_text("Being asked")
    expect(plate.locator(".asked")).to_have_count(0)
    expect(plate.locator(".sentence")).to_have_count(1)


def test_the_overlay_films_no_hidden_roll_also_for_the_master(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    page = opens("/overlay", phone=paired("gm", "Gim"))
    enter(running, "Ambush", is_hidden=True)
    enter(running, "Stealth")
    page.locator(".plate", has_text="Stealth").wait_for()
    enter(running, "Ambush", is_hidden=True)
    page.locator(".plate").wait_for(state="detached")
    assert "Ambush" not in page.content()


def test_the_address_says_where_how_large_and_in_which_colours(opens: Opens, running: RunningTable) -> None:
    roll(running)
    wishes = "at=top-right&size=50&side=left&seconds=always&good=abcdef&plate=none&ground=102030&motion=none"
    page = opens(f"/overlay?{wishes}", viewport=FILM)
    plate = page.locator(".plate")
    small, words, dice = (page.locator(one).bounding_box() for one in (".plate", ".headline", ".dice-rows"))
    assert small is not None
    assert words is not None
    assert dice is not None
    assert small["y"] < 50
    assert FILM["width"] - small["x"] - small["width"] < 50
    assert dice["x"] < words["x"]
    looks = "node => { const { color, backgroundColor } = getComputedStyle(node); return [color, backgroundColor]; }"
    assert page.locator(".headline").evaluate(looks)[0] == "rgb(171, 205, 239)"
    assert plate.evaluate(looks)[1] == "rgba(0, 0, 0, 0)"
    assert plate.evaluate("node => getComputedStyle(node).boxShadow") == "none"  # of a triumph: a rim round nothing
    assert page.locator("body").evaluate(looks)[1] == "rgb(16, 32, 48)"
    expect(page.locator("#faults p")).to_have_count(0)
    page.goto(page.url.split("?")[0] + "?motion=none&show=words")
    plate.wait_for()
    expect(page.locator(".dice-rows, .marks, .for, .sentence")).to_have_count(0)
    large = plate.bounding_box()
    assert large is not None
    assert large["x"] < 50
    assert large["height"] > small["height"] * 0.9  # twice as large, though it holds less


def test_what_is_wrong_in_the_address_is_said_and_the_usual_taken(opens: Opens, running: RunningTable) -> None:
    roll(running)
    wrong = ["size=huge", "size=", "seconds=0", "at=middle", "side=up", "show=dice,cats", "speed=5", "ink=white",
             "motion=some", "lang=tlh", "colour=red"]  # fmt: skip
    page = opens(f"/overlay?{'&'.join(wrong)}", viewport=FILM)
    expect(page.locator("#faults p")).to_have_count(len(wrong))
    for one, said in zip(wrong, page.locator("#faults p").all_inner_texts(), strict=True):
        assert said.startswith(f"{one}: ")
    expect(page.locator("#faults")).to_contain_text(
        "Write for example seconds=20, seconds=always.", use_inner_text=True
    )
    expect(page.locator(".headline")).to_have_text("Success")


def test_the_plate_fits_on_every_page_however_large_it_is_asked_for(opens: Opens, running: RunningTable) -> None:
    page = opens(f"/overlay?size=300&at=center&side=below&seconds=always&motion=none&{ALL}", viewport=FILM)
    throw(running, *[PLAIN] * 9, DESPAIR, TRIUMPH)
    page.locator(".headline").wait_for()
    for size in ((1920, 1080), (1280, 720), (800, 480), (480, 800)):
        resize(page, size)
        page.wait_for_function("""() => ['.plate', '.headline', '.sentence', '.die:last-child'].every((part) => {
            const box = document.querySelector(part).getBoundingClientRect();
            return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
        })""")
        page.wait_for_function("""() => {
            const plate = document.querySelector('.plate');
            const [edge, last] = [plate, plate.lastElementChild].map((part) => part.getBoundingClientRect().bottom);
            return edge - last >= parseFloat(getComputedStyle(plate).paddingBottom) - 1;
        }""")


def test_the_guide_tells_every_wish_of_the_address() -> None:
    source = (ROOT / "web" / "overlay.js").read_text(encoding="utf-8")
    known = re.findall(r"^  (\w+): (?:number|choice|some|colour)\(", source, re.MULTILINE)
    page = (ROOT / "docs" / "obs.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page, re.MULTILINE)
    assert re.findall(r"`(\w+)`", " ".join(told)) == known
