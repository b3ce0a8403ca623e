"""The table screen in Debian's chromium, served by the whole program: what is seen and what a finger does."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tableside.app.running_table import RunningTable
from tableside.dice import Alternative, Die, DieReading, Doubt, Reading, Status, Suspect
from tableside.rules import PoolNames, find_game
from tableside.table.kept import Phase, Seen
from tableside.table.messages import (
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChooseGame,
    Do,
    EnterRoll,
    NewRoll,
    ShowPhase,
    ShowTrouble,
    Turn,
    Undo,
)
from tests.browser.conftest import CAP, SIZES, Shared, look, new_id, resize, roll, throw, watched
from tests.browser.states import take_back_all
from tests.fakes.tray import draw_tray

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LEFT_OPEN = "dialog[open], .hand, [data-panel-shown]"
COVERED = """() => {
    const range = document.createRange();
    const box = (node) => {
        if (node.nodeType === Node.TEXT_NODE) range.selectNode(node);
        return (node.nodeType === Node.TEXT_NODE ? range : node).getBoundingClientRect();
    };
    const walker = document.createTreeWalker(document.getElementById("destiny"), NodeFilter.SHOW_ALL);
    const found = [];
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const isText = node.nodeType === Node.TEXT_NODE && node.data.trim();
        const isDrawing = node.nodeName === "svg" && !node.closest(".token");  // tokens may overlap
        if (isText || isDrawing) found.push([node.data ?? node.nodeName, box(node)]);
    }
    const hit = (a, b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    return found.flatMap(([name, a], i) =>
        found.slice(i + 1).filter(([, b]) => hit(a, b)).map(([other]) => `${name} over ${other}`));
}"""
"""Tells what of the pool lies over something else of it."""


@pytest.fixture(scope="module")
def running(shared: Shared) -> RunningTable:
    """One table, whose tests take back what they did: their page stays, too."""
    return shared.running


@pytest.fixture(scope="module")
def screen(chromium: Browser, running: RunningTable) -> Iterator[Page]:
    """Its screen."""
    wrong: list[str] = []
    page = watched(chromium.new_page(), wrong)
    page.goto(running.address)
    page.locator('#stage[data-phase="still"]').wait_for()  # the camera has said what it sees, and is silent now
    yield page
    page.close()
    assert wrong == []


@pytest.fixture
def page(screen: Page, running: RunningTable) -> Iterator[Page]:
    """The table's screen as new at 800 x 480. Afterwards what was done is taken back."""
    running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=2, dark=1))
    resize(screen, SIZES["table"])
    kept = screen.evaluate("JSON.stringify(localStorage)")
    yield screen
    take_back_all(running)
    if screen.evaluate("JSON.stringify(localStorage)") != kept or screen.locator(LEFT_OPEN).count():
        screen.evaluate("localStorage.clear()")
        screen.reload()
        screen.locator("body[data-ready]").wait_for()


def test_the_result_is_seen_at_a_glance_in_every_size(page: Page, running: RunningTable) -> None:
    roll(running)
    headline = page.locator("#headline", has_text="Success")
    headline.wait_for()
    page.locator(".picture image").wait_for()
    assert headline.evaluate(CAP) >= 100  # 20 minutes of arc at two metres on a 7-inch screen would be 65
    expect(page.locator("#net")).to_contain_text("triumph", use_inner_text=True)
    shown = running.table.state.roll
    assert shown is not None
    assert shown.sentence.startswith("Success")
    assert page.locator("#sentence").text_content() == shown.sentence
    expect(page.locator("#dice .die")).to_have_count(2)
    expect(page.locator('#dice .die[title*="triumph"]')).to_have_count(1)
    for size, (width, height) in SIZES.items():
        resize(page, (width, height))
        for part in ["#headline", "#net", "#dice", "#destiny", "#undo", "#by-hand", "#menu"]:
            box = page.locator(part).bounding_box()
            assert box is not None, part
            assert box["x"] >= 0, (part, size)
            assert box["x"] + box["width"] <= width + 1, (part, size)
            assert box["y"] + box["height"] <= height + 1, (part, size)
        look(page, f"screen-{size}")


def test_a_doubt_leaves_dice_and_tray_in_sight(page: Page, running: RunningTable) -> None:
    roll(running, doubtful=True)
    page.locator(".choice").nth(1).wait_for()
    page.locator("#headline", has_text="Which face?").wait_for()
    for size, (width, height) in SIZES.items():
        resize(page, (width, height))
        assert page.locator("#tray .picture").is_visible(), size  # a question hides neither the tray nor the dice
        expect(page.locator("#dice .die")).to_have_count(4)
        answer = page.locator(".choice").last.bounding_box()
        assert answer is not None
        assert answer["y"] + answer["height"] <= height, size
        bar = page.locator("#bar").bounding_box()
        dice = [die.bounding_box() for die in page.locator("#dice .die").all()]
        assert bar is not None
        assert all(die is not None and die["y"] + die["height"] <= bar["y"] for die in dice), size
        assert page.evaluate("document.documentElement.scrollWidth") <= width, size
        look(page, f"doubt-{size}", full_page=True)


def test_a_refusal_is_shown_in_three_parts_over_an_open_dialog(page: Page, running: RunningTable) -> None:
    roll(running)
    page.locator("#dice .die").first.click()
    page.locator("#picker").wait_for()
    page.evaluate(
        """async () => {
            const { showError } = await import("/toast.js");
            showError({ what: "no such face", where: "die 1", hint: "Choose another." });
        }"""
    )
    toast = page.locator(".toast")
    toast.wait_for()
    assert [toast.locator(part).inner_text() for part in ("strong", "small", "span")] == [
        "No such face",
        "die 1",
        "Choose another.",
    ]
    assert page.locator("#toasts").evaluate("node => node.matches(':popover-open')")


def show_panel(page: Page) -> None:
    page.locator("#menu").click()
    page.locator("[data-group=camera]").first.click()
    page.locator("#menu-panel [data-value='1']").click()
    page.locator(".menu-head .close").click()
    page.locator("#panel").wait_for()


def test_entry_by_hand_begins_with_the_dice_of_the_game(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-companion"))
    page.locator("#by-hand").click()
    expect(page.locator(".face-key")).to_have_text(["1Plain die"])
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    page.locator("#by-hand").click()
    expect(page.locator(".face-key").first).to_have_attribute("aria-label", "Plain die")
    expect(page.locator(".face-key")).to_have_count(2)
    expect(page.locator(".face-key", has_text="Green die")).to_have_count(0)
    page.locator(".all-dice").click()
    expect(page.locator(".face-key", has_text="Green die")).to_have_count(1)


def test_pressing_the_drawn_button_flips_destiny(page: Page, running: RunningTable) -> None:
    show_panel(page)
    page.locator('[data-button="flip_light"]').click(delay=120)
    expect(page.locator('.token[data-side="dark"]')).to_have_count(2)
    assert (running.table.state.destiny.light, running.table.state.destiny.dark) == (1, 2)
    lit = page.locator('.lamps li[data-side="dark"] svg[data-value="1.00"]')
    lit.nth(1).wait_for()
    expect(lit).to_have_count(2)


def test_a_tap_on_a_token_flips_it_and_a_long_press_changes_the_pool(page: Page, running: RunningTable) -> None:
    page.locator('.token[data-side="light"]').first.click()
    expect(page.locator('.token[data-side="dark"]')).to_have_count(2)
    page.locator('.token[data-side="dark"]').first.click(delay=900)
    page.locator('#sheet [data-side="light"] .add').click()
    expect(page.locator('#sheet [data-side="light"] .count')).to_have_text("2")
    expect(page.locator('.token[data-side="light"]')).to_have_count(2)
    assert (running.table.state.destiny.light, running.table.state.destiny.dark) == (2, 2)


COMPARED: list[tuple[dict[str, object], str]] = [
    ({"band": "easy", "fire": ["prone"]}, "4 over 8"),
    ({"difficulty": 6, "reaction": "combat", "reaction_total": 18}, "6 under 18"),
    ({"difficulty": 12, "more_than": True}, "more than 12 was needed"),
    ({"difficulty": 12}, "12 was needed"),
]


def test_a_total_stands_beside_the_number_that_it_was_compared_with(page: Page, running: RunningTable) -> None:
    dice = tuple(Die(type="pip", face=(face,)) for face in ("5", "6"))
    for ask, told in COMPARED:
        ask = {"code": "2D+1", **ask}
        running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=dice, game="d6-companion", ask=ask))
        expect(page.get_by_text(told, exact=True)).to_be_visible()
        expect(page.locator("#headline")).to_contain_text("12")
        expect(page.locator("#net .plus")).to_have_text("+ 1 pip")
        expect(page.locator("#stage .die-drawing")).to_have_count(2)  # each die stands once
    page.locator("#dice .die").first.click()
    expect(page.locator("#picker")).to_contain_text("6")


def test_nothing_flips_where_a_spent_point_does_not_turn_over(page: Page, running: RunningTable) -> None:
    show_panel(page)
    flips = page.locator(".push[data-button^='flip_']")
    expect(flips.filter(visible=True)).to_have_count(2)
    throw(running, ("force", ("dark",)))
    expect(page.locator('[data-act="use_pool"]')).to_have_count(1)
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-companion"))
    expect(page.locator("#destiny .token")).to_have_count(0)  # points are each one's own
    expect(flips.filter(visible=True)).to_have_count(0)
    expect(page.locator('[data-act="use_pool"]')).to_have_count(0)
    expect(page.locator(".push").filter(visible=True)).not_to_have_count(0)
    assert running.table.state.destiny.light == 2
    look(page, "no-flip")


def test_the_question_says_why_it_is_asked(page: Page, running: RunningTable) -> None:
    told = {
        "face": "hard to read", "lean": "may lean", "side": "Two sides", "edge": "cuts", "glare": "Glare",
        "faint": "hard to see", "colour": "colours do not tell", "blur": "out of focus",
    }  # fmt: skip
    why = page.locator(".ask-line .say")
    for doubt in Doubt:
        die = DieReading(
            type="proficiency", face=("advantage", "success"), center=(200.0, 150.0), outline=(), confidence=0.9,
            status=Status.UNSURE, doubt=doubt,
        )  # fmt: skip
        running.table.ask(NewRoll(id=new_id(), at=time.time(), reading=Reading(width=320, height=240, dice=(die,))))
        expect(why).to_contain_text(told[doubt])
        assert why.evaluate("node => node.scrollWidth <= node.clientWidth"), doubt
        look(page, f"doubt-{doubt}")
        running.table.ask(Undo(id=new_id(), at=time.time()))  # a question stays until it is answered


def suspected(running: RunningTable) -> str:
    """Hand in a roll of one sure die and something that could not be read, with its picture, and return its id."""
    outlines = [tuple((x + dx, y + dy) for dx, dy in ((-12, -12), (12, -12), (12, 12), (-12, 12)))
                for x, y in ((100.0, 100.0), (200.0, 150.0))]  # fmt: skip
    die = DieReading(
        type="ability", face=("success",), center=(100.0, 100.0), outline=outlines[0], confidence=0.99,
        status=Status.SURE,
    )  # fmt: skip
    suspect = Suspect(center=(200.0, 150.0), outline=outlines[1], confidence=0.7)
    roll_id = new_id()
    running.pictures.keep(roll_id, draw_tray(("green", 100, 100), ("yellow", 200, 150)))
    reading = Reading(width=320, height=240, dice=(die,), suspects=(suspect,))
    running.table.ask(NewRoll(id=roll_id, at=time.time(), reading=reading, has_picture=True))
    return roll_id


def test_what_could_not_be_read_is_no_die_with_one_tap(page: Page, running: RunningTable) -> None:
    roll_id = suspected(running)
    page.locator(".ask-line", has_text="could not be read").wait_for()
    look(page, "table-suspect")
    page.locator("#doubt").get_by_role("button", name="No die").click()
    page.locator("#doubt").wait_for(state="hidden")
    settled = running.table.state.find_roll(roll_id)
    assert settled is not None
    assert (settled.sure, len(settled.dice), len(settled.dismissed)) == (True, 1, 1)


def test_what_could_not_be_read_is_told(page: Page, running: RunningTable) -> None:
    roll_id = suspected(running)
    page.get_by_role("button", name="A die: choose it").click()
    page.locator("#picker").evaluate(
        "node => Promise.all(node.getAnimations({ subtree: true }).map((one) => one.finished))"
    )
    look(page, "table-suspect-chosen")
    page.locator('#picker .type[data-type="boost"]').click()
    page.locator("#picker .faces .choice", has_text="blank").click()
    page.locator("#doubt").wait_for(state="hidden")
    settled = running.table.state.find_roll(roll_id)
    assert settled is not None
    assert [(die.type, die.face, die.center) for die in settled.dice[1:]] == [("boost", (), (200.0, 150.0))]
    assert settled.sure


def test_a_die_that_is_none_is_taken_away(page: Page, running: RunningTable) -> None:
    roll_id = roll(running)
    page.locator('#dice .die[title*="triumph"]').click()
    page.locator("#picker").get_by_role("button", name="No die").click()
    page.locator("#dice .die").nth(1).wait_for(state="detached")
    settled = running.table.state.find_roll(roll_id)
    assert settled is not None
    assert [die.type for die in settled.dice] == ["ability"]
    page.locator("#undo").click()
    page.locator("#dice .die").nth(1).wait_for()


def test_a_doubt_is_settled_with_one_tap(page: Page, running: RunningTable) -> None:
    roll_id = roll(running, doubtful=True)
    page.locator(".choice").nth(1).wait_for()
    look(page, "table-doubt")
    expect(page.locator(".choice").first).to_contain_text("Success")  # what the result would then be
    page.locator(".choice").nth(1).click()
    page.locator("#doubt").wait_for(state="hidden")
    settled = running.table.state.find_roll(roll_id)
    assert settled is not None
    assert (settled.dice[3].face, settled.sure, settled.source) == (("success", "success"), True, "corrected")
    assert settled.dice[3].original is not None
    assert settled.dice[3].original.face == ("advantage", "success")


def test_which_of_two_ten_sided_dice_is_the_tens_is_settled_with_one_tap(page: Page, running: RunningTable) -> None:
    throw(running, ("d10", ("4",)), ("d10", ("7",)))
    page.locator("#headline", has_text="47 or 74?").wait_for()
    answer = page.get_by_role("button", name="74", exact=True)
    expect(answer).to_be_in_viewport(ratio=1)
    look(page, "table-tens")
    answer.click()
    page.locator("#headline", has_text="74").filter(has_not_text="47").wait_for()
    expect(page.get_by_role("button", name="47", exact=True)).to_have_count(0)


@pytest.mark.parametrize(("light", "dark"), [("Light", "Dark"), ("All the players", "Master of the game")])
def test_points_of_one_side_leave_the_other_readable(page: Page, running: RunningTable, light: str, dark: str) -> None:
    names = PoolNames(pool="Story points", light=light, dark=dark)
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative", names=names))
    page.locator(".pool-words", has_text="Story points").wait_for()
    for points in (7, 8, 12, 99):
        running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=points, dark=points))
        page.locator(".pool-words", has_text=str(points)).wait_for()
        look(page, f"table-points-{points}-{light}")
        assert page.evaluate(COVERED) == [], points


def test_what_was_done_is_undone_by_a_tap(page: Page, running: RunningTable) -> None:
    page.locator('.token[data-side="light"]').first.click()
    expect(page.locator('.token[data-side="light"]')).to_have_count(1)
    expect(page.locator("#undo")).to_contain_text("Light spent")  # it names what it takes back
    page.locator("#undo").click()
    expect(page.locator('.token[data-side="light"]')).to_have_count(2)


def test_a_change_of_game_is_named_and_asked_about_before_it_is_undone(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=time.time(), game="d6-wild"))
    expect(page.locator("#undo")).to_contain_text("The game is")
    page.locator("#undo").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("The game is")
    look(page, "undo-game")
    sheet.get_by_role("button", name="Keep it").click()
    assert running.table.state.setup.game == "d6-wild"
    page.locator("#undo").click()
    sheet.get_by_role("button", name="Undo").click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#undo")).not_to_contain_text("Undo")  # it can be had again for a while
    assert running.table.state.setup.game == ""
    throw(running, ("ability", ("success",)))
    running.table.ask(ChooseGame(id=new_id(), at=time.time(), game="d6-wild"))
    running.table.ask(CallRoll(id=new_id(), at=time.time(), player="Kesh", ask={"code": "3D"}))
    page.locator('#stage[data-kind="asked"]').wait_for(timeout=8_000)  # before a result of the same game would yield


def test_a_roll_by_hand_is_one_tap_away(page: Page, running: RunningTable) -> None:
    page.locator("#by-hand").click()
    hand = page.locator(".hand")
    hand.get_by_label("Green die").click()
    hand.get_by_label("Purple die").click()
    hand.locator(".these-dice").click()
    hand.get_by_label("2 successes").click()
    look(page, "table-by-hand")
    hand.get_by_label("blank").click()
    page.locator("#headline", has_text="Success").wait_for()
    entered = running.table.state.roll
    assert entered is not None
    assert entered.source == "manual"
    assert [(die.type, die.face) for die in entered.dice] == [("ability", ("success", "success")), ("difficulty", ())]


def test_a_die_that_somebody_else_changed_meanwhile_is_changed_only_after_a_question(
    chromium: Browser, running: RunningTable
) -> None:
    roll_id = roll(running, doubtful=True)
    page = chromium.new_page(viewport={"width": 800, "height": 480})  # a refusal is said on its console
    page.goto(running.address)
    page.locator(".choice").nth(1).wait_for()
    held = page.evaluate("() => fetch('/api/state').then((answer) => answer.json())")
    index = held["question"]
    page.evaluate(
        """async ([roll, index]) => {
            const { settle } = await import("/picker.js");
            const told = { type: "proficiency", face: ["success", "success"] };
            window.answered = settle(roll, { list: "dice", index }, told);
        }""",
        [held["roll"] | {"version": 0}, index],
    )
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("has just changed this roll")
    assert roll_id not in sheet.inner_text()
    look(page, "table-conflict")
    sheet.get_by_role("button", name="Change", exact=True).click()
    assert page.evaluate("window.answered")
    settled = running.table.state.find_roll(roll_id)
    assert settled is not None
    assert settled.dice[index].face == ("success", "success")
    page.close()


def test_a_doubt_that_changes_nothing_asks_nothing_until_its_die_is_tapped(page: Page, running: RunningTable) -> None:
    sure = DieReading(
        type="ability", face=("success",), center=(60.0, 60.0), outline=(), confidence=0.99, status=Status.SURE
    )
    other = Alternative(type="ability", face=(), confidence=0.3)  # a blank is a blank, whatever the die
    blank = DieReading(
        type="proficiency", face=(), center=(90.0, 90.0), outline=(), confidence=0.6, status=Status.UNSURE,
        alternatives=(other,), doubt=Doubt.FAINT,
    )  # fmt: skip
    running.table.ask(NewRoll(id=new_id(), at=time.time(), reading=Reading(width=320, height=240, dice=(sure, blank))))
    page.locator("#headline", has_text="Success").wait_for()
    ringed = page.locator("#dice .die[data-question]")
    expect(ringed).to_have_attribute("data-status", "unsure")
    look(page, "doubt-without-consequence")
    ringed.click()
    page.locator("#headline", has_text="Which face?").wait_for()
    expect(page.locator(".choice").filter(visible=True)).to_have_count(2)


def test_a_picture_that_is_gone_leaves_no_sign_of_a_broken_one(page: Page, running: RunningTable) -> None:
    page.route("**/picture?*", lambda route: route.fulfill(body="", content_type="image/png"))
    roll(running)
    picture = page.locator("#tray image")
    expect(picture).to_have_attribute("data-gone", "")
    expect(picture).to_be_hidden()
    page.unroute("**/picture?*")


def test_a_television_is_read_from_four_metres_until_somebody_chooses_and_a_theme_is_remembered(page: Page) -> None:
    resize(page, (1280, 800))
    name = "parseFloat(getComputedStyle(document.querySelector('.who')).fontSize)"
    near = page.evaluate(name)
    resize(page, SIZES["television"])
    assert page.evaluate(name) == pytest.approx(54, abs=0.1)  # 1.5 of 36
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    for _ in range(2):  # a second tap changes nothing
        page.locator("#menu-metres [data-value='2']").click()
        page.locator("#menu-theme [data-value=light]").click()
    ground = "getComputedStyle(document.body).backgroundColor"
    for is_new in (False, True):
        if is_new:
            page.reload()
            page.locator("body[data-ready]").wait_for()
        assert page.evaluate(name) < 36
        assert page.evaluate(ground) == "rgb(243, 240, 232)"
    page.emulate_media(contrast="more")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    look(page, "screen-contrast")
    page.emulate_media(contrast="null")
    resize(page, (1280, 800))
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    page.locator("#menu-metres [data-value='4']").click()
    assert page.evaluate(name) > 1.5 * near
    resize(page, SIZES["tall"])  # one below the other has no room for it
    assert not page.evaluate("document.documentElement.hasAttribute('data-far')")


def test_a_pointer_that_rests_is_hidden_and_comes_back(page: Page) -> None:
    shown = "() => getComputedStyle(document.querySelector('#page')).cursor !== 'none'"
    hidden = shown.replace("!==", "===")
    page.mouse.move(40, 40)
    assert page.evaluate(shown)
    page.wait_for_function(hidden)
    page.mouse.move(60, 60)
    page.wait_for_function(shown)
    page.wait_for_function(hidden)


def test_nothing_moves_for_those_who_ask_for_stillness(page: Page, running: RunningTable) -> None:
    page.emulate_media(reduced_motion="reduce")
    running.table.ask(ShowPhase(at=1.0, phase=Phase.MOVING))
    page.locator('#stage[data-kind="rolling"]').wait_for()
    page.locator("#by-hand").click()
    page.locator(".hand").wait_for()
    assert page.evaluate("document.getAnimations().length") == 0
    page.emulate_media(reduced_motion="null")


def test_the_feed_and_the_line_on_top_leave_out_whole_words(page: Page, running: RunningTable) -> None:
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


def test_a_lost_camera_is_a_clear_sign(page: Page, running: RunningTable) -> None:
    what, hint = "is not plugged in", "Plug it in."
    running.table.ask(ShowTrouble(at=1.0, part="camera", what=what, where="USB camera 0", hint=hint))
    running.table.ask(ShowPhase(at=1.0, phase=Phase.NO_CAMERA))
    page.locator("#trouble", has_text="Camera unplugged").click()  # what to do is one tap away
    expect(page.locator("#sheet")).to_contain_text("Plug it in.", use_inner_text=True)
    look(page, "camera-lost")


def test_who_rolls_next_is_said_with_the_odds_that_all_may_see_and_a_point_joins_with_one_tap(
    page: Page, running: RunningTable
) -> None:
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


def test_whose_turn_it_is_is_said_and_a_hidden_roll_is_only_said_to_be_there(page: Page, running: RunningTable) -> None:
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
    page: Page, running: RunningTable
) -> None:
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


def test_the_die_in_question_is_ringed_also_among_many(page: Page, running: RunningTable) -> None:
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
