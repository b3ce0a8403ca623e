"""Make the front page's picture: ``python docs/front_page.py [FILE]``. Needs chromium and the extra ``dev``.

A phone is called and its dice are photographed: the phone, the photograph as it was read, and the table's screen with
the same dice stand side by side. The photograph is by DamianTab/DiceDetection (Apache-2.0), as ``tests/photos`` says.
"""

from __future__ import annotations

import base64
import io
import sys
import time
import uuid
from pathlib import Path
from string import Template
from typing import Any

import cv2
import numpy as np
from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from screenshots import PATIENCE_MS, QUIET, _add, _game, _paired, _reader, _screen, a_table, chromium

from tableside.app.readers import read_file
from tableside.app.running_table import RunningTable
from tableside.dice import Reading
from tableside.table.kept import Seen
from tableside.table.messages import CallRoll, NewRoll

ROOT = Path(__file__).parents[1]
_PHOTO = ROOT / "tests" / "photos" / "phone" / "dice01.jpg"
_PAGE = Path(__file__).with_suffix(".html")
_FONTS = ROOT / "web" / "vendor" / "fonts"
_SIZE, _TABLE = (1600, 900), (1280, 800)
_PHOTO_WIDTH, _QUALITY = 860, 88
_STEPS = (
    "A phone calls the roll, in three taps",
    "You throw your own dice",
    "A camera or a phone reads them",
    "Everybody sees what it means",
)


def main(file: Path) -> None:
    """Write the picture."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        picture_of(browser).save(file, quality=_QUALITY, method=6)
        browser.close()


def picture_of(browser: Browser) -> Image.Image:
    """Make the picture."""
    with a_table() as running:
        parts = _parts(browser, running)
    page = browser.new_page(viewport={"width": _SIZE[0], "height": _SIZE[1]})
    page.set_content(Template(_PAGE.read_text(encoding="utf-8")).substitute(**parts, **_words()))
    page.wait_for_function("document.fonts.status === 'loaded'")
    page.wait_for_timeout(300)
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        whole = picture.convert("RGB")
    page.context.close()
    return whole


def _parts(browser: Browser, running: RunningTable) -> dict[str, str]:
    """Return the pictures of the called phone, of the photograph with its outlines and of the table's screen."""
    _game(running, "d6-companion")
    skills = [{"name": name, "ask": {"code": code}} for name, code in (("Search", "5D"), ("Dodge", "4D"))]
    look = {"role": "Gunslinger", "colour": "ochre", "emblem": "crosshair"}
    kesh = _add(running, "Kesh", game="d6-companion", skills=skills, **look)
    for name, emblem in (("Rook", "rocket"), ("Ansa", "star")):
        _add(running, name, game="d6-companion", emblem=emblem)
    phone = _paired(browser, running, "player", "Kesh")
    phone.request.post(f"{running.address}api/me", data={"person": kesh})
    call = CallRoll(id=_new_id(), at=time.time(), who=kesh, skill="Search", label="Search the hangar",
                    ask={"difficulty": 15}, odds_for=Seen.ALL)  # fmt: skip
    running.table.ask(call)
    phone.reload()
    phone.locator("body[data-ready]").wait_for(timeout=PATIENCE_MS)
    phone.wait_for_timeout(900)
    called = phone.screenshot()
    picture, reading = read_file(_reader("pips", "d6-companion"), _PHOTO)
    roll_id = _new_id()
    running.pictures.keep(roll_id, picture)
    running.table.ask(NewRoll(id=roll_id, at=time.time(), reading=reading, has_picture=True))
    table = _screen(browser, running, "/", _TABLE)
    table.locator(".picture image").wait_for()
    table.wait_for_timeout(900)
    parts = {"phone": called, "photo": _outlined(picture, reading), "table": table.screenshot()}
    for page in (phone, table):
        page.context.close()
    return {name: _data(png) for name, png in parts.items()}


def _outlined(picture: Any, reading: Reading) -> bytes:
    """Return the photograph with a line round each die, as a PNG."""
    shown = np.array(picture)
    width = round(shown.shape[1] / 110)
    for die in reading.dice:
        cv2.polylines(shown, [np.asarray(die.outline, np.int32)], True, (255, 255, 255), width, cv2.LINE_AA)
    corners = np.concatenate([np.asarray(die.outline) for die in reading.dice])
    (left, top), (right, bottom) = corners.min(axis=0) - 5 * width, corners.max(axis=0) + 5 * width
    near = shown[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)]
    height = round(near.shape[0] * _PHOTO_WIDTH / near.shape[1])
    smaller = cv2.resize(near, (_PHOTO_WIDTH, height), interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".png", smaller)[1].tobytes()


def _new_id() -> str:
    return str(uuid.uuid4())


def _data(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _words() -> dict[str, str]:
    fonts = {
        name: base64.b64encode(next(_FONTS.glob(f"*{name}*")).read_bytes()).decode() for name in ("saira", "hanken")
    }
    steps = "".join(f"<li><b>{number}</b>{words}</li>" for number, words in enumerate(_STEPS, 1))
    icon = (ROOT / "web" / "icon.svg").read_text(encoding="utf-8")
    return {**fonts, "steps": steps, "icon": icon, "read": "686 of 686 pip dice in real photographs read rightly."}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures" / "front.webp")
