from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.errors import GameError
from tableside.rules.throws import Hand, Throw, dice_words, short_of, short_words, split_throw
from tableside.rules.tracker import Tracker, find_tracker
from tests.rules.asks import pips, symbols, wild

THROW = Throw(name="roll", dice=(("pip", 3), ("wild", 1)), sentence="Throw.")
COUNTS = st.dictionaries(st.sampled_from(["ability", "boost", "pip"]), st.integers(1, 30), min_size=1)


@given(COUNTS, st.dictionaries(st.sampled_from(["ability", "boost", "pip"]), st.integers(0, 9)))
def test_the_parts_of_a_throw_are_the_throw_and_each_can_be_made(counts: dict[str, int], owned: dict[str, int]) -> None:
    parts = split_throw(Throw(name="roll", dice=tuple(counts.items()), sentence="Throw."), owned)
    assert sum((Counter(dict(part.dice)) for part in parts), Counter()) == Counter(counts)
    assert all(count <= (owned.get(name) or count) for part in parts for name, count in part.dice)
    assert [part.name for part in parts] == ["roll"] + ["rest"] * (len(parts) - 1)


def test_what_is_missing_and_what_is_too_many_is_told_by_type() -> None:
    short = short_of(THROW, [*pips(1, 2, 3, 4, 5)])
    assert short == (("pip", -2), ("wild", 1))
    assert short_words(short) == "1 Wild die is missing. 2 six-sided dice are too many."


def test_where_any_type_will_do_only_the_number_counts() -> None:
    assert short_of(THROW, pips(1, 2, 3, 4), any_type=True) == ()
    assert short_of(THROW, [wild(1), wild(2), wild(3)], any_type=True) == (("pip", 1),)


def test_where_dice_are_missing_the_types_of_those_that_lie_tell_which() -> None:
    assert short_of(THROW, pips(1, 2), any_type=True) == (("pip", 1), ("wild", 1))
    assert short_of(THROW, [wild(1)], any_type=True) == (("pip", 3),)


def test_all_that_was_asked_for_leaves_nothing_to_say() -> None:
    assert short_words(short_of(THROW, [*pips(1, 2, 3), wild(4)])) == ""


def test_a_hand_waits_for_the_first_throw_that_is_not_there() -> None:
    again = Throw(name="wild_again", dice=(("wild", 1),), sentence="Again.")
    hand = Hand([[*pips(1, 2, 3), wild(6)]])
    assert len(hand.take(THROW)) == 4
    assert not hand.waits
    assert hand.take(again) == ()
    assert hand.awaits == again
    assert hand.take(THROW) == ()
    assert hand.awaits == again


def test_after_a_throw_that_lacks_dice_nothing_more_is_taken() -> None:
    hand = Hand([pips(1), pips(2)])
    hand.take(THROW)
    assert hand.short == (("pip", 2), ("wild", 1))
    assert hand.take_any() == ()


def test_dice_are_told_in_words() -> None:
    assert dice_words({"ability": 2, "difficulty": 1, "boost": 0}) == "2 ability dice and 1 difficulty die"
    assert dice_words({}) == "no dice"
    assert dice_words(symbol_counts()) == "1 ability die, 1 boost die and 1 force die"


def symbol_counts() -> Counter[str]:
    return Counter(die.type for die in symbols("ability: boost: force:dark"))


def test_a_tracker_stops_at_its_bounds() -> None:
    track = Tracker(name="condition", title="Condition", steps=("normal", "winded", "helpless"))
    assert [track.changed(value, by) for value, by in ((0, -1), (0, 1), (1, 9))] == [0, 1, 2]
    assert (track.step(1), track.shown.kind) == ("winded", "track")


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda track: track.check(-1), "-1 cannot be. It is 0 to 1"),
        (lambda track: track.check(True), "True cannot be"),
        (lambda track: find_tracker("conditon", [track]), "Did you mean condition"),
    ],
)
def test_what_a_tracker_cannot_be_is_named(act: object, message: str) -> None:
    track = Tracker(name="condition", title="Condition", steps=("normal", "winded"))
    assert find_tracker("condition", [track]) is track
    with pytest.raises(GameError, match=message):
        act(track)
