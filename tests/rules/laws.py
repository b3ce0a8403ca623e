"""What every game keeps to: the test file of a game derives from :class:`GameLaws`.

    class TestLaws(GameLaws):
        game = find_game("two-dice")
        asked = {"difficulty": 7}

A law that needs a roll looks at what the game does not refuse, and fails where that is too little: none passes unseen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tableside.dice import Die
from tableside.errors import BadAsk, DiceSetError, GameError
from tableside.rules import Game
from tableside.rules.form import Kind
from tableside.rules.game import Outcome
from tests.rules.asks import SETS, any_dice, asks

MOST = 10
"""Larger pools are right, too, but would take the time of all other tests together."""
DEPTH = 4
"""So many throws of a roll are followed; what goes on has not been decided."""
JUNK: Sequence[Any] = (
    *(None, True, -(10**9), 10**30, 1.5, float("nan"), "", "x", "3D+", b"3D"),
    *([], [None], ["x"], [[1]], [{}], [1.5], [True], {}, {"x": 1}, {"x": None}, {None: 1}, {"ability": []}, {1: True}),
)
"""Values of every type that JSON has, and of some that it has not."""
TAKES: Mapping[Kind, type | tuple[type, ...]] = {
    Kind.NUMBER: int,
    Kind.FLAG: bool,
    Kind.CHOICE: str,
    Kind.CHOICES: list,
    Kind.CODE: str,
    Kind.POOL: (dict, str),
    Kind.FACES: list,
}
laws = settings(max_examples=50, suppress_health_check=[HealthCheck.differing_executors, HealthCheck.too_slow])


class GameLaws:
    """The laws of a game.

    :cvar asked: what is asked of a small roll: its tray and its odds are known, and a dozen throws decide it.
    :cvar lone: types of dice that mean something by themselves, so that fewer than asked for may lie there.
    """

    game: ClassVar[Game]
    asked: ClassVar[Mapping[str, Any]]
    lone: ClassVar[frozenset[str]] = frozenset()

    def test_with_nothing_asked_any_dice_are_scored(self) -> None:
        assert self.game.tray({}) is None
        assert self.game.play(((),), {}).word == "nothing"
        for kind in SETS[self.game.dice_sets[0]].types:
            assert self.game.play(([Die(type=kind.name, face=kind.faces[-1])],), {}).word != "nothing"
        assert self.game.fit({kind.name for kind in SETS[self.game.dice_sets[0]].types})
        assert not self.game.fit({"a die that nobody has"})

    @laws
    @given(data=st.data())
    def test_an_outcome_says_all_that_it_should(self, data: st.DataObject) -> None:
        ask, dice = data.draw(asks(self.game)), data.draw(any_dice(self.game))
        outcome = scored(self.game, dice, ask)
        assert outcome == self.game.play((dice,), ask)
        told = json.loads(json.dumps(outcome.to_json(steps=True)))
        assert told["sentence"].endswith((".", "?"))
        assert outcome.headline
        assert all(step.text and step.rule and step.source for step in outcome.steps)
        assert all(dict(outcome.net)[name] > 0 for _, name in outcome.moods)
        assert (outcome.succeeded is None) or outcome.word in ("success", "failure")
        assert outcome.succeeded in (None, True) or not (outcome.awaits or outcome.short)
        assert all(side in ("light", "dark") and count > 0 for side, count in self.game.points(ask))
        assert all(spend.price_words() and spend.title for spend in self.game.spends(outcome, ask))

    @laws
    @given(data=st.data(), chance=st.randoms())
    def test_the_order_of_dice_never_matters(self, data: st.DataObject, chance: Any) -> None:
        ask, dice = data.draw(asks(self.game)), data.draw(any_dice(self.game))
        one = scored(self.game, dice, ask)
        shuffled = list(dice)
        chance.shuffle(shuffled)
        other = self.game.play((shuffled,), ask)
        assert (other.word, other.succeeded, other.net, other.headline, other.awaits, other.short) == (
            one.word,
            one.succeeded,
            one.net,
            one.headline,
            one.awaits,
            one.short,
        )

    @laws
    @given(data=st.data())
    def test_the_dice_that_the_tray_wants_are_never_short(self, data: st.DataObject) -> None:
        ask = {**self.asked, **data.draw(asks(self.game))}
        dice = data.draw(wanted_dice(self.game, ask))
        assert self.game.play((dice,), ask).short == ()  # nor refused: what can be called can be thrown
        assume(len(dice) > 1 and not self.lone.issuperset(die.type for die in dice))
        fewer = self.game.play((dice[1:],), ask)
        assert sum(gap for _, gap in fewer.short) == 1
        assert fewer.succeeded is None
        assert "missing" in fewer.sentence

    def test_odds_are_what_scoring_every_throw_gives(self) -> None:
        told = dict(self.game.odds(self.asked).chances)["success"]
        success, failure = decided(self.game, self.asked)
        assert 0 < success < 1
        assert success <= told <= 1 - failure
        assert success + failure > Fraction(9, 10)

    @laws
    @given(data=st.data())
    def test_odds_lose_no_chance(self, data: st.DataObject) -> None:
        ask = {**self.asked, **data.draw(asks(self.game))}
        try:
            wanted = self.game.tray(ask)
            assume(wanted is None or wanted.count <= MOST)
            prospect = self.game.odds(ask)
        except GameError:
            assume(False)
        told = json.loads(json.dumps(prospect.to_json()))
        beyond = Fraction(told.get("beyond", 0), told["denominator"])
        assert sum((chance for _, chance in prospect.bars), beyond) == 1
        assert all(0 <= chance <= 1 for _, chance in (*prospect.chances, *prospect.spends))

    def test_every_field_takes_its_own_default_and_is_told_as_json(self) -> None:
        for field in self.game.form:
            if field.default is not None:
                field.checked(field.default, game=self.game.name)
            assert field.title
            assert field.source, field.name
        names = [field["name"] for field in json.loads(json.dumps(self.game.form.to_json()))]
        assert len(names) == len(set(names))

    def test_an_answer_of_a_wrong_type_is_refused_before_anything_is_worked_out(self) -> None:
        forms = (self.game.form, *(act.form for act in self.game.characters.acts))
        for asked, field in [(form, field) for form in forms for field in form]:
            for junk in JUNK:
                with suppress(GameError):
                    asked.check({field.name: junk}, game=self.game.name)
                    assert isinstance(junk, TAKES[field.kind]), f"{field.name} took {junk!r}"
                    assert field.kind is Kind.FLAG or not isinstance(junk, bool), f"{field.name} took {junk!r}"

    def test_every_tracker_starts_within_its_bounds(self) -> None:
        names = [tracker.name for tracker in self.game.trackers]
        assert len(names) == len(set(names))
        for tracker in self.game.trackers:
            assert tracker.check(tracker.default) == tracker.default
            assert tracker.source, tracker.name
            assert not tracker.paired or tracker.paired in names
            json.dumps(tracker.shown.to_json())

    def test_an_ask_that_the_game_does_not_know_is_named(self) -> None:
        nothing = self.game.play(((),), {})
        for act in (
            self.game.tray,
            self.game.odds,
            self.game.points,
            lambda ask: self.game.spends(nothing, ask),
            lambda ask: self.game.play(((),), ask),
            lambda ask: self.game.play((), ask),
        ):
            with pytest.raises(BadAsk, match=f"game {self.game.name}: cannot be asked for 'colour'"):
                act({"colour": "red"})


def scored(game: Game, dice: Sequence[Die], ask: Mapping[str, Any]) -> Outcome:
    """Return the outcome; what the game refuses in words is no example."""
    try:
        return game.play((dice,), ask)
    except (GameError, DiceSetError) as error:
        refused = error
    assert refused.hint, str(refused)
    assume(False)
    raise refused


@st.composite
def wanted_dice(draw: st.DrawFn, game: Game, ask: Mapping[str, Any]) -> list[Die]:
    """Draw the dice that the tray wants, whatever they show; an ask that tells none is no example."""
    try:
        wanted = game.tray(ask)
    except GameError:
        wanted = None
    assume(wanted is not None)
    faces = faces_of(game)
    return [Die(type=name, face=draw(st.sampled_from(faces[name]))) for name, n in wanted.dice for _ in range(n)]


def faces_of(game: Game) -> dict[str, Sequence[tuple[str, ...]]]:
    """Return every side of each die that the game is played with."""
    return {kind.name: kind.faces for name in game.dice_sets for kind in SETS[name].types}


def decided(game: Game, ask: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Return the chances of success and of failure by scoring every throw, further throws included."""
    faces = faces_of(game)
    first = game.tray(ask)
    found = {True: Fraction(0), False: Fraction(0)}
    going = [((), first, Fraction(1))]
    while going:
        throws, wanted, chance = going.pop()
        sides = [[Die(type=name, face=face) for face in faces[name]] for name, n in wanted.dice for _ in range(n)]
        every = list(product(*sides))
        for dice in every:
            made = (*throws, dice)
            outcome = game.play(made, ask)
            if outcome.succeeded is not None:
                found[outcome.succeeded] += chance / len(every)
            elif outcome.awaits is not None and len(made) < DEPTH:
                going.append((made, outcome.awaits, chance / len(every)))
    return found[True], found[False]
