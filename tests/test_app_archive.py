"""An archive from elsewhere is a taught set or is refused in words, with nothing written."""

from __future__ import annotations

import io
import json
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tableside.app.taught_sets import TaughtSets, export_set
from tests.conftest import Run
from tests.test_app_wrong_sets import taught

Files = dict[str, bytes]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of an exported set by their names."""
    taught("bones", tmp_path / "theirs" / "sets" / "bones")
    file = tmp_path / "bones.zip"
    export_set(TaughtSets(tmp_path / "theirs"), "bones", file)
    with zipfile.ZipFile(file) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def packed(files: Files, *more: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [*files.items(), *more]:
            archive.writestr(name, content)
    return out.getvalue()


def renamed(files: Files, old: str, new: str) -> bytes:
    return packed({name.replace(old, new): content for name, content in files.items()})


def link(files: Files) -> bytes:
    info = zipfile.ZipInfo("bones/symbols/a.svg")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return packed(files, (info, b"/etc/passwd"))


def damaged_deflate(files: Files) -> bytes:
    data = bytearray(packed(files))
    at = data.index(b"samples.json") + len("samples.json")
    data[at : at + 40] = b"\xff" * 40
    return bytes(data)


def by_lzma(files: Files) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    data = bytearray(out.getvalue())
    data[data.index(b"samples.json") + 30] ^= 0xFF
    return bytes(data)


def encrypted(files: Files) -> bytes:
    data = bytearray(packed(files))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def unknown_method(files: Files) -> bytes:
    data = bytearray(packed(files))
    data[8] = data[data.index(b"PK\x01\x02") + 10] = 77
    return bytes(data)


def said_smaller(files: Files) -> bytes:
    """Say of a file that would fill the memory that it is small."""
    data = bytearray(packed({"bones/set.toml": b"#" * 9_000_000}))
    struct.pack_into("<L", data, 22, 100)
    struct.pack_into("<L", data, data.index(b"PK\x01\x02") + 24, 100)
    return bytes(data)


def long_listing(files: Files) -> bytes:
    """Say that the list of files alone takes more than the memory."""
    data = bytearray(packed(files))
    struct.pack_into("<L", data, data.index(b"PK\x05\x06") + 12, 300_000_000)
    return bytes(data)


HUGE = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\x0dIHDR" + struct.pack(">2L", 30000, 30000) + bytes(20)
HOSTILE: dict[str, Callable[[Files], bytes]] = {
    "absolute": lambda files: renamed(files, "bones/", "/"),
    "absolute root": lambda files: packed(files, ("/set.toml", b"")),
    "up": lambda files: packed(files, ("../set.toml", b"")),
    "up and down": lambda files: packed(files, ("bones/../../bones/set.toml", b"")),
    "no folder": lambda files: renamed(files, "bones/", ""),
    "dots": lambda files: renamed(files, "bones/", "../"),
    "backslash": lambda files: packed(files, ("bones\\..\\..\\set.toml", b"")),
    "zero byte": lambda files: packed(files, ("bones/samples/a.jpg?txt", b"")).replace(b"jpg?txt", b"jpg\0txt"),
    "link": link,
    "twice": lambda files: packed(files, ("bones/get.toml", b"")).replace(b"bones/get.toml", b"bones/set.toml"),
    "two sets": lambda files: packed(files, ("other/set.toml", b"")),
    "another file": lambda files: packed(files, ("bones/run.sh", b"")),
    "damaged deflate": damaged_deflate,
    "damaged LZMA": by_lzma,
    "endless TOML number": lambda files: packed(files | {"bones/set.toml": b"a = " + b"9" * 5000}),
    "cut short": lambda files: packed(files)[:-300],
    "no archive": lambda _files: b"PK\x03\x04" * 99,
    "nothing": lambda _files: b"",
    "empty archive": lambda _files: packed({}),
    "encrypted": encrypted,
    "unknown method": unknown_method,
    "deep JSON": lambda files: packed(files | {"bones/samples.json": b"[" * 100_000}),
    "JSON of other things": lambda files: packed(files | {"bones/samples.json": b'{"a": 1}'}),
    "endless number": lambda files: packed(
        files | {"bones/samples.json": files["bones/samples.json"].replace(b"1.2", b"1" * 400)}
    ),
    "deep TOML": lambda files: packed(files | {"bones/set.toml": b"a = " + b"[" * 100_000}),
    "bomb": lambda files: packed(files | {"bones/samples.json": bytes(5_000_000)}),
    "many bombs": lambda files: packed(files, *((f"bones/symbols/a{n}.svg", bytes(490_000)) for n in range(140))),
    "said to be small": said_smaller,
    "long listing": long_listing,
    "huge picture": lambda files: packed(files | {"bones/samples/bones0.jpg": HUGE}),
    "no picture": lambda files: packed(files | {"bones/samples/bones0.jpg": b"\xff\x4f\xff\x51" * 99}),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_what_is_no_exported_set_is_refused_in_words_and_nothing_is_written(
    files: Files, tmp_path: Path, run: Run, how: str
) -> None:
    file = tmp_path / "in" / "hostile.zip"
    file.parent.mkdir()
    file.write_bytes(HOSTILE[how](files))
    data = tmp_path / "data"
    before = sorted(tmp_path.rglob("*"))
    for name in ([], ["mine"]):
        status, out, err = run("teach", *name, "--import", file, "--data", data)
        assert (status, out) == (2, "")
        assert "Traceback" not in err
        assert str(tmp_path) in err
        assert len(err) < 700
    left = {path for path in tmp_path.rglob("*") if path not in before}
    assert left <= {data, data / "sets", data / "sets" / ".lock"}


def test_a_set_that_is_right_is_taken_in_under_another_name(files: Files, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "right.zip"
    file.write_bytes(packed(files, ("bones/symbols/a.svg", b"<svg/>")))
    status, out, _ = run("teach", "mine", "--import", file, "--data", tmp_path / "data", "--json")
    assert (status, json.loads(out)) == (0, {"set": "mine"})
    taken = TaughtSets(tmp_path / "data").load("mine")
    assert (len(taken.samples), taken.drawings) == (2, {"a": "<svg/>"})
