"""Every text of the games is a pattern with values, and German says all of them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tableside.adapters.web.pages import languages_of, words_of
from tableside.dice import find_sets
from tableside.errors import DiceSetError, GameError
from tableside.games.narrative.options import OPTIONS
from tableside.rules import Game, find_game, game_names
from tableside.rules.game import Outcome
from tableside.rules.turns import TurnOrder
from tableside.tray.health import Fault
from tableside.words import heard, say, sentences, word_json
from tests.conftest import ROOT
from tests.rules.asks import any_dice, asks
from tests.rules.conftest import untranslated

PROGRAM = ROOT / "tableside"
GERMAN: dict[str, str] = words_of(ROOT / "web", "de")["table"]
TABLES = [words_of(ROOT / "web", language)["table"] for language in ("de", "es", "fr")]
ON_CARD = 22
"""So many letters has what stands on the card of a spend, at most."""
GAMES = [find_game(name) for name in game_names()]
PLACE = re.compile(r"\{[\^*=]?(\w+)(?::[^|{}]*\|[^|{}]*)?\}")
RULE_CODE = re.compile(r"\b(?!D6\b|W100?\b)[A-Z]{1,2}[0-9]{1,3}\b|\bsection [0-9]|\[[A-Z]")
WORD = re.compile(r"[A-Za-z]{2,}")


def constants(*folders: Path) -> set[str]:
    """Return every text that stands in the code, without docstrings and parts of built texts."""
    inner = [PROGRAM / name for name in ("rules", "games", "table")]
    return set().union(*(constants_of(path) for folder in folders or inner for path in folder.rglob("*.py")))


@cache
def constants_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    other = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    other |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in other]
    return frozenset(node.value for node in nodes if isinstance(node.value, str))


def patterns() -> set[str]:
    """Return the patterns that the code gives to ``say``: what has places and is no regular expression."""
    return {
        text
        for text in constants()
        if PLACE.search(text) and "\\" not in text and "(?P" not in text and not text.startswith("/api")
    }


def form_texts(game: Game) -> Iterator[str]:
    """Return what a game shows without a roll."""
    yield from (game.title, game.pool_names.pool, game.pool_names.light, game.pool_names.dark)
    for act in game.characters.acts:
        yield from (act.title, act.help)
    for field in (*game.form.fields, *(field for act in game.characters.acts for field in act.form)):
        yield from (field.title, field.help, *(title for _, title in field.choices))
    for tracker in game.trackers:
        yield from (tracker.title, tracker.help, tracker.resets, *(step.replace("_", " ") for step in tracker.steps))
    yield from (skill.name for skill in game.characters.skills)
    yield from (text for sheet in game.reference for text in sheet.read())
    heroes, weapons = (*game.ready.heroes, *game.ready.opponents), [*game.ready.weapons]
    weapons += [weapon for hero in heroes for weapon in hero.weapons]
    yield from (one.name for one in game.ready.opponents)
    yield from (text for weapon in weapons for text in (weapon.name, weapon.skill))
    yield from (text for hero in heroes for text in (hero.role, *(skill.name for skill in hero.skills)))
    states = [*game.ready.states, *(state for hero in heroes for state in hero.states)]
    yield from (text for state in states for text in (state.name, state.words))
    yield from (text for box in (game.ready.box,) if box for text in (box.title, box.more))
    order: TurnOrder = game.turn_order
    yield from (order.title((), segment=segment) for segment in range(3))


def texts_of(game: Game, outcome: Outcome, ask: dict[str, Any]) -> Iterator[str]:
    """Return all that is said of an outcome."""
    yield from (outcome.headline, outcome.sentence, *(step.text for step in outcome.steps))
    yield from (choice.title for choice in outcome.choices)
    if outcome.awaits:
        yield outcome.awaits.sentence
    for spend in game.spends(outcome, ask):
        yield from (spend.title, spend.short, spend.price_words())
        on_card = spend.short or str(spend.title)
        long = {said for said in (on_card, *(table.get(on_card, on_card) for table in TABLES)) if len(said) > ON_CARD}
        assert not long, f"{spend.name}: {long}"


def test_what_stands_on_the_card_of_a_spend_is_short_in_every_language() -> None:
    on_cards = {one.short or one.title for one in OPTIONS}
    assert len(on_cards) == len(OPTIONS)  # no two are told alike
    for table in ({}, *TABLES):
        told = {table.get(text, text) for text in on_cards}
        assert {text for text in told if len(text) > ON_CARD} == set()
        assert len(told) == len(on_cards)


def keys_of(said: Any) -> Iterator[str]:
    """Return what has to stand in a table, for a text as it is told: patterns, and values that have words in them."""
    if isinstance(said, list):
        for one in said:
            yield from keys_of(one)
    elif isinstance(said, str):
        if WORD.search(said) and not re.fullmatch(r"[0-9D+x<>=RSH -]+", said):
            yield said
    elif isinstance(said, dict):
        if said["values"]:
            yield said["key"]
            if said["key"] != "{=text}":
                yield from keys_of(list(said["values"].values()))
        else:
            yield from keys_of(said["key"])


def untold(texts: Iterator[str]) -> set[str]:
    return {key for text in texts for key in keys_of(word_json(text)) if key not in GERMAN}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_german_has_every_title_help_and_choice(game: Game) -> None:
    assert untold(form_texts(game)) == set()


def test_german_has_every_pattern_of_the_rules_with_the_same_places() -> None:
    assert patterns() - GERMAN.keys() == set()
    assert {key for key, text in GERMAN.items() if set(PLACE.findall(text)) != set(PLACE.findall(key))} == set()


def test_german_has_every_title_of_the_dice() -> None:
    titles = (title for one in find_sets([]) for title in (one.title, *(kind.title for kind in one.types)))
    assert untold(titles) == set()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_german_has_whatever_a_roll_says(game: Game, data: st.DataObject) -> None:
    ask = data.draw(asks(game))
    try:
        wanted = game.tray(ask)
        outcome = game.play([data.draw(any_dice(game)) for _ in range(data.draw(st.integers(1, 2)))], ask)
        texts = [*texts_of(game, outcome, ask), wanted.sentence if wanted else ""]
    except (GameError, DiceSetError):
        return
    try:
        prospect = game.odds(ask) if wanted and wanted.count < 8 else None
    except (GameError, DiceSetError):
        prospect = None
    if prospect:
        texts += [prospect.pool, prospect.bars_of, *(name.replace("_", " ") for name, _ in prospect.chances)]
        texts += [spend.title for spend, _ in prospect.spends]
    assert untold(iter(texts)) == set()
    assert not [text for text in texts if RULE_CODE.search(text)]


def own_words(language: str) -> dict[str, dict[str, str]]:
    return {game.name: dict(game.words(language)) for game in GAMES}


@pytest.mark.parametrize("language", sorted(languages_of(ROOT / "web").keys() - {"en", "de"}))
def test_a_language_says_of_a_game_what_german_says_or_nothing(language: str) -> None:
    """What is missing is said in English, and listed where the tests end."""
    german = own_words("de")
    for name, said in own_words(language).items():
        assert said.keys() - german[name].keys() == set()
        assert {key for key, text in said.items() if set(PLACE.findall(text)) != set(PLACE.findall(key))} == set()
        assert {key for key, text in said.items() if not text.strip()} == set()


def test_a_word_that_a_language_lacks_is_said_in_english_and_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[0]
    (key, *_), spoken = game.words("de"), game.words("fr")
    short = {one: text for one, text in spoken.items() if one != key}
    monkeypatch.setattr(type(game), "words", lambda _, language: short if language == "fr" else spoken)
    assert key not in words_of(ROOT / "web", "fr")["table"]  # and a page then says the key itself
    assert (game.name, "fr", [key]) in list(untranslated())


def test_what_one_game_alone_says_stands_in_its_folder() -> None:
    everywhere = json.loads((ROOT / "web" / "words" / "de.json").read_text(encoding="utf-8"))["table"].keys()
    for name, said in own_words("de").items():
        assert said.keys() & everywhere == set(), name
        elsewhere = [words.keys() for other, words in own_words("de").items() if other != name]
        assert said.keys() & set().union(*elsewhere) == set(), name


def test_german_has_every_hint_of_a_camera_at_fault() -> None:
    assert untold(iter([fault.hint for fault in Fault])) == set()


def test_german_has_nothing_that_nobody_says() -> None:
    known = constants(PROGRAM) | {text.replace("_", " ") for text in constants()}
    known |= {text for game in GAMES for text in form_texts(game)}
    known |= {text.lower() for text in known}
    known |= {title for one in find_sets([]) for title in (one.title, *(kind.title for kind in one.types))}
    built = re.compile(r"\{n\} (\{n:|or|to)|heroic\+")  # counts, dice and bands are put together
    assert {key for key in GERMAN if key not in known and not built.search(key)} == set()


def test_no_rule_code_is_shown_to_people() -> None:
    shown = {text for game in GAMES for text in form_texts(game)} | GERMAN.keys() | set(GERMAN.values()) | patterns()
    assert {text for text in shown if RULE_CODE.search(text)} == set()


def test_a_text_is_its_english_and_knows_its_values() -> None:
    text = sentences(say("Hit for {n}.", n=6), "", say("{n} {n:die|dice} of {^name}", n=1, name="red"))
    assert text == "Hit for 6. 1 die of Red"
    again = heard(json.loads(json.dumps(word_json(text))), str(text))
    assert (again, word_json(again)) == (text, word_json(text))
    assert word_json("Miss") == {"key": "Miss", "values": {}}


def test_a_value_that_the_pattern_has_no_place_for_is_refused() -> None:
    with pytest.raises(ValueError, match="Give"):
        say("Hit for {n}.", m=6)
