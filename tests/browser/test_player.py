"""A player's phone: one page whose card follows the now, from a call to the end of the own turn."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import CallRoll, ChangeInitiative, ChangePerson, DoPerson, StartSession, Turn, Undo
from tests.browser.conftest import Opens, look, middle, new_id, resize, throw
from tests.browser.test_fight import cast, person, throw_all
from tests.browser.test_phones import Paired
from tests.browser.test_turns import COUNTS, counted
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CONTROLS = """() => [...document.querySelectorAll("#phone :is(button, a, input, label.file-button)")]
    .filter((one) => one.checkVisibility() && !one.closest("label input, label > *"))
    .length"""
HIT = {"ability": ("success",), "proficiency": ("success", "success")}
LEFT = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => %s });"
LEFT += "document.dispatchEvent(new Event('visibilitychange'));"
BUZZES = "window.buzzes = []; navigator.vibrate = (how) => window.buzzes.push(how);"
HOLDS = """() => {
    const send = window.fetch;
    window.held = [];
    window.fetch = async (...all) => {
        if (all[1]?.method === 'POST' && window.held) await new Promise((go) => window.held.push(go));
        return send(...all);
    };
}"""
"""What a page sends waits until it is let go."""
LATER = "const now = Date.now; Date.now = () => now() + 60_000;"


def throw_called(running: RunningTable, faces: dict[str, tuple[str, ...]] | None = None, *, less: int = 0) -> str:
    """Throw what is called, with one face for each type, or fewer dice than that."""
    tray = running.table.state.asked.tray
    assert tray is not None
    dice = [(kind, (faces or {}).get(kind, ())) for kind, count in tray.dice for _ in range(count)]
    return throw(running, *dice[: len(dice) - less])


@pytest.fixture
def phone(paired: Paired, running: RunningTable, request: pytest.FixtureRequest) -> BrowserContext:
    """Return the phone of the first hero, in a scene with another one and opponents; a test may give it a script."""
    cast(running, "narrative")
    running.table.ask(StartSession(id=new_id(), at=1.0))
    phone = paired("player", "Jon", script=getattr(request, "param", None))
    assert phone.request.post(f"{running.address}api/me", data={"person": mine(running)}).ok
    return phone


def mine(running: RunningTable) -> str:
    return next(one.id for one in running.table.state.people if one.name == "Oskara")


def fight(running: RunningTable) -> None:
    """Throw for the order, so that this phone's hero acts first."""
    people = [person(running, name).id for name in ("Oskara", "Vex", "Troopers")]
    running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.CALL, who=people))
    throw_called(running, {"ability": ("success", "advantage"), "proficiency": ("success", "success")})
    throw_all(running)


def test_a_turn_of_the_thrower_is_three_taps(opens: Opens, phone: BrowserContext, running: RunningTable) -> None:
    page = opens("/player", phone=phone)
    headline = page.locator("#headline")
    expect(headline).to_have_text("Tap a skill")
    assert page.evaluate(CONTROLS) <= 17
    fight(running)
    expect(headline).to_have_text("Your turn")
    expect(page.locator('[data-act="attack"]')).to_contain_text("%")
    look(page, "player-turn")
    page.evaluate(COUNTS)
    page.locator('[data-act="attack"]').click()
    expect(headline).to_have_text("Your roll")
    expect(page.locator(".now-target")).to_contain_text("Troopers")
    expect(page.locator(".now-odds")).to_contain_text("%")
    assert page.evaluate(CONTROLS) <= 6
    for size in ((390, 844), (360, 640)):  # nothing of a called card lies below the fold
        resize(page, size)
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, size
    throw_called(running, HIT)
    expect(headline).to_contain_text("Hit for")
    before = running.table.state.initiative.current
    page.locator('[data-act="apply"]').click()
    expect(page.locator(".now-done")).to_contain_text("Troopers")
    page.locator('[data-act="next"]', has_text="End my turn").click()
    wait_for(running.table, lambda state: state.initiative.current != before)
    expect(headline).not_to_contain_text("Hit for")
    assert counted(page) == {"taps": 3, "keys": 0}


def test_a_weapon_of_the_ship_aboard_is_thrown_from_the_own_page(
    opens: Opens, phone: BrowserContext, running: RunningTable
) -> None:
    laser = {"name": "Laser", "skill": "Ranged heavy", "ask": {"purpose": "attack", "attack": "ranged"}}
    skills = [
        {"name": "Ranged heavy", "ask": {"characteristic": 2, "skill": 0}}
    ]  # the ship's own, which nobody aboard needs
    ship = {"name": "Ship", "kind": "thing", "game": "narrative", "skills": skills, "weapons": [laser]}
    ship["crew"] = [mine(running)]
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.ADD, person=ship))
    page = opens("/player", phone=phone)
    line = page.locator('.weapon-line[data-skill="Laser"]')
    expect(line).to_contain_text("Ship")
    line.click()
    expect(page.locator("#headline")).to_have_text("Your roll")
    asked = running.table.state.asked
    assert (asked.who, asked.aboard, asked.weapon) == (mine(running), person(running, "Ship").id, "Laser")
    throw_called(running, HIT)
    change = {"id": person(running, "Ship").id, "crew": []}
    running.table.ask(ChangePerson(id=new_id(), at=2.0, do=DoPerson.CHANGE, person=change))  # ashore again
    expect(line).to_have_count(0)


@pytest.mark.parametrize("phone", [BUZZES], indirect=True, ids=["buzzes"])
def test_the_page_changes_in_place_and_comes_back_to_the_card_when_it_is_wanted(
    opens: Opens, paired: Paired, phone: BrowserContext, running: RunningTable
) -> None:
    page = opens("/player", phone=phone)
    root = page.locator("html")
    sign = page.locator("#to-log")
    for pressed in ("true", "false", "true"):  # a second tap, or Back, leaves it
        sign.click() if pressed == "true" else page.go_back()
        expect(sign).to_have_attribute("aria-pressed", pressed)
    expect(page.locator("#pane-log")).to_be_visible()
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=person(running, "Vex").id, skill="Stealth"))
    expect(root).to_have_attribute("data-now", "throw")
    expect(page.locator("#pane-log")).to_be_visible()  # it is another one's
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=mine(running), skill="Mechanics"))
    expect(page.locator("#headline")).to_have_text("Your roll")
    expect(page.locator("#pane-log")).to_be_hidden()
    throw_called(running, less=1)
    expect(page.locator("#headline")).to_have_text("1 die too few")
    assert page.evaluate("window.buzzes") == [200, [150, 100, 150]]
    again = {"id": new_id(), "change": running.table.state.last_number}
    assert paired("player", "Mo").request.post(f"{running.address}api/undo", data=again).status == 403
    page.locator('[data-act="throw_again"]').click()
    expect(page.locator("#headline")).to_have_text("Your roll")
    first = int(root.get_attribute("data-number") or 0)
    throw_called(running, less=1)
    page.locator('[data-also="take"]').click()
    expect(page.locator("#now-card")).to_have_attribute("data-name", "result")
    assert int(root.get_attribute("data-number") or 0) > first
    page.locator("#to-tonight").click()
    page.locator("[data-row=this]").click()
    page.locator("#sheet .segments", has_text="Off").last.get_by_text("Off").click()
    page.keyboard.press("Escape")
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=mine(running), skill="Mechanics"))
    expect(page.locator("#headline")).to_have_text("Your roll")
    assert page.evaluate("window.buzzes.length") == 4  # two calls and two doubts: none since


def test_an_own_hit_stays_in_sight_with_its_undo_while_a_further_throw_is_called(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    cast(running, "d6-wild")
    hero = next(one for one in running.table.state.people if one.weapons)
    phone = paired("player", "Jon")
    assert phone.request.post(f"{running.address}api/me", data={"person": hero.id}).ok
    page = opens("/player", phone=phone)
    page.locator(".weapon-line").first.click()
    expect(page.locator("#headline")).to_have_text("Your roll")
    tray = running.table.state.asked.tray
    assert tray is not None
    dice = [{"type": kind, "face": ["5"]} for kind, count in tray.dice for _ in range(count)]
    body = {"id": new_id(), "dice": dice, "uses_ask": True}
    assert phone.request.post(f"{running.address}api/rolls", data=body).ok
    (thrown,) = running.table.state.rolls
    total = f"{dict(thrown.net)['total']} Success"
    own, others = page.locator(".now-came[data-tone=good]"), page.locator("#now-card p", has_text="Then:")
    resists = [{"name": "Strength", "ask": {"code": "2D"}}]
    for skills, head, below, words in (([], "Your roll", own, total), (resists, total, others, "Strength")):
        target = {"id": thrown.against, "skills": skills}
        running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.CHANGE, person=target))
        expect(page.locator("#headline")).to_have_text(head)  # nobody throws what is not called yet
        expect(below).to_contain_text(words)
        expect(page.locator("#undo")).to_contain_text("the roll of")
    page.locator("#undo").click()
    expect(page.locator("#headline")).to_have_text("Your roll")
    assert running.table.state.now.name == "throw"


def test_dice_that_lie_there_are_seen_while_missing_ones_are_added(
    opens: Opens, phone: BrowserContext, running: RunningTable
) -> None:
    page = opens("/player", phone=phone)
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=mine(running), skill="Mechanics", ask={"difficulty": "easy"}))
    throw_called(running, {"ability": ("success",)}, less=1)
    roll = running.table.state.rolls[0]
    page.locator('[data-also="add_dice"]').click()
    sheet = page.locator("#picker")
    expect(sheet.locator(".place")).to_have_count(1)
    expect(sheet.locator(".pool-row .pool-die")).to_have_count(len(roll.dice))
    look(page, "player-missing-dice")
    sheet.get_by_role("button", name="blank").click()
    expect(page.locator("#now-card")).to_have_attribute("data-name", "result")


def test_a_player_stops_the_own_throw_alone(opens: Opens, phone: BrowserContext, running: RunningTable) -> None:
    people = [person(running, name).id for name in ("Oskara", "Vex", "Troopers")]
    running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.CALL, who=people))
    page = opens("/player", phone=phone)
    line = page.locator(".my-head p")
    for _ in range(2):  # also once it was called again
        expect(page.locator("#headline")).to_have_text("Your roll")
        page.locator("#call-change").click()
        page.locator("#call-stop").click()
        expect(page.locator("#headline")).to_have_text("Vex throws")
        expect(line).not_to_contain_text("Round")  # the order is still thrown for
        asked = running.table.state.asked
        assert asked.who == person(running, "Vex").id
        assert [one.who for one in running.table.state.waiting] == people[1:]
        page.locator("#undo").click()
    expect(page.locator("#headline")).to_have_text("Your roll")
    throw_all(running)
    expect(line).to_contain_text("Round 1")
    names = page.locator(".order-one small").all_inner_texts()
    assert sorted(names) == ["Oskara", "Troopers", "Vex"]  # a slot of whoever most likely takes it, too


def test_an_own_call_tells_its_odds_and_is_changed_on_the_card(
    opens: Opens, phone: BrowserContext, running: RunningTable
) -> None:
    screen = opens("/", viewport={"width": 800, "height": 480})
    page = opens("/player", phone=phone)
    page.locator('.weapon-line[data-skill="Carbine"]').click()
    expect(page.locator(".now-odds")).to_contain_text("%")
    expect(screen.locator(".odds")).to_contain_text("%")
    assert running.table.state.asked.against == person(running, "Troopers").id
    page.locator("#call-change").click()
    page.locator('#sheet [data-who="Sergeant"]').click()
    wait_for(running.table, lambda state: state.asked.against == person(running, "Sergeant").id)
    page.locator('#sheet [data-field="range"] [data-choice="long"]').click()
    asked = wait_for(running.table, lambda state: state.asked.answers.get("range") == "long").asked
    assert asked.against == person(running, "Sergeant").id  # what was tapped before stays
    page.locator("#call-stop").click()
    expect(page.locator("#headline")).to_have_text("Tap a skill")


def test_taps_that_come_before_the_answer_to_the_first_are_all_kept(
    opens: Opens, phone: BrowserContext, running: RunningTable
) -> None:
    page = opens("/player", phone=phone)
    page.locator('.weapon-line[data-skill="Carbine"]').click()
    page.locator("#call-change").click()
    sheet = page.locator("#sheet")
    page.evaluate(HOLDS)
    bands = sheet.locator('[data-field="range"]')
    bands.locator('[data-choice="long"]').click()
    sheet.locator('[data-who="Sergeant"]').click()
    expect(sheet.locator('[data-who="Sergeant"]')).to_have_attribute("aria-pressed", "true")
    page.evaluate("() => window.held.shift()()")
    wait_for(running.table, lambda state: state.asked.answers.get("range") == "long")
    page.wait_for_function("() => window.held.length > 0")  # the second tap is sent, and not answered yet
    bands.locator('[data-choice="extreme"]').click()
    page.evaluate("() => { for (const go of window.held.splice(0)) go(); window.held = null; }")
    asked = wait_for(running.table, lambda state: state.asked.answers.get("range") == "extreme").asked
    assert asked.against == person(running, "Sergeant").id
    running.table.ask(Undo(id=new_id(), at=1.0))  # also before the page was told of the change
    expect(bands.locator('[data-choice="long"]')).to_have_attribute("aria-pressed", "true")  # what is told counts again


def test_dice_that_are_entered_by_hand_follow_the_call(
    opens: Opens, phone: BrowserContext, running: RunningTable
) -> None:
    page = opens("/player", phone=phone)
    sheet = page.locator("#picker")

    def call(difficulty: str, skill: str = "Mechanics") -> None:
        ask = {"difficulty": difficulty}
        running.table.ask(CallRoll(id=new_id(), at=1.0, who=mine(running), skill=skill, ask=ask))

    call("easy")
    page.locator("#dice-by-hand").click()
    sheet.locator(".hand").wait_for()
    places = sheet.locator(".place")
    count = places.count()
    sheet.get_by_role("button", name="success", exact=True).first.click()
    call("hard")
    expect(places).to_have_count(count + 2)
    expect(sheet.locator(".place[data-filled]")).to_have_count(1)
    call("hard", "Cool")
    expect(sheet).to_be_hidden()  # they are thrown for something else


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_a_finger_that_stays_on_a_die_adds_one_more_with_each_tap(
    opens: Opens, phone: BrowserContext, size: tuple[int, int]
) -> None:
    page = opens("/player", phone=phone)
    resize(page, size)
    page.locator("#dice-by-hand").click()
    page.locator(".hand[data-adding]").wait_for()
    places = page.locator(".place")
    for n, name in enumerate(("Blue die", "Red die")):
        key = middle(page.get_by_role("button", name=name, exact=True))
        for count in range(1, 7):
            page.mouse.click(*key)
            expect(places).to_have_count(6 * n + count)
    look(page, f"phone-hand-{size[1]}")
    page.locator(".these-dice").click()
    expect(page.locator(".hand:not([data-adding])")).to_be_visible()
    boxes = [box for one in places.all() if (box := one.bounding_box())]
    assert len(boxes) == 12
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44  # large enough to be tapped


def test_what_came_while_the_phone_slept_is_told_with_the_own_harm_first(
    opens: Opens, phone: BrowserContext, running: RunningTable
) -> None:
    page = opens("/player", phone=phone)
    page.evaluate(LEFT % "true")
    hurt = {"id": mine(running), "trackers": {"wounds": {"value": 5, "most": 12}}}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.CHANGE, person=hurt))
    for _ in range(4):
        throw(running, ("ability", ("success",)))
    wait_for(running.table, lambda state: len(state.rolls) == 4)
    page.evaluate(LATER + LEFT % "false")
    lines = page.locator("#slept li")
    expect(lines).to_have_count(3)
    expect(lines.first).to_contain_text("Wounds: 5 of 12")
    expect(page.locator("#slept-seen")).to_have_text("Show now: Success")
    look(page, "player-slept")
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=mine(running), skill="Mechanics"))
    expect(page.locator("#headline")).to_have_text("Your roll")  # it never hides a call to this phone
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=person(running, "Vex").id, skill="Stealth"))
    expect(page.locator("#slept-seen")).to_have_text("Show now: Vex throws")
    page.locator("#slept-seen").click()
    expect(page.locator("#slept")).to_have_count(0)


def test_a_phone_of_two_characters_shows_whoever_is_called_by_face_and_name(
    opens: Opens, phone: BrowserContext, running: RunningTable
) -> None:
    skills = [{"name": "Brawl", "ask": {"characteristic": 3, "skill": 1}}]
    form = {"name": "Lowhhrick", "kind": "player", "game": "narrative", "skills": skills}
    assert phone.request.post(f"{running.address}api/people", data={"do": "add", "person": form}).ok
    lowhhrick = person(running, "Lowhhrick").id
    page = opens("/player", phone=phone)
    expect(page.locator(".my-head h2")).to_have_text("Oskara")
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=lowhhrick, skill="Brawl"))
    expect(page.locator("#headline")).to_have_text("Lowhhrick’s roll")
    expect(page.locator(".now-line .face-drawing")).to_be_visible()
    look(page, "player-two")
    tray = running.table.state.asked.tray
    assert tray is not None
    faces = {"ability": ["success", "advantage"], "proficiency": ["success", "success"]}
    dice = [{"type": kind, "face": faces.get(kind, [])} for kind, count in tray.dice for _ in range(count)]
    body = {"id": new_id(), "dice": dice, "uses_ask": True}
    assert phone.request.post(f"{running.address}api/rolls", data=body).ok
    expect(page.locator("#now-card")).to_have_attribute("data-mine", "")
    expect(page.locator("#undo")).to_have_text("Undo: the roll of Lowhhrick (Brawl)")
    expect(page.locator(".now-spends .buy").first).to_be_enabled()  # this phone's, too
    expect(page.locator(".my-head p")).to_contain_text("with Lowhhrick")
    page.locator("#to-other").click()
    expect(page.locator(".my-head h2")).to_have_text("Lowhhrick")
    page.locator('.skill-line[data-skill="Brawl"]').click()
    expect(page.locator("#headline")).to_have_text("Your roll")
    assert running.table.state.asked.who == lowhhrick
