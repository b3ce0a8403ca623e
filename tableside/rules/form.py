"""What a game asks before a roll: a form declared as data, from which pages and commands are built and checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tableside.errors import BadAsk, GameError, did_you_mean
from tableside.rules.code import Code
from tableside.words import known_as, say, sentences


class Kind(StrEnum):
    """What is entered in a field, and how it is written in JSON."""

    NUMBER = "number"
    """A whole number from ``least`` to ``most``."""
    FLAG = "flag"
    """True or false."""
    CHOICE = "choice"
    """One name of ``choices``."""
    CHOICES = "choices"
    """A list of names of ``choices``."""
    CODE = "code"
    """A dice code such as ``"3D+2"``."""
    POOL = "pool"
    """An object of die types, which are ``choices``, with their numbers."""
    FACES = "faces"
    """A list of numbers from ``least`` to ``most``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One question of a form.

    :ivar default: what counts where nothing was entered; ``None`` means that the game goes without.
    :ivar choices: names with the words that a page shows.
    :ivar is_setting: a choice of the table that stays from roll to roll, such as a variant of a rule.
    :ivar source: where the rules say it, such as ``"M05"``.
    :ivar only: where it is asked: for each named field the answers with which it is, such as one purpose. Nothing:
        always. An answer that is not asked for changes nothing.
    :ivar reads: makes a pool of what people type, where that may be more than numbers with names: ``"1a 2d"``.
    """

    name: str
    title: str
    kind: Kind = Kind.NUMBER
    default: Any = None
    least: int = 0
    most: int = 99
    choices: tuple[tuple[str, str], ...] = ()
    help: str = ""
    source: str = ""
    is_setting: bool = False
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    reads: Callable[[str], Any] | None = None

    def checked(self, value: Any, *, game: str) -> Any:
        """Return the value as the game uses it, a code as :class:`Code`.

        :raises BadAsk: naming the value and what would be right.
        """
        value = self.written(value)
        wrong = self._wrong(value)
        if wrong:
            raise BadAsk(
                say("{name} is {=value}", name=self.known, value=_short(value)), where=f"game {game}", hint=wrong
            )
        match self.kind:
            case Kind.CODE:
                return value if isinstance(value, Code) else Code.of(value)
            case Kind.CHOICES | Kind.FACES:
                return tuple(value)
            case Kind.POOL:
                return {name: count for name, count in value.items() if count}
        return value

    def written(self, value: Any) -> Any:
        """Return a pool that was written as people write it, ``"2y1g2p"``, as its numbers; all else as it is.

        :raises GameError: naming the part that is wrong.
        """
        return self.reads(value) if self.kind is Kind.POOL and self.reads and isinstance(value, str) else value

    def parsed(self, text: str, *, game: str) -> Any:
        """Return the checked value of what somebody typed, such as ``"15"``, ``"yes"`` or ``"prone,door"``."""
        value: Any = text.strip()
        match self.kind:
            case Kind.FLAG:
                value = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(
                    value.lower(), value
                )
            case Kind.CHOICES:
                value = [word.strip() for word in value.split(",") if word.strip()]
            case Kind.FACES:
                value = [_number(word) for word in value.split(",") if word.strip()]
            case Kind.NUMBER:
                value = _number(value)
            case Kind.POOL:
                value = _object(value) if value.startswith("{") else (self.reads or _named)(value)
        return self.checked(value, game=game)

    def to_json(self) -> dict[str, Any]:
        """Return the field as pages get it, without what does not apply to its kind."""
        default = str(self.default) if isinstance(self.default, Code) else self.default
        told: dict[str, Any] = {"name": self.name, "title": self.title, "kind": self.kind.value, "default": default}
        if self.kind in (Kind.NUMBER, Kind.FACES, Kind.POOL):
            told |= {"least": self.least, "most": self.most}
        if self.kind is Kind.POOL:
            told["typed"] = self.reads is not None
        if self.choices:
            told["choices"] = [{"name": name, "title": title} for name, title in self.choices]
        if self.only:
            told["only"] = {name: list(answers) for name, answers in self.only}
        return told | {"help": self.help, "source": self.source, "setting": self.is_setting}

    @property
    def known(self) -> str:
        """The field's name, which pages say by its title."""
        return known_as(self.name, self.title)

    def _wrong(self, value: Any) -> str:
        """Return what would be right, or nothing where the value is right."""
        names = [name for name, _ in self.choices]
        match self.kind:
            case Kind.NUMBER:
                wrong = say("It must be a whole number from {least} to {most}.", least=self.least, most=self.most)
                return "" if self._is_number(value) else sentences(wrong, self.help)
            case Kind.FLAG:
                return "" if isinstance(value, bool) else "It must be true or false."
            case Kind.CHOICE:
                return "" if isinstance(value, str) and value in names else did_you_mean(str(value)[:40], names)
            case Kind.CHOICES:
                if not isinstance(value, (list, tuple)):
                    return say("It must be a list of: {=names}.", names=", ".join(names))
                odd = [name for name in value if name not in names]
                return did_you_mean(str(odd[0])[:40], names) if odd else ""
            case Kind.FACES:
                right = isinstance(value, (list, tuple)) and all(self._is_number(face) for face in value)
                wrong = say("It must be a list of numbers from {least} to {most}.", least=self.least, most=self.most)
                return "" if right else wrong
            case Kind.POOL:
                return self._wrong_pool(value, names)
            case Kind.CODE:
                try:
                    _ = value if isinstance(value, Code) else Code.of(value)
                except (GameError, AttributeError) as error:
                    return error.hint if isinstance(error, GameError) else "Write one such as 3D or 3D+2."
        return ""

    def _wrong_pool(self, value: Any, names: Sequence[str]) -> str:
        if not isinstance(value, Mapping):
            return f'It must be an object such as {{"{names[0]}": 2}}.'
        for name, count in value.items():
            if name not in names:
                return did_you_mean(str(name)[:40], names)
            if not self._is_number(count):
                return say("Of each die there are {least} to {most}.", least=self.least, most=self.most)
        return "" if sum(value.values()) <= self.most else say("There are at most {most} dice.", most=self.most)

    def _is_number(self, value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most


class Answers:
    """The checked answers to a form, each of the type of its field; where nothing was entered, the default.

    :param form: that was answered. :param given: what was entered, checked.
    """

    def __init__(self, form: Form, given: Mapping[str, Any], *, game: str) -> None:
        self._form = form
        self._given = given
        self._game = game
        self._values = {field.name: field.default for field in form} | dict(given)

    def changed(self, **answers: Any) -> Answers:
        """Return the answers with others in their place.

        :raises BadAsk: for one that the form does not take.
        """
        return self._form.check({**self._given, **answers}, game=self._game)

    def has(self, name: str) -> bool:
        """Tell whether somebody entered it."""
        return name in self._given

    def known(self, name: str) -> str:
        """Return a field's name, which pages say by its title."""
        return self._form.field(name, game=self._game).known

    def number(self, name: str) -> int:
        return int(self._values[name] or 0)

    def number_or_none(self, name: str) -> int | None:
        value = self._values[name]
        return None if value is None else int(value)

    def flag(self, name: str) -> bool:
        return bool(self._values[name])

    def choice(self, name: str) -> str:
        return str(self._values[name] or "")

    def chosen(self, name: str) -> tuple[str, ...]:
        return tuple(self._values[name] or ())

    def faces(self, name: str) -> tuple[int, ...]:
        return tuple(self._values[name] or ())

    def code(self, name: str) -> Code | None:
        value = self._values[name]
        return value if isinstance(value, Code) else None

    def pool(self, name: str) -> Mapping[str, int]:
        return dict(self._values[name] or {})


@dataclass(frozen=True, slots=True)
class Form:
    """All that a game can be asked for."""

    fields: tuple[Field, ...]

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def field(self, name: str, *, game: str) -> Field:
        """Return the field of this name, or raise :class:`BadAsk`."""
        for field in self.fields:
            if field.name == name:
                return field
        hint = did_you_mean(name[:40], [field.name for field in self.fields])
        raise BadAsk(say("cannot be asked for {=name}", name=_short(name)), where=f"game {game}", hint=hint)

    def check(self, ask: Mapping[str, Any], *, game: str) -> Answers:
        """Return the answers.

        :raises BadAsk: for a question that the form does not have, or an answer that it does not take.
        """
        given = {name: self.field(str(name), game=game).checked(value, game=game) for name, value in ask.items()}
        return Answers(self, given, game=game)

    def written(self, ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return an ask with its pools as numbers, as pages draw them and later changes add to them.

        :raises GameError: naming the part of a pool that is wrong.
        """
        known = {field.name: field for field in self.fields}
        return {name: known[name].written(value) if name in known else value for name, value in ask.items()}

    def parsed(self, entries: Sequence[str], *, game: str) -> dict[str, Any]:
        """Return an ask from words such as ``"difficulty=15"``."""
        ask: dict[str, Any] = {}
        for entry in entries:
            name, sign, text = entry.partition("=")
            if not sign:
                hint = "Write NAME=VALUE, such as difficulty=15."
                raise BadAsk(say("{=entry} has no value", entry=_short(entry)), where=f"game {game}", hint=hint)
            ask[name.strip()] = self.field(name.strip(), game=game).parsed(text, game=game)
        return ask

    def to_json(self) -> list[dict[str, Any]]:
        return [field.to_json() for field in self.fields]


def with_purpose(*purposes: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return ``Field.only`` for a field that these purposes ask for."""
    return (("purpose", purposes),)


def choices(names: Sequence[str] | Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return names with the words for them: ``very_easy`` is shown as ``Very easy``."""
    return tuple((name, (name[:1].upper() + name[1:]).replace("_", " ")) for name in names)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _number(text: str) -> Any:
    sign, digits = (text[:1], text[1:]) if text[:1] in "+-" else ("", text)
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 9
    return int(sign + digits) if is_number else text


def _named(text: str) -> Any:
    """Return a pool that is written as ``"2 red, 1 blue"``."""
    words = text.replace(",", " ").split()
    pairs = list(zip(words[::2], words[1::2], strict=False))
    return {name: _number(count) for count, name in pairs} if len(words) == 2 * len(pairs) else text


def _object(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
