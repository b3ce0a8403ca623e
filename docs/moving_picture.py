"""Make the front page's picture: ``python docs/moving_picture.py [FILE]``. Needs chromium and the extra ``dev``.

A whole table watches the film of a throw (``throw.mp4``, made by ``python -m models.clips.front``) and reads it. Then
one of its drawn buttons is pressed. The left half shows the camera's picture, the right half the table's screen.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page, sync_playwright
from screenshots import PATIENCE_MS, QUIET, SCREEN, a_table, chromium

from tableside.adapters.camera.port import Recording
from tableside.adapters.camera.video import VideoCamera
from tableside.app.running_table import RunningTable
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame

FILM = Path(__file__).parent / "throw.mp4"
_HEIGHT, _STRIP, _WORDS = 480, 60, 30  # px of the two halves, of what is below them, and of the words there
_GROUND, _INK = (17, 21, 27), (238, 240, 243)
_EMPTY_MS, _HOLD_MS = 1200, 2800
_THROW_MS = 70  # of each picture of the throw: half as fast as it was
_STEPS, _STEP_MS = 8, 100  # pictures of a change on the screen
_SETTLED_MS = 150  # until the screen shows what the table knows
_DICE_LEVELS = 1.5  # mean difference from the empty tray that dice make; grain alone makes less
_MOST_BYTES = 1_500_000


class Film(Recording):
    """A camera that shows its next picture only when it is told to, and after its last ones these again."""

    name = "film"

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = frames
        self.length = len(frames)
        self._next, self._taken = threading.Semaphore(0), threading.Semaphore(0)
        self._is_over = False
        self.shown = frames[0].picture

    def open(self) -> None:
        pass

    def frames(self) -> Iterator[Frame]:
        last, seconds = len(self._frames) - 1, self._frames[1].time
        for number in count():
            if not self._is_over:
                self._next.acquire()
            if self._is_over:
                return
            self.shown = self._frames[min(number, last - number % 2)].picture
            yield Frame.of(self.shown, number=number, time=number * seconds)
            self._taken.release()

    def step(self) -> None:
        """Show one more picture, and wait until it is taken."""
        self._next.release()
        self._taken.acquire(timeout=10)

    def end(self) -> None:
        """Show no more pictures, now and whenever it is opened again."""
        self._is_over = True
        self._next.release()

    def close(self) -> None:
        pass


class Maker:
    """Collects the pictures with their times."""

    def __init__(self, page: Page, film: Film) -> None:
        self._page, self._film = page, film
        self.pictures: list[Image.Image] = []
        self.times_ms: list[int] = []

    def shoot(self, words: str, hold_ms: int) -> None:
        """Add what is seen now; a picture like the last one makes that one stay longer."""
        data = np.frombuffer(self._page.screenshot(), np.uint8)
        screen = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert screen is not None
        picture = _beside(self._film.shown, np.asarray(screen, np.uint8), words)
        if self.pictures and picture.tobytes() == self.pictures[-1].tobytes():
            self.times_ms[-1] += hold_ms
        else:
            self.pictures.append(picture)
            self.times_ms.append(hold_ms)

    def watch(self, words: str) -> None:
        """Add a change of the screen, and hold what it comes to."""
        for _ in range(_STEPS):
            self._page.wait_for_timeout(_STEP_MS)
            self.shoot(words, _STEP_MS)
        self.shoot(words, _HOLD_MS)


def _beside(tray: Picture, screen: Picture, words: str) -> Image.Image:
    """Return both at one height side by side, with words below."""
    width = round(_HEIGHT * tray.shape[1] / tray.shape[0])
    row = np.hstack([cv2.resize(tray, (width, _HEIGHT), interpolation=cv2.INTER_AREA), screen])
    whole = Image.new("RGB", (row.shape[1], _HEIGHT + _STRIP), _GROUND)
    whole.paste(Image.fromarray(cv2.cvtColor(row, cv2.COLOR_BGR2RGB)), (0, 0))
    font = ImageFont.load_default(_WORDS)
    ImageDraw.Draw(whole).text((row.shape[1] / 2, _HEIGHT + _STRIP / 2), words, _INK, font, anchor="mm")
    return whole


def play(running: RunningTable, film: Film, made: Maker, page: Page) -> None:
    """Throw, wait for the result, and press the button that flips a light point."""
    made.shoot("The tray is empty.", _EMPTY_MS)
    empty = film.shown
    for _ in range(film.length):
        film.step()
        if cv2.absdiff(film.shown, empty).mean() > _DICE_LEVELS:
            page.wait_for_timeout(_SETTLED_MS)
            if running.table.state.roll is not None:
                break
            made.shoot("Dice are thrown.", _THROW_MS)
    else:
        raise SystemExit(f"{FILM}: the table did not read the throw. Look at it with: tableside watch {FILM}")
    made.watch("The camera reads all dice at once. The screen shows what they mean.")
    running.panel.press("flip_light", True)
    made.watch("A button flips a destiny point from light to dark.")
    running.panel.press("flip_light", False)


def film_of(browser: Browser) -> Maker:
    """Let a table watch the throw, and return the pictures of it."""
    camera = VideoCamera(FILM)
    camera.open()
    film = Film(tuple(camera.frames()))
    camera.close()
    with a_table(film) as running:
        page = browser.new_page(viewport={"width": SCREEN[0], "height": SCREEN[1]})
        try:
            page.set_default_timeout(PATIENCE_MS)
            page.goto(running.address)
            page.locator("body[data-ready]").wait_for()
            made = Maker(page, film)
            play(running, film, made, page)
        finally:
            film.end()
            page.context.close()
    return made


def main(file: Path) -> None:
    """Write the moving picture."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        made = film_of(browser)
        browser.close()
    first, *others = made.pictures
    first.save(
        file, save_all=True, append_images=others, duration=made.times_ms, loop=0, quality=80, method=4,
        minimize_size=True,
    )  # fmt: skip
    size = file.stat().st_size
    if size >= _MOST_BYTES:
        raise SystemExit(f"{file}: {size} bytes are too many for a front page. Show fewer pictures, or smaller ones.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures" / "throw.webp")
