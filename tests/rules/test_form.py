from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.dice import Die
from tableside.errors import BadAsk, GameError
from tableside.games.narrative.pool_text import parse_pool
from tableside.rules import find_game
from tableside.rules.code import Code
from tableside.rules.form import Field, Form, Forms, answers, choice, chosen, code, faces, flag, name_of, number, pool
from tableside.rules.modifiers import Modifier, changes
from tests.rules.asks import answers as right_answers

_STONES = ("red", "blue")


class Ask(Form):
    """A form with a field of each kind."""

    purpose: str = choice("Purpose", ("check", "attack", "parry"), default="check")
    actions: int = number("Actions", least=1, most=20, default=1)
    rank: int | None = number("Rank", default=None)
    wounded: bool = flag("Wounded")
    band: str = choice("Band", ("easy", "very_hard"))
    fire: tuple[str, ...] = chosen("Fire", ("prone", "door"))
    code: Code | None = code("Code")
    dice: Mapping[str, int] = pool("Dice", ("ability", "difficulty"), most=9, reads=parse_pool)
    stones: Mapping[str, int] = pool("Stones", _STONES, most=9)
    boosts: tuple[int, ...] = faces("Boosts", most=6)


class Attack(Ask):
    """What an attack is asked for besides."""

    purposes = ("attack",)

    soak: int = number("Soak", default=2)


FORM = Forms(Ask, Attack)
NUMBER, FLAG, CHOICE, CHOICES, CODE, POOL, STONES, FACES = (
    FORM.field(name, game="g") for name in ("actions", "wounded", "band", "fire", "code", "dice", "stones", "boosts")
)


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (NUMBER, "3", 3),
        (FLAG, "yes", True),
        (FLAG, "False", False),
        (CHOICE, "very_hard", "very_hard"),
        (CHOICES, "prone, door", ("prone", "door")),
        (CODE, "3d+2", Code(dice=3, pips=2)),
        (STONES, "2 red, 1 blue", {"red": 2, "blue": 1}),
        (POOL, "2a 1d", {"ability": 2, "difficulty": 1}),
        (POOL, '{"ability": 2}', {"ability": 2}),
        (FACES, "1,2", (1, 2)),
    ],
)
def test_what_people_type_is_understood(field: Field, text: str, value: object) -> None:
    assert field.parsed(text, game="g") == value
    assert FORM.parsed([f"{field.name}={text}"], game="g") == {field.name: value}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (NUMBER, 0, "actions is 0. It must be a whole number from 1 to 20."),
        (NUMBER, True, "actions is True. It must be a whole number"),
        (NUMBER, 2.0, "actions is 2.0. It must be a whole number"),
        (FLAG, 1, "wounded is 1. It must be true or false."),
        (CHOICE, "hard", "band is 'hard'. Did you mean very_hard?"),
        (CHOICE, ["easy"], "band is ['easy']."),
        (CHOICES, "prone", "fire is 'prone'. It must be a list of: prone, door."),
        (CHOICES, ["dor"], "Did you mean door?"),
        (CODE, "3D+x", "code is '3D+x'. Write one such as 3D or 3D+2."),
        (CODE, 3, "code is 3. Write one such as 3D or 3D+2."),
        (CODE, "1000D", "code is '1000D'. A code has 0 to 100 dice."),
        (POOL, {"abilty": 1}, "Did you mean ability?"),
        (POOL, {"ability": -1}, "dice is {'ability': -1}. Of each die there are 0 to 9."),
        (POOL, {"ability": 5, "difficulty": 5}, "There are at most 9 dice."),
        (POOL, 3, 'It must be an object such as {"ability": 2}.'),
        (FACES, [7], "It must be a list of numbers from 0 to 6."),
    ],
)
def test_a_wrong_answer_is_named_with_what_would_be_right(field: Field, value: object, message: str) -> None:
    with pytest.raises(BadAsk) as error:
        FORM.check({field.name: value}, game="g")
    assert str(error.value).startswith("game g: ")
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["difficulty", "actons=2", "actions=two", "dice=3x", "actions=99999999999"])
def test_what_cannot_be_typed_is_refused(text: str) -> None:
    with pytest.raises(GameError):
        FORM.parsed([text], game="g")


def test_what_nobody_entered_is_the_default() -> None:
    given = FORM.check({"boosts": [2]}, game="g")
    assert given == Ask(boosts=(2,))
    assert (given.actions, given.rank, given.wounded, given.band, given.fire) == (1, None, False, "", ())
    assert (given.code, given.dice, given.boosts) == (None, {}, (2,))


def test_a_purpose_with_answers_of_its_own_has_a_class_of_its_own() -> None:
    given = FORM.check({"purpose": "attack", "soak": 3, "rank": 4}, game="g")
    assert given == Attack(purpose="attack", soak=3, rank=4)
    assert FORM.check({"purpose": "parry", "soak": 3, "rank": 4}, game="g") == Ask(purpose="parry", rank=4)
    with pytest.raises(BadAsk, match="soak is 'x'"):  # wrong whatever it is asked for
        FORM.check({"purpose": "parry", "soak": "x"}, game="g")
    told = {field["name"]: field for field in FORM.to_json()}
    assert told["soak"]["only"] == {"purpose": ["attack"]}
    assert "only" not in told["rank"]
    assert list(told)[:2] == ["purpose", "actions"]
    assert list(told)[-1] == "soak"


def test_answers_are_written_by_the_names_and_types_of_their_class() -> None:
    assert answers(Ask, actions=2, code=Code(dice=3)) == {"actions": 2, "code": "3D"}
    assert name_of(Attack.rank) == "rank"
    assert FORM.known(Ask.fire) == FORM.field("fire", game="g").known


def test_a_row_of_modifiers_changes_the_dice_by_each_point_but_spares_what_it_says() -> None:
    rows = (
        Modifier(Ask.rank, dice=2, says="Rank", rule="r1"),
        Modifier(Ask.wounded, dice=-1, says="Wounded", rule="r2", spares=lambda ask: ask.band == "easy"),
        Modifier(Ask.actions, dice=lambda ask: 1 - ask.actions, says=lambda ask: f"{ask.actions} actions", rule="r3"),
    )
    assert list(changes(rows, Ask())) == []
    given = Ask(rank=3, wounded=True, actions=4)
    assert list(changes(rows, given)) == [(6, "Rank", "r1"), (-1, "Wounded", "r2"), (-3, "4 actions", "r3")]
    assert list(changes(rows, Ask(wounded=True, band="easy"))) == []


@given(st.sampled_from(FORM.fields).flatmap(lambda field: st.tuples(st.just(field), right_answers(field))))
def test_right_answers_pass_and_are_still_right_after_a_journey_as_json(pair: tuple[Field, object]) -> None:
    field, value = pair
    assert field.checked(json.loads(json.dumps(value)), game="g") == field.checked(value, game="g")


def test_a_form_tells_pages_what_to_draw() -> None:
    told = {field["name"]: field for field in FORM.to_json()}
    assert told["actions"] == {
        "name": "actions",
        "title": "Actions",
        "kind": "number",
        "default": 1,
        "least": 1,
        "most": 20,
        "help": "",
        "source": "",
        "setting": False,
    }
    assert told["band"]["choices"] == [{"name": "easy", "title": "Easy"}, {"name": "very_hard", "title": "Very hard"}]


def test_a_pool_may_be_written_as_people_write_it() -> None:
    assert FORM.check({"dice": "2a1d"}, game="g").dice == {"ability": 2, "difficulty": 1}
    assert FORM.written({"dice": "2a1d", "code": "3D", "other": 1}) == {
        "dice": {"ability": 2, "difficulty": 1},
        "code": "3D",
        "other": 1,
    }
    with pytest.raises(GameError, match="pool '2q': 'q' is no die"):
        FORM.check({"dice": "2q"}, game="g")
    with pytest.raises(BadAsk, match="It must be an object"):
        FORM.check({"stones": "2 red"}, game="g")


@pytest.mark.parametrize("game", ["d6-wild", "d6-companion"])
def test_what_a_band_says_it_comes_to_is_what_counts(game: str) -> None:
    band = next(one for one in find_game(game).form.to_json() if one["name"] == "band")
    dice = [Die(type=kind, face=("3",)) for kind in ("wild" if game == "d6-wild" else "pip", "pip", "pip")]
    told = {one["name"]: one["number"] for one in band["choices"]}
    counts = {name: find_game(game).play([dice], {"code": "3D", "band": name}).difficulty for name in told}
    assert told == counts
    assert all(str(one["number"]) in one["title"] for one in band["choices"])
