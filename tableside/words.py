"""What the table says: English text that knows its pattern and the values in it, so that a page can say it in German.

Every text is English and a plain ``str``. A text with values in it is a :class:`Words`, made by
:func:`say`, and a page finds the pattern in the ``table`` of its language (``web/words/de.json``,
or ``words/de.json`` of a game). A pattern has:

- ``{name}``: the value; a list is joined by commas. A value that is text is looked up in the table, too.
- ``{^name}``: the value with a capital letter first.
- ``{*name}``: a list of sentences, joined by spaces.
- ``{=name}``: the value as it is, whatever the table knows: what people wrote.
- ``{n:die|dice}``: ``die`` where the value is 1, else ``dice``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

_PLACE = re.compile(r"\{([\^*=]?)(\w+)(?::([^|{}]*)\|([^|{}]*))?\}")

Value = str | int | Sequence[str]


class Words(str):
    """English text that knows how it was made. It is equal to the plain text.

    :ivar pattern: the English pattern, which is the key in the table of another language.
    :ivar values: the values by their names.
    """

    pattern: str
    values: dict[str, Value]


def say(pattern: str, **given: object) -> Words:
    """Return the pattern with its values filled in; what is neither text nor number nor a list of texts stands as text.

    :raises ValueError: where a value is missing from the pattern or the pattern from the values.
    """
    values = {name: _value_of(value) for name, value in given.items()}
    wanted = {name for _, name, _, _ in _PLACE.findall(pattern)}
    if wanted != values.keys():
        raise ValueError(f"text {pattern!r}: the values are {', '.join(values)}. Give {', '.join(sorted(wanted))}.")
    words = Words(_PLACE.sub(lambda place: _fill(place, values), pattern))
    words.pattern, words.values = pattern, values
    return words


def own(text: str) -> Words:
    """Return what people wrote, such as a name, which is the same in every language."""
    return say("{=text}", text=text)


def known_as(text: str, key: str) -> Words:
    """Return a text that pages say by another key: a field's name by its title."""
    words = Words(text)
    words.pattern, words.values = key, {}
    return words


def sentences(*parts: str) -> str:
    """Return the sentences that are not empty, one after the other."""
    kept = [part for part in parts if part]
    return kept[0] if len(kept) == 1 else say("{*all}", all=kept) if kept else ""


def full_stop(text: str) -> str:
    """Return the text as a sentence that others may follow."""
    return text if text.endswith(".") else say("{words}.", words=text)


def word_json(text: str) -> dict[str, Any]:
    """Return the text as a key with values, which is how pages and other programs get it."""
    if not isinstance(text, Words):
        return {"key": str(text), "values": {}}
    return {"key": text.pattern, "values": {name: _value(value) for name, value in text.values.items()}}


def words_json(**texts: str) -> dict[str, Any]:
    """Return the texts of a JSON object by the names of its keys, each as a key with values."""
    return {name: word_json(text) for name, text in texts.items()}


def made_words_json(**texts: str) -> dict[str, Any]:
    """Return those of the texts that have values in them: all others are their own keys."""
    return {name: word_json(text) for name, text in texts.items() if isinstance(text, Words)}


def mapped(text: str, change: Callable[[str], str]) -> str:
    """Return the text with every value in it changed; a text without values is changed as a whole."""
    if not isinstance(text, Words):
        return change(text)
    return say(text.pattern, **{name: _map_value(value, change) for name, value in text.values.items()})


def heard(raw: Any, text: str) -> str:
    """Return a text that was told before, as plain text where its key with values was not kept."""
    if not isinstance(raw, dict) or not raw.get("values"):
        return text
    words = Words(text)
    words.pattern, words.values = str(raw["key"]), {str(name): _value_from(one) for name, one in raw["values"].items()}
    return words


def _fill(place: re.Match[str], values: dict[str, Value]) -> str:
    mark, name, one, many = place.groups()
    value = values[name]
    if one is not None:
        return str(one if str(value) == "1" else many)
    text = (" " if mark == "*" else ", ").join(value) if isinstance(value, (list, tuple)) else str(value)
    return text[:1].upper() + text[1:] if mark == "^" else text


def _value_of(value: object) -> Value:
    is_list = isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)
    return value if isinstance(value, (str, int)) or is_list else str(value)  # type: ignore[return-value]


def _map_value(value: Value, change: Callable[[str], str]) -> Value:
    if isinstance(value, int):
        return value
    return mapped(value, change) if isinstance(value, str) else [mapped(one, change) for one in value]


def _value(value: Value) -> Any:
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        return {**word_json(value), "text": str(value)} if isinstance(value, Words) else value
    return [_value(one) for one in value]


def _value_from(raw: Any) -> Value:
    if isinstance(raw, dict):
        return heard(raw, str(raw["text"]))
    return [str(_value_from(one)) if not isinstance(one, dict) else heard(one, str(one["text"])) for one in raw] \
        if isinstance(raw, list) else raw  # fmt: skip
