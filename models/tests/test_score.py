from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from models.labelled import Label, read_label
from models.score import Score, calibration_error, main
from tableside.dice import DiceSet, DieReading, Reading, Status, Suspect
from tests.fakes.tray import DrawnReader, draw_tray

SQUARE = [[10, 10], [30, 10], [30, 30], [10, 30]]


def label(tmp_path: Path, **changes: object) -> Label:
    die = {"type": "pip", "face": ["3"], "cocked": False, "outline": SQUARE} | changes
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"image": "a.jpg", "complete": True, "dice": [die]}))
    return read_label(path)


def reading(face: str = "3", *, at: tuple[float, float] = (20.0, 20.0), status: Status = Status.SURE) -> Reading:
    die = DieReading(type="pip", face=(face,), center=at, outline=(), confidence=0.9, status=status)
    return Reading(width=100, height=100, dice=(die,))


def scored(truth: Label, *readings: Reading) -> Score:
    score = Score()
    for one in readings:
        score.add(truth, one)
    return score


def test_a_right_die_makes_a_right_roll(tmp_path: Path) -> None:
    score = scored(label(tmp_path), reading())
    assert (score.dice_right, score.rolls_right, score.silent_errors) == (1, 1, 0)


def test_a_wrong_die_in_a_sure_roll_is_a_silent_error(tmp_path: Path) -> None:
    score = scored(label(tmp_path), reading("4"))
    assert (score.dice_right, score.silent_errors, score.rolls_silently_wrong) == (0, 1, 1)


def test_a_wrong_die_that_was_doubted_is_no_silent_error(tmp_path: Path) -> None:
    score = scored(label(tmp_path), reading("4", status=Status.UNSURE))
    assert (score.dice_right, score.silent_errors) == (0, 0)


def test_a_die_that_was_missed_is_a_silent_error(tmp_path: Path) -> None:
    score = scored(label(tmp_path), Reading(width=100, height=100))
    assert (score.dice_missed, score.silent_errors) == (1, 1)


def test_what_is_wrong_and_no_question_is_unsaid_also_where_something_else_is_one(tmp_path: Path) -> None:
    here, there = label(tmp_path, face=["2"]), label(tmp_path, face=["2"], outline=[[x + 50, y] for x, y in SQUARE])
    truth = replace(here, dice=here.dice + there.dice)
    asked = reading("2", at=(70.0, 20.0), status=Status.UNSURE)
    right, wrong, far = reading("2").dice[0], reading("4").dice[0], reading("2", at=(80.0, 80.0)).dice[0]
    suspect = Suspect(center=(20.0, 20.0), outline=(), confidence=0.5)

    def unsaid(*dice: DieReading, suspects: tuple[Suspect, ...] = ()) -> int:
        score = scored(truth, replace(asked, dice=(*asked.dice, *dice), suspects=suspects))
        assert score.rolls_silently_wrong == 0
        return score.rolls_wrong_unsaid

    assert unsaid(right) == 0
    assert unsaid(wrong) == 1
    assert unsaid(replace(wrong, status=Status.UNSURE)) == 0
    assert unsaid() == 1
    assert unsaid(suspects=(suspect,)) == 0
    assert unsaid(right, far) == 1


def test_a_question_is_needed_where_the_answer_without_it_would_be_wrong(tmp_path: Path) -> None:
    flat, leaning, partial = label(tmp_path), label(tmp_path, cocked=True), replace(label(tmp_path), complete=False)
    doubted, misread = reading(status=Status.UNSURE), reading("4", status=Status.UNSURE)
    here, there = (Suspect(center=at, outline=(), confidence=0.5) for at in ((20.0, 20.0), (80.0, 80.0)))
    nothing = Reading(width=100, height=100)

    def asked(truth: Label, read: Reading, *suspects: Suspect) -> tuple[int, int]:
        score = scored(truth, replace(read, suspects=suspects))
        return score.questions, score.questions_needed

    assert asked(flat, reading("4")) == (0, 0)
    assert asked(flat, doubted) == (1, 0)
    assert asked(flat, misread) == (1, 1)
    assert asked(leaning, reading(status=Status.COCKED)) == (1, 1)
    assert asked(flat, nothing, here) == (1, 1)
    assert asked(flat, reading(), there) == (1, 0)
    assert asked(
        flat, replace(reading(), dice=(*reading().dice, *reading(at=(80.0, 80.0), status=Status.UNSURE).dice))
    ) == (1, 1)
    assert asked(partial, reading(), there) == (0, 0)


@pytest.mark.parametrize(("said", "complete"), [({}, False), ({"partial": True}, False), ({"partial": False}, True)])
def test_labels_by_others_are_complete_only_where_they_say_so(
    tmp_path: Path, said: dict[str, bool], complete: bool
) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"image": "a.jpg", "dice": []} | said))
    assert read_label(path).complete is complete


def test_a_reading_far_from_every_die_is_invented(tmp_path: Path) -> None:
    score = scored(label(tmp_path), reading(at=(80.0, 80.0)))
    assert (score.dice_invented, score.dice_missed) == (1, 1)


def test_a_die_cut_by_the_edge_may_be_left_out_or_doubted_but_not_misread(tmp_path: Path) -> None:
    cut = label(tmp_path, whole=False)
    assert scored(cut, Reading(width=100, height=100)).rolls_right == 1
    assert scored(cut, reading("4", status=Status.UNSURE)).dice_right == 1
    assert scored(cut, reading("4")).silent_errors == 1


@pytest.mark.parametrize(("status", "right"), [(Status.SURE, 0), (Status.COCKED, 1), (Status.UNSURE, 1)])
def test_a_cocked_die_is_right_when_it_is_doubted(tmp_path: Path, status: Status, right: int) -> None:
    score = scored(label(tmp_path, cocked=True), reading(status=status))
    assert (score.dice_right, score.dice_leaning, score.leaning_noticed) == (right, 1, right)


def test_rolls_that_need_no_question_are_counted_by_themselves(tmp_path: Path) -> None:
    score = scored(label(tmp_path), reading(), reading(status=Status.UNSURE), reading())
    score.add(label(tmp_path, cocked=True), reading(status=Status.COCKED))
    record = score.to_json()
    assert (record["rolls"], record["rolls_answered"]) == (4, 0.5)
    assert (record["rolls_flat"], record["rolls_flat_answered"]) == (3, 0.6667)


def test_confidence_that_comes_true_has_no_calibration_error() -> None:
    assert calibration_error([(0.8, True)] * 8 + [(0.8, False)] * 2) == pytest.approx(0)
    assert calibration_error([(0.9, False)] * 4) == pytest.approx(0.9)


@pytest.fixture
def photographs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one labelled drawing, read by a reader of drawings."""
    monkeypatch.setattr("models.score._reader", DrawnReader)
    cv2.imwrite(str(tmp_path / "one.jpg"), draw_tray(("green", 100, 100)))
    outline = [[88, 88], [112, 88], [112, 112], [88, 112]]
    die = {"type": "ability", "face": ["success"], "cocked": False, "outline": outline}
    (tmp_path / "one.json").write_text(json.dumps({"image": "one.jpg", "tray_corners": [], "dice": [die]}))
    return tmp_path


def test_a_folder_is_scored_as_one_json_object(photographs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(photographs), "--set", "narrative", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    record = json.loads(line)
    assert (record["folder"], record["sets"]) == (str(photographs), ["narrative"])
    assert (record["dice_right"], record["rolls_right"], record["silent_errors"]) == (1.0, 1.0, 0)


def test_without_json_a_folder_is_scored_in_words(photographs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(photographs), "--far"]) == 0
    out = capsys.readouterr().out
    assert "1 of 1 rolls right, 1 answered without a question, 0 silently wrong; 1 of 1 dice right" in out
    assert "far 2.2" in out


def test_a_folder_without_labels_is_told_and_the_others_are_still_scored(
    photographs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = photographs / "empty"
    empty.mkdir()
    assert main([str(empty), str(photographs), "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["rolls"] == 1
    assert f"{empty}: holds no labelled photographs. A label is NAME.json beside NAME.jpg." in told.err


def test_an_unknown_dice_set_is_wrong_usage(photographs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(photographs), "--set", "narative"]) == 2
    assert "narrative" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "known"), [([], {"pip", "wild"}), (["--no-wild"], {"pip"})])
def test_a_wild_die_is_not_looked_for_where_no_label_says_which_is_one(
    photographs: Path, monkeypatch: pytest.MonkeyPatch, option: list[str], known: set[str]
) -> None:
    opened: list[str] = []

    def open_reader(sets: Sequence[DiceSet]) -> DrawnReader:
        opened.extend(kind.name for one in sets for kind in one.types)
        return DrawnReader(sets)

    monkeypatch.setattr("models.score._reader", open_reader)
    assert main([str(photographs), "--set", "pips", *option]) == 0
    assert set(opened) == known
