"""The demo in a browser: it says what it is, stands still once it is touched, and has all its pages on one machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from tableside.app.demo import Demo
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Die
from tableside.table import MemoryStore
from tableside.table.messages import EnterRoll
from tests.browser.conftest import new_id, watched
from tests.fakes.tray import DrawnReader, write_rolls

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.browser, pytest.mark.slow]
LONG = 60.0


def is_held(answer: Response) -> bool:
    """Tell whether the table answers a tap: the page also asks once a second whether the demo plays by itself."""
    return "/api/demo" in answer.url and answer.request.method == "POST"


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Demo:
    monkeypatch.setattr("tableside.app.demo._HOLD_SECONDS", LONG)  # no next roll by itself, however slow the pages are
    rolls = write_rolls(tmp_path / "rolls", [("green", 100, 100)], [("yellow", 200, 150)])
    for number, kind in enumerate(("ability", "proficiency")):
        (rolls / f"roll-{number:02}.json").write_text(json.dumps({"dice": [{"type": kind}]}), encoding="utf-8")
    return Demo(rolls)


@pytest.fixture
def playing(demo: Demo, tmp_path: Path) -> Iterator[RunningTable]:
    settings = Settings(
        table=TableSettings(data=tmp_path / "data"), web=WebSettings(port=0), pins=PinSettings(factory="mock")
    )
    running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), demo=demo)
    running.start()
    yield running
    running.close()


@pytest.fixture
def laptop(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 800, "height": 480})
    yield context
    context.close()


@pytest.fixture
def screen(laptop: BrowserContext, playing: RunningTable) -> Iterator[Page]:
    wrong: list[str] = []
    page = watched(laptop.new_page(), wrong)
    page.goto(playing.address)
    page.locator("#dice .die").first.wait_for()
    yield page
    assert wrong == []


def rolls_of(playing: RunningTable) -> list[str]:
    return [roll.id for roll in playing.table.state.rolls]


def test_a_demo_says_that_it_plays_by_itself_until_somebody_takes_over_and_asks_for_the_next_roll(
    screen: Page, demo: Demo, playing: RunningTable
) -> None:
    sign = screen.locator("#demo")
    for lang in ("de", "fr", "es", "en"):
        screen.goto(f"{playing.address}?lang={lang}")
        words = json.loads((ROOT / "web" / "words" / f"{lang}.json").read_text(encoding="utf-8"))["pages"]
        expect(sign).to_have_text(words["demo.playsItself"])
        assert sign.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight")
    assert demo.goes_on(LONG)
    with screen.expect_response(is_held):
        screen.locator(".who-what").click()
    expect(sign).to_have_text(words["demo"])
    assert not demo.is_playing
    assert not demo.goes_on(LONG)
    bottom = screen.locator('[data-demo="next"]').bounding_box()  # beside what can be bought
    bar = screen.locator("#bar").bounding_box()
    assert bottom is not None
    assert bar is not None
    assert bottom["y"] + bottom["height"] <= bar["y"]
    sign.click()
    titles = [words[key] for key in ("nextRoll", "anotherGame", "tryMaster")]
    assert screen.locator("#sheet .demo-row button").all_inner_texts() == titles
    ids = screen.locator("[id]").evaluate_all("(all) => all.map((one) => one.id)")  # of the page and its sheet
    assert len(ids) == len(set(ids))
    screen.keyboard.press("Escape")
    before = rolls_of(playing)
    screen.locator('#stage [data-demo="next"]').click()
    screen.locator("#dice .die[title^=Proficiency]").wait_for()
    assert rolls_of(playing)[1:] == before


def test_a_real_table_says_nothing_of_a_demo(page: Page) -> None:
    page.locator("body[data-ready]").wait_for()
    expect(page.locator("#demo, .demo-row")).to_have_count(0)


def test_what_has_no_room_for_the_buttons_offers_them_behind_the_line(screen: Page, playing: RunningTable) -> None:
    playing.table.ask(EnterRoll(id=new_id(), at=1.0, dice=(Die(type="wild", face=("6",)),), game="d6-wild"))
    screen.locator("#stage[data-kind=awaits]").wait_for()
    expect(screen.locator(".demo-row")).to_have_count(0)
    screen.locator("#demo").click()
    screen.locator('#sheet [data-demo="next"]').click()
    screen.locator("#dice .die[title^=Proficiency]").wait_for()
    expect(screen.locator("#sheet")).not_to_be_visible()


def test_another_game_is_chosen_and_its_next_roll_comes(screen: Page, playing: RunningTable) -> None:
    screen.locator("#demo").click()
    screen.locator('#sheet [data-demo="another"]').click()
    screen.locator("#sheet [data-game=heroic]").click()
    screen.locator("#dice .die[title^=Proficiency]").wait_for()
    assert playing.table.state.rolls[0].game == "heroic"


def test_the_game_masters_page_is_tried_on_the_same_machine_and_the_screen_stays_a_screen(
    screen: Page, laptop: BrowserContext, playing: RunningTable
) -> None:
    screen.locator("#demo").click()
    with laptop.expect_page() as opened:
        screen.locator('#sheet [data-demo="master"]').click()
    master = opened.value
    master.locator("#phone").wait_for()
    assert master.url == f"{playing.address}gm"
    dice = {"dice": [{"type": "ability", "face": ["success"]}], "hidden": True}
    assert master.request.post(f"{playing.address}api/rolls", data=dice).status == 201
    screen.locator("#headline", has_text="Hidden roll").wait_for()  # although the same browser is the game master's
    screen.reload()
    screen.locator("#headline", has_text="Hidden roll").wait_for()
    player = laptop.new_page()
    player.goto(f"{playing.address}player")
    player.locator("#phone").wait_for()
    with laptop.expect_page() as again:  # it is paired by now
        screen.locator("#demo").click()
        screen.locator('#sheet [data-demo="master"]').click()
    again.value.locator("#phone").wait_for()
