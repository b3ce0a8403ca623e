"""Throws by photograph: whose they are, what they count for, and what is no throw."""

from __future__ import annotations

import json
import struct
import sys
import threading
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from tableside import paths
from tableside.adapters.sqlite_store import SqliteStore
from tableside.adapters.web import Services, create_app
from tableside.app.photographs import PAGE_GROUNDS_BGR, Photographs
from tableside.app.pictures import RollPictures
from tableside.app.readers import open_reader
from tableside.dice import Reading, find_sets
from tableside.reader.photo import Picture
from tableside.table import MemoryStore, System, Table
from tableside.table.kept import Photographers
from tableside.table.messages import CallRoll, ChangePerson, ChooseGame, DoPerson, Undo
from tests.conftest import ROOT
from tests.fakes.tray import COLOURS, DOUBTFUL, DrawnReader

SAMPLES = paths.samples_folder()
KIND = next(iter(COLOURS))


class SlowReader(DrawnReader):
    """Reads nothing before it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may = threading.Event()
        self.may.set()

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        assert self.may.wait(20)
        return super().read(picture, decode_ms)


@pytest.fixture
def reader() -> SlowReader:
    return SlowReader()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(System(sets=find_sets()), MemoryStore())
    for who in ("vex", "kesh"):
        person = {"id": who, "name": who.title(), "kind": "player", "game": "narrative"}
        table.ask(ChangePerson(id=f"add {who}", at=1.0, do=DoPerson.ADD, person=person))
    yield table
    table.close()


@pytest.fixture
def client(table: Table, reader: SlowReader, tmp_path: Path) -> Iterator[FlaskClient]:
    pictures = RollPictures(tmp_path / "pictures", kept=9)
    photographs = Photographs(table, make_reader=lambda: reader, keep_picture=pictures.keep, find_picture=pictures.path)
    yield create_app(
        Services(table=table, web_folder=paths.web_folder(), photographs=photographs, picture=pictures.path)
    ).test_client()
    photographs.close()


def black_png(width: int, height: int) -> bytes:
    """Return a PNG of a bit a pixel, made without a picture in memory."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes((1 + (width + 7) // 8) * height), 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def photograph(*names: str, shift: int = 0, side: int = 400) -> bytes:
    """Return a JPEG of drawn dice."""
    picture = np.full((side, side, 3), 60, np.uint8)
    for number, name in enumerate(names):
        bgr = DOUBTFUL if name == "doubt" else COLOURS[name][2]
        x = 40 + 70 * number + shift
        cv2.rectangle(picture, (x, 100), (x + 30, 130), bgr, -1)
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 97])[1])


def send(client: FlaskClient, data: bytes, **asked: str) -> Any:
    return client.post("/api/rolls/photo", query_string={"id": "one", "who": "vex"} | asked, data=data)


def call(table: Table, who: str) -> None:
    table.ask(CallRoll(id=f"call {who}", at=2.0, who=who, ask={"dice": {COLOURS[KIND][0]: 1}}, label="Stealth"))


def test_it_is_a_roll_of_who_threw_and_says_where_it_comes_from(client: FlaskClient, table: Table) -> None:
    told = send(client, photograph(KIND, KIND))
    assert told.status_code == 200
    assert (told.json["who"], told.json["source"], len(told.json["dice"])) == ("vex", "photo", 2)
    with client.get(told.json["picture"]) as kept:
        assert kept.status_code == 200
        assert b"Exif" not in kept.data


def test_it_counts_for_the_open_call_of_who_is_called_and_of_nobody_else(client: FlaskClient, table: Table) -> None:
    call(table, "vex")
    send(client, photograph(KIND), id="other", who="kesh")
    assert table.state.asked.who == "vex"
    send(client, photograph(KIND, shift=20), id="loose", **{"for": "loose"})
    assert table.state.asked.who == "vex"
    assert send(client, photograph(KIND, shift=40), id="mine").json["label"] == "Stealth"
    assert not table.state.asked.id


def test_the_same_id_counts_once_also_at_once(client: FlaskClient, table: Table, reader: SlowReader) -> None:
    reader.may.clear()
    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(send, client.application.test_client(), photograph(KIND)) for _ in range(2)]
        reader.may.set()
        assert [one.result().json["id"] for one in sent] == ["one", "one"]
    assert len(table.state.rolls) == 1


def test_the_same_photograph_is_refused_in_words_also_saved_anew(client: FlaskClient) -> None:
    first = photograph(KIND, KIND)
    send(client, first)
    anew = bytes(cv2.imencode(".png", cv2.resize(cv2.imdecode(np.frombuffer(first, np.uint8), 1), (380, 380)))[1])
    for number, data in enumerate((first, anew)):
        told = send(client, data, id=f"again {number}".replace(" ", "-"), who="kesh")
        assert told.status_code == 409
        assert told.json["error"]["what"] == "this photograph was sent before"
    assert send(client, photograph(KIND, KIND, shift=9), id="next").status_code == 200


def test_an_id_is_of_one_photograph_alone_and_of_its_copies(client: FlaskClient, table: Table) -> None:
    first, other = photograph(KIND), photograph(KIND, shift=40)
    assert send(client, first).status_code == 200
    for _ in range(2):
        told = send(client, other)
        assert (told.status_code, told.json["error"]["what"]) == (409, "its id is of another photograph")
        assert [send(client, one).json["id"] for one in (first, *copies(first))] == ["one"] * 4
    assert send(client, other, id="two").json["id"] == "two"
    assert len(table.state.rolls) == 2


def copies(data: bytes) -> list[bytes]:
    """Return a photograph as other programs save it: as PNG, smaller, and strongly compressed."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), 1)
    small, least = (cv2.resize(picture, None, fx=by, fy=by, interpolation=cv2.INTER_AREA) for by in (0.9, 0.6))
    return [
        bytes(cv2.imencode(".png", picture)[1]),
        bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1]),
        bytes(cv2.imencode(".webp", least, [cv2.IMWRITE_WEBP_QUALITY, 60])[1]),
    ]


@pytest.mark.slow
def test_photographs_of_a_single_die_in_one_place_are_throws_and_their_copies_are_none(
    table: Table, tmp_path: Path
) -> None:
    """Real dice: of ten faces in a tower, where they come to lie alike, and pips before a phone that is held."""
    folders = [ROOT / "tests" / "photos" / name for name in ("tower", "phone")]
    photos = [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.jpg"))[-6:]]
    pictures, reader = RollPictures(tmp_path / "pictures", kept=20), open_reader(find_sets())
    photographs = Photographs(table, make_reader=lambda: reader, keep_picture=pictures.keep, find_picture=pictures.path)
    client = create_app(Services(table=table, web_folder=paths.web_folder(), photographs=photographs)).test_client()
    for number, data in enumerate(photos):
        assert send(client, data, id=f"throw-{number}").status_code == 200
    for number, data in enumerate(photos[6:]):
        for copy, same in enumerate(copies(data)):
            assert send(client, same, id=f"copy-{number}-{copy}", who="kesh").status_code == 409
    table.ask(Undo(id="undo", at=3.0))
    again = [send(client, copies(photos[-1])[1], id=f"again-{number}").status_code for number in range(2)]
    assert again == [200, 409]
    photographs.close()


@pytest.mark.slow
def test_a_throw_of_fewer_more_or_other_dice_at_the_same_places_is_another_one(
    client: FlaskClient, table: Table
) -> None:
    kinds = list(COLOURS)
    throws = [
        kinds[:2], kinds[:1], ["yellow", "green"], ["yellow"], ["green", "yellow", "purple"], ["purple"], ["doubt"],
        ["purple", "doubt"],
    ]  # fmt: skip
    for number, names in enumerate(throws):
        assert send(client, photograph(*names), id=f"throw-{number}").status_code == 200, names
    for number, names in enumerate(throws):  # laid again as they lay, and saved by another program
        for copy, data in enumerate(copies(photograph(*names))):
            told = send(client, data, id=f"copy-{number}-{copy}", who="kesh")
            assert (told.status_code, told.json["error"]["what"]) == (409, "this photograph was sent before"), names
    assert len(table.state.rolls) == len(throws)


@pytest.mark.parametrize("answer", [{"type": "boost", "face": []}, {"nothing": True}], ids=["corrected", "dismissed"])
def test_a_copy_is_known_also_once_a_person_settled_a_doubt(client: FlaskClient, answer: Any) -> None:
    first = photograph(KIND, "doubt")
    dice = send(client, first).json["dice"]
    doubt = next(n for n, die in enumerate(dice) if die["status"] == "unsure")
    address = f"/api/rolls/one/dice/{doubt}"
    assert client.post(address, json=answer).status_code == 200
    for number, data in enumerate([first, *copies(first)]):
        assert send(client, data, id=f"copy-{number}").status_code == 409
    assert send(client, photograph(KIND), id="less").status_code == 200
    assert send(client, photograph("doubt", KIND), id="other").status_code == 200


def test_a_photograph_of_a_roll_that_was_taken_back_may_be_sent_again(client: FlaskClient, table: Table) -> None:
    for number in range(3):
        assert send(client, photograph(KIND), id=f"try-{number}").status_code == 200
        assert send(client, photograph(KIND), id=f"more-{number}").status_code == 409
        table.ask(Undo(id=f"undo {number}", at=3.0))
    assert not table.state.rolls


def test_two_phones_that_send_one_photograph_at_once_make_one_roll(
    table: Table, reader: SlowReader, tmp_path: Path
) -> None:
    both = threading.Barrier(2)

    def keep(*_: Any) -> bool:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.3)  # where both are let through to count, they meet here
        return True

    photographs = Photographs(table, make_reader=lambda: reader, keep_picture=keep, find_picture=lambda _: None)
    app = create_app(Services(table=table, web_folder=paths.web_folder(), photographs=photographs))
    with ThreadPoolExecutor(2) as pool:
        sent = [
            pool.submit(send, app.test_client(), photograph(KIND, KIND), id=who, who=who) for who in ("vex", "kesh")
        ]
        assert sorted(one.result().status_code for one in sent) == [200, 409]
    assert len(table.state.rolls) == 1
    photographs.close()


def test_a_photograph_lies_as_the_phone_was_held_and_is_the_same_when_it_is_turned_for_good(
    client: FlaskClient, table: Table
) -> None:
    upright = photograph(KIND, KIND, side=400)
    lying = cv2.rotate(cv2.imdecode(np.frombuffer(upright, np.uint8), 1)[:300], cv2.ROTATE_90_COUNTERCLOCKWISE)
    data = bytes(cv2.imencode(".jpg", lying, [cv2.IMWRITE_JPEG_QUALITY, 97])[1])
    turned_right = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    exif = data[:2] + b"\xff\xe1" + (len(turned_right) + 2).to_bytes(2, "big") + turned_right + data[2:]
    told = send(client, exif).json
    assert (told["width"], told["height"]) == (400, 300)
    assert len(told["dice"]) == 2
    with client.get(told["picture"]) as kept:
        assert b"Exif" not in kept.data
        assert cv2.imdecode(np.frombuffer(kept.data, np.uint8), 1).shape == (300, 400, 3)
    baked = cv2.rotate(lying, cv2.ROTATE_90_CLOCKWISE)
    again = send(client, bytes(cv2.imencode(".webp", baked)[1]), id="baked")
    assert (again.status_code, again.json["error"]["what"]) == (409, "this photograph was sent before")


def test_a_photograph_that_was_sent_before_a_restart_is_refused_and_its_own_id_answered(
    reader: SlowReader, tmp_path: Path
) -> None:
    for start in range(3):
        table = Table(System(sets=find_sets()), SqliteStore(tmp_path / "table.sqlite"))
        photographs = Photographs(
            table, make_reader=lambda: reader, keep_picture=lambda *_: True, find_picture=lambda _: None
        )
        client = create_app(Services(table=table, web_folder=paths.web_folder(), photographs=photographs)).test_client()
        assert send(client, photograph(KIND), who="").status_code == 200
        if start:
            assert send(client, photograph(KIND), id=f"again-{start}", who="").status_code == 409
        assert len(table.state.rolls) == 1
        photographs.close()
        table.close()


def test_a_photograph_of_who_has_left_says_so_and_of_who_is_out_is_a_roll_that_answers_no_call(
    client: FlaskClient, table: Table
) -> None:
    call(table, "kesh")
    trackers = {"wounds": {"value": 13, "most": 12}}
    person = {"id": "vex", "name": "Vex", "kind": "player", "game": "narrative", "trackers": trackers}
    table.ask(ChangePerson(id="hurt", at=2.0, do=DoPerson.CHANGE, person=person))
    told = send(client, photograph(KIND))
    assert (told.status_code, told.json["who"], told.json["label"]) == (200, "vex", "")
    assert table.state.asked.who == "kesh"
    table.ask(ChangePerson(id="gone", at=3.0, do=DoPerson.REMOVE, person={"id": "vex", "name": "Vex"}))
    gone = send(client, photograph(KIND, shift=30), id="gone")
    assert gone.status_code == 400
    assert gone.json["error"]["hint"]
    assert len(table.state.rolls) == 1


def test_a_doubt_that_was_shown_does_not_count_once_photographs_are_switched_off(
    table: Table, reader: SlowReader
) -> None:
    photographs = Photographs(
        table, make_reader=lambda: reader, keep_picture=lambda *_: True, find_picture=lambda _: None
    )
    services = Services(
        table=table, web_folder=paths.web_folder(), photographs=photographs, trusts_screen=False, is_open=True
    )
    player = create_app(services).test_client()
    data = photograph(KIND, "doubt")
    assert send(player, data, doubts="ask").json["counts"] is False
    table.ask(ChooseGame(id="off", at=2.0, photographs=Photographers.NOBODY))
    told = send(player, data)
    assert (told.status_code, told.json["error"]["hint"]) == (409, "Throw into the tray.")
    assert not table.state.rolls
    table.ask(ChooseGame(id="on", at=2.0, photographs=Photographers.ALL))
    assert send(player, data).status_code == 200
    photographs.close()


def test_a_doubt_may_be_shown_before_anything_counts(client: FlaskClient, table: Table) -> None:
    data = photograph(KIND, "doubt")
    told = send(client, data, doubts="ask").json
    assert (told["counts"], told["sure"]) == (False, False)
    assert not table.state.rolls
    assert send(client, data).json["source"] == "photo"
    assert not table.state.rolls[0].sure
    corrected = client.post("/api/rolls/one/dice/1", json={"type": "boost", "face": []})
    assert corrected.json["source"] == "corrected"
    assert send(client, photograph(KIND, shift=15), id="sure", doubts="ask").json["source"] == "photo"


def test_what_the_sender_says_of_a_doubt_counts_with_the_photograph_as_one_change(
    client: FlaskClient, table: Table, reader: SlowReader
) -> None:
    data = photograph(KIND, "doubt", KIND)
    asked = send(client, data, doubts="ask").json
    doubt = next(n for n, die in enumerate(asked["dice"]) if die["status"] == "unsure")
    assert {answer["index"] for answer in asked["answers"]} == {doubt}
    blank = {"index": doubt, "die": {"type": "boost", "face": []}}
    none = {"index": 0}
    more = {"die": {"type": "setback", "face": ["threat"]}}
    said = json.dumps([none, blank, more])
    shown = send(client, data, doubts="show", said=said).json
    assert (shown["counts"], shown["sure"]) == (False, True)
    assert not table.state.rolls
    told = send(client, data, said=said).json
    assert reader.read_count == 1
    assert [(die["type"], die["face"]) for die in told["dice"]] == [
        ("boost", []) if n == doubt else (die["type"], die["face"]) for n, die in enumerate(asked["dice"]) if n
    ] + [("setback", ["threat"])]
    assert told["outcome"] == shown["outcome"]
    assert (told["source"], len(told["dismissed"])) == ("corrected", 1)
    assert told["dice"][doubt - 1]["original"]["face"] == asked["dice"][doubt]["face"]
    table.ask(Undo(id="undo", at=3.0))
    assert not table.state.rolls
    again = send(client, data, id="again", said=said).json
    assert again["dice"] == told["dice"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 1)])
def test_of_two_dice_said_to_be_the_odd_one_the_last_said_is(client: FlaskClient, order: tuple[int, ...]) -> None:
    said = json.dumps([{"index": n, "die": {"type": "wild", "face": [str(n + 1)]}} for n in order])
    for doubts in ("show", "count"):
        told = send(client, photograph(KIND, KIND, KIND), doubts=doubts, said=said).json
        assert [die["type"] == "wild" for die in told["dice"]] == [n == order[-1] for n in range(3)]


def test_a_look_tells_what_is_seen_counts_for_nothing_and_gives_way(
    client: FlaskClient, table: Table, reader: SlowReader
) -> None:
    def look(data: bytes) -> Any:
        return client.application.test_client().post("/api/rolls/photo/look", data=data)

    told = look(photograph(KIND, KIND))
    assert (told.status_code, len(told.json["dice"])) == (200, 2)
    assert look(photograph()).json["dice"] == []
    assert look(b"no picture").status_code == 400
    assert not table.state.rolls
    assert send(client, photograph(KIND, KIND)).status_code == 200
    assert len(look(photograph(KIND, KIND)).json["dice"]) == 2
    reader.may.clear()
    with ThreadPoolExecutor(5) as pool:
        looks = [pool.submit(look, photograph(KIND)) for _ in range(2)]
        refused = next(one for one in iter(lambda: next((o for o in looks if o.done()), None), 0) if one)
        assert (refused.result().status_code, refused.result().data) == (204, b"")
        sent = [
            pool.submit(send, client.application.test_client(), photograph(KIND, shift=9 + 9 * n), id=f"n{n}")
            for n in range(3)
        ]
        reader.may.set()
        assert [one.result().status_code for one in sent] == [200, 200, 200]
        assert sorted(one.result().status_code for one in looks) == [200, 204]


@pytest.mark.parametrize(
    "said", ["[", "[{}]", '[{"index": 4}]', '[{"index": -1}]', '[{"index": 0, "die": {"type": "coin", "face": []}}]']
)
def test_what_is_said_of_no_find_is_refused_and_changes_nothing(client: FlaskClient, table: Table, said: str) -> None:
    assert send(client, photograph(KIND), said=said).status_code == 400
    assert not table.state.rolls


class Shown(DrawnReader):
    """Reads pips: as many dice as the photograph is marked with."""

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        drawn = super().read(picture, decode_ms)
        names = [("wild", "6"), ("pip", "3")] if len(drawn.dice) == 2 else [("pip", "4")]
        dice = (replace(die, type=kind, face=(face,)) for die, (kind, face) in zip(drawn.dice, names, strict=True))
        return replace(drawn, dice=tuple(dice))


def test_a_photograph_is_the_throw_that_the_game_waits_for_and_its_id_counts_once_too(tmp_path: Path) -> None:
    person = {"id": "vex", "name": "Vex", "kind": "player", "game": "d6-wild"}
    first, more = photograph(KIND, KIND), photograph(KIND, shift=60)
    for start in range(2):  # the answer to the second may have been lost, by the network or with the table's power
        table = Table(System(sets=find_sets(["pips"]), game="d6-wild"), SqliteStore(tmp_path / "table.sqlite"))
        table.ask(ChangePerson(id="add", at=1.0, do=DoPerson.ADD, person=person))
        photographs = Photographs(table, make_reader=Shown, keep_picture=lambda *_: True, find_picture=lambda _: None)
        client = create_app(Services(table=table, web_folder=paths.web_folder(), photographs=photographs)).test_client()
        assert bool(send(client, first).json["awaits"]) is not bool(start)
        for _ in range(2):
            told = send(client, more, id="more")
            assert (told.status_code, told.json["id"], told.json["net"]["total"]) == (200, "one", 13)
        assert send(client, more, id="other").status_code == 409
        if start:
            table.ask(Undo(id="undo", at=3.0))
            assert table.state.rolls[0].awaits
            assert send(client, more, id="anew").json["net"]["total"] == 13
        photographs.close()
        table.close()


def test_a_third_that_waits_is_told_to_wait(client: FlaskClient, reader: SlowReader) -> None:
    reader.may.clear()
    with ThreadPoolExecutor(4) as pool:
        sent = [
            pool.submit(send, client.application.test_client(), photograph(KIND, shift=10 * n), id=f"n{n}")
            for n in range(4)
        ]
        turned_away = next(one for one in iter(lambda: next((o for o in sent if o.done()), None), 0) if one)
        assert turned_away.result().status_code == 503
        assert turned_away.result().headers["Retry-After"]
        reader.may.set()
        assert sorted(one.result().status_code for one in sent) == [200, 200, 200, 503]


def test_dice_that_nobody_taught_are_said_to_be_such_until_they_are_taught(table: Table, tmp_path: Path) -> None:
    known = ["pips", "narrative"]
    pictures = RollPictures(tmp_path / "pictures", kept=9)
    photographs = Photographs(
        table,
        make_reader=lambda: open_reader(find_sets(known)),
        keep_picture=pictures.keep,
        find_picture=pictures.path,
    )
    client = create_app(Services(table=table, web_folder=paths.web_folder(), photographs=photographs)).test_client()
    unknown = (ROOT / "tests" / "photos" / "tower" / "D10_A_2.jpg").read_bytes()
    for number in range(2):
        told = send(client, unknown, id=f"unknown-{number}")
        assert (told.status_code, told.json["error"]["what"]) == (400, "shows a die that I do not know")
        assert "/setup/dice" in told.json["error"]["hint"]
    empty = bytes(cv2.imencode(".png", np.full((480, 640, 3), 60, np.uint8))[1])
    assert send(client, empty, id="empty").json["error"]["what"] == "shows no dice"
    known.append("percentile")
    photographs.forget_reader()
    assert send(client, unknown, id="taught").status_code == 200
    photographs.close()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is not a picture"),
        (b"\x00\x00\x00\x18ftypmp42" + bytes(200), "is not a picture"),
        (photograph(), "shows no dice"),
        (photograph(KIND)[:-400], "is cut short"),
        (b"\x89PNG\r\n\x1a\n", "is not a picture"),
        (b"\x89PNG\r\n\x1a\n" + bytes(4000), "is not a picture"),
        (black_png(20_001, 5000), "pixels"),
    ],
    ids=["nothing", "film", "no dice", "cut", "PNG of no bytes", "PNG of zeros", "100 megapixels"],
)
def test_what_is_no_throw_is_said_in_three_parts_and_changes_nothing(
    client: FlaskClient, table: Table, data: bytes, says: str
) -> None:
    told = send(client, data)
    assert told.status_code == 400
    error = told.json["error"]
    assert says in error["what"]
    assert error["where"]
    assert error["hint"]
    assert not table.state.rolls


@pytest.mark.parametrize("kind", [".png", ".jpg", ".webp"])
@pytest.mark.parametrize("ground", PAGE_GROUNDS_BGR)
def test_a_screenshot_of_the_pages_is_said_to_be_one_and_the_dice_themselves_still_count(
    client: FlaskClient, table: Table, ground: tuple[int, int, int], kind: str
) -> None:
    blue, green, red = ground
    assert f"#{red:02x}{green:02x}{blue:02x}" in (paths.web_folder() / "theme.css").read_text(encoding="utf-8")
    tray = cv2.imdecode(np.frombuffer(photograph(KIND), np.uint8), cv2.IMREAD_COLOR)
    assert tray is not None
    page = np.full((tray.shape[0] * 2, tray.shape[1], 3), ground, np.uint8)
    page[: tray.shape[0]] = tray  # the page shows the picture of a roll
    settings = {".jpg": [cv2.IMWRITE_JPEG_QUALITY, 60], ".webp": [cv2.IMWRITE_WEBP_QUALITY, 60]}.get(kind, [])
    screenshot = bytes(cv2.imencode(kind, page, settings)[1])
    for number in range(2):
        told = send(client, screenshot, id=f"shot {number}".replace(" ", "-"))
        assert (told.status_code, table.state.rolls) == (400, ())
        assert "is a screenshot" in told.json["error"]["what"]
    assert send(client, photograph(KIND), id="dice").status_code == 200


def test_a_heic_without_its_package_says_what_to_do(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    told = send(client, b"\x00\x00\x00\x18ftypheic" + bytes(200))
    assert told.status_code == 400
    assert "save the photograph as JPEG" in told.json["error"]["hint"]


@pytest.mark.parametrize("wrong", [{"id": "../x"}, {"id": ""}, {"for": "fun"}, {"who": "nobody"}, {"doubts": "no"}])
def test_what_is_asked_wrongly_is_refused(client: FlaskClient, wrong: dict[str, str]) -> None:
    assert send(client, photograph(KIND), **wrong).status_code == 400


def test_the_master_may_switch_it_off_or_leave_it_to_who_is_called(table: Table, reader: SlowReader) -> None:
    photographs = Photographs(
        table, make_reader=lambda: reader, keep_picture=lambda _id, _picture: True, find_picture=lambda _: None
    )
    services = Services(
        table=table, web_folder=paths.web_folder(), photographs=photographs, trusts_screen=False, is_open=True
    )
    player = create_app(services).test_client()
    table.ask(ChooseGame(id="off", at=2.0, photographs=Photographers.NOBODY))
    assert send(player, photograph(KIND)).status_code == 409
    table.ask(ChooseGame(id="asked", at=2.0, photographs=Photographers.ASKED))
    call(table, "kesh")
    assert send(player, photograph(KIND)).status_code == 409
    assert send(player, photograph(KIND), who="kesh").status_code == 200
    table.ask(Undo(id="undo", at=3.0))
    table.ask(Undo(id="undo more", at=3.0))
    photographs.close()
