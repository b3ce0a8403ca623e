"""An evening through the pages: hands on two phones and the table's screen, dice before a drawn camera."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import SIZES, look, watched
from tests.browser.test_phones import called, came
from tests.whole.evening import Evening, Phone
from tests.whole.test_table import wait_for

NOTICED = """() => {
  const kept = (name, first) => JSON.parse(sessionStorage.getItem(name) ?? first);
  const tapped = ({ isTrusted }) => isTrusted && sessionStorage.setItem("taps", kept("taps", "0") + 1);
  addEventListener("pointerdown", tapped, true);
  addEventListener("input", ({ target }) => {
    if (target.matches("textarea, input:not([type]), input[type=text], input[type=search], input[type=number]"))
      sessionStorage.setItem("typed", JSON.stringify({ ...kept("typed", "{}"), [target.id]: target.value }));
  }, true);
}"""
"""Notices each tap and what was typed where, as long as the page's origin lasts."""
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

    def __init__(self, folder: Path, game: str, chromium: Browser) -> None:
        super().__init__(folder, game, is_all_seen=True)
        self.wrong: list[str] = []
        self.typed: dict[str, str] = {}
        self.tapped = 0
        host = self.running.address.rsplit(":", 1)[0]
        self._contexts = [chromium.new_context() for _ in range(3)]
        for context in self._contexts:
            context.add_init_script(f"({NOTICED})()")

        def opened(number: int, size: str, phone: Phone | None = None) -> Page:
            context = self._contexts[number]
            if phone:
                name, value = phone.cookie.split("=", 1)
                context.add_cookies([{"name": name, "value": value, "url": host}])
            page = watched(context.new_page(), self.wrong)
            page.set_viewport_size({"width": SIZES[size][0], "height": SIZES[size][1]})
            return page

        self.screen_page = opened(0, "table")
        self.master = opened(1, "phone", self.gm)
        self.roller = opened(2, "phone", self.player)

    @property
    def pages(self) -> dict[str, Page]:
        return {"": self.screen_page, "gm": self.master, "player": self.roller}

    def open_pages(self) -> None:
        """Open all pages at the table as it runs now."""
        for path, page in self.pages.items():
            page.goto(self.running.address + path)
            page.locator("body[data-ready], #headline").first.wait_for()

    def notice(self) -> None:
        """Add up what was tapped and typed on all pages until now, and begin anew."""
        for page in self.pages.values():
            found = page.evaluate("({ ...sessionStorage })")
            page.evaluate("sessionStorage.removeItem('taps'); sessionStorage.removeItem('typed')")
            self.tapped += int(found.get("taps", 0))
            self.typed |= json.loads(found.get("typed", "{}"))

    def comes(self, name: str, kind: str) -> None:
        """Somebody new comes: a name is typed, which is all that was typed all evening."""
        self.to("Cast")
        self.master.locator("#add-person").click()
        self.master.locator(f'[data-kind="{kind}"]').click()
        self.master.locator("#person-name").fill(name)
        self.master.locator("#person-done").click()
        expect(self.master.locator(f'#pane-cast .person-row[data-who="{name}"]')).to_be_visible()
        self.notice()
        assert self.typed == {"person-name": name}
        assert self.tapped > 0

    def power_fails(self) -> None:
        self.notice()
        for page in self.pages.values():
            page.goto("about:blank")
        super().power_fails()
        self.open_pages()

    def __exit__(self, *_: object) -> None:
        for context in self._contexts:
            context.close()
        super().__exit__()

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

    def state(self, who: str, name: str, *, is_over: bool = False) -> None:
        """Put something that lasts on somebody, by taps on the card, or take it off."""
        self.to("Cast")
        self.master.locator(f'#pane-cast .person-row[data-who="{who}"]').click()
        self.master.locator(f'#sheet .chip.state[data-state="{name}"]' if is_over else "#sheet #add-state").click()
        if not is_over:
            self.master.locator(f'#sheet .state-choices [data-state="{name}"]').click()
        self.master.locator("#sheet .done").click()
        self.to("Now")

    def round_passes(self) -> None:
        """Let a round pass for all, outside a fight."""
        self.to("Cast")
        self.master.locator('#pane-cast .act[data-act="round"]').click()
        self.to("Now")

    def end_fight(self) -> None:
        self.to("Now")
        self.master.locator("#fight-more").click()
        self.master.locator('[data-choice="end"]').click()
        self.master.locator("#sheet .primary:not(.done)").click()
        expect(self.master.locator("#fight-begins")).to_be_visible()

    def care(self, who: str, what: str, *, throws: bool = False) -> None:
        """Do what betters somebody, by one tap on the card; where it ``throws``, the card makes room for the call."""
        self.to("Cast")
        self.master.locator(f'#pane-cast .person-row[data-who="{who}"]').click()
        self.master.locator(f'#sheet .care[data-care="{what}"]').click()
        if not throws:
            self.master.locator("#sheet .done").click()
        expect(self.master.locator("#sheet[open]")).to_have_count(0)

    def to(self, tab: str) -> None:
        self.master.locator(".tabs button", has_text=re.compile(f"^{tab}$")).click()

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

    def unfold(self) -> Page:
        """Show the newest roll on the game master's phone, and return its page."""
        self.to("Now")
        return self.master

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
