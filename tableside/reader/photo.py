"""Photographs from files, upright and in BGR."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import cv2
import imagesize
import numpy as np
import numpy.typing as npt

from tableside.errors import DamagedPhoto, PhotoError
from tableside.words import say

Picture = npt.NDArray[np.uint8]
"""(height, width, 3) BGR."""

_JPEG = b"\xff\xd8"
MAX_PIXELS = 60_000_000
"""Larger pictures are refused before they are decoded: 60 MP take 180 MB."""

_MOST_TIMES = 16
"""So many times as long as it is wide a picture may be. A strip that is brought to a usual width fills the memory."""

SENT_PIXELS = 16_000_000
"""The same for what the network sends: 16 MP take 50 to 150 MB to decode, which a board of 512 MB bears."""

_HEIC = frozenset({b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1"})
"""The brands of still pictures by HEVC (ISO/IEC 23008-12, annex B), as phones save them."""

_MARKS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM", b"II*\0", b"MM\0*")


def load_photo(path: Path) -> Picture:
    """Return the photograph as (height, width, 3) uint8 BGR, turned upright by its EXIF orientation.

    Grey-scale, 16-bit and transparent pictures are converted.

    :raises PhotoError: when the file is missing, is no picture, a strip or has more than ``MAX_PIXELS``.
    :raises DamagedPhoto: when it is cut short, or its decoder warns.
    """
    where = str(path)
    try:
        data = path.read_bytes()
    except IsADirectoryError as error:
        raise PhotoError("is a folder, not a photograph", where=where, hint="Name the pictures in it.") from error
    except OSError as error:
        hint = "Check the name and that you may read it."
        raise PhotoError("cannot be opened ({=why})", why=error.strerror, where=where, hint=hint) from error
    return decode_photo(data, where=where)


def decode_photo(data: bytes, *, where: str, most_pixels: int = MAX_PIXELS) -> Picture:
    """Decode the bytes of a JPEG, PNG, WebP, BMP, TIFF or HEIC file; see :func:`load_photo`.

    Only files whose header gives their size are decoded: of other kinds a few bytes could fill the memory.

    :param most_pixels: above which it is refused.
    """
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC:
        return _decode_heic(data, where=where, most_pixels=most_pixels)
    size = picture_size(data)
    if size is None:
        hint = "JPEG, PNG, WebP, BMP, TIFF and HEIC files can be read."
        raise PhotoError("is not a picture, or is damaged", where=where, hint=hint)
    _check_size(size, where=where, most_pixels=most_pixels)
    if data[:2] == _JPEG and b"\xff\xd9" not in data[-65536:]:
        raise DamagedPhoto("is cut short: the end of the picture is missing", where=where, hint="Copy it again.")
    if warning := jpeg_warning(data):
        raise DamagedPhoto("is damaged ({=why})", why=warning, where=where, hint="Copy it again.")
    picture: npt.NDArray[np.generic] | None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise PhotoError("is damaged", where=where, hint="Copy it again, or save it as JPEG.")
    return np.ascontiguousarray(picture, np.uint8)


def _check_size(size: tuple[int, int], *, where: str, most_pixels: int) -> None:
    width, height = size
    if width * height > most_pixels:
        most = most_pixels // 1_000_000
        what = say("has {=width} x {=height} pixels, more than {=most} million", width=width, height=height, most=most)
        raise PhotoError(what, where=where, hint="Save it at half the size.")
    if is_strip(size):
        what = say("is a strip of {=width} x {=height} pixels", width=width, height=height)
        raise PhotoError(what, where=where, hint="Take a photograph of the dice.")


def is_strip(size: tuple[int, int]) -> bool:
    """Tell whether a picture of this size is no camera's, but a narrow strip."""
    return max(size) > _MOST_TIMES * min(size)


def _decode_heic(data: bytes, *, where: str, most_pixels: int) -> Picture:
    """Decode a phone's HEIC photograph, which says itself how it was held.

    :raises PhotoError: where the package for it is not installed, naming what to do.
    """
    try:
        from pi_heif import open_heif
    except ImportError as error:
        hint = "Run `pip install 'tableside[heic]'` where tableside is installed, or save the photograph as JPEG."
        raise PhotoError("is a HEIC photograph, which needs one more package", where=where, hint=hint) from error
    try:
        found = open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)  # it decodes when its pixels are asked for
        _check_size(found.size, where=where, most_pixels=most_pixels)
        return np.array(np.asarray(found)[:, :, :3], np.uint8, order="C")  # a copy: the decoder's memory goes with it
    except (ValueError, RuntimeError, EOFError, SyntaxError) as error:
        raise PhotoError("is damaged", where=where, hint="Copy it again, or save it as JPEG.") from error


def jpeg_warning(data: bytes) -> str:
    """Return the decoder's warning about a JPEG that it can decode all the same, empty if there is none.

    A part of such a picture is grey or misplaced. It is decoded at an eighth of its size, which is quick.
    """
    if data[:2] != _JPEG:
        return ""
    picture, warning = _decode_jpeg(data, colorspace="GRAY", min_height=1, min_width=1, min_factor=8)
    return "" if picture is None else warning  # no picture: it is no JPEG, or of a kind that this decoder does not know


def jpeg_of(picture: npt.NDArray[Any], *, quality: int = 95) -> bytes:
    """Return a picture as JPEG.

    :param quality: of 100.
    """
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def decode_jpeg(data: bytes) -> tuple[Picture | None, str]:
    """Return a camera's JPEG as BGR, and what the decoder warns of; no picture where nothing can be decoded.

    Cameras know no EXIF orientation.
    """
    return _decode_jpeg(data, colorspace="BGR")


def _decode_jpeg(data: bytes, **how: Any) -> tuple[Picture | None, str]:
    """Return what simplejpeg decodes, and what it warns of; no picture where it decodes nothing."""
    from simplejpeg import decode_jpeg as decode

    try:
        return decode(data, strict=True, **how), ""
    except ValueError as error:
        warning = str(error)
    try:
        return decode(data, strict=False, **how), warning
    except ValueError:
        return None, warning


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return (width, height) from the header of a JPEG, PNG, WebP, BMP or TIFF file, ``None`` where it is none."""
    is_webp = data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    if not (is_webp or data.startswith(_MARKS)):
        return None
    try:
        width, height = imagesize.get(io.BytesIO(data))
    except (ValueError, struct.error):
        return None
    return (int(width), int(height)) if width > 0 and height > 0 else None
