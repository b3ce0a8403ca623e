"""The hall in chromium: a wall of tiles, one table for itself, and what comes from a broker is only text."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tableside.adapters.mqtt.connection import MqttSettings
from tableside.app.running_table import RunningTable
from tests.browser.conftest import SIZES, Opens, look, resize, running_table, throw
from tests.browser.test_accessible import look_at
from tests.browser.test_forms import laid_out
from tests.fakes.mosquitto import Listener, Mosquitto

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SHOWN = ("table", "phone", "television")


@pytest.fixture
def running(tmp_path: Path, broker: Mosquitto, undo: ExitStack) -> RunningTable:
    """A whole table that is on a broker, as its settings say."""
    mqtt = MqttSettings(host="127.0.0.1", port=broker.port)
    running = running_table(tmp_path, name="Table 1", connections={"mqtt": mqtt})
    undo.callback(running.close)
    throw(running, ("ability", ("success", "success")), ("proficiency", ("triumph",)))
    return running


@pytest.fixture
def others(broker: Mosquitto, undo: ExitStack) -> Listener:
    """The other tables of the hall."""
    listener = Listener(broker.port, "nothing/at/all")
    undo.callback(listener.close)
    return listener


NARRATIVE = [
    {"type": kind, "face": face}
    for kind, face in [
        ("proficiency", ["triumph"]), ("ability", ["success", "success"]), ("boost", ["success", "advantage"]),
        ("challenge", ["failure", "threat"]), ("difficulty", ["threat"]), ("setback", []),
    ]
]  # fmt: skip
PIPS = [{"type": "pip", "face": [face]} for face in "6542"]
RESULTS: list[dict[str, Any]] = [
    {"headline": "Success", "succeeded": True, "net": {"success": 2, "threat": 1}, "by": "Vex", "label": "Stealth"},
    {"headline": "Failure", "succeeded": False, "net": {"failure": 1, "advantage": 3}, "by": "Kaa", "label": "Charm"},
    {
        "headline": "17",
        "succeeded": None,
        "net": {"total": 17},
        "dice": PIPS,
        "by": "Old Man Olaf of the Northern Wastes",
        "label": "Damage",
    },
    {"headline": "Triumph", "succeeded": True, "net": {"success": 1, "triumph": 1, "despair": 1}, "label": "Piloting"},
    {"headline": "Critical failure", "succeeded": False, "net": {}, "sure": False, "by": "Ida"},
]


def told(number: int, **more: Any) -> bytes:
    result = {
        "age": 40.0 * number,
        "dice": NARRATIVE,
        "sentence": "Two successes and a threat.",
        **RESULTS[number % len(RESULTS)],
    }
    body = {
        "name": f"Table {number}", "phase": "still", "game": "Narrative dice",
        "destiny": {"light": number % 6, "dark": 2},
        "destiny_names": {"pool": "Destiny", "light": "Light", "dark": "Dark"}, "hidden": number % 11 == 6,
        "result": None if number % 13 == 7 or number % 11 == 6 else result,
        "recent": [{"id": str(n), **RESULTS[n]} for n in range(4)], "trouble": [],
    }  # fmt: skip
    return json.dumps(body | more).encode()


def fill(others: Listener, count: int) -> None:
    for number in range(2, count + 1):
        others.publish(f"tableside/table-{number}/state", told(number), retain=True)
        state = b"offline" if number % 9 == 0 else b"online"
        others.publish(f"tableside/table-{number}/availability", state, retain=True)


def test_the_wall_shows_every_table(opens: Opens, running: RunningTable, others: Listener) -> None:
    page = opens("/hall")
    for count in (1, 8, 50):
        fill(others, count)
        expect(page.locator(".tile")).to_have_count(count)
        expect(page.locator('[data-table="table-1"] .word')).to_have_text("Success")
        if count > 1:
            expect(page.locator('[data-table="table-4"] .word')).to_have_text("Being asked")
        if count == 50:
            expect(page.locator('[data-table="table-9"] .age')).to_contain_text("offline")
            names = page.locator(".tile .name").all_text_contents()
            assert names[:3] == ["Table 1", "Table 2", "Table 3"]
        for size in SHOWN:
            resize(page, SIZES[size])
            laid_out(page, f"hall-{count}", scrolls=size != "television")
            if size == "television":
                assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "a wall display scrolls"


def test_one_table_for_itself_follows_what_happens_there(opens: Opens, running: RunningTable, others: Listener) -> None:
    fill(others, 3)
    page = opens("/hall/table-2")
    expect(page.locator("#headline")).to_have_text("17")
    expect(page.locator("#title")).to_have_text("Table 2")
    expect(page.locator("#stage .die-drawing")).to_have_count(len(PIPS))  # each die stands once
    others.publish(
        "tableside/table-2/state",
        told(2, result={"id": "n", "age": 1, "dice": NARRATIVE, "sentence": "Failed.", **RESULTS[1]}),
    )
    expect(page.locator("#headline")).to_have_text("Failure")
    expect(page.locator(".sentence")).to_have_text("Failed.")
    for size in SHOWN:
        resize(page, SIZES[size])
        laid_out(page, "hall-one")
    page.locator("#back").click()
    expect(page.locator(".tile")).to_have_count(3)
    page.locator('[data-table="table-1"]').click()
    expect(page.locator("#title")).to_have_text("Table 1")


def test_the_menu_leads_to_the_hall_where_a_roll_here_is_on_the_wall_at_once(
    opens: Opens, running: RunningTable
) -> None:
    page = opens("/")
    page.locator("#menu").click()
    page.locator("[data-group=more]").first.click()
    page.locator("[data-row=connections]").click()
    page.locator("[data-row=hall]").click()
    expect(page.locator(".word")).to_have_text("Success")
    throw(running, ("difficulty", ("failure",)))
    expect(page.locator(".word")).to_have_text("Failure")


def test_what_a_stranger_sends_is_only_text(opens: Opens, running: RunningTable, others: Listener) -> None:
    evil = "<img src=x onerror=document.title='got'>"
    result = {"headline": evil, "sentence": evil, "by": evil, "net": {"constructor": 3, "success": 1}}
    others.publish("tableside/evil/state", told(2, name=evil, result=result, phase="toString"), retain=True)
    page = opens("/hall")
    expect(page.locator('[data-table="evil"] .word')).to_contain_text("<img")
    page.locator('[data-table="evil"]').click()
    expect(page.locator("#headline")).to_contain_text("<img")
    expect(page.locator("img")).to_have_count(0)
    assert page.title() != "got"


def test_a_page_speaks_its_language_of_another_table_and_says_that_a_broker_is_gone(
    opens: Opens, running: RunningTable, others: Listener, broker: Mosquitto
) -> None:
    words = {
        "headline": {"key": "Hit for {n}", "values": {"n": 6}},
        "sentence": {"key": "Hit for {n}.", "values": None},
    }
    result = {"id": "n", "age": 1, "headline": "Hit for 6", "sentence": "Hit for 6.", "words": words, "succeeded": True}
    others.publish("tableside/table-2/state", told(2, result=result), retain=True)
    page = opens("/hall?lang=de")
    expect(page.locator('[data-table="table-2"] .word')).to_have_text("Treffer für 6")
    broker.stop()
    expect(page.locator("#lost")).to_contain_text("Keine Verbindung zum Broker")
    look(page, "hall-lost")
    broker.start()
    expect(page.locator("#lost")).to_be_hidden()


def test_the_pages_are_clean(opens: Opens, running: RunningTable, others: Listener) -> None:
    fill(others, 14)
    page = opens("/hall", viewport={"width": 800, "height": 480}, reduced_motion="reduce")
    at = page.url
    page.locator(".tile").nth(13).wait_for()
    for path in ("", "/table-3", "/unknown", "/table-6?lang=de"):
        if path:
            page.goto(at + path)
            page.locator(".one, .empty").first.wait_for()
        look_at(page, f"hall{path}")
