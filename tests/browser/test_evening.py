"""An evening through the pages themselves: phones and the table's screen are tapped, the button is pressed, dice lie
before a camera, and the power fails in the middle. All numbers are worked out by hand from the reference text.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, SIZES, Contexts, look
from tests.browser.test_phones import called, came, tab
from tests.whole.evening import Evening, effects, left, total
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
RIFLE = {"attack": "ranged", "purpose": "attack", "range": "medium", "damage": 9, "critical": 3}
NOTICES = """addEventListener("input", ({ target }) => {
  if (target.matches("textarea, input:not([type]), input[type=text], input[type=search], input[type=number]"))
    sessionStorage.setItem("typed", target.id);
}, true)"""
TYPED = "sessionStorage.getItem('typed')"
"""Where something was typed last, since the page was first opened."""
SAME_DICE = """(dice) => {
  const shown = document.querySelector("#now-card .pool-row")?.ariaLabel ?? "";
  return JSON.stringify(shown.split(", ").sort()) === JSON.stringify(dice);
}"""
"""Whether a card shows these dice, in whatever order."""
PLACE = """[...document.querySelectorAll("#pane-now :is(.title-row, .part-words, #order [data-current])")]
  .map((node) => node.dataset.slot ?? node.innerText).join()"""
"""Where in the order a page is: the round, its part and the turn."""


class PagesEvening(Evening):
    """An evening whose turns are tapped; who is there is entered as a file has it."""

    def __init__(self, folder: Path, contexts: Contexts, port: int) -> None:
        super().__init__(folder, "narrative", port=port)
        self._lent = ExitStack()
        self._contexts = contexts
        contexts.wrong.clear()
        self.pages: dict[str, Page] = {}
        for path, cookie in (("", ""), ("gm", self.gm.cookie), ("player", self.player.cookie)):
            context = self._lent.enter_context(contexts.lend(self.running.address))
            if cookie:
                name, value = cookie.split("=", 1)
                context.add_cookies([{"name": name, "value": value, "url": self.running.address}])
            page = self.pages[path] = contexts.page(context)
            page.set_viewport_size(PHONE if path else {"width": SIZES["table"][0], "height": SIZES["table"][1]})
        self.screen_page, self.master, self.roller = self.pages.values()

    def open_pages(self) -> None:
        """Open all pages at the table as it runs now."""
        for path, page in self.pages.items():
            page.goto(self.running.address + path)
            page.locator("body[data-ready], #headline").first.wait_for()
            page.evaluate(NOTICES)

    def power_fails(self) -> None:
        for page in self.pages.values():
            page.goto("about:blank")
        super().power_fails()
        self.open_pages()

    def __exit__(self, *_: object) -> None:
        self._lent.close()
        super().__exit__()
        assert self._contexts.wrong == []

    def taps(self, who: str, skill: str, *more: str, on: Page | None = None, wait: str = "") -> None:
        """Tap who and what, then other selectors, and ask."""
        page = on or self.master
        if on is self.roller:  # a tap on one's own skill calls it
            page.locator(f'.skill-line[data-skill="{skill}"]').click()
        else:
            expect(page.locator("#pane-now .upright, #fight-more").first).to_be_visible()
            if not page.locator("#pane-now .upright").count():  # in a fight only whose turn it is
                page.locator("#fight-more").click()
                page.locator('[data-choice="other"]').click()
            page.locator(f'#pane-now .upright[data-who="{who}"]').click()
            page.locator(f'.skill[data-skill="{skill}"]').click()
            for selector in more:
                page.locator(selector).click()
            page.locator("#ask-now").click()
        called(self.master, wait or who, "" if wait else skill)
        if on is self.roller:
            expect(page.locator("#headline")).to_have_text("Your roll")

    def fight(self, *throws: tuple[str, str, str]) -> None:
        """Call initiative for everybody by one tap, and throw for each who is called.

        :param throws: who throws, the pool as phones show it, and the dice.
        """
        self.to("Now")
        self.master.locator("#fight-begins").click()
        self.master.locator("#fight-call").click()
        for who, pool, dice in throws:
            expect(self.master.locator("#throws .is-now, #headline").first).to_be_visible()
            expect(self.master.locator('#throws [data-current="true"] b, #throws [data-current] b').first).to_have_text(
                who
            )
            if self.gm("api/state")["now"]["name"] == "initiative":  # else something of before is not done yet
                is_hero = self._person(who)["kind"] == "player"  # this phone brought all of them
                words = "Your roll" if who == "Vex" else f"{who}’s roll" if is_hero else f"{who} throws"
                expect(self.roller.locator("#headline")).to_have_text(words)
                self.master.wait_for_function(SAME_DICE, arg=sorted(pool.split(", ")))
            self.throw(dice)

    def order(self, *names: str, now: str) -> None:
        """See the order of the fight, and whose turn it is."""
        expect(self.master.locator("#order .turn-row b.may-cut")).to_have_text(list(names))
        expect(self.master.locator("#order [aria-current] b.may-cut")).to_have_text(now)

    def next_turn(self, now: str) -> None:
        """End the turn on the game master's phone; all pages show who is next."""
        self.turn_ends()
        expect(self.master.locator("#order [aria-current] b.may-cut")).to_have_text(now)
        expect(self.screen_page.locator(".order [data-current] .order-who > b")).to_have_text(now)

    def turn_ends(self) -> None:
        """End the turn on the game master's phone, which shows another one after it."""
        self.to("Now")
        was = self.master.evaluate(PLACE)
        self.master.locator('#now-card [data-act="next"], [data-also="pass"]').click()
        self.master.wait_for_function(f"(was) => {PLACE} !== was", arg=was)

    def end_fight(self) -> None:
        self.to("Now")
        self.master.locator("#fight-more").click()
        self.master.locator('[data-choice="end"]').click()
        self.master.locator("#sheet .primary:not(.done)").click()
        expect(self.master.locator("#fight-begins")).to_be_visible()

    def treats_oskara(self) -> None:
        """Give a stimpack, by one tap on the card."""
        self.to("Cast")
        self.master.locator('#pane-cast .person-row[data-who="Oskara"]').click()
        self.master.locator('#sheet .care[data-care="A stimpack"]').click()
        self.master.locator("#sheet .done").click()
        expect(self.master.locator("#sheet[open]")).to_have_count(0)

    def to(self, name: str) -> None:
        tab(self.master, name)

    def asked(self, dice: str, *, is_on_screen: bool = False) -> None:
        """See that the phones show this pool, such as ``2 Proficiency, 1 Boost``.

        :param is_on_screen: the table's screen shows it, too, where else it still shows the result of before.
        """
        self.master.wait_for_function(SAME_DICE, arg=sorted(dice.split(", ")))
        if self.gm("api/state")["asked"]["player"] == "Vex":
            self.roller.wait_for_function(SAME_DICE, arg=sorted(dice.split(", ")))
        if is_on_screen:
            count = sum(int(number) for number in re.findall(r"\d+", dice))
            expect(self.screen_page.locator(".pool-die")).to_have_count(count)

    def shows(self, words: str) -> None:
        """See that all pages show this result; a player's phone shows that of its own player large."""
        whole = re.compile(rf"\b{re.escape(words)}\b")  # 5 is no 15
        expect(self.screen_page.locator("#headline")).to_contain_text(whole)
        expect(came(self.master)).to_contain_text(whole)
        state = self.gm("api/state")
        if state["history"][0]["by"] == "Vex" and state["now"]["roll"] == state["history"][0]["id"]:
            expect(self.roller.locator("#now-card[data-mine] #headline")).to_contain_text(whole)

    def has(self, name: str, **trackers: int) -> None:
        """See that somebody's trackers come to these values, as soon as what was tapped has come to the table."""
        wait_for(self.running.table, lambda _: all(self.tracker(name, one) == n for one, n in trackers.items()))

    def pictures(self, name: str) -> None:
        """Keep what each page shows, for people to look at."""
        for path, page in self.pages.items():
            look(page, f"evening-{name}-{path or 'table'}")


def test_an_evening(tmp_path: Path, contexts: Contexts, port: int) -> None:
    """A ability, P proficiency, B boost, D difficulty; S success, F failure, Av advantage, Th threat."""
    with PagesEvening(tmp_path, contexts, port) as evening:
        screen, master, vex = evening.screen_page, evening.master, evening.roller
        evening.add(
            "Oskara",
            skills={"Mechanics": {"characteristic": 2, "skill": 1}, "Ranged heavy": {"characteristic": 3, "skill": 2}},
            weapons=[{"name": "Carbine", "skill": "Ranged heavy", "ask": RIFLE}], defences={"soak": 3},
            trackers={"wounds": {"value": 6, "most": 12}, "strain": {"value": 3, "most": 11}},
        )  # fmt: skip
        evening.add(
            "Vex", skills={"Computers": {"characteristic": 3, "skill": 2}, "Deception": {"characteristic": 3},
                           "Medicine": {"characteristic": 2, "skill": 1}},
            trackers={"wounds": {"value": 0, "most": 11}, "strain": {"value": 0, "most": 12}},
        )  # fmt: skip
        evening.add(
            "Troopers", "group", members=4, skills={"Ranged heavy": {"characteristic": 3}},
            weapons=[{"name": "Rifle", "skill": "Ranged heavy", "ask": RIFLE}],
            defences={"soak": 5}, trackers={"wounds": {"value": 0, "most": 5}},
        )  # fmt: skip
        rows = [{"from": 1, "to": 60, "words": "Nick"}, {"from": 61, "to": 200, "words": "Crippled"}]
        evening.gm("api/tables", {"name": "Injuries", "dice": "d100", "rows": rows})
        evening.open_pages()

        # Force dice that nobody called begin a session: L, Dk Dk, L L are light 3, dark 2
        evening.throw("force light dark+dark light+light", is_seen=True)
        screen.locator('[data-act="use_pool"]').click()
        expect(screen.locator('[data-act="use_pool"]')).to_have_count(0)
        expect(vex.locator("#points .count")).to_have_text("3")

        # 2 and 1 are 1 A 1 P against 2 D. The button makes it 2 P, and light 3, dark 2 become 2 and 3
        evening.taps("Oskara", "Mechanics")
        evening.asked("1 Proficiency, 1 Ability, 2 Difficulty")
        evening.flip("light")
        evening.asked("2 Proficiency, 2 Difficulty", is_on_screen=True)
        expect(vex.locator("#points")).to_have_count(0)  # who throws sees nothing but what is thrown
        # S S + Av Av against Th and a blank: 2 S, 2 - 1 = 1 Av
        roll = evening.throw("proficiency success+success advantage+advantage, difficulty threat -")
        assert left(roll) == {"success": 2, "advantage": 1}
        evening.shows("Success")
        expect(vex.locator("#points .count")).to_have_text("2")
        evening.pictures("result")
        # 1 Av recovers 1 strain
        screen.locator('.spend[data-spend="recover_strain"]').click()
        evening.has("Oskara", strain=2)

        # Vex calls for himself: 3 and 2 are 1 A 2 P. One D too few lies there; it is taken as it lies: S, 2 Av, Th
        evening.taps("Vex", "Computers", on=vex)
        evening.asked("2 Proficiency, 1 Ability, 2 Difficulty")
        evening.throw("ability success, proficiency advantage+advantage -, difficulty threat", is_seen=True)
        expect(screen.locator("#headline")).to_have_text("1 die too few")
        expect(master.locator("#headline")).to_have_text("1 die too few")
        evening.pictures("wrong")
        screen.locator('[data-also="take"]').click()
        evening.shows("Success")
        # 1 Av of the 2 - 1 buys a boost for an ally, on the roller's phone
        vex.locator('.buy[data-spend="boost_next_ally"]').click()
        vex.locator("#sheet").get_by_role("button", name="Oskara").click()
        expect(vex.locator(".now-done")).to_contain_text("Oskara")
        wait_for(evening.running.table, lambda _: evening.carried("Oskara") == [{"boost": 1}])

        # Hard is 3 D; the boost lies in it
        evening.taps("Oskara", "Mechanics", "[aria-label='Difficulty 1 higher']")
        evening.asked("1 Proficiency, 1 Ability, 1 Boost, 3 Difficulty")
        # S against F: 0, which is no success; Th + Th
        roll = evening.throw("boost -, ability success, proficiency -, difficulty failure threat threat")
        assert left(roll) == {"threat": 2}
        evening.shows("Failure")
        # threats are the game master's: each 1 strain
        expect(screen.locator('.spend[data-spend="suffer_strain"]')).to_be_disabled()
        master.locator('.buy[data-spend="suffer_strain"]').click()
        expect(screen.locator('.spend[data-spend="suffer_strain"] .bought')).to_be_visible()
        evening.has("Oskara", strain=3)

        master.locator("#one-more").click()  # a threat stays unspent
        # Medium is 2 D. S + S S = 3 S: 9 + 3 - 5 = 7 is beyond 5 once
        evening.taps("Oskara", "Carbine")
        evening.asked("2 Proficiency, 1 Ability, 2 Difficulty")
        roll = evening.throw("ability success, proficiency success+success -, difficulty - -")
        assert effects(roll) == [("wounds", 7)]
        evening.power_fails()  # between the throw and the wounds
        expect(screen.locator("#consequence")).to_contain_text("7 of 20")
        master.locator("#now-card [data-act^=apply]").click()
        for page in (screen, master):
            expect(page.locator("#applied, .now-done, .open-row#roll-more")).to_contain_text("1 of them falls")
        wait_for(evening.running.table, lambda _: evening.standing("Troopers") == 3)

        # 3 stand: rank 2, 1 A 2 P. S S + S = 3 S: 12 - 3 = 9, and 6 + 9 is beyond 12
        evening.taps("Troopers", "Rifle")
        evening.throw("ability success+success, proficiency success -, difficulty - -")
        screen.locator("#consequence [data-act]").click()
        expect(screen.locator('[data-act="follow"]')).to_contain_text("critical injury")
        evening.has("Oskara", wounds=15)
        expect(master.locator(".now-done, .open-row#roll-more")).to_be_visible()
        master.locator("#undo").click()
        expect(screen.locator("#consequence [data-act]")).to_be_visible()
        evening.has("Oskara", wounds=6)
        screen.locator("#consequence [data-act]").click()
        screen.locator('[data-act="follow"]').click()
        # tens 4, ones 7
        called(master, "", "critical injury")
        roll = evening.throw("d100 40, d10 7")
        assert (total(roll), roll["row"]) == (47, "Nick")
        for page in (screen, master):
            expect(page.get_by_text("Nick", exact=True).first).to_be_visible()
        evening.pictures("injury")
        master.locator("#now-card [data-act^=apply]").click()
        expect(master.locator("#now-card [data-act^=apply]")).to_have_count(0)

        # A fight: Oskara is out. Nobody has Cool: an average of two dice each. S + Av is 1 and 1, S S is 2 and 0
        evening.to("Now")
        master.locator("#fight-begins").click()
        expect(master.locator('.person-chip[data-who="Oskara"]')).to_have_attribute("aria-pressed", "false")
        master.locator("#sheet .done").click()
        evening.fight(("Vex", "2 Ability", "ability success advantage"))
        expect(master.locator("#throws [data-current] b").first).to_have_text("Troopers")
        evening.throw("ability success+success -")
        evening.order("Troopers", "Vex", now="Troopers")
        expect(screen.locator(".order li")).to_have_count(2)
        evening.next_turn("Vex")
        expect(screen.locator("#headline")).to_have_text("Vex acts")
        # Disoriented is a setback on each check, until it is taken off: 3 A against Easy, 1 D
        vex.locator("#add-state").click()
        vex.locator('[data-state="Disoriented"]').click()
        vex.locator("#sheet .done").click()
        expect(master.locator("#order [aria-current] .person-state")).to_have_text("Disoriented, unhurt")
        master.locator('.turn-skill[data-skill="Deception"]').click()
        master.locator("#call-change").click()
        for _ in range(2):  # the phone called Hard last
            master.get_by_label("Difficulty 1 lower").click()
        master.locator("#ask-now").click()
        evening.asked("3 Ability, 1 Difficulty, 1 Setback")
        evening.throw("ability success - -, difficulty -, setback -")
        evening.shows("Success")
        # In the next round a slot is anybody's of its side, and shows who likely takes it: that is tapped on the screen
        evening.next_turn("Troopers")
        evening.next_turn("Vex")
        screen.locator("#turn-other").click()
        screen.locator("#sheet").get_by_role("button", name="Vex").click()
        wait_for(evening.running.table, lambda state: [one.who for one in state.initiative.slots] == ["", "Vex"])
        expect(master.locator("#order [aria-current]")).to_contain_text("Vex")
        evening.pictures("fight")
        evening.end_fight()
        # After it Vex treats Oskara, who is beyond 12: 3 D. S S + S against a blank heal 3; then stimpacks 5 and 4
        evening.to("Cast")
        master.locator('.act[data-act="encounter"]').click()  # what lasts for the scene is over with it
        expect(vex.locator(".chip.state")).to_have_count(0)
        vex.locator('.care[data-care="Medicine"]').click()
        evening.asked("1 Proficiency, 1 Ability, 3 Difficulty")
        evening.throw("ability success, proficiency success+success, difficulty - - -")
        vex.locator('[data-act="apply"]').click()
        evening.has("Oskara", wounds=12)
        evening.treats_oskara()
        evening.has("Oskara", wounds=7)
        evening.treats_oskara()
        evening.has("Oskara", wounds=3)
        master.locator("#undo").click()
        evening.has("Oskara", wounds=7)
        master.locator('.act[data-act="night"]').click()  # for all: a wound less, and no strain
        evening.has("Oskara", wounds=6, strain=0)
        # somebody new comes: the name is all that was typed all evening
        evening.to("Cast")
        master.locator("#add-person").click()
        master.locator('[data-kind="thing"]').click()
        master.locator("#person-name").fill("Krayt")
        master.locator("#person-done").click()
        expect(master.locator('#pane-cast .person-row[data-who="Krayt"]')).to_be_visible()
        assert [typed for page in evening.pages.values() if (typed := page.evaluate(TYPED))] == ["person-name"]
        evening.to("Log")
        evening.pictures("log")
