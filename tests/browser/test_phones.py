"""The pages of game master and players on phones, from pairing to an evening's end."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tableside.app.running_table import RunningTable
from tableside.dice import Alternative, DieReading, Reading, Status
from tableside.table.messages import (
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChooseGame,
    Do,
    DoPerson,
    EndSession,
    EnterRoll,
    NamePlayer,
    NewRoll,
    ShownDie,
    ShowTrouble,
    Turn,
    Undo,
)
from tests.browser.conftest import SIZES, Contexts, Opens, add_players, look, new_id, resize, roll, throw
from tests.conftest import carried
from tests.until import until
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
Paired = Callable[..., BrowserContext]


def tab(page: Page, name: str) -> None:
    page.locator(".tabs button", has_text=re.compile(f"^{name}$")).click()


def called(page: Page, who: str, what: str, *dice: str) -> None:
    """See on the game master's card who throws for what and, where they are told, these dice."""
    card = page.locator('#now-card[data-name="throw"], #now-card[data-name="pool"], #now-card[data-name="initiative"]')
    expect(card.locator("#headline")).to_contain_text(who or re.compile("throws?|rolls?"))
    expect(card.locator(".now-line")).to_contain_text(what)
    if dice:
        label = re.compile("".join(rf"(?=.*\b{re.escape(one)}\b)" for one in dice))
        expect(card.locator(".pool-row")).to_have_attribute("aria-label", label)


def came(page: Page) -> Locator:
    """Return what tells the newest result on the game master's page: the headline, or the row below a call."""
    return page.locator("#pane-now #headline, #pane-now .open-row#roll-more b")


def test_only_a_paired_master_gets_the_masters_page(opens: Opens) -> None:
    page = opens("/gm", waits=False)
    expect(page.locator("#stranger .card")).to_contain_text("Pair this phone as game master")
    look(page, "gm-refused")


def test_an_ask_shows_dice_and_odds_and_the_roll_is_for_it(opens: Opens, paired: Paired, running: RunningTable) -> None:
    add_players(running, "Vex")
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator('.upright[data-who="Vex"]').click()
    page.get_by_role("button", name="Other dice").click()
    page.locator('[data-chip="rest"]').click()
    page.get_by_label("What for").fill("Stealth")
    page.locator("#sheet .done").click()
    for die in ("ability", "ability", "proficiency"):
        page.locator(f'[data-add="{die}"]').click()
    expect(page.locator(".odds-large")).to_have_text("65 %")
    look(page, "gm-odds", full_page=True)
    page.locator("#ask-now").click()
    called(page, "Vex", "Stealth")
    expect(page.locator("#now-card .pool-die")).to_have_count(5)
    throw(running, ("ability", ("success",)), ("ability", ()), ("proficiency", ("triumph",)),
          ("difficulty", ()), ("difficulty", ("threat",)))  # fmt: skip
    expect(came(page)).to_have_text("Success")
    expect(page.locator('#now-card[data-name="throw"]')).to_have_count(0)
    asked = running.table.state.roll
    assert asked is not None
    assert (asked.by, asked.label, asked.ask["difficulty"]) == ("Vex", "Stealth", "average")


def test_a_whole_attack_is_told_in_any_words(opens: Opens, paired: Paired, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    pistol = {"name": "Pistol", "skill": "Blaster", "ask": {"difficulty": 10},
              "damage": {"code": "4D", "purpose": "damage"}}  # fmt: skip
    for who in (
        {"name": "Kesh", "skills": [{"name": "Blaster", "ask": {"code": "4D"}}], "weapons": [pistol]},
        {"name": "Guard", "kind": "person", "skills": [{"name": "Strength", "ask": {"code": "2D+1"}}]},
    ):
        person = {"game": "d6-wild", **who}
        running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.ADD, person=person))
    page = opens("/gm?lang=fr", phone=paired("gm", "Gim"))  # of the longest words
    page.set_viewport_size({"width": 360, "height": 800})
    page.locator('.upright[data-who="Kesh"]').click()
    page.locator('.skill[data-skill="Pistol"]').click()
    page.locator('[data-chip="target"]').click()
    ends = page.locator(".attack-ends li")
    expect(ends.first).to_have_text("Blessé ou plus62 %")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert not running.table.state.asked.id


def test_a_pool_and_a_dice_code_are_typed_as_people_write_them(
    opens: Opens, paired: Paired, running: RunningTable, contexts: Contexts
) -> None:
    add_players(running, "Vex")
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator('.upright[data-who="Vex"]').click()
    page.get_by_role("button", name="Other dice").click()
    page.locator('[data-chip="rest"]').click()
    page.locator('[data-row="purpose"]').click()
    typed = page.locator(".pool-text").first
    typed.fill("2y1q")
    typed.press("Tab")
    expect(page.locator("#refused")).to_contain_text("'q' is no die. The letters are g ability")
    typed.fill("yyggp")
    typed.press("Tab")
    expect(page.locator(".side .pool-die:not(.place)")).to_have_count(5)
    expect(page.locator("#refused")).to_have_count(0)
    page.locator("#sheet .done").click()
    page.locator("#ask-now").click()
    expect(page.locator("#now-card .pool-die")).to_have_count(5)
    assert running.table.state.asked.answers["dice"] == {"proficiency": 2, "ability": 2, "difficulty": 1}
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    running.table.ask(CallRoll(id=new_id(), at=1.0))
    page.locator('.upright[data-who="Vex"]').click()
    page.get_by_role("button", name="Other dice").click()
    page.locator('[data-chip="rest"]').click()
    page.locator('[data-row="purpose"]').click()
    page.get_by_label("Dice code", exact=True).fill("4d6 + 2")
    page.get_by_label("Dice code", exact=True).press("Tab")
    page.locator("#sheet .done").click()
    expect(page.locator(".code-dice .pool-die")).to_have_count(4)
    page.locator("#ask-now").click()
    called(page, "Vex", "", "3 Pip", "1 Wild Die")
    contexts.wrong.clear()  # the table refused something


def test_the_master_changes_what_a_player_asks(opens: Opens, paired: Paired, running: RunningTable) -> None:
    skill = {"name": "Climb", "ask": {"characteristic": 2}}
    person = {"name": "Vex", "game": "narrative", "skills": [skill]}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.ADD, person=person))
    player = opens("/player", phone=paired("player", "Vex"))
    player.locator(".person-row", has_text="Vex").click()  # a name alone makes nobody the owner of a card
    player.locator('.skill-line[data-skill="Climb"]').click()
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator("#call-change").click()
    page.locator('[data-add="setback"]').click()
    page.locator("#ask-now").click()
    expect(player.locator("#now-card .pool-die")).to_have_count(5)  # two, average, and the setback
    asked = running.table.state.asked
    assert (asked.player, asked.label) == ("Vex", "Climb")
    assert (asked.answers["characteristic"], asked.answers["difficulty"], asked.answers["setback"]) == (2, "average", 1)


def test_symbols_are_added_and_what_is_bought_is_dimmed(opens: Opens, paired: Paired, running: RunningTable) -> None:
    vex = {"name": "Vex", "game": "narrative"}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.ADD, person=vex))
    page = opens("/gm", phone=paired("gm", "Gim"))
    throw(running, ("ability", ("success",)), ("ability", ("success", "advantage")))
    page.locator("#roll-more").click()
    page.locator("#sheet").get_by_text("Bonus symbols").click()
    page.get_by_label("Add an advantage").click()
    expect(page.locator('#now-card [data-symbol="advantage"] b').first).to_have_text("2")
    page.locator("#sheet .more-spends").click()
    page.locator('#sheet [data-spend="boost_any_ally_next"]').click()
    page.get_by_role("button", name="Whoever rolls next").click()
    wait_for(running.table, lambda state: bool(carried(state)))
    expect(page.locator('#now-card [data-spend="recover_strain"]')).to_have_count(0)  # nothing is left to pay with
    look(page, "gm-spends", full_page=True)
    assert [dict(one.ask) for one in carried(running.table.state)] == [{"boost": 1}]


def test_the_master_rolls_in_secret_and_shows_it(opens: Opens, paired: Paired, running: RunningTable) -> None:
    add_players(running, "Vex")
    page = opens("/gm", phone=paired("gm", "Gim"))
    screen = opens("/", viewport={"width": 800, "height": 480})
    page.locator('.upright[data-who="Vex"]').click()
    page.get_by_role("button", name="Other dice").click()
    page.locator('[data-add="ability"]').click()
    page.locator('[data-chip="rest"]').click()
    page.get_by_label("What for").fill("Ambush")
    page.get_by_label("Hidden", exact=True).check()
    page.locator("#sheet .done").click()
    page.locator("#ask-now").click()
    called(page, "Vex", "Ambush")
    throw(running, ("ability", ("success",)), ("difficulty", ()), ("difficulty", ()))
    expect(came(page)).to_have_text("Success")
    expect(screen.locator("#headline")).to_have_text("Hidden roll")
    page.locator("#roll-more").click()
    page.get_by_text("Show to all").click()
    expect(screen.locator("#headline")).to_have_text("Success")


def test_a_player_spends_and_is_named_and_has_no_dark_points(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    add_players(running, "Vex")
    page = opens("/player", phone=paired("player", "Vex"))
    expect(page.get_by_text("Dark")).to_have_count(0)
    page.locator("#points .token").first.click()
    expect(page.locator("#points .token")).to_have_count(1)
    last = running.table.state.last_change
    assert last is not None
    assert last.by == "Vex"
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#points .token")).to_have_count(2)
    page.locator("#to-log").click()
    page.get_by_text("All changes").click()
    expect(page.locator(".history li").first).to_contain_text("Undone: Light spent")
    look(page, "player", full_page=True)


def test_a_doubt_is_settled_from_a_phone(opens: Opens, paired: Paired, running: RunningTable) -> None:
    page = opens("/player", phone=paired("player", "Vex"))
    roll_id = roll(running, doubtful=True)
    expect(page.locator("#headline")).to_have_text("Which face?")
    page.locator("#now-card .answer-card[aria-label*='2 successes']").click()  # one tap
    expect(page.locator("#headline")).to_have_text("Success")
    settled = running.table.state.find_roll(roll_id)
    assert settled is not None
    assert settled.dice[3].face == ("success", "success")
    blank = DieReading(
        type="proficiency", face=(), center=(90.0, 90.0), outline=(), confidence=0.6, status=Status.UNSURE,
        alternatives=(Alternative(type="ability", face=(), confidence=0.3),),  # a blank is a blank, whatever the die
    )  # fmt: skip
    running.table.ask(NewRoll(id=new_id(), at=1.0, reading=Reading(width=320, height=240, dice=(blank,))))
    expect(page.locator("#headline")).to_have_text("Failure")


def test_a_session_begins_with_heroes_and_force_dice(opens: Opens, paired: Paired, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    page = opens("/gm", phone=paired("gm", "Gim"))
    tab(page, "Cast")
    page.locator('.ready [data-who="Oskara"]').click()
    page.locator("#add-person").click()
    page.locator("#person-name").fill("Vex")
    page.locator("#person-done").click()
    expect(page.locator(".person-row")).to_have_count(2)
    tab(page, "Tonight")
    page.locator("[data-row=session]").click()
    page.get_by_label("Title of the new session").fill("The heist")
    page.locator("#begin-session").click()
    expect(page.locator("[data-row=session]")).to_contain_text("Session 1: The heist")
    tab(page, "Now")
    page.locator("#throw-pool").click()
    wait_for(running.table, lambda state: bool(state.asked.id))
    tab(page, "Tonight")
    throw(running, ("force", ("light",)), ("force", ("light", "light")))
    tab(page, "Now")
    expect(came(page)).to_have_text("3 light")
    page.locator("#now-card .act-lit", has_text="Use 3 light, 0 dark").click()
    tab(page, "Tonight")
    expect(page.locator('.discs[data-side="light"] .count')).to_have_text("3")
    expect(page.locator(".use-destiny")).to_have_count(0)
    look(page, "gm-session", full_page=True)


def test_the_pool_is_spent_changed_and_named_by_taps(opens: Opens, paired: Paired, running: RunningTable) -> None:
    page = opens("/gm", phone=paired("gm", "Gim"))
    tab(page, "Tonight")
    page.locator('.disc[data-side="light"]').first.click()
    wait_for(running.table, lambda state: (state.destiny.light, state.destiny.dark) == (1, 2))
    page.locator("#pool-more").click()
    page.locator('#sheet [data-side="dark"]').get_by_label("Dark: more").click()
    expect(page.locator('#sheet [data-side="dark"] output')).to_have_text("3")
    page.get_by_text("Names of the pool").click()
    page.get_by_label("Pool", exact=True).fill("Story points")
    page.get_by_text("Rename").click()
    expect(page.locator("#sheet-title")).to_have_text("Story points")
    running.table.ask(ShowTrouble(at=1.0, part="mqtt", what="The broker is silent", where="", hint="Switch it on."))
    page.locator("#sheet .done").click()
    page.locator('[data-row="trouble"]', has_text="The broker is silent").click()
    expect(page.locator("#sheet")).to_contain_text("Switch it on.")


def test_initiative_follows_taps(opens: Opens, paired: Paired, running: RunningTable) -> None:
    add_players(running, "Vex")
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator("#fight-begins").click()
    expect(page.locator("#sheet")).to_contain_text(
        "Nobody is in the scene yet"
    )  # places can still be given by the sides
    page.locator("#sheet .done").click()
    running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, side="npc", rank=(3, 1)))
    page.locator("#fight-more").click()
    page.locator('[data-choice="add"]').click()
    page.locator('#sheet [data-side="player"]').click()
    for _ in range(2):
        page.locator('#sheet [data-number="dice"] .step').nth(1).click()
    page.locator("#place-add").click()
    page.locator("#sheet .done").click()
    names = page.locator("#order .turn-row b.may-cut")
    for side, order in (("npc", ["Game master", "Player"]), ("player", ["Player", "Game master"])):
        page.locator("#fight-more").click()
        page.locator(f'[data-choice="first-{side}"]').click()
        expect(names).to_have_text(order)
    expect(page.locator(".part-words")).to_have_text("Action 1 of each")
    expect(page.locator("#order .rank")).to_have_text(["3D+1"])
    player = opens("/player", phone=paired("player", "Vex"))
    player.locator('[data-act="claim"]').click()
    expect(page.locator("#order [aria-current] b.may-cut")).to_have_text("Vex")
    page.locator('[data-also="pass"]').click()
    expect(page.locator("#order [aria-current] b.may-cut")).to_have_text("Game master")


def test_fairness_and_luck_are_told_in_plain_words(opens: Opens, paired: Paired, running: RunningTable) -> None:
    from tableside.dice import Die

    dice = tuple(Die(type="pip", face=(str(1 + n % 6),)) for n in range(60))
    running.table.ask(EnterRoll(id=new_id(), at=1.0, dice=dice, by="Vex", game="d6-companion"))
    page = opens("/player", phone=paired("player", "Vex"))
    page.locator("#to-log").click()
    page.get_by_text("Luck and fairness").click()
    page.locator("summary", has_text="Nothing odd in 60 throws.").click()
    expect(page.locator(".pane:not([hidden])")).to_contain_text("as expected", use_inner_text=True)
    look(page, "luck", full_page=True)


@pytest.mark.parametrize("role", ["gm", "player"])
def test_every_size_shows_the_phone_pages_without_scrolling_sideways(
    opens: Opens, paired: Paired, running: RunningTable, role: str
) -> None:
    add_players(running, "Vex", "Jax")
    page = opens(f"/{role}", phone=paired(role, "Vex"))
    roll(running)
    if role == "gm":
        came(page).wait_for()
    for size, (width, height) in (SIZES | {"small phone": (320, 568)}).items():
        resize(page, (width, height))
        places = page.locator(".tabs button, .my-head [aria-pressed]")
        for place in range(places.count()):
            places.nth(place).click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (place, size)
        (places.first if role == "gm" else places.last).click()
        look(page, f"{role}-{size}", full_page=True)


def test_what_was_lost_on_the_way_is_asked_for_again(paired: Paired, running: RunningTable, contexts: Contexts) -> None:
    """A page asks its first question again, and for odds with the next state."""
    add_players(running, "Vex")
    page = contexts.page(paired("gm", "Gim"))
    for path, lost in (("player", "sets"), ("lookup", "lookup"), ("gm", "games")):
        page.route(f"**/api/{lost}", lambda route: route.abort(), times=1)
        page.goto(running.address + path)
        if lost != "lookup":
            expect(page.locator("#lost")).to_contain_text("Connection to the table lost")
        page.locator("body[data-ready]").wait_for()
        expect(page.locator("#lost:visible")).to_have_count(0)
    away = [True]
    page.route("**/api/odds", lambda route: route.abort() if away else route.continue_())
    page.locator('.upright[data-who="Vex"]').click()
    page.get_by_role("button", name="Other dice").click()
    with page.expect_event("requestfailed", lambda request: "ability" in (request.post_data or "")):
        page.locator('[data-add="ability"]').click()
    away.clear()
    expect(page.locator("#ask-now")).to_be_visible()
    assert "%" not in "".join(page.locator(".odds-large").all_inner_texts())
    add_players(running, "Mara")
    expect(page.locator(".odds-large")).to_contain_text("%")


def test_a_viewers_phone_looks_and_is_offered_to_pair(opens: Opens, paired: Paired, running: RunningTable) -> None:
    page = opens("/words/en.json", phone=paired("player", "Vex"), waits=False)
    page.route("**/api/me", lambda route: route.fulfill(json={"role": "viewer", "name": "", "gm": False}))
    page.goto(f"{running.address}player")
    page.locator("#to-pair").wait_for()
    expect(page.get_by_role("button", name="By hand")).to_have_count(0)
    expect(page.locator("#points button")).to_be_disabled()
    running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=4))
    expect(page.locator("#points .token")).to_have_count(4)
    look(page, "player-viewer", full_page=True)


def test_phones_are_forgotten_only_after_a_question(opens: Opens, paired: Paired, running: RunningTable) -> None:
    page = opens("/", viewport={"width": 800, "height": 480})

    def forget(press: str, answer: str) -> None:
        page.locator("#menu").click()
        page.locator("[data-group=phones]").first.click()
        page.locator(press).click()
        sheet = page.locator("#sheet")
        expect(sheet).to_contain_text("Forget")
        sheet.get_by_role("button", name=answer, exact=True).click()
        expect(sheet).to_be_hidden()

    for press, words in ((".menu-act.forget", "Forget Vex"), ("[data-row=forget]", "Forget all paired phones")):
        phone = paired("player", "Vex")

        def role(phone: BrowserContext = phone) -> str:
            return str(phone.request.get(f"{running.address}api/me").json()["role"])

        forget(press, "Keep it")
        assert role() == "player"
        forget(press, words)
        until(lambda role=role: role() == "screen")  # as a browser of this machine that is not paired


def test_the_address_that_foundry_is_given_is_copied_from_the_game_masters_page(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    phone = paired("gm", "Mara")
    phone.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opens("/gm", phone=phone)
    tab(page, "Tonight")
    page.locator("[data-row=more]").click()
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{running.address}foundry/module.json"
    look(page, "gm-elsewhere", full_page=True)


def test_what_an_evening_left_is_no_news_of_the_next(opens: Opens, paired: Paired, running: RunningTable) -> None:
    running.table.ask(NamePlayer(id=new_id(), at=1.0, name="Vex"))
    master, player = opens("/gm", phone=paired("gm", "Gim")), opens("/player", phone=paired("player", "Vex"))
    strip, mine = (page.locator("#roll-more") for page in (master, player))

    def rolled() -> None:
        dice = (ShownDie(type="ability", face=("success",)),)
        running.table.ask(EnterRoll(id=new_id(), at=time.time(), by="Vex", dice=dice, game="narrative"))

    for _ in range(2):  # also the next evening's
        rolled()
        expect(strip).to_have_count(1)
        expect(mine).to_have_count(1)
        running.table.ask(EndSession(id=new_id(), at=time.time()))
        expect(strip).to_have_count(0)
        expect(mine).to_have_count(0)
    master.reload()
    tab(master, "Tonight")
    expect(strip).to_have_count(0)
    running.table.ask(Undo(id=new_id(), at=time.time(), change=running.table.state.last_number))
    expect(strip).to_have_count(1)
