"""Dice taught at the running table: by corrections, and on the page."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from models.labelled import read_label
from tableside import paths
from tableside.adapters.web import Services, create_app
from tableside.app.corrections import Corrections
from tableside.app.pictures import RollPictures
from tableside.app.taught_sets import TaughtSets
from tableside.app.teach_page import TeachingTable
from tableside.dice import DieReading, Reading, Status, Suspect, find_sets
from tableside.dice.taught import Source
from tableside.reader.photo import Picture, load_photo
from tableside.table import MemoryStore, System, Table
from tableside.table.messages import CorrectDie, NewReading, NewRoll, TellSuspect, Undo

SAMPLES = paths.samples_folder()
TRAY = load_photo(SAMPLES / "roll-4.jpg")  # pips: 6, 4, 3 and 1


@pytest.fixture
def sets(tmp_path: Path) -> TaughtSets:
    return TaughtSets(tmp_path / "data")


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(System(sets=find_sets()), MemoryStore())
    yield table
    table.close()


@pytest.fixture
def learner(tmp_path: Path, sets: TaughtSets, table: Table) -> Corrections:
    """Return a learner that has seen a roll of four pip dice, read wrongly."""
    pictures = RollPictures(tmp_path / "pictures", kept=5)
    pictures.keep("roll", TRAY)
    learner = Corrections(sets, picture=pictures.path)
    learner.show(table.state)
    label = read_label(SAMPLES / "roll-4.json")
    dice = [
        DieReading(
            type="pip", face=("2",), confidence=0.5, status=Status.UNSURE, outline=die.outline,
            center=tuple(np.mean(die.outline, axis=0)),
        )
        for die in label.dice
    ]  # fmt: skip
    table.ask(NewRoll(id="roll", at=1.0, reading=Reading(width=1, height=1, dice=tuple(dice)), has_picture=True))
    learner.show(table.state)
    return learner


def correct(table: Table, learner: Corrections, index: int, face: str) -> None:
    told = CorrectDie(id=f"c{index}{face}", at=2.0, roll_id="roll", index=index, type="pip", face=(face,))
    table.ask(told)
    learner.show(table.state)


def test_a_settled_doubt_becomes_a_sample_of_the_die(table: Table, learner: Corrections, sets: TaughtSets) -> None:
    correct(table, learner, 0, "6")
    (sample,) = sets.load("own-pips").samples
    assert (sample.type, sample.face, sample.source, sample.doubted) == ("pip", ("6",), Source.CORRECTION, "")


def test_what_could_not_be_read_and_was_told_becomes_a_sample(
    table: Table, learner: Corrections, sets: TaughtSets
) -> None:
    label = read_label(SAMPLES / "roll-4.json")
    suspects = [
        Suspect(center=tuple(np.mean(die.outline, axis=0)), outline=die.outline, confidence=0.8) for die in label.dice
    ]
    reading = Reading(width=1, height=1, suspects=tuple(suspects))
    table.ask(NewReading(id="seen", at=2.0, roll_id="roll", reading=reading, has_picture=True))
    table.ask(TellSuspect(id="told", at=3.0, roll_id="roll", index=0, type="pip", face=("6",)))
    table.ask(TellSuspect(id="none", at=4.0, roll_id="roll", index=0, nothing=True))
    learner.show(table.state)
    (sample,) = sets.load("own-pips").samples
    assert (sample.face, sample.source, sample.doubted) == (("6",), Source.CORRECTION, "")


def test_a_correction_that_is_taken_back_is_forgotten(table: Table, learner: Corrections, sets: TaughtSets) -> None:
    correct(table, learner, 0, "6")
    table.ask(Undo(id="undo", at=3.0))
    learner.show(table.state)
    assert sets.load("own-pips").samples == ()


def test_a_correction_is_forgotten_though_another_set_is_damaged(
    table: Table, learner: Corrections, sets: TaughtSets
) -> None:
    correct(table, learner, 0, "6")
    correct(table, learner, 1, "4")
    (sets.folder / "bones").mkdir()
    (sets.folder / "bones" / "set.toml").write_text("= =")
    table.ask(Undo(id="undo", at=3.0))
    learner.show(table.state)
    assert [sample.face for sample in sets.load("own-pips").samples] == [("6",)]


def test_a_correction_that_looks_like_another_face_is_asked_about(
    table: Table, learner: Corrections, sets: TaughtSets
) -> None:
    correct(table, learner, 3, "5")  # it shows a single pip
    (sample,) = sets.load("own-pips").samples
    assert sample.doubted == "looks like 1"


def test_what_was_corrected_before_the_start_is_not_learnt_again(
    tmp_path: Path, table: Table, learner: Corrections, sets: TaughtSets
) -> None:
    correct(table, learner, 0, "6")
    again = Corrections(TaughtSets(tmp_path / "fresh"), picture=lambda _: None)
    again.show(table.state)
    again.show(table.state)
    assert TaughtSets(tmp_path / "fresh").names() == []


class Page:
    """The page's requests."""

    def __init__(self, client: FlaskClient, teaching: TeachingTable) -> None:
        self.client = client
        self.teaching = teaching

    def post(self, address: str, **body: Any) -> Any:
        answer = self.client.post(f"/api/dice{address}", json=body)
        return answer.get_json()

    def look(self, picture: Picture) -> Any:
        small = cv2.resize(picture, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
        data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
        return self.post("/draft/pictures", picture=base64.b64encode(data).decode())


@pytest.fixture
def page(table: Table, sets: TaughtSets) -> Page:
    teaching = TeachingTable(sets, when_taught=lambda: table.use_sets(find_sets(user_folder=sets.folder)))
    app = create_app(Services(table=table, web_folder=paths.web_folder(), teaching=teaching))
    return Page(app.test_client(), teaching)


def begin(page: Page) -> None:
    page.post("/draft", set="bones", type="bone", solid="d6", plays_as="")


def crop_of(page: Page, mark: str) -> Picture:
    data = page.client.get(f"/api/dice/draft/dice/{mark}").data
    found = cv2.imdecode(np.frombuffer(io.BytesIO(data).read(), np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    return np.asarray(found, np.uint8)


@pytest.mark.slow
def test_a_handful_is_thrown_named_and_played_with(page: Page, table: Table, sets: TaughtSets) -> None:
    begin(page)
    now = page.look(TRAY)
    groups = now["draft"]["groups"]
    assert sorted(len(group) for group in groups) == [1, 1, 1, 1]
    assert crop_of(page, groups[0][0]).shape == (128, 128, 3)
    for number, group in enumerate(groups):
        now = page.post("/draft/names", dice=group, face=[f"sign{number}"])
    assert [one["face"] for one in now["draft"]["faces"]] == [["sign0"], ["sign1"], ["sign2"], ["sign3"]]
    assert not now["draft"]["good"]  # two sides were never shown
    page.post("/draft/save")
    assert [sample.source for sample in sets.load("bones").samples] == [Source.PAGE] * 4
    assert "bones" in [one["name"] for one in page.client.get("/api/sets").get_json()]
    with page.client.get("/symbols/bones/sign0.svg") as drawing:
        assert b'viewBox="0 0 100 100"' in drawing.data


def test_dice_of_one_face_come_together(page: Page) -> None:
    begin(page)
    page.look(TRAY)
    now = page.look(np.asarray(cv2.rotate(TRAY, cv2.ROTATE_180), np.uint8))
    assert sorted(len(group) for group in now["draft"]["groups"]) == [2, 2, 2, 2]


@pytest.mark.slow
def test_one_face_is_saved_under_one_name_the_next_time_too(page: Page, sets: TaughtSets) -> None:
    clear = np.asarray(np.clip(TRAY * 2.0 - 120, 0, 255), np.uint8)  # plain marks are told apart
    for name in ("sign", "rune", "sign"):
        begin(page)
        for number, group in enumerate(page.look(clear)["draft"]["groups"]):
            page.post("/draft/names", dice=group, face=[f"{name}{number}"])
        told = page.post("/draft/save")
        assert ("shows the same face as" in told["error"]["what"]) if name == "rune" else "error" not in told
    samples = sets.load("bones").samples
    assert sorted(one.face for one in samples) == [(f"sign{n // 2}",) for n in range(8)]
    assert min(one.radius for one in samples) > 9


def test_marks_that_cannot_be_seen_get_no_name(page: Page) -> None:
    begin(page)
    tray = TRAY.copy()
    for die in read_label(SAMPLES / "roll-4.json").dice:
        outline = np.array(die.outline)
        x, y = (round(v) for v in outline.mean(axis=0))
        cv2.circle(tray, (x, y), round(0.35 * min(np.ptp(outline, axis=0))), (255, 255, 255), -1, cv2.LINE_AA)
    (group, *_) = page.look(tray)["draft"]["groups"]
    told = page.post("/draft/names", dice=group, face=["1"])
    assert told["error"]["what"] == "is so bright that the marks cannot be seen"
    assert page.post("/draft/names", dice=group, face=[])["draft"]["faces"]


def test_every_step_can_be_taken_back(page: Page) -> None:
    begin(page)
    seen = page.look(TRAY)["draft"]
    page.post("/draft/names", dice=seen["groups"][0], face=["1"])
    assert page.post("/draft/undo")["draft"] == seen
    assert page.post("/draft/undo")["draft"]["groups"] == []
    assert page.post("/draft/undo")["draft"] is None


def test_an_unchanged_tray_is_said(page: Page) -> None:
    begin(page)
    page.look(TRAY)
    assert page.look(TRAY)["error"]["what"] == "shows nothing new"


def test_nothing_is_begun_with_a_wrong_name(page: Page) -> None:
    told = page.client.post("/api/dice/draft", json={"set": "narrative", "type": "a", "solid": "d6"})
    assert (told.status_code, told.get_json()["error"]["what"]) == (400, "is shipped and is not changed")


def test_what_could_not_be_saved_is_not_begun(page: Page, table: Table, learner: Corrections, sets: TaughtSets) -> None:
    correct(table, learner, 0, "6")
    told = page.post("/draft", set="own-pips", type="bone", solid="d6", plays_as="")
    assert told["error"]["what"] == "shows dice of pips"
    begin(page)
    (group,) = (now := page.look(TRAY)["draft"])["groups"][:1]
    assert now["type"] == "bone"
    page.post("/draft/names", dice=group, face=["6"])
    page.post("/draft/save")
    told = page.post("/draft", set="bones", type="bone", solid="d8", plays_as="")
    assert told["error"]["what"] == "was taught as a d6"
    assert page.client.get("/api/dice").get_json()["draft"] is None
    assert page.post("/draft", set="bones", type="shard", solid="d8", plays_as="")["draft"]["solid"] == "d8"
    assert sets.load("bones").dice_set.type("bone").solid == "d6"


def test_a_set_that_the_settings_name_is_not_removed(table: Table, learner: Corrections, sets: TaughtSets) -> None:
    correct(table, learner, 0, "6")
    teaching = TeachingTable(sets, named=("pips", "own-pips"))
    client = create_app(Services(table=table, web_folder=paths.web_folder(), teaching=teaching)).test_client()
    for act, status in (("remove", 400), ("undo", 400), ("remove", 400)):
        assert client.post("/api/dice/sets/own-pips", json={"do": act}).status_code == status
    assert sets.names() == ["own-pips"]


def test_only_the_table_and_the_game_master_may_teach(table: Table, sets: TaughtSets) -> None:
    teaching = TeachingTable(sets)
    app = create_app(Services(table=table, web_folder=paths.web_folder(), trusts_screen=False, teaching=teaching))
    assert app.test_client().get("/api/dice").status_code == 403
    assert app.test_client().post("/api/dice/draft/save", json={}).status_code == 403


def test_a_photograph_of_another_form_or_too_large_is_refused_before_it_is_decoded(page: Page) -> None:
    page.post("/draft", set="bones", type="pip", solid="d6")
    jpeg_2000 = cv2.imencode(".jp2", np.zeros((48, 64, 3), np.uint8))[1].tobytes()
    huge = cv2.imencode(".png", np.zeros((5000, 5000), np.uint8))[1].tobytes()
    for data, words in ((jpeg_2000[jpeg_2000.index(b"\xff\x4f\xff\x51") :], "is not a picture"), (huge, "16 million")):
        body = {"picture": base64.b64encode(data).decode()}
        answer = page.client.post("/api/dice/draft/pictures", json=body)
        assert (answer.status_code, words in answer.get_json()["error"]["what"]) == (400, True), answer.get_json()
