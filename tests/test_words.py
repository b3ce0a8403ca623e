"""The pages' own words: one file a language, the same keys and values in each, and each key said by some page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tableside.adapters.web.pages import languages_of, words_of
from tableside.tray.health import Fault
from tests.conftest import ROOT

WEB = ROOT / "web"
FILES = sorted((WEB / "words").iterdir())
GAMES = sorted((ROOT / "tableside" / "games").glob("*/words/*.json"))
SOURCES = {path: path.read_text(encoding="utf-8") for path in sorted(WEB.rglob("*.js")) if "vendor" not in path.parts}
CALL = re.compile(r"(?<![\w.$])say(?:Or)?\(")
PLACE = re.compile(r"\{[\^_*=~]?(\w+)(?::[^{}]*)?\}")
LITERAL = re.compile(r'"([^"\n]*)"')
SPREAD = ("light", "dark")  # the sides of a pool, which calls spread
PREFIX = re.compile(r"`([\w.]+\.)\$\{")
WORDS: dict[str, Any] = {path.stem: json.loads(path.read_text("utf-8")) for path in FILES}
SAID: dict[str, Any] = {language: words_of(WEB, language) for language in WORDS}
"""With what the games say."""
ENGLISH = WORDS["en"]["pages"]
OTHERS = sorted(WORDS.keys() - {"en"})
NO_TEXT = re.compile(r"`[^`]*`|\{[^{}]*\}|'[^']*'|\([^()]*\)")  # commands, places, and what a system says
WORD = re.compile(r"[^\W\d_]{3,}")
FORMS = re.compile(r"\{\w+:([^{}]*)\}")
NAMES = {"Loronar FSCV"}
ONLY_ENGLISH = re.compile(r"\b(?:the|and|of|with|is|are|this|that|which|from|your|what|when|must|there|roll|throw)\b")


def arguments(source: str, start: int) -> list[str]:
    """Return the arguments of the call whose bracket is at ``start - 1``."""
    found, depth, quote, begin = [], 0, "", start
    for at in range(start, len(source)):
        char = source[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'`":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}" and depth:
            depth -= 1
        elif char in ",)" and not depth:
            found.append(source[begin:at].strip())
            begin = at + 1
            if char == ")":
                return found
    raise AssertionError(source[start : start + 80])


def calls() -> Iterator[tuple[str, list[str], tuple[str, ...], set[str]]]:
    """Yield where something is said, its keys, what keys begin with that are put together, and its values' names."""
    for path, source in SOURCES.items():
        for call in CALL.finditer(source):
            key, *rest = arguments(source, call.end())
            given = rest[-1] if rest and rest[-1].startswith("{") else ""
            names = set(re.findall(r"[{,]\s*(\w+)(?=[:,\s}])", given))
            names |= set(SPREAD) if "..." in given else set()
            prefixes = tuple(PREFIX.findall(key))
            # in `a === "b" ? "key" : "other"` only the answers are keys
            keys = [] if prefixes else LITERAL.findall(re.sub(r'[=!]== "[^"]*"|\("[^"]*"\)', "", key))
            yield f"{path.relative_to(WEB)}: {key}", keys, prefixes, names


@pytest.mark.parametrize("language", WORDS)
def test_every_language_says_the_same_with_the_same_values(language: str) -> None:
    pages = WORDS[language]["pages"]
    assert list(pages) == list(ENGLISH)
    assert {key for key in pages if set(PLACE.findall(pages[key])) != set(PLACE.findall(ENGLISH[key]))} == set()
    assert {key for key, text in pages.items() if not text.strip()} == set()


def test_every_language_can_be_chosen_by_its_file() -> None:
    assert languages_of(WEB) == {name: WORDS[name]["name"] for name in sorted(WORDS)}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_what_the_table_says(language: str) -> None:
    table, german = WORDS[language]["table"], WORDS["de"]["table"]
    assert table.keys() ^ german.keys() == set()
    assert {key for key, text in table.items() if set(PLACE.findall(text)) != set(PLACE.findall(key))} == set()
    assert {key for key, text in table.items() if not text.strip()} == set()


@pytest.mark.parametrize("language", WORDS)
def test_every_language_has_a_form_for_one_and_for_many(language: str) -> None:
    """More plural categories than two, as the French of millions, take the last form."""
    texts = [text for part in ("pages", "table") for text in SAID[language].get(part, {}).values()]
    assert {forms for text in texts for forms in FORMS.findall(text) if forms.count("|") != 1} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_no_language_leaves_english(language: str) -> None:
    """A text of two words or more is another one in English, and none has words that only English has."""
    said = SAID[language]
    english = {**{f"pages {key}": text for key, text in ENGLISH.items()}, **{key: key for key in said["table"]}}
    texts = {**{f"pages {key}": text for key, text in said["pages"].items()}, **said["table"]}
    plain = {key: NO_TEXT.sub(" ", text) for key, text in texts.items()}
    same = [key for key, text in texts.items() if text == english[key] and text not in NAMES]
    assert [key for key in same if len(WORD.findall(plain[key])) > 1] == []
    assert {key: text for key, text in plain.items() if ONLY_ENGLISH.search(text)} == {}


def test_what_a_page_says_is_known_and_gets_its_values() -> None:
    wrong = {}
    for where, keys, prefixes, names in calls():
        known = {key for key in ENGLISH if key in keys or key.startswith(prefixes or "\n")}
        wanted = {name for key in known for name in PLACE.findall(ENGLISH[key])}
        if set(keys) - known or (prefixes and not known) or wanted - names:
            wrong[where] = (set(keys) - known, wanted - names)
    assert wrong == {}


def test_every_fault_of_a_camera_has_a_line_of_its_own() -> None:
    assert {f"troubles.{fault.what}" for fault in Fault} - set(ENGLISH) == set()


def test_every_word_is_said_somewhere() -> None:
    said = {text for source in SOURCES.values() for text in LITERAL.findall(source)}
    prefixes = tuple({text for source in SOURCES.values() for text in PREFIX.findall(source)})
    assert {key for key in ENGLISH if key not in said and not key.startswith(prefixes)} == set()


def test_no_page_has_words_in_its_code() -> None:
    """Two words with a space between, in quotes or between tags, are a text that only one language has."""
    texts = re.compile(r'"([A-Z][a-z]+ [a-z][^"\n]*)"|>\s*([A-Z][a-z]+(?: [a-z]+)*)\s*<')
    code = {
        path.name: re.sub(r"/\*\*.*?\*/", "", source, flags=re.S) for path, source in SOURCES.items()
    }  # types are no words
    found = {name: texts.findall(source) for name, source in code.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize("path", [*FILES, *GAMES], ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_of_words_is_written_in_one_way(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"


def test_french_has_a_space_that_does_not_break_before_its_two_part_signs() -> None:
    texts = {**SAID["fr"]["pages"], **SAID["fr"]["table"]}
    plain = {key: re.sub(r"`[^`]*`|https?://\S+", "", text) for key, text in texts.items()}
    assert {key: text for key, text in plain.items() if re.search(r" [:;!?»]|« |\w[;!?»]", text)} == {}


def test_no_language_calls_two_kinds_of_harm_alike() -> None:
    """A setback die and a complication are two things, in a table as in a pool."""
    for language in OTHERS:
        table = SAID[language]["table"]
        stem = table["complication"].casefold()[:9]
        assert {key for key, text in table.items() if "etback" in key and stem in text.casefold()} == set()


def test_french_joins_of_and_a_name() -> None:
    """Whoever begins with a vowel is joined to the word before: the pattern says so wherever a name comes after it."""
    names = {"who", "whose", "name", "owner", "giver"}
    texts = {**SAID["fr"]["pages"], **SAID["fr"]["table"]}
    assert {key for key, text in texts.items() if set(re.findall(r"\bde \{[\^_=]?(\w+)\}", text)) & names} == set()
