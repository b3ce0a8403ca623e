from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from tableside.errors import DamagedPhoto, PhotoError
from tableside.reader.photo import SENT_PIXELS, decode_photo, load_photo, picture_size


def saved(path: Path, picture: np.ndarray) -> Path:
    assert cv2.imwrite(str(path), picture)
    return path


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """Return the JPEG with an EXIF segment that says how the camera was held (TIFF tag 0x0112)."""
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01" + orientation.to_bytes(2, "big") + b"\x00\x00"
    tiff = b"MM\x00\x2a\x00\x00\x00\x08" + b"\x00\x01" + entry + b"\x00\x00\x00\x00"
    body = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + jpeg[2:]


def test_a_phone_held_on_its_side_is_turned_upright(tmp_path: Path) -> None:
    picture = np.zeros((40, 80, 3), np.uint8)
    picture[:, :20] = 255
    path = saved(tmp_path / "a.jpg", picture)
    path.write_bytes(with_orientation(path.read_bytes(), 6))
    turned = load_photo(path)
    assert turned.shape == (80, 40, 3)
    assert turned[:15].mean() > 200 > 50 > turned[30:].mean()


@pytest.mark.parametrize(
    "picture",
    [
        np.full((30, 40), 90, np.uint8),
        np.full((30, 40, 4), 90, np.uint8),
        np.full((30, 40, 3), 20000, np.uint16),
    ],
    ids=["grey-scale", "transparent", "16-bit"],
)
def test_other_kinds_of_pictures_become_bgr(tmp_path: Path, picture: np.ndarray) -> None:
    loaded = load_photo(saved(tmp_path / "a.png", picture))
    assert (loaded.shape, loaded.dtype) == ((30, 40, 3), np.uint8)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda jpeg: jpeg[: len(jpeg) // 2] + jpeg[len(jpeg) // 2 + 400 :], "is damaged .*Corrupt JPEG data"),
        (lambda jpeg: jpeg[: len(jpeg) // 2], "is cut short"),
        (lambda jpeg: jpeg[: len(jpeg) // 2] + b"\xff\xd9", "is damaged .*Corrupt JPEG data"),
    ],
    ids=["a gap", "cut short", "cut short and ended"],
)
def test_a_jpeg_that_its_decoder_warns_of_is_not_read(
    tmp_path: Path, damage: Callable[[bytes], bytes], words: str
) -> None:
    path = saved(tmp_path / "a.jpg", np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DamagedPhoto, match=words):
        load_photo(path)


def test_a_good_jpeg_with_something_behind_its_end_is_read(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.jpg", np.full((30, 40, 3), 90, np.uint8))
    path.write_bytes(path.read_bytes() + bytes(500))
    assert load_photo(path).shape == (30, 40, 3)


def test_a_text_file_is_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_text("not a picture")
    with pytest.raises(PhotoError, match="is not a picture"):
        load_photo(path)


def test_an_empty_file_is_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.touch()
    with pytest.raises(PhotoError, match="is not a picture"):
        load_photo(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match=r"none.jpg: cannot be opened"):
        load_photo(tmp_path / "none.jpg")


def test_a_picture_cut_short_is_refused(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    path = saved(tmp_path / "a.jpg", noise)
    path.write_bytes(path.read_bytes()[:-4000])
    with pytest.raises(PhotoError, match="cut short"):
        load_photo(path)


@pytest.mark.parametrize("form", [".jpg", ".png", ".bmp", ".tiff", ".webp"])
def test_the_size_stands_in_every_header(tmp_path: Path, form: str) -> None:
    path = saved(tmp_path / f"a{form}", np.zeros((30, 70, 3), np.uint8))
    assert picture_size(path.read_bytes()) == (70, 30)


def test_a_single_pixel_is_a_picture(tmp_path: Path) -> None:
    assert load_photo(saved(tmp_path / "a.png", np.zeros((1, 1, 3), np.uint8))).shape == (1, 1, 3)


def test_a_huge_picture_is_refused_by_its_header(tmp_path: Path) -> None:
    header = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\x0dIHDR" + (20000).to_bytes(4, "big") + (10000).to_bytes(4, "big")
    path = tmp_path / "a.png"
    path.write_bytes(header + bytes(20))
    with pytest.raises(PhotoError, match="20000 x 10000 pixels"):
        load_photo(path)


@pytest.mark.parametrize("size", [(1, 2000), (2000, 1), (9, 150)])
def test_a_strip_which_at_a_usual_width_would_fill_the_memory_is_refused(tmp_path: Path, size: tuple[int, int]) -> None:
    for ending in (".png", ".jpg", ".webp"):
        path = tmp_path / f"a{ending}"
        cv2.imwrite(str(path), np.zeros((*size, 3), np.uint8))
        with pytest.raises(PhotoError, match=f"is a strip of {size[1]} x {size[0]} pixels"):
            load_photo(path)


def jpeg_2000(*, is_raw: bool) -> bytes:
    """Return a picture that OpenCV can decode, as a file or as the bare stream within it."""
    data = cv2.imencode(".jp2", np.zeros((48, 64, 3), np.uint8))[1].tobytes()
    return data[data.index(b"\xff\x4f\xff\x51") :] if is_raw else data


@pytest.mark.parametrize(
    "data",
    [
        jpeg_2000(is_raw=True),
        jpeg_2000(is_raw=False),
        b"P6 64 48 255 " + bytes(64 * 48 * 3),
        cv2.imencode(".hdr", np.zeros((48, 64, 3), np.float32))[1].tobytes(),
    ],
    ids=["bare JPEG 2000", "JPEG 2000", "PPM", "HDR"],
)
def test_forms_whose_size_is_not_known_beforehand_are_refused(data: bytes) -> None:
    with pytest.raises(PhotoError, match="is not a picture"):
        decode_photo(data, where="photograph")


def test_what_is_sent_may_be_smaller_than_what_is_read_from_a_file(tmp_path: Path) -> None:
    side = 5000
    data = cv2.imencode(".png", np.zeros((side, side), np.uint8))[1].tobytes()
    assert side * side > SENT_PIXELS
    with pytest.raises(PhotoError, match="5000 x 5000 pixels, more than 16 million"):
        decode_photo(data, where="photograph", most_pixels=SENT_PIXELS)
    assert decode_photo(data, where="photograph").shape == (side, side, 3)


def heic(picture: np.ndarray) -> bytes:
    """Return the picture as a phone saves it."""
    pillow_heif = pytest.importorskip("pillow_heif")
    height, width = picture.shape[:2]
    target = io.BytesIO()
    pillow_heif.from_bytes(mode="BGR", size=(width, height), data=picture.tobytes()).save(target, quality=95)
    return target.getvalue()


def test_a_heic_photograph_of_a_phone_is_read() -> None:
    picture = np.full((48, 80, 3), 90, np.uint8)
    picture[:, :40] = (0, 0, 230)
    loaded = decode_photo(heic(picture), where="a.heic")
    assert (loaded.shape, loaded.dtype) == ((48, 80, 3), np.uint8)
    assert np.abs(loaded[:, 5:35].astype(int) - (0, 0, 230)).max() < 12
    assert np.abs(loaded[:, 45:75].astype(int) - 90).max() < 12


@pytest.mark.parametrize(
    ("damage", "most", "words"),
    [
        (lambda data: data[: len(data) - 40], 10_000, "is damaged"),
        (lambda data: data[:60], 10_000, "is damaged"),
        (lambda data: data, 3_000, "has 80 x 48 pixels, more than"),
    ],
    ids=["cut short", "only a beginning", "too large"],
)
def test_a_heic_photograph_that_cannot_be_read_says_why(
    damage: Callable[[bytes], bytes], most: int, words: str
) -> None:
    data = damage(heic(np.full((48, 80, 3), 90, np.uint8)))
    with pytest.raises(PhotoError, match=words):
        decode_photo(data, where="a.heic", most_pixels=most)


def test_without_its_package_a_heic_photograph_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    data = b"\0\0\0\x18ftypheic" + bytes(40)
    with pytest.raises(PhotoError) as refused:
        decode_photo(data, where="IMG_0001.HEIC")
    assert str(refused.value) == (
        "IMG_0001.HEIC: is a HEIC photograph, which needs one more package. "
        "Run `pip install 'tableside[heic]'` where tableside is installed, or save the photograph as JPEG."
    )
