"""How the table screen stands and behaves: turned, two-sided, idle, still, quick, light and complete."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from tableside.adapters.camera.folder import StillCamera
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Alternative, DieReading, Reading, Status
from tableside.errors import StoreError
from tableside.rules import find_game
from tableside.table import MemoryStore
from tableside.table.kept import HISTORY, Phase, Seen, keep_trouble, kept_troubles
from tableside.table.messages import (
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    Do,
    NewRoll,
    ShowPhase,
    ShowTrouble,
    Turn,
)
from tests.browser.conftest import CAP, SIZES, Opens, look, new_id, resize, roll, throw
from tests.browser.test_phones import Paired, tab
from tests.fakes.tray import DrawnReader

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SMALL = {"width": 800, "height": 480}
MOST_BYTES = 450_000
WOKEN = """() => new MutationObserver(() => { window.woken ||= !document.body.hasAttribute('data-idle'); })
    .observe(document.body, { attributes: true, attributeFilter: ['data-idle'] })"""
"""Notes that a dark screen was lit, however short."""


def dark_or_light(page: Page, theme: str) -> None:
    """Choose the theme as the menu does, and load the page anew."""
    page.evaluate("theme => localStorage.setItem('tableside.theme', theme)", theme)
    page.reload()
    page.locator("body[data-ready]").wait_for()


def test_result_dice_and_pool_are_on_the_first_screen(opens: Opens, running: RunningTable) -> None:
    roll(running)
    page = opens("/", viewport=SMALL)
    headline = page.locator("#headline", has_text="Success")
    headline.wait_for()
    assert headline.evaluate(CAP) >= 100  # 20 minutes of arc at two metres on a 7-inch screen would be 65
    for theme in ("light", "dark"):
        resize(page, SIZES["table"])
        dark_or_light(page, theme)
        page.locator(".picture image").wait_for()
        for size, (width, height) in SIZES.items():
            resize(page, (width, height))
            for part in ["#headline", "#net", "#dice", "#destiny", "#undo", "#by-hand", "#menu"]:
                box = page.locator(part).bounding_box()
                assert box is not None, part
                assert box["x"] >= 0, (part, size, theme)
                assert box["x"] + box["width"] <= width + 1, (part, size, theme)
                assert box["y"] + box["height"] <= height + 1, (part, size, theme)
            look(page, f"screen-{size}-{theme}")


@pytest.mark.parametrize(("part", "is_refused"), [("dom.js", True), ("words/en.json", False)])
def test_a_page_that_lost_a_part_of_its_script_loads_anew(
    chromium: Browser, running: RunningTable, part: str, is_refused: bool
) -> None:
    page = chromium.new_page()
    loads: list[int] = []
    page.on("request", lambda asked: loads.append(1) if asked.is_navigation_request() else None)
    page.clock.install()

    def lose(route: Route) -> None:
        if len(loads) > 1:  # whatever asked for it before, also only beforehand, had none
            route.continue_()
        elif is_refused:
            route.abort()

    page.route(f"**/{part}", lose)
    page.goto(running.address)
    while len(loads) < 2:
        page.clock.run_for(1000)
    page.locator("body[data-ready]").wait_for()
    page.close()


@pytest.mark.parametrize("lost", ["games", "me"])
def test_what_no_state_tells_anew_is_asked_for_until_it_comes(
    chromium: Browser, running: RunningTable, lost: str
) -> None:
    page = chromium.new_page()
    asked: list[Route] = []

    def lose(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.abort()
        else:
            route.continue_()

    page.route(f"**/api/{lost}", lose)
    with page.expect_response(f"**/api/{lost}"):  # an answer, after the one that never came
        page.goto(running.address)
    page.locator("body[data-ready]").wait_for()
    assert len(asked) == 2
    page.close()


def test_a_drawing_that_never_comes_is_asked_for_again(chromium: Browser, running: RunningTable) -> None:
    page = chromium.new_page()
    page.route("**/success.svg", lambda _: None, times=1)
    page.goto(running.address)
    page.locator("body[data-ready]").wait_for()
    page.close()


def test_a_turned_screen_shows_the_page_turned(opens: Opens, running: RunningTable) -> None:
    roll(running)
    screen = None
    for degrees, size, sine in ((90, [480, 800], 1), (180, [800, 480], 0), (270, [480, 800], -1)):
        page = opens(f"/?turn={degrees}", phone=screen, viewport=SMALL)
        screen = page.context
        page.frame_locator("iframe").locator("#headline", has_text="Success").wait_for()
        assert page.frames[1].evaluate("[innerWidth, innerHeight]") == size
        turned = page.locator("iframe").evaluate("node => new DOMMatrix(getComputedStyle(node).transform)")
        assert round(turned["b"]) == sine
        look(page, f"turned-{degrees}")
        page.close()


@pytest.mark.parametrize("size", ["table", "laptop"])
def test_a_flat_screen_is_read_from_both_sides(opens: Opens, running: RunningTable, size: str) -> None:
    width, height = SIZES[size]
    page = opens("/?mirror=1", viewport={"width": width, "height": height})
    roll(running, doubtful=True)
    for place in (0, 1):
        frame = page.frame_locator("iframe").nth(place)
        frame.locator("#headline", has_text="Which face?").wait_for()
        frame.locator(".choice").nth(1).wait_for()
    look(page, f"mirror-{size}-doubt")
    page.frame_locator("iframe").nth(0).locator(".choice").nth(1).click()  # a tap on the side that is upside down
    page.frame_locator("iframe").nth(1).locator("#doubt").wait_for(state="hidden")
    look(page, f"mirror-{size}")


def test_turning_and_lying_flat_are_remembered_and_turned_back(opens: Opens) -> None:
    page = opens("/", viewport=SMALL)
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    page.locator("[data-row=turn]").click()
    page.locator("[data-pick='180']").click()
    frame = page.frame_locator("iframe")
    frame.locator("body[data-ready]").wait_for()
    frame.locator("#menu").click()
    look(page, "menu-turned")
    frame.locator("[data-group=screen]").first.click()
    frame.locator("[data-row=turn]").click()
    frame.locator("[data-pick='0']").click()
    page.locator("#headline").wait_for()
    expect(page.locator("iframe")).to_have_count(0)
    page.locator("body[data-ready]").wait_for()
    page.locator("#menu").click()  # lying flat is chosen, too, and taken back in a half
    page.locator("[data-group=screen]").first.click()
    page.locator("[data-row=turn]").click()
    page.locator("[data-pick=mirror]").click()
    expect(page.locator("iframe")).to_have_count(2)
    half = page.frame_locator("iframe").last
    half.locator("#menu").click()
    half.locator("[data-group=screen]").first.click()
    expect(half.locator("[data-row=turn]")).to_contain_text("two halves")
    half.locator("[data-row=turn]").click()
    half.locator("[data-pick='0']").click()
    expect(page.locator("iframe")).to_have_count(0)


def test_a_television_is_read_from_four_metres_until_somebody_chooses(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport={"width": 1280, "height": 800})
    name = "parseFloat(getComputedStyle(document.querySelector('.who')).fontSize)"
    near = page.evaluate(name)
    resize(page, SIZES["television"])
    assert page.evaluate(name) == pytest.approx(54, abs=0.1)  # 1.5 of 36
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    for _ in range(2):  # a second tap changes nothing
        page.locator("#menu-metres [data-value='2']").click()
    assert page.evaluate(name) < 36
    page.reload()
    page.locator("body[data-ready]").wait_for()
    assert page.evaluate(name) < 36
    resize(page, (1280, 800))
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    page.locator("#menu-metres [data-value='4']").click()
    assert page.evaluate(name) > 1.5 * near
    resize(page, SIZES["tall"])  # one below the other has no room for it
    assert not page.evaluate("document.documentElement.hasAttribute('data-far')")


def test_the_theme_is_chosen_and_remembered_and_contrast_follows_the_system(opens: Opens) -> None:
    page = opens("/", viewport=SMALL, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    for _ in range(2):  # a second tap changes nothing
        page.locator("#menu-theme [data-value=light]").click()
    assert page.evaluate(ground) == "rgb(243, 240, 232)"
    page.reload()
    page.locator("body[data-ready]").wait_for()
    assert page.evaluate(ground) == "rgb(243, 240, 232)"
    page.emulate_media(contrast="more")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    look(page, "screen-contrast")


def test_an_unused_screen_goes_dark_and_a_roll_wakes_it(opens: Opens, running: RunningTable) -> None:
    page = opens("/?idle=1", viewport=SMALL)
    line = page.locator("#idle p", has_text="2 light, 1 dark")
    line.wait_for()
    look(page, "idle")
    before = line.evaluate("node => node.style.cssText")
    page.wait_for_function("before => document.querySelector('#idle p')?.style.cssText !== before", arg=before)
    page.evaluate(WOKEN)
    roll(running)
    page.wait_for_function("() => window.woken")  # it is dark again a second later
    expect(page.locator("#headline", has_text="Success")).to_be_visible()


def test_a_pointer_that_rests_is_hidden_and_comes_back(opens: Opens) -> None:
    page = opens("/", viewport=SMALL)
    shown = "() => getComputedStyle(document.querySelector('#page')).cursor !== 'none'"
    hidden = shown.replace("!==", "===")
    page.mouse.move(40, 40)
    assert page.evaluate(shown)
    page.wait_for_function(hidden)
    page.mouse.move(60, 60)
    page.wait_for_function(shown)
    page.wait_for_function(hidden)


def test_nothing_moves_for_those_who_ask_for_stillness(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport=SMALL, reduced_motion="reduce")
    page.locator('#stage[data-phase="still"]').wait_for()  # the camera has said what it sees, and is silent now
    running.table.ask(ShowPhase(at=1.0, phase=Phase.MOVING))
    page.locator('#stage[data-kind="rolling"]').wait_for()
    page.locator("#by-hand").click()
    page.locator(".hand").wait_for()
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_feed_and_the_line_on_top_leave_out_whole_words(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport=SMALL)
    for who, label in (
        ("Game master", "Perception of what is hidden"),
        ("Lowhhrick Würfelzähler", "Ranged heavy fire"),
    ):
        running.table.ask(CallRoll(id=new_id(), at=1.0, ask={}, player=who, label=label))
        throw(running, ("ability", ("success",)))
    throw(running, ("ability", ("success",)))
    shown = """nodes => nodes.map((node) => {
        const range = document.createRange();
        const { bottom, right } = node.getBoundingClientRect();
        const words = [];
        const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        for (let text = walk.nextNode(); text; text = walk.nextNode()) {
            for (const found of text.data.matchAll(/\\S+/g)) {
                range.setStart(text, found.index);
                range.setEnd(text, found.index + found[0].length);
                const box = range.getBoundingClientRect();
                if (box.top < bottom - 2) words.push(box.right <= right + 1 ? found[0] : `${found[0]} is cut`);
            }
        }
        return words.join(" ");
    })"""
    rows = page.locator(".past-roll > :is(b, .for)")
    expect(rows.filter(has_text="Game master")).to_have_count(1)
    assert rows.evaluate_all(shown)[-4:] == ["Lowhhrick", "Ranged heavy fire", "Game master", "Perception of"]
    what, hint = "is not plugged in", "Plug it into another port."
    running.table.ask(ShowTrouble(at=1.0, part="camera", what=what, where="USB camera 0", hint=hint))
    label = "Perception of what is hidden behind the curtain"
    running.table.ask(CallRoll(id=new_id(), at=1.0, ask={}, player="Game master", label=label))
    page.evaluate("document.fonts.ready")
    throw(running, ("ability", ("success",)))
    page.locator("#trouble").wait_for()
    assert page.locator(".who-what").evaluate_all(shown) == ["Game master Perception of what is hidden"]


def test_trouble_leaves_the_title_and_the_order_their_room(opens: Opens, running: RunningTable) -> None:
    page = opens("/?lang=de", viewport=SMALL)
    for who in ("Mara", "Oskara"):
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, who=who, rank=(3, 1)))
    running.table.ask(
        ShowTrouble(at=1.0, part="camera", what="is not plugged in", where="USB camera 0", hint="Plug it in.")
    )
    page.locator("#trouble").wait_for()
    page.evaluate("document.fonts.ready")
    words = "nodes => nodes.map((node) => [node.innerText, node.scrollHeight - node.clientHeight < 9])"
    assert page.locator(".who-what, .who .right:not(.trouble)").evaluate_all(words) == [
        ["Runde 1 Zug 1 von 2", True],
        ["Weiter: Oskara", True],
    ]
    look(page, "trouble-head")


def test_a_lost_camera_is_a_clear_sign(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport=SMALL)
    page.locator('#stage[data-phase="still"]').wait_for()
    what, hint = "is not plugged in", "Plug it in."
    running.table.ask(ShowTrouble(at=1.0, part="camera", what=what, where="USB camera 0", hint=hint))
    running.table.ask(ShowPhase(at=1.0, phase=Phase.NO_CAMERA))
    page.locator("#trouble", has_text="Camera unplugged").click()  # what to do is one tap away
    expect(page.locator("#sheet")).to_contain_text("Plug it in.", use_inner_text=True)
    look(page, "camera-lost")


def test_what_stays_until_it_is_seen_goes_by_one_tap_each(opens: Opens, paired: Paired, running: RunningTable) -> None:
    running._data.mkdir(exist_ok=True)
    for what in ("the history was damaged", "the list of phones was damaged"):
        keep_trouble(running._data, StoreError(what, where="table.sqlite", hint="Look at it."), part=HISTORY, at=1.0)
    for one in kept_troubles(running._data):
        running.table.ask(ShowTrouble.of(one, part=one.part, at=one.since, trouble_id=one.id))
    throw(running, ("ability", ("success",)))
    page = opens("/", viewport=SMALL)
    page.locator("#trouble", has_text="History: the history was damaged").click()
    expect(page.locator("#sheet .seen")).to_have_count(2)
    look(page, "trouble-seen")
    page.locator("#sheet .seen").first.click()
    expect(page.locator("#sheet li")).to_have_count(1)
    expect(page.locator("#sheet li")).to_contain_text("the list of phones was damaged")
    player = opens("/player", phone=paired("player", "Vex"))
    expect(player.locator(".seen")).to_have_count(0)
    master = opens("/gm", phone=paired("gm", "Gim"))
    tab(master, "Tonight")
    master.locator('[data-row="trouble"]', has_text="the list of phones was damaged").click()
    look(master, "trouble-seen-gm")
    master.locator("#sheet .seen").click()
    expect(master.locator('[data-row="trouble"]')).to_have_count(0)
    expect(page.locator("#trouble")).to_have_count(0)
    assert kept_troubles(running._data) == ()


def test_who_rolls_next_is_said_with_the_odds_that_all_may_see_and_a_point_joins_with_one_tap(
    opens: Opens, running: RunningTable
) -> None:
    page = opens("/", viewport=SMALL)
    answers = {"characteristic": 3, "skill": 2, "difficulty": "average"}
    running.table.ask(CallRoll(id=new_id(), at=1.0, ask=answers, player="Vex", label="Stealth", odds_for=Seen.ALL))
    page.locator("#headline", has_text="Vex rolls").wait_for()
    expect(page.locator(".who-what")).to_have_text("Vex Stealth", use_inner_text=True)
    drawn = page.locator(".pool-row .die-drawing")
    assert [die.get_attribute("data-type") for die in drawn.all()] == [
        "proficiency", "proficiency", "ability", "difficulty", "difficulty",
    ]  # fmt: skip
    page.locator(".chance").wait_for()
    assert page.locator(".odds .large").inner_text().replace(" ", "") == running_chance(answers)
    look(page, "asked")
    light = page.locator('.flip[data-side="light"]')
    light.wait_for()
    better = find_game("narrative").odds({**answers, "helping_hand": 1}).chances
    assert light.inner_text().strip() == f"{100 * float(dict(better)['success']):.0f} %"
    light.click()
    page.locator('.token[data-side="dark"]').nth(1).wait_for()  # the point has turned over
    assert [die.get_attribute("data-type") for die in drawn.all()][:3] == ["proficiency"] * 3
    assert running.table.state.asked.answers["helping_hand"] == 1
    page.locator("#undo").click()  # one act, one undo
    page.locator('.token[data-side="light"]').nth(1).wait_for()
    assert "helping_hand" not in running.table.state.asked.answers


def running_chance(answers: dict[str, object]) -> str:
    chances = dict(find_game("narrative").odds(answers).chances)
    return f"{100 * float(chances['success']):.0f}%"


def test_whose_turn_it_is_is_said_and_a_hidden_roll_is_only_said_to_be_there(
    opens: Opens, running: RunningTable
) -> None:
    page = opens("/", viewport=SMALL)
    running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, rank=(3,), who="Vex"))
    page.locator("#headline", has_text="Vex").wait_for()
    assert page.locator(".who").inner_text().startswith("Round 1")
    roll(running)
    page.locator(".who .turn-now", has_text="Round 1: Vex").wait_for()
    running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.CLEAR))
    running.table.ask(CallRoll(id=new_id(), at=1.0, label="Ambush", is_hidden=True))
    throw(running, ("ability", ("success",)))
    page.locator("#headline", has_text="Hidden roll").wait_for()
    assert "Ambush" not in page.content()


def test_force_dice_become_the_pool_with_one_tap_and_an_awaited_throw_is_entered_by_hand(
    opens: Opens, running: RunningTable
) -> None:
    page = opens("/", viewport=SMALL)
    throw(running, ("force", ("light", "light")), ("force", ("dark",)), ("force", ("light",)))
    use = page.locator('[data-act="use_pool"]', has_text="Use 3 light, 1 dark")
    use.wait_for()
    look(page, "destiny-start")
    use.click()
    page.locator(".pool-words", has_text="3 light, 1 dark").wait_for()
    throw(running, ("pip", ("4",)), ("wild", ("6",)))
    page.locator(".enter-throw").click()
    page.locator(".hand").get_by_label("2", exact=True).click()
    page.locator("#headline", has_text="12").wait_for()


def test_a_table_that_was_restarted_is_found_again(chromium: Browser, running: RunningTable, tmp_path: Path) -> None:
    page = chromium.new_page(viewport=SMALL)
    page.goto(running.address)
    page.locator("body[data-ready]").wait_for()
    port = int(running.address.rsplit(":", 1)[1].strip("/"))
    running.close()
    page.locator("#lost").wait_for()
    settings = Settings(
        table=TableSettings(data=tmp_path / "again"), web=WebSettings(port=port), pins=PinSettings(factory="none")
    )
    again = RunningTable(
        settings, store=MemoryStore(), reader=DrawnReader(), camera=StillCamera(tmp_path / "empty.png")
    )
    again.start()
    try:
        again.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=6))
        page.locator(".pool-words", has_text="6 light").wait_for()
        assert page.locator("#lost").count() == 0
    finally:
        page.close()
        again.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_is_light_and_asks_nobody_else(chromium: Browser, running: RunningTable, language: str) -> None:
    roll(running)
    page = chromium.new_page(viewport=SMALL)
    done: list[Request] = []
    page.on("requestfinished", lambda request: done.append(request))
    page.goto(f"{running.address}?lang={language}")
    page.locator("#net .glyph").first.wait_for()
    page.wait_for_load_state("load")
    # what is live, and the photograph of the tray, is no weight of the page
    of_page = [one for one in done if "/api/events" not in one.url and "/picture" not in one.url]
    files = {one.url: one.sizes()["responseBodySize"] for one in of_page}  # as it came over the network
    page.close()
    assert any("/symbols/" in url for url in files)
    assert all(url.startswith(running.address) for url in files)
    assert 0 < sum(files.values()) <= MOST_BYTES, files
    print(f"page weight of /, {language}: {sum(files.values())} bytes in {len(files)} files")


def test_the_screen_speaks_german(opens: Opens, running: RunningTable) -> None:
    roll(running)
    page = opens("/?lang=de", viewport=SMALL)
    page.locator("#by-hand", has_text="Von Hand").wait_for()
    page.locator("#headline", has_text="Erfolg").wait_for()
    page.locator("#net", has_text="Triumph").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    look(page, "screen-german")


def test_a_screen_that_may_only_look_offers_nothing_to_change(
    chromium: Browser, opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    page = opens("/", viewport=SMALL)
    expect(page.locator("#by-hand")).to_be_visible()
    page.route("**/api/me*", lambda route: route.fulfill(json={"role": "viewer", "name": "", "gm": False}))
    page.reload()
    page.locator("body[data-viewer]").wait_for()
    expect(page.locator("#by-hand")).not_to_be_visible()
    expect(page.locator("#undo")).not_to_be_visible()


def test_the_die_in_question_is_ringed_also_among_many(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport=SMALL)
    sure = [
        DieReading(
            type="challenge", face=("despair",), center=(40, 40), outline=(), confidence=0.99, status=Status.SURE
        )
        for _ in range(16)
    ]
    others = tuple(
        Alternative(type="ability", face=face, confidence=0.2) for face in [("success",), ("advantage",), ()]
    )
    doubtful = DieReading(
        type="ability", face=("success", "success"), center=(90, 90), outline=(), confidence=0.4,
        status=Status.UNSURE, alternatives=others,
    )  # fmt: skip
    reading = Reading(width=320, height=240, dice=(*sure, doubtful))
    running.table.ask(NewRoll(id=new_id(), at=time.time(), reading=reading))
    page.locator("#doubt").wait_for()
    ringed = page.locator("#dice .die[data-question]")
    box = ringed.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 480
    expect(page.locator("#dice .times")).to_have_text("×16")  # equal faces are one die with their number
    look(page, "doubt-of-the-last")
