"""The corner marks on paper are found by the program."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from hardware.sizes import Sizes
from tableside.tray.region import find_marks
from tests.conftest import ROOT

PRINT = ROOT / "hardware" / "print"
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
DPI = 150
MM = DPI / 25.4


def page(paper: str, number: int) -> npt.NDArray[np.uint8]:
    """Return a page of the PDF as a picture, with 30 pixels of a table around it."""
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is missing: pip install -e '.[dev]'")
    with pdfium.PdfDocument(PRINT / f"corner-marks-{paper}.pdf") as document:
        assert len(document) == 2
        printed = document[number].render(scale=DPI / 72).to_numpy()[:, :, :3]
    return np.asarray(cv2.copyMakeBorder(printed, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(90, 120, 60)), np.uint8)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("number", "inner_mm"), [(0, 10 + 22), (1, 55 + Sizes().mark_mm)], ids=["to lay in", "to cut out"]
)
def test_the_marks_on_paper_are_found_where_they_are(paper: str, number: int, inner_mm: float) -> None:
    picture = page(paper, number)
    found = find_marks(picture)
    assert found is not None
    width, height = PAPERS[paper]
    left, right = inner_mm, width - inner_mm
    top, bottom = inner_mm, height - inner_mm
    wanted = np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) * MM + 30
    got = np.array(found) * (picture.shape[1], picture.shape[0])
    assert np.abs(got - wanted).max() < 3  # pixels: half a millimetre


def test_marks_glued_to_the_corners_are_found_at_the_size_that_the_camera_sees() -> None:
    """Cut the marks out of the second page, glue them to a tray, look from above at 4.3 pixels a millimetre."""
    sizes, seen = Sizes(), 4.3
    printed = page("a4", 1)[30:-30, 30:-30]
    white = (sizes.corner_mm - sizes.mark_mm) / 2
    width, height = PAPERS["a4"]
    picture = np.full((960, 1280, 3), (70, 95, 120), np.uint8)
    middle = np.array([640, 480])
    side = round(sizes.corner_mm * seen)
    for x in (0, 1):
        for y in (0, 1):
            from_left = 55 - white if x == 0 else width - 55 + white - sizes.corner_mm
            from_top = 55 - white if y == 0 else height - 55 + white - sizes.corner_mm
            a, b, c, d = (
                round(v * MM) for v in (from_left, from_top, from_left + sizes.corner_mm, from_top + sizes.corner_mm)
            )
            mark = cv2.resize(printed[b:d, a:c], (side, side), interpolation=cv2.INTER_AREA)
            corner = middle + np.array([(2 * x - 1) * sizes.inner_mm[0], (2 * y - 1) * sizes.inner_mm[1]]) / 2 * seen
            left, top = np.rint(corner).astype(int) - (side * (1 - x), side * (1 - y))
            picture[top : top + side, left : left + side] = mark
    cv2.rectangle(picture, (640 - 490, 480 - 368), (640 + 490, 480 + 368), (40, 70, 40), -1)
    found = find_marks(cv2.GaussianBlur(picture, (3, 3), 0))
    assert found is not None
    got = np.array(found) * (1280, 960)
    inner = np.array(sizes.inner_mm) / 2 + white
    wanted = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * inner * seen + (640, 480)
    assert np.abs(got - wanted).max() < 4
