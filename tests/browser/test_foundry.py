"""The macro of the guide, in chromium on another origin, against a stand-in for Foundry's chat."""

from __future__ import annotations

import uuid
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tableside.adapters.foundry.connection import FoundrySettings
from tableside.app.table import RunningTable
from tableside.dice import Die
from tableside.table.messages import ChangeRoll, CorrectDie, EnterRoll
from tests.browser.conftest import running_table
from tests.conftest import ROOT
from tests.fakes.http_sink import HttpSink

pytestmark = pytest.mark.browser
CHAT = """() => {
  const kept = new Map();
  globalThis.game = { messages: kept };
  globalThis.ChatMessage = { create: async (told) => {
    const message = { id: String(kept.size), ...told };
    message.update = async (more) => Object.assign(message, more);
    message.delete = async () => kept.delete(message.id);
    kept.set(message.id, message);
    return message;
  } };
}"""
SHOWN = "() => [...game.messages.values()].map((message) => message.content)"


@pytest.fixture
def foundry(undo: ExitStack) -> HttpSink:
    sink = HttpSink()
    undo.callback(sink.close)
    return sink


@pytest.fixture
def running(tmp_path: Path, foundry: HttpSink, undo: ExitStack) -> RunningTable:
    running = running_table(tmp_path, connections={"foundry": FoundrySettings(origin=foundry.url)})
    undo.callback(running.close)
    return running


def macro(running: RunningTable) -> str:
    page = (ROOT / "docs" / "foundry.md").read_text(encoding="utf-8")
    script = page.split("```javascript\n")[1].split("```")[0]
    return script.replace("http://tableside.local:8000", running.address.rstrip("/"))


def rolled(running: RunningTable, **more: object) -> str:
    roll = str(uuid.uuid4())
    dice = (Die(type="ability", face=("success",)),)
    running.table.ask(EnterRoll(id=roll, at=1.0, dice=dice, **more))  # type: ignore[arg-type]
    return roll


def opened(chromium: Browser, address: str, undo: ExitStack) -> Page:
    page = chromium.new_page()
    undo.callback(page.close)
    page.goto(address)
    page.evaluate(CHAT)
    return page


def test_rolls_come_to_the_chat_and_are_changed_there(
    chromium: Browser, running: RunningTable, foundry: HttpSink, undo: ExitStack
) -> None:
    rolled(running, label="before it was there")
    page = opened(chromium, foundry.url, undo)
    page.evaluate(macro(running))
    page.wait_for_timeout(1500)  # it has asked once, so what comes now is new
    roll = rolled(running, label="<img src=x>")
    rolled(running, label="Ambush", is_hidden=True)
    page.wait_for_function(f"({SHOWN})().length === 1")
    shown = page.evaluate(SHOWN)[0]
    assert "<b>Success</b>" in shown
    assert "&lt;img src=x&gt;" in shown
    running.table.ask(CorrectDie(id=str(uuid.uuid4()), at=1.0, roll_id=roll, index=0, type="ability", face=()))
    page.wait_for_function(f"({SHOWN})()[0].includes('Failure')")
    running.table.ask(ChangeRoll(id=str(uuid.uuid4()), at=1.0, roll_id=roll, is_hidden=True))
    page.wait_for_function(f"({SHOWN})().length === 0")


def test_no_other_page_gets_an_answer(chromium: Browser, running: RunningTable, undo: ExitStack) -> None:
    stranger = HttpSink()
    undo.callback(stranger.close)
    page = opened(chromium, stranger.url, undo)
    address = f"{running.address}api/foundry/poll"
    assert page.evaluate(f"() => fetch('{address}').then(() => 'read', () => 'refused')") == "refused"
