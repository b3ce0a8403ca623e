"""From the command to the first roll by a phone's photograph: what the machine takes, and what the person does."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import look, own_table
from tests.conftest import ROOT
from tests.fakes.mosquitto import free_port

pytestmark = [pytest.mark.browser, pytest.mark.slow]
running = own_table
MOST_TAPS = 6
"""Somebody who never saw the page reads it first: ten seconds each."""
PHOTOGRAPH = ROOT / "tests" / "photos" / "phone" / "dice01.jpg"


def test_the_first_roll_by_a_photograph_takes_six_taps(chromium: Browser, tmp_path: Path) -> None:
    port = free_port()
    file = tmp_path / "tableside.toml"
    file.write_text(f'[web]\nport = {port}\n[table]\ndata = "data"\n[pins]\nfactory = "none"\n', encoding="utf-8")
    taps: list[str] = []

    def tap(what: Locator) -> None:
        taps.append(what.inner_text().split("\n")[0])
        what.click()

    began = time.monotonic()
    command = [sys.executable, "-m", "tableside", "run", "--config", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            told = next(line for line in process.stdout if "The table is at" in line)
            screen = chromium.new_page(viewport={"width": 1280, "height": 800})
            screen.goto(re.findall(r"http://\S+", told)[0])
            tap(screen.get_by_role("button", name="Let phones in"))
            code = screen.locator("#panel, main").filter(has_text="Scan, or open").first
            expect(code).to_contain_text(re.compile(r"\d{3}\s\d{3}"))
            words = code.inner_text()
            (address,) = set(re.findall(r"[\d.]+:\d+", words))
            pin = "".join(re.findall(r"\b(\d{3})\s(\d{3})\b", words)[-1])
            phone = chromium.new_page(viewport={"width": 390, "height": 844})
            taps.append("scan the code")
            phone.goto(f"http://{address}/pair#{pin}")
            tap(phone.get_by_role("button", name="I play a hero"))
            tap(phone.get_by_role("button", name="Oskara"))
            tap(phone.locator("label", has_text="Photograph"))
            phone.locator("#photograph").set_input_files(PHOTOGRAPH)
            expect(screen.locator("main")).to_contain_text("3 + 5 + 2 + 1 + 4 = 15.")
            expect(phone.locator("body")).to_contain_text("15")
            expect(phone.locator(".person-full")).to_have_attribute("data-who", "Oskara")  # whatever the dice are
            took = time.monotonic() - began
            look(screen, "two-minutes-screen")
            look(phone, "two-minutes-phone")
            screen.locator('[data-also="change_game"]').click()  # the table asks once
            expect(screen.locator('[data-also="change_game"]')).to_have_count(0)
            expect(phone.locator('.skill-line[data-skill="Blaster"]')).to_have_count(1)
            expect(phone.locator(".person-full")).to_have_attribute("data-who", "Oskara")
        finally:
            process.terminate()
    print(f"{took:.1f} s by the machine, {len(taps)} taps: {taps}")
    assert len(taps) <= MOST_TAPS
