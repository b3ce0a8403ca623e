"""The pictures of the guide can be made again, by the programs that made them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.pages import script
from tests.test_guide import DOCS, FRONT, MOVING, OF_OTHERS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PICTURES = sorted(path.stem for path in (DOCS / "pictures").glob("*.png") if path.name not in OF_OTHERS)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_can_be_made_again(name: str, chromium: Browser) -> None:
    kept = cv2.imread(str(DOCS / "pictures" / f"{name}.png"))
    assert kept is not None
    with script("screenshots").shown(name, chromium) as page:
        made = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert made is not None
    halves = 2 if made.shape[1] > 1280 else 1  # one of a television is kept in half its size
    assert made.shape == (halves * kept.shape[0], halves * kept.shape[1], 3)
    assert made.std() > 5  # something is on it


def test_the_moving_picture_can_be_made_again(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    moving = script("moving_picture")
    monkeypatch.setattr(moving, "_STEPS", 1)
    made = moving.film_of(chromium).pictures
    with Image.open(MOVING) as kept:
        assert {picture.size for picture in made} == {kept.size}
    assert len(made) > 10


def test_the_picture_of_the_front_page_can_be_made_again(chromium: Browser) -> None:
    made = script("front_page").picture_of(chromium)
    with Image.open(FRONT) as kept:
        assert made.size == kept.size
    assert np.asarray(made.convert("L")).std() > 20
