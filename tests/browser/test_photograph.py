"""A player's phone photographs the dice, and the table has the roll."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from tableside import paths
from tableside.adapters.camera.kind import CameraSettings
from tableside.app.photographs import Photographs
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Doubt, Status
from tableside.reader.photo import Picture
from tableside.table import MemoryStore
from tableside.table.kept import Photographers
from tableside.table.messages import ChooseGame
from tests.browser.conftest import QUIET, Contexts, Opens, look, new_id, own_table
from tests.browser.lens import film, flags
from tests.conftest import CHROMIUM
from tests.fakes.tray import DrawnReader, draw_tray
from tests.table.test_settling import WHICH
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
running = own_table
SAMPLES = paths.samples_folder()


def test_a_photograph_of_a_phone_is_a_roll_and_the_same_one_is_refused(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable, contexts: Contexts
) -> None:
    page = opens("/player", phone=paired("player", "Vex"))
    look(page, "player-photograph")
    photograph = page.locator("#photograph")
    assert photograph.get_attribute("capture") == "environment"
    photograph.set_input_files(SAMPLES / "roll-1.jpg")
    wait_for(running.table, lambda state: len(state.rolls) == 1)
    roll = running.table.state.rolls[0]
    assert (roll.source.value, roll.by) == ("photo", "Vex")
    assert roll.dice
    expect(photograph).to_be_enabled()
    photograph.set_input_files(SAMPLES / "roll-1.jpg")
    expect(page.locator("#toasts")).to_contain_text("this photograph was sent before")
    contexts.wrong.clear()  # a refusal is an error on the console
    screen = opens("/", viewport={"width": 800, "height": 480})
    expect(screen.locator("body")).to_contain_text("by photograph")
    look(screen, "screen-photograph")
    running.table.ask(ChooseGame(id=new_id(), at=1.0, photographs=Photographers.NOBODY))
    expect(page.locator("#now-card")).to_contain_text("The game master has switched photographs off.")
    expect(photograph).to_have_count(0)


def test_a_die_in_doubt_is_settled_on_the_phone_before_the_photograph_counts(
    paired: Callable[[str, str], BrowserContext], running: RunningTable, contexts: Contexts
) -> None:
    page = contexts.page(paired("player", "Vex"))
    begun: list[str] = []
    waiting: list[int] = []  # how many were on their way as each was sent: the table lets few wait
    page.on(
        "request", lambda one: (begun.append(one.url), waiting.append(len(begun))) if "rolls/photo" in one.url else None
    )
    page.on("requestfinished", lambda one: begun.remove(one.url) if "rolls/photo" in one.url else None)
    page.goto(running.address.rstrip("/") + "/player")
    page.locator("#photograph").set_input_files(SAMPLES / "roll-7.jpg")
    sheet = page.locator("#sheet")
    expect(sheet.locator(".photo-asks")).to_have_text("Which face?")
    expect(sheet.locator("polygon")).to_have_count(4)
    slow = {"offline": False, "latency": 500, "downloadThroughput": -1, "uploadThroughput": -1}  # ms
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    answers = sheet.locator(".answer-card")
    expect(answers).to_have_count(3)
    send = page.locator("#send-photo")
    expect(send).to_have_text("Send")  # what is in doubt comes to nothing yet
    look(page, "player-photograph-doubt")
    assert not running.table.state.rolls
    second = answers.nth(1).get_attribute("aria-label") or ""
    answers.nth(1).click()
    expect(send).to_contain_text("Send: ")
    sheet.locator(".photo-die").first.click()
    page.locator("#picker .other").click()
    expect(sheet.locator(".photo-die[data-gone]")).to_have_count(1)
    send.click()
    expect(sheet).not_to_be_visible()
    assert set(waiting) == {1}
    (roll,) = running.table.state.rolls
    assert (roll.sure, len(roll.dice), len(roll.dismissed)) == (True, 3, 1)
    (told,) = [die for die in roll.dice if die.original]
    assert told.original
    assert second.startswith("Difficulty: ")
    assert told.face != told.original.face
    page.locator("#photograph").set_input_files(SAMPLES / "roll-7.jpg")
    expect(page.locator("#toasts")).to_contain_text("this photograph was sent before")


def test_the_wild_die_that_was_told_last_is_it_and_what_nobody_settled_stays_a_question(
    opens: Opens,
    paired: Callable[[str, str], BrowserContext],
    running: RunningTable,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    blurred = replace(WHICH.dice[1], status=Status.UNSURE, doubt=Doubt.FACE)
    read = replace(WHICH, dice=(WHICH.dice[0], blurred, WHICH.dice[2]))
    monkeypatch.setattr(Photographs, "_now", lambda _: SimpleNamespace(read=lambda *_, **__: read))
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    page = opens("/player", phone=paired("player", "Vex"))
    photograph = tmp_path / "dice.png"
    cv2.imwrite(str(photograph), draw_tray(("green", 100, 100)))
    page.locator("#photograph").set_input_files(photograph)
    asks = page.locator(".photo-asks")
    dice = page.locator(".photo-die[aria-label]:not(#add-die)")
    for told in (0, 2):  # a second thought, too
        expect(asks).to_have_text("Wild Die?" if told == 0 else "Which face?")
        if told == 0:
            page.locator(".answer-card").nth(told).click()
        else:
            dice.nth(told).click()
            page.locator('#picker .type[data-type="wild"]').click()
            page.locator("#picker .choice").nth(1).click()
        expect(dice.nth(told)).to_have_attribute("aria-label", re.compile("Wild Die"))
    page.locator("#send-photo").click()
    expect(page.locator("#headline")).to_have_text("Which face?")
    (roll,) = running.table.state.rolls
    assert [(one.type, one.status) for one in roll.dice] == [
        ("pip", Status.SURE), ("pip", Status.UNSURE), ("wild", Status.SURE)
    ]  # fmt: skip
    page.locator(".answer-card").first.click()
    expect(page.locator("#now-card")).to_have_attribute("data-name", "result")
    assert [one.type for one in running.table.state.rolls[0].dice] == ["pip", "pip", "wild"]


def test_the_game_master_says_who_may_send_photographs_and_sends_one(
    paired: Callable[[str, str], BrowserContext], opens: Opens, running: RunningTable
) -> None:
    page = opens("/gm", phone=paired("gm", "Mara"))
    page.locator(".tabs button", has_text="Tonight").click()
    page.locator("[data-row=camera]").click()
    page.locator("#sheet [data-value=asked]").click()
    wait_for(running.table, lambda state: state.setup.photographs is Photographers.ASKED)
    page.locator("#sheet .done").click()
    with page.expect_file_chooser() as chosen:
        page.locator("#photograph-dice").click()
    chosen.value.set_files(SAMPLES / "roll-1.jpg")
    wait_for(running.table, lambda state: len(state.rolls) == 1)


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[RunningTable]:
    """A table that serves HTTPS beside HTTP."""
    settings = Settings(
        camera=CameraSettings(kind="none"),
        table=TableSettings(data=tmp_path / "data"),
        web=WebSettings(host="0.0.0.0", port=0, tls="own", tls_port=0),
        pins=PinSettings(factory="none"),
    )
    running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader())
    running.start()
    yield running
    running.close()


@pytest.fixture
def lens(browsers: BrowserType, tmp_path: Path) -> Iterator[Callable[..., Browser]]:
    """Start a browser whose camera shows a picture."""
    made: list[Browser] = []

    def start(picture: Picture, *, is_allowed: bool = True) -> Browser:
        arguments = flags(film(tmp_path / f"lens {len(made)}.mjpeg", [(picture, 30)]), is_allowed=is_allowed)
        made.append(browsers.launch(executable_path=CHROMIUM, args=[*QUIET, *arguments]))
        return made[-1]

    yield start
    for browser in made:
        browser.close()


def joined(
    browser: Browser, running: RunningTable, address: str, *, role: str = "player", path: str = "player"
) -> Page:
    """Open a page of a paired phone, whatever its certificate."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, ignore_https_errors=True)
    offer = context.request.post(f"{running.address}api/pairing?as=screen", data={"role": role}).json()
    assert context.request.post(f"{address}/api/pair", data={"pin": offer["pin"], "name": "Vex"}).ok
    page = context.new_page()
    page.goto(f"{address}/{path}")
    page.locator("body[data-ready]").wait_for()
    return page


def test_a_secure_page_alone_shows_the_live_picture_with_outlines_and_the_shutter_throws(
    lens: Callable[..., Browser], secure: RunningTable
) -> None:
    assert secure.secure_address
    upright = cv2.imread(str(SAMPLES / "roll-1.jpg"))[:, 458:938]  # its dice in sight
    assert secure.network_address
    browser = lens(upright)
    plain = joined(browser, secure, secure.network_address)  # which keeps the camera app though there is a camera
    assert plain.locator("#photograph").get_attribute("capture") == "environment"
    plain.context.close()
    page = joined(browser, secure, secure.secure_address)
    page.locator("#photograph").click()
    sheet = page.locator("#sheet")
    expect(sheet.locator(".live-seen")).to_contain_text("dice seen, hold still")
    count = int((sheet.locator(".live-seen").text_content() or "").split()[0])
    expect(sheet.locator(".live-picture polygon")).to_have_count(count)
    expect(sheet.locator(".live-for")).to_have_text("for the table, nothing called")
    look(page, "player-live")
    assert not secure.table.state.rolls
    page.locator("#shutter").click()
    wait_for(secure.table, lambda state: len(state.rolls) == 1)
    assert len(secure.table.state.rolls[0].dice) == count
    expect(sheet).not_to_be_visible()
    page.wait_for_function("() => !document.querySelector('.live-picture video')?.srcObject?.active")


def test_a_live_picture_without_dice_says_so_and_goes_on_after_a_throw_in_doubt(
    lens: Callable[..., Browser], secure: RunningTable
) -> None:
    assert secure.secure_address
    page = joined(lens(cv2.imread(str(SAMPLES / "empty.jpg"))), secure, secure.secure_address, role="gm", path="gm")
    page.locator(".tabs button", has_text="Tonight").click()
    page.locator("#photograph").click()
    sheet = page.locator("#sheet")
    expect(sheet.locator(".live-seen")).to_have_text("No dice seen. More light, straight from above.")
    page.locator("#shutter").click()
    expect(page.locator("#toasts")).to_contain_text("shows no dice")
    expect(page.locator("#shutter")).to_be_enabled()
    page.locator("#photo-file").set_input_files(SAMPLES / "roll-7.jpg")
    expect(sheet.locator(".photo-asks")).to_have_text("Which face?")
    page.locator("#photo-again").click()
    expect(page.locator("#shutter")).to_be_enabled()
    assert not secure.table.state.rolls
    page.locator("#sheet .close").click()
    expect(sheet).not_to_be_visible()
    expect(page.locator("#photograph")).to_be_enabled()


def test_a_camera_that_is_not_allowed_leaves_the_phones_own_app(
    lens: Callable[..., Browser], secure: RunningTable
) -> None:
    assert secure.secure_address
    browser = lens(cv2.imread(str(SAMPLES / "roll-1.jpg")), is_allowed=False)
    page = joined(browser, secure, secure.secure_address)
    page.locator("#photograph").click()
    expect(page.locator("#sheet")).to_contain_text("The camera was not allowed")
    page.locator("#photo-file").set_input_files(SAMPLES / "roll-1.jpg")
    wait_for(secure.table, lambda state: len(state.rolls) == 1)
