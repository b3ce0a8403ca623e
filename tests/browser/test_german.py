"""A German screen shows no English: every recorded state, word by word, and all are spoken to alike."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser

from tableside.app.running_table import RunningTable
from tableside.table.messages import CallRoll
from tests.browser.conftest import Opens, new_id, throw
from tests.browser.states import LONG, Recorded
from tests.browser.test_layout import Screen
from tests.browser.test_phones import Paired
from tests.browser.test_turns import add
from tests.conftest import ROOT
from tests.table.test_turn import HIT, OSKARA, TROOPERS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WORDS = ROOT / "web" / "words"
PLACE = re.compile(r"\{[\^_*=~]?\w+(?::([^{}]*))?\}")
WORD = re.compile(r"[^\W\d_]{3,}")
SINGULAR = re.compile(
    r"\b(?:[Dd]u|[Dd]ir|[Dd]ich|[Dd]ein\w*|(?:Leg|Zeig|Dreh|Tipp|Probier|Bestätig|Wähl|Öffn|Wart|Speicher|Setz|Prüf|Start|Kopp(?:el)?)e"
    r"|Wirf|Gib|Nimm|Lass|Sieh|wirf|gib|nimm|sieh)\b(?! [Ss]ie\b)"
)
SHOWN = """() => {
    const texts = [];
    for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode();) {
        const owner = walk.currentNode.parentElement;
        if (!owner.closest("script, style, noscript, .too-old")) texts.push(walk.currentNode.textContent);
    }
    for (const node of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
        texts.push(...["aria-label", "title", "placeholder", "alt"].map((name) => node.getAttribute(name) ?? ""));
    }
    return texts;
}"""
"""All that is shown and read out, also what stands in sheets that are shut."""


def sayings(language: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    return told


def leaves(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    else:
        for one in node.values():
            yield from leaves(one)


def words_in(texts: Iterator[str]) -> set[str]:
    """Return the words of patterns: what stands beside places, and the forms for a number."""
    return {word.lower() for text in texts for word in WORD.findall(PLACE.sub(lambda one: f" {one[1] or ''} ", text))}


@cache
def english_words() -> set[str]:
    """Return the words that English says and German never does."""
    english, german = sayings("en"), sayings("de")
    own = words_in(leaves(english["pages"])) | words_in(iter(german["table"]))
    return own - words_in(leaves(german["pages"])) - words_in(iter(german["table"].values()))


def english_in(shown: list[str], names: set[str]) -> set[str]:
    """Return what of a page's texts is English, but for what people wrote."""
    english, found = english_words(), set()
    for text in shown:
        left = text
        for name in sorted(names, key=len, reverse=True):  # one may be part of another
            left = left.replace(name, "")
        if {word.lower() for word in WORD.findall(left)} & english:
            found.add(text.strip())
    return found


def written(node: Any) -> Iterator[str]:
    """Return what people wrote into a state: names, and what rolls are for."""
    if isinstance(node, dict):
        for key, one in node.items():
            if (
                isinstance(one, str)
                and one
                and key in ("by", "label", "player", "name", "who", "for", "owner", "whose", "row")
            ):
                yield one
            else:
                yield from written(one)
    elif isinstance(node, list):
        for one in node:
            yield from written(one)


def test_no_state_shows_english_on_a_german_screen(
    chromium: Browser, running: RunningTable, recorded: Recorded
) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    screen = Screen(page, running.address, language="de")
    shown = screen.show_each(recorded, SHOWN)
    page.close()
    found = {name: english_in(texts, {LONG, *written(recorded[name])}) for name, texts in shown.items()}
    assert {name: english for name, english in found.items() if english} == {}


@pytest.mark.parametrize("role", ["gm", "player"])
def test_no_tab_of_a_phone_shows_english_in_german(
    opens: Opens, paired: Paired, running: RunningTable, role: str
) -> None:
    oskara, troopers = add(running, OSKARA), add(running, TROOPERS)
    call = CallRoll(id=new_id(), at=time.time(), who=oskara.id, weapon="Carbine", against=troopers.id)
    running.table.ask(call)
    throw(running, *[(kind, face) for kind, faces in HIT.items() for face in faces])
    running.table.ask(CallRoll(id=new_id(), at=time.time(), who=oskara.id, skill="Mechanics"))
    phone = paired(role, "Oskara")
    if role == "player":
        assert phone.request.post(f"{running.address}api/me", data={"person": oskara.id}).ok
    page = opens(f"/{role}?lang=de", phone=phone)
    page.locator("#now-card[data-mine]").wait_for()
    tabs = page.locator(".tabs button, .my-head [aria-pressed]")
    names = {"Oskara", "Trooper", *(one["name"] for one in (*OSKARA["skills"], *OSKARA["weapons"]))}
    page.locator("#roll-more").click()  # all of the roll, in a sheet over the page
    page.locator("#sheet .die").first.wait_for()
    found = {-1: english} if (english := english_in(page.evaluate(SHOWN), names)) else {}
    page.keyboard.press("Escape")
    page.locator("#sheet[open]").wait_for(state="detached")
    for place in range(tabs.count()):
        tabs.nth(place).click()
        if english := english_in(page.evaluate(SHOWN), names):
            found[place] = english
    assert found == {}


def test_german_speaks_to_all_at_the_table() -> None:
    german = sayings("de")
    assert [text for text in leaves(german) if SINGULAR.search(text)] == []
