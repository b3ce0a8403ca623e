"""Several frames vote: doubts are settled by most frames, never by a lucky one."""

from __future__ import annotations

import pytest

from tableside.dice import Alternative, DieReading, Reading, Status, Suspect
from tableside.tray.vote import vote

SURE, UNSURE, COCKED = Status.SURE, Status.UNSURE, Status.COCKED


def die(face: str, confidence: float, status: Status, *others: tuple[str, float], x: float = 100.0) -> DieReading:
    return DieReading(
        type="pip",
        face=(face,),
        center=(x, 100.0),
        outline=(),
        confidence=confidence,
        status=status,
        alternatives=tuple(Alternative(type="pip", face=(f,), confidence=p) for f, p in others),
    )


def reading(*dice: DieReading, suspects: tuple[Suspect, ...] = ()) -> Reading:
    return Reading(width=1000, height=750, dice=dice, suspects=suspects)


def test_one_reading_is_returned_as_it_is() -> None:
    only = reading(die("5", 0.4, UNSURE))
    assert vote([only]) is only


def test_most_frames_being_sure_settle_a_doubt() -> None:
    doubt = die("6", 0.55, UNSURE, ("5", 0.44))
    sure = die("5", 0.99, SURE, ("6", 0.01))
    fused = vote([reading(doubt), reading(sure), reading(sure)])
    assert [(one.face, one.status) for one in fused.dice] == [(("5",), SURE)]
    assert fused.dice[0].confidence == pytest.approx((0.44 + 0.99 + 0.99) / 3)
    assert [(other.face, round(other.confidence, 3)) for other in fused.dice[0].alternatives] == [(("6",), 0.19)]


@pytest.mark.parametrize(
    "frames",
    [
        [(("5", 0.99, SURE)), ("5", 0.7, UNSURE), ("5", 0.7, UNSURE)],
        [(("5", 0.99, SURE)), ("5", 0.99, SURE), ("6", 0.99, SURE)],
        [(("5", 0.99, SURE)), ("5", 0.99, SURE), ("5", 0.9, COCKED)],
    ],
    ids=["one lucky frame", "sure of two faces", "cocked once"],
)
def test_it_stays_a_question(frames: list[tuple[str, float, Status]]) -> None:
    fused = vote([reading(die(*frame)) for frame in frames])
    assert [(one.face, one.status) for one in fused.dice] == [(("5",), UNSURE)]


def test_a_die_that_most_frames_see_leaning_is_cocked() -> None:
    fused = vote([reading(die("5", 0.9, COCKED)), reading(die("5", 0.9, COCKED)), reading(die("5", 0.9, UNSURE))])
    assert fused.dice[0].status is COCKED


def test_noise_that_looked_like_a_die_once_is_forgotten() -> None:
    ghost = Suspect(center=(600.0, 300.0), outline=(), confidence=0.2)
    good = die("5", 0.99, SURE)
    fused = vote([reading(good, suspects=(ghost,)), reading(good), reading(good)])
    assert fused.sure
    assert len(fused.dice) == 1


def test_a_die_that_only_some_frames_find_stays_a_suspect() -> None:
    good, shy = die("5", 0.99, SURE), die("2", 0.99, SURE, x=500.0)
    fused = vote([reading(good, shy), reading(good), reading(good)])
    assert [one.center for one in fused.suspects] == [(500.0, 100.0)]
    assert not fused.sure


def test_two_dice_side_by_side_are_never_taken_for_one() -> None:
    pair = (die("1", 0.99, SURE, x=100.0), die("2", 0.6, UNSURE, x=109.0))
    fused = vote([reading(*pair), reading(*pair), reading(*pair)])
    assert sorted(one.face for one in fused.dice) == [("1",), ("2",)]
