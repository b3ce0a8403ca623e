"""What every game keeps to, whatever it is asked and whatever lies in the tray."""

from __future__ import annotations

import contextlib
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableside.dice import Die
from tableside.errors import BadAsk, DiceSetError, GameError
from tableside.rules import Game, find_game, game_names
from tests.rules.asks import any_dice, asks

GAMES = [find_game(name) for name in game_names()]
MOST = 16
"""Larger pools are right, too, but would take the time of all other tests together."""
games = pytest.mark.parametrize("game", GAMES, ids=game_names())


@games
def test_with_nothing_asked_any_dice_are_scored(game: Game) -> None:
    assert game.tray({}) is None
    assert game.score((), {}).word == "nothing"


@games
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_no_ask_of_the_form_and_no_dice_break_a_game(game: Game, data: st.DataObject) -> None:
    ask, dice = data.draw(asks(game)), data.draw(any_dice(game))
    with contextlib.suppress(GameError, DiceSetError):
        outcome = game.score(dice, ask)
        told = json.loads(json.dumps(outcome.to_json(steps=True)))
        assert told["sentence"].endswith((".", "?"))
        assert outcome.headline
        assert all(step.text and step.rule and step.source for step in outcome.steps)
        assert all(dict(outcome.net)[name] > 0 for _, name in outcome.moods)
        assert (outcome.succeeded is None) or outcome.word in ("success", "failure")
        if outcome.awaits or outcome.short:
            assert outcome.succeeded in (None, True)
        assert all(side in ("light", "dark") and count > 0 for side, count in game.points(ask))
        for spend in game.spends(outcome, ask):
            assert spend.price_words()
            assert spend.title


@pytest.mark.parametrize(
    ("game", "dice", "moods"),
    [
        (
            "narrative",
            [("proficiency", "triumph"), ("challenge", "despair")],
            {"triumph": "triumph", "despair": "despair"},
        ),
        ("heroic", [("proficiency", "triumph")], {"triumph": "triumph"}),
        ("d6-wild", [("wild", "1"), ("pip", "6")], {"despair": "complication"}),
        ("d6-companion", [("pip", "1"), ("pip", "6")], {}),
    ],
)
def test_the_game_says_which_mood_a_result_has(game: str, dice: list[tuple[str, str]], moods: dict[str, str]) -> None:
    outcome = find_game(game).score([Die(type=kind, face=(face,)) for kind, face in dice], {})
    assert outcome.to_json()["moods"] == moods


@games
@given(data=st.data(), chance=st.randoms())
@settings(max_examples=60, deadline=None)
def test_the_order_of_dice_never_matters(game: Game, data: st.DataObject, chance: Any) -> None:
    ask, dice = data.draw(asks(game)), data.draw(any_dice(game))
    shuffled = list(dice)
    chance.shuffle(shuffled)

    def scored(thrown: list[Die]) -> tuple[object, ...]:
        try:
            outcome = game.score(thrown, ask)
        except (GameError, DiceSetError) as error:
            return (type(error),)
        return outcome.word, outcome.succeeded, outcome.net, outcome.headline, outcome.awaits, outcome.short

    assert scored(dice) == scored(shuffled)


@games
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_the_dice_that_the_tray_wants_are_never_short(game: Game, data: st.DataObject) -> None:
    ask = data.draw(asks(game))
    try:
        wanted = game.tray(ask)
    except GameError:
        return
    if wanted is None:
        return
    # A blank or a 2 asks for nothing more; a percentile pair shows digits.
    faces = {"pip": ("2",), "wild": ("2",), "d10": ("2",), "d100": ("20",), "force": ("dark",)}
    dice = [Die(type=name, face=faces.get(name, ())) for name, count in wanted.dice for _ in range(count)]
    with contextlib.suppress(BadAsk):
        outcome = game.score(dice, ask)
        assert outcome.short == ()
        missing = game.score(dice[1:], ask)
        if len(dice) > 1 and "d100" not in faces.keys() & dict(wanted.dice).keys():
            assert sum(gap for _, gap in missing.short) == 1
            assert missing.succeeded is None
            assert "missing" in missing.sentence


@games
@given(data=st.data())
@settings(max_examples=50, deadline=None)
def test_odds_lose_no_chance(game: Game, data: st.DataObject) -> None:
    pool = {"dice": {"ability": 1, "difficulty": 1}} if "narrative" in game.dice_sets else {"code": "2D+1"}
    ask = pool | data.draw(asks(game))
    try:
        wanted = game.tray(ask)
        if wanted is not None and wanted.count > MOST:
            return
        prospect = game.odds(ask)
    except GameError:
        return
    form = prospect.form
    cells = form["joint"] if "joint" in form else form["totals"]
    assert sum(cell[-1] for cell in cells) + form.get("beyond", 0) == form["denominator"]
    beyond = Fraction(form.get("beyond", 0), form["denominator"])
    assert sum((chance for _, chance in prospect.bars), beyond) == 1
    assert all(0 <= chance <= 1 for _, chance in prospect.chances)
    assert all(0 <= chance <= 1 for _, chance in prospect.spends)
    json.dumps(prospect.to_json())


@games
def test_every_field_takes_its_own_default_and_is_told_as_json(game: Game) -> None:
    for field in game.form:
        if field.default is not None:
            field.checked(field.default, game=game.name)
        assert field.title
        assert field.source, field.name
    names = [field["name"] for field in json.loads(json.dumps(game.form.to_json()))]
    assert len(names) == len(set(names))


@games
def test_every_tracker_starts_within_its_bounds(game: Game) -> None:
    names = [tracker.name for tracker in game.trackers]
    assert len(names) == len(set(names))
    for tracker in game.trackers:
        assert tracker.check(tracker.default) == tracker.default
        assert tracker.source, tracker.name
        assert not tracker.paired or tracker.paired in names
        json.dumps(tracker.to_json())


@games
def test_an_ask_that_the_game_does_not_know_is_named(game: Game) -> None:
    for act in (game.tray, game.odds, lambda ask: game.score((), ask), lambda ask: game.play((), ask)):
        with pytest.raises(BadAsk, match=f"game {game.name}: cannot be asked for 'colour'"):
            act({"colour": "red"})
