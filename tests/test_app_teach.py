"""Dice taught from photographs: what is kept, what is read, what is refused. The networks are the real ones."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec import structs

from tableside import paths
from tableside.app.readers import installed_sets, open_reader
from tableside.app.taught_sets import TaughtSets
from tableside.app.teach import ShownDie, _shown_enough, odd_ones
from tableside.app.teach_review import set_meanings
from tableside.cli.teaching import in_words
from tableside.dice import Die, Status, find_sets
from tableside.dice.sets import counted
from tableside.dice.taught import CROP_PX, MOST_OF_A_FACE, Sample, Source, Taught, save_taught
from tableside.errors import DiceSetError
from tableside.reader.photo import Picture, load_photo
from tableside.teaching.measure import FaceReport, Measured, fingerprint, kept
from tableside.teaching.samples import Finder
from tests.conftest import Run
from tests.reader.test_sample_votes import OWN

SAMPLES = paths.samples_folder()
PIPS = SAMPLES / "roll-4.jpg"  # four dice of one make with 6, 4, 3 and 1
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def label(folder: Path, name: str, *, picture: Picture | None = None, change: Change = lambda _: None) -> Path:
    """Write a recorded roll as a photograph that teaches, its types called ``my-..``."""
    folder.mkdir(parents=True, exist_ok=True)
    raw = json.loads((SAMPLES / f"{name}.json").read_text())
    for die in raw["dice"]:
        die["type"] = f"my-{die['type']}"
    change(raw)
    (folder / f"{name}.json").write_text(json.dumps(raw))
    if picture is None:
        shutil.copy(SAMPLES / f"{name}.jpg", folder)
    else:
        cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return folder


@pytest.fixture
def pips(tmp_path: Path) -> Path:
    return label(tmp_path / "photos", "roll-4")


def turned() -> Picture:
    return np.asarray(cv2.rotate(load_photo(PIPS), cv2.ROTATE_90_CLOCKWISE) * 0.9, np.uint8)


def read(data: Path, picture: Picture, *sets: str) -> list[tuple[str, tuple[str, ...], bool]]:
    reading = open_reader(installed_sets(sets, data)).read(picture)
    return sorted((die.type, die.face, die.status is Status.SURE) for die in reading.dice)


def test_dice_that_were_shown_once_are_read_in_another_light(run: Run, pips: Path, data: Path) -> None:
    status, out, _ = run("teach", "bones", "--from", pips, "--data", data, "--json")
    told = json.loads(out)
    assert status == 0
    assert (told["samples"], told["types"][0]["faces_shown"], told["types"][0]["not_shown"]) == (4, 4, 2)
    found = read(data, turned(), "bones")
    assert [face for _, face, _ in found] == [("1",), ("3",), ("4",), ("6",)]
    assert {kind for kind, _, _ in found} == {"my-pip"}


@pytest.mark.parametrize("hidden", ["1", "3", "4", "6"])
def test_a_face_that_was_never_shown_is_a_question(tmp_path: Path, run: Run, data: Path, hidden: str) -> None:
    def without(raw: dict[str, Any]) -> None:
        raw["dice"] = [die for die in raw["dice"] if die["face"] != [hidden]]

    run("teach", "bones", "--from", label(tmp_path / "photos", "roll-4", change=without), "--data", data)
    found = read(data, turned(), "bones")
    assert all(face != (hidden,) for _, face, _ in found)
    assert sum(is_sure for _, _, is_sure in found) <= 3


def test_shipped_dice_are_not_taken_for_taught_ones(run: Run, pips: Path, data: Path) -> None:
    picture = load_photo(SAMPLES / "roll-5.jpg")
    before = read(data, picture)
    run("teach", "bones", "--from", pips, "--data", data)
    after = read(data, picture)
    assert [die[:2] for die in after] == [die[:2] for die in before]


def test_the_same_photographs_count_once(run: Run, pips: Path, data: Path) -> None:
    run("teach", "bones", "--from", pips, "--data", data)
    _, out, _ = run("teach", "bones", "--from", pips, "--data", data, "--json")
    assert (json.loads(out)["added"], json.loads(out)["samples"]) == (0, 4)


def test_a_symbol_is_drawn_from_its_photograph_and_its_drawing_stays(tmp_path: Path, run: Run, data: Path) -> None:
    def rune(raw: dict[str, Any]) -> None:
        raw["dice"][0]["face"] = ["rune"]

    photos, drawing = (
        label(tmp_path / "photos", "roll-4", change=rune),
        data / "sets" / "bones" / "symbols" / "rune.svg",
    )
    run("teach", "bones", "--from", photos, "--data", data)
    first = drawing.read_bytes()
    run("teach", "bones", "--from", label(tmp_path / "more", "roll-3"), "--data", data)
    assert drawing.read_bytes() == first


def test_a_set_grows_by_more_photographs(tmp_path: Path, run: Run, pips: Path, data: Path) -> None:
    run("teach", "bones", "--from", pips, "--data", data)
    _, out, _ = run("teach", "bones", "--from", label(tmp_path / "more", "roll-3"), "--data", data, "--json")
    assert [kind["name"] for kind in json.loads(out)["types"]] == ["my-pip", "my-force"]


def two_names(raw: dict[str, Any]) -> None:
    raw["dice"].append({**raw["dice"][0], "face": ["5"]})


BAD: list[tuple[str, Change, str]] = [
    ("two dice", lambda raw: raw.update(dice=[{"type": "a", "kind": "d6", "face": ["1"]}]), "dice where one was said"),
    ("two names", two_names, "shows the same face as roll-4.jpg"),
    ("no list", lambda raw: raw.update(dice=3), "has no list of dice"),
    ("no picture", lambda raw: raw.update(image="none.jpg"), "'none.jpg' is not beside it"),
    ("kind", lambda raw: raw["dice"][1].update(kind="d7"), "roll-4.json die 2: kind is 'd7'"),
    ("kinds", lambda raw: raw["dice"][1].update(kind="d8"), "is called d6 and d8"),
    ("face", lambda raw: raw["dice"][0].update(face="6"), 'face is "6"'),
    ("place", lambda raw: raw["dice"][0].update(center=[5, 5]), "no die lies at 5, 5"),
    ("centers", lambda raw: raw["dice"][0].pop("center"), "not all with a center"),
]


@pytest.mark.parametrize(("change", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_what_cannot_be_learnt_is_named_and_nothing_stays(
    tmp_path: Path, run: Run, data: Path, change: Change, message: str
) -> None:
    folder = label(tmp_path / "photos", "roll-4", change=change)
    status, out, err = run("teach", "bones", "--from", folder, "--data", data, "--json")
    assert status == 1
    assert message in err
    assert message.replace('"', '\\"') in out
    assert TaughtSets(data).names() == []


@pytest.mark.parametrize("sigma", [4.0, 16.0])
def test_a_blurred_photograph_is_named(tmp_path: Path, run: Run, data: Path, sigma: float) -> None:
    blurred = np.asarray(cv2.GaussianBlur(load_photo(PIPS), (0, 0), sigma), np.uint8)
    status, _, err = run("teach", "bones", "--from", label(tmp_path / "p", "roll-4", picture=blurred), "--data", data)
    assert status == 1
    assert "roll-4.jpg: is blurred" in err


def washed_out() -> tuple[Picture, int]:
    """Return the pips with one die's upper face white all over, and how many others there are."""
    picture, dice = load_photo(PIPS), json.loads(PIPS.with_suffix(".json").read_text())["dice"]
    x, y = (round(v) for v in dice[0]["center"])
    reach = round(0.45 * min(np.ptp(np.array(dice[0]["outline"]), axis=0)))
    cv2.circle(picture, (x, y), reach, (255, 255, 255), -1, cv2.LINE_AA)
    return picture, len(dice) - 1


def test_a_face_that_light_has_washed_out_is_named(tmp_path: Path, run: Run, data: Path) -> None:
    picture, _ = washed_out()
    photos = label(tmp_path / "p", "roll-4", picture=picture)
    status, _, err = run("teach", "bones", "--from", photos, "--data", data)
    assert status == 1
    assert "roll-4.jpg: is so bright that the marks cannot be seen" in err
    assert "lamp" in err


def test_a_blank_face_may_be_white(tmp_path: Path, run: Run, data: Path) -> None:
    def blank(raw: dict[str, Any]) -> None:
        raw["dice"][0]["face"] = []

    picture, others = washed_out()
    photos = label(tmp_path / "p", "roll-4", picture=picture, change=blank)
    status, out, _ = run("teach", "bones", "--from", photos, "--data", data, "--json")
    assert (status, json.loads(out)["samples"]) == (0, others + 1)


def test_bad_photographs_can_be_left_out(tmp_path: Path, run: Run, pips: Path, data: Path) -> None:
    (pips / "broken.json").write_text("{")
    status, out, err = run("teach", "bones", "--from", pips, "--data", data, "--json", "--skip-bad")
    assert status == 1
    assert "broken.json" in err
    assert json.loads(out)["samples"] == 4


def show(folder: Path, name: str, picture: Picture, change: Change = lambda _: None) -> None:
    """Write recorded Force dice as a photograph of this name that teaches."""
    label(folder, "roll-3", picture=picture, change=lambda raw: (raw.update(image=f"{name}.jpg"), change(raw)))
    for ending in ("jpg", "json"):
        (folder / f"roll-3.{ending}").rename(folder / f"{name}.{ending}")


@pytest.mark.parametrize("names", ["a throw/b throw", "roll 1/roll 2", "a: sieben, acht/a: sieben, neun", "a/b"])
def test_of_one_face_under_two_names_the_bad_sample_is_left_out_whatever_its_file_is_called(
    tmp_path: Path, run: Run, data: Path, names: str
) -> None:
    first, second = names.split("/")

    def misname(raw: dict[str, Any]) -> None:
        for die in raw["dice"]:
            die["face"] = {1: ["dark"], 2: ["dark", "light"]}[len(die["face"])]

    folder, picture = tmp_path / "photos", load_photo(SAMPLES / "roll-3.jpg")
    show(folder, first, picture)
    show(folder, second, np.asarray(picture * 0.98, np.uint8), misname)
    show(folder, "s right", np.asarray(picture * 0.96, np.uint8))  # though it comes after the bad one
    blurred = picture.copy()
    x, y = (round(v) for v in json.loads((SAMPLES / "roll-3.json").read_text())["dice"][-1]["center"])
    near = blurred[y - 90 : y + 90, x - 90 : x + 90]
    near[:] = cv2.GaussianBlur(near, (0, 0), 6.0)  # the die that is named last
    show(folder, "t one blurred", blurred)
    for added in (3 + 1 + 3, 0):
        status, out, err = run("teach", "bones", "--from", folder, "--data", data, "--json", "--skip-bad")
        told = json.loads(out)
        assert (status, told["added"], len(told["skipped"])) == (1, added, 3)
        assert err.count(f"{second}.jpg: shows the same face as {first}.jpg") == 2
        samples = TaughtSets(data).load("bones").samples
        learnt = sorted((sample.face, sample.origin) for sample in samples if len(sample.face) == 1)
        assert learnt == [(("light",), f"{first}.jpg"), (("light",), "s right.jpg")]
        assert "t one blurred.jpg" not in {sample.origin for sample in samples}


def test_a_place_that_two_labels_name_is_learnt_by_the_first_of_them(tmp_path: Path, run: Run, data: Path) -> None:
    folder = label(tmp_path / "my photos", "roll-4", change=two_names)
    (folder / "roll-4.json").rename(folder / "a die of 6.json")
    status, out, err = run("teach", "bones", "--from", folder, "--data", data, "--json", "--skip-bad")
    assert (status, json.loads(out)["samples"], "shows the same face" in err) == (1, 4, True)
    assert ("5",) not in {sample.face for sample in TaughtSets(data).load("bones").samples}


def test_a_die_of_the_colour_and_shape_of_another_set_is_said(run: Run, pips: Path, data: Path) -> None:
    status, out, _ = run("teach", "bones", "--from", pips, "--data", data, "--json")
    assert status == 0
    assert any("pip of pips" in note for note in json.loads(out)["notes"])


@pytest.mark.parametrize("name", ["narrative", "Bones", "../bones"])
def test_a_name_that_cannot_be_is_refused(run: Run, pips: Path, data: Path, name: str) -> None:
    status, _, err = run("teach", name, "--from", pips, "--data", data)
    assert (status, bool(err)) == (2, True)


def test_a_set_is_removed_brought_back_exported_and_taken_in(
    tmp_path: Path, run: Run, pips: Path, data: Path
) -> None:  # fmt: skip
    run("teach", "bones", "--from", pips, "--data", data)
    file, other = tmp_path / "bones.tableside", tmp_path / "other"
    assert run("teach", "bones", "--export", file, "--data", data)[0] == 0
    run("teach", "bones", "--remove", "--data", data)
    assert TaughtSets(data).names() == []
    run("teach", "bones", "--undo", "--data", data)
    assert run("teach", "--import", file, "--data", other)[0] == 0
    ours, theirs = TaughtSets(data).load("bones"), TaughtSets(other).load("bones")
    assert (theirs.samples, theirs.dice_set) == (ours.samples, ours.dice_set)
    assert run("teach", "--import", file, "--data", other)[0] == 2


def test_a_file_that_is_no_exported_set_is_refused(tmp_path: Path, run: Run, data: Path) -> None:
    status, _, err = run("teach", "--import", PIPS, "--data", data)
    assert (status, "is no exported dice set" in err) == (2, True)


def test_a_disk_that_fails_leaves_the_set_as_it_was(
    run: Run, pips: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("teach", "bones", "--from", pips, "--data", data)
    sets = TaughtSets(data)
    before = sets.load("bones")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DiceSetError, match="No space left"):
        save_taught(before.without([before.samples[0].id]), sets.path("bones"))
    assert sets.load("bones").samples == before.samples


def shipped_names(raw: dict[str, Any]) -> None:
    """Take the ``my-`` of the types' names away."""
    for die in raw["dice"]:
        die["type"] = die["type"].removeprefix("my-")


def test_own_dice_of_a_shipped_set_are_samples_of_it(tmp_path: Path, run: Run, data: Path) -> None:
    folder = label(tmp_path / "photos", "roll-3", change=shipped_names)
    status, out, _ = run("teach", "mine", "--from", folder, "--like", "narrative", "--data", data, "--json")
    assert (status, json.loads(out)["like"]) == (0, "narrative")
    assert [one.name for one in installed_sets((), data)] == ["narrative", "percentile", "pips"]
    assert [one.name for one in installed_sets(["mine"], data)] == ["narrative"]
    found = read(data, load_photo(SAMPLES / "roll-3.jpg"), "mine")
    assert found == [
        ("force", ("dark", "dark"), True),
        ("force", ("light",), True),
        ("force", ("light", "light"), True),
    ]


def test_a_face_of_ones_own_is_read_though_a_shipped_type_has_the_name(tmp_path: Path, run: Run, data: Path) -> None:
    def own_face(raw: dict[str, Any]) -> None:
        shipped_names(raw)
        for die in raw["dice"]:
            die["face"] = [{"6": "skull"}.get(symbol, symbol) for symbol in die["face"]]

    folder = label(tmp_path / "photos", "roll-4", change=own_face)
    assert run("teach", "bones", "--from", folder, "--data", data)[0] == 0
    faces = [face for _, face, _ in read(data, load_photo(PIPS), "bones", "pips")]
    assert ("skull",) in faces


@pytest.mark.slow
def test_own_dice_of_a_shipped_set_are_told_no_worse_for_having_been_shown(
    tmp_path: Path, run: Run, data: Path
) -> None:
    for name in ("roll-1", "roll-2", "roll-5"):
        label(tmp_path / "photos", name, change=shipped_names)
    assert run("teach", "mine", "--from", tmp_path / "photos", "--like", "narrative", "--data", data)[0] == 0
    pictures = [load_photo(SAMPLES / f"{name}.jpg") for name in ("roll-6", "roll-8")]
    alone, shown = ([read(data, picture, name) for picture in pictures] for name in ("narrative", "mine"))
    assert [[die[:2] for die in dice] for dice in shown] == [[die[:2] for die in dice] for dice in alone]
    assert sum(die[2] for dice in shown for die in dice) >= sum(die[2] for dice in alone for die in dice)


def test_what_was_measured_is_kept_until_the_network_or_the_samples_change(run: Run, pips: Path, data: Path) -> None:
    run("teach", "bones", "--from", pips, "--data", data)
    classifier = Finder(paths.models_folder()).classifier
    bones = TaughtSets(data).load("bones")
    path, mark = data / "sets" / "bones" / "prototypes.npz", fingerprint(bones, classifier)
    assert kept(path, mark) is not None
    classifier.network = "another"
    assert kept(path, fingerprint(bones, classifier)) is None
    path.unlink()
    read(data, turned(), "bones")
    assert kept(path, mark) is not None


def test_what_a_face_counts_as_is_said_and_checked(run: Run, pips: Path, data: Path) -> None:
    run("teach", "bones", "--from", pips, "--data", data)
    run("teach", "bones", "--plays-as", "my-pip=pip", "--counts", "6=5", "--data", data)
    sets = installed_sets((), data)
    assert counted(Die(type="my-pip", face=("4",)), sets) == Die(type="pip", face=("4",))
    assert counted(Die(type="my-pip", face=("6",)), sets) == Die(type="pip", face=("5",))
    status, _, err = run("teach", "bones", "--plays-as", "my-pip=boost", "--data", data)
    assert (status, "no face" in err) == (2, True)
    with pytest.raises(DiceSetError, match="no die type"):
        set_meanings(TaughtSets(data), "bones", plays_as={"my-pip": "pop"}, counts={})


def test_of_each_face_only_so_many_samples_are_kept() -> None:
    def sample(number: int, source: Source) -> Sample:
        return Sample(id=f"{source}{number}", type="a", face=("1",), source=source, origin="", at=number, shape=1.0)

    empty = Taught(dice_set=replace(find_sets(["pips"])[0], taught=True), samples=())
    shown = empty.with_samples([sample(n, Source.PHOTO) for n in range(40)])
    assert len(shown.samples) == MOST_OF_A_FACE
    corrected = shown.with_samples([sample(n, Source.CORRECTION) for n in range(40)])
    assert len(corrected.samples) == MOST_OF_A_FACE
    assert sum(one.source is Source.CORRECTION for one in corrected.samples) == MOST_OF_A_FACE // 2


def test_where_more_photographs_will_not_help_teaching_says_so() -> None:
    def faces(samples: int, sure: float) -> Measured:
        face = FaceReport(type="own", face=("1",), samples=samples, right=0.9, sure=sure, nearest=None, margin=0.1)
        return Measured(types=(OWN,), faces=(face, structs.replace(face, face=("2",), samples=9)))

    assert [len(_shown_enough(faces(*one))) for one in ((9, 0.1), (3, 0.1), (9, 0.8))] == [1, 0, 0]


@pytest.mark.parametrize(
    ("samples", "says", "advises"),
    [(1, "too few to tell", True), (3, "left out or made harder: 50.0%", True), (4, "made harder: 50.0%", False)],
)
def test_a_figure_from_single_samples_is_none_and_more_are_wanted_only_where_they_help(
    samples: int, says: str, advises: bool
) -> None:
    face = {"type": "gem", "face": ["1"], "samples": samples, "right": 0.5, "sure": 0.1, "nearest": ["2"]}
    summary = {
        "set": "mine",
        "added": 1,
        "samples": 1,
        "seconds": 1,
        "types": [],
        "like": None,
        "right": 0.5,
        "sheet": "s.jpg",
    }
    told = in_words(summary | {"faces": [face], "close": [], "notes": []})
    assert says in told
    assert ("Show it once more" in told) is advises


def test_what_was_cut_out_is_shown_and_listed_with_its_size(run: Run, pips: Path, data: Path) -> None:
    for _ in range(2):
        _, told, _ = run("teach", "mine", "--from", pips, "--data", data, "--json")
        sheet = cv2.imread(json.loads(told)["sheet"])
        assert sheet is not None
        assert sheet.shape[0] > sheet.shape[1] == 2 * CROP_PX  # four samples, each over its name
    _, listed, _ = run("teach", "mine", "--list", "--data", data, "--json")
    sizes = [json.loads(line)["size_px"] for line in listed.splitlines()]
    assert len(sizes) == 4
    assert max(sizes) < 1.3 * min(sizes)


def shown(*, radius: float = 40.0, level: int = 120) -> ShownDie:
    sample = Sample(
        id="a", type="d6", face=("1",), source=Source.PHOTO, origin="a.jpg", at=1.0, shape=0.8, radius=radius
    )
    return ShownDie(sample, "d6", np.full((CROP_PX, CROP_PX, 3), (level, 60, 60), np.uint8))


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        (shown(radius=200), "4.0 times as large"),
        (shown(radius=10), "0.2 times as large"),
        (shown(level=255), "another colour"),
    ],
)
def test_what_is_far_larger_or_of_another_colour_than_its_fellows_is_no_such_die(odd: ShownDie, why: str) -> None:
    fellows = [shown(radius=radius, level=level) for radius, level in ((30, 110), (40, 120), (50, 125), (60, 130))]
    (problem,) = odd_ones([*fellows, odd])
    assert problem.sample is odd.sample
    assert why in str(problem)
    assert odd_ones(fellows) == odd_ones([*fellows[:2], odd]) == []  # of three nobody knows which is the odd one
    others = [ShownDie(replace(odd.sample, id=id), "d6", odd.crop) for id in "bcd"]
    assert odd_ones([*fellows, *others]) == []  # a type of two colours, or photographed from two heights
