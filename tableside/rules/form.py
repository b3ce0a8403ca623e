"""What a game asks before a roll, declared once as the types of its answers.

    class Ask(Form):
        difficulty: int | None = number("Number to reach", "page 3", default=None)
        is_hurried: bool = flag("In a hurry", "page 4")

    class Attack(Ask):
        purposes = ("attack",)
        soak: int = number("Soak of the target", "page 9")

    FORM = Forms(Ask, Attack)

Pages, commands and the check of every answer follow from these fields. ``FORM.check({"purpose": "attack", "soak": 3})``
is an ``Attack`` whose ``soak`` is 3. What is asked for one purpose alone stands in a class of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, ParamSpec, dataclass_transform, overload

import msgspec

from tableside.errors import BadAsk, GameError, did_you_mean
from tableside.rules.code import Code
from tableside.words import known_as, say, sentences

_PURPOSE = "purpose"
"""The field that says what a roll is for, where a game asks one thing more for one purpose."""


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
        form: dict[str, Any] = {"name": self.name, "title": self.title, "kind": self.kind.value, "default": default}
        if self.kind in (Kind.NUMBER, Kind.FACES, Kind.POOL):
            form |= {"least": self.least, "most": self.most}
        if self.kind is Kind.POOL:
            form["typed"] = self.reads is not None
        if self.choices:
            form["choices"] = [{"name": name, "title": title} for name, title in self.choices]
        if self.only:
            form["only"] = {name: list(answers) for name, answers in self.only}
        return form | {"help": self.help, "source": self.source, "setting": self.is_setting}

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
                if not isinstance(value, str | Code):
                    return "Write one such as 3D or 3D+2."
                try:
                    Code.of(str(value))
                except GameError as error:
                    return error.hint
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


@dataclass(frozen=True, slots=True)
class _Default:
    """A field as long as its class is not built: called for the answer where none was entered."""

    field: Field

    def __call__(self) -> Any:
        return "" if self.field.default is None and self.field.kind is Kind.CHOICE else self.field.default


Only = tuple[tuple[str, tuple[str, ...]], ...]


def _declared(kind: Kind, title: str, source: str, **more: Any) -> Any:
    return msgspec.field(default_factory=_Default(Field(name="", title=title, kind=kind, source=source, **more)))


@overload
def number(
    title: str,
    source: str = "",
    *,
    default: int = 0,
    least: int = 0,
    most: int = 99,
    help: str = "",
    is_setting: bool = False,
    only: Only = (),
) -> int: ...
@overload
def number(
    title: str,
    source: str = "",
    *,
    default: None,
    least: int = 0,
    most: int = 99,
    help: str = "",
    is_setting: bool = False,
    only: Only = (),
) -> int | None: ...
def number(title: str, source: str = "", *, default: int | None = 0, **more: Any) -> int | None:
    """Declare a whole number, by default from 0 to 99; with ``default=None`` the game goes without it."""
    found: int | None = _declared(Kind.NUMBER, title, source, default=default, **more)
    return found


def flag(
    title: str, source: str = "", *, default: bool = False, help: str = "", is_setting: bool = False, only: Only = ()
) -> bool:
    """Declare a yes or no."""
    more: dict[str, Any] = {"default": default, "help": help, "is_setting": is_setting, "only": only}
    found: bool = _declared(Kind.FLAG, title, source, **more)
    return found


def choice(
    title: str,
    names: Sequence[str] | Mapping[str, str],
    source: str = "",
    *,
    default: str = "",
    help: str = "",
    is_setting: bool = False,
    only: Only = (),
) -> str:
    """Declare one name of some, ``""`` where none was chosen.

    :param names: a mapping to words, else the words are made of the names: ``very_easy`` is shown as "Very easy".
    """
    more: dict[str, Any] = {"default": default or None, "help": help, "is_setting": is_setting, "only": only}
    found: str = _declared(Kind.CHOICE, title, source, choices=_choices_of(names), **more)
    return found


def chosen(
    title: str, names: Sequence[str] | Mapping[str, str], source: str = "", *, help: str = "", only: Only = ()
) -> tuple[str, ...]:
    """Declare any of some names."""
    more: dict[str, Any] = {"default": (), "help": help, "only": only}
    found: tuple[str, ...] = _declared(Kind.CHOICES, title, source, choices=_choices_of(names), **more)
    return found


def faces(
    title: str, source: str = "", *, least: int = 0, most: int = 99, help: str = "", only: Only = ()
) -> tuple[int, ...]:
    """Declare a list of numbers."""
    more: dict[str, Any] = {"default": (), "least": least, "most": most, "help": help, "only": only}
    found: tuple[int, ...] = _declared(Kind.FACES, title, source, **more)
    return found


def code(
    title: str,
    source: str = "",
    *,
    default: Code | None = None,
    help: str = "",
    is_setting: bool = False,
    only: Only = (),
) -> Code | None:
    """Declare a dice code."""
    more: dict[str, Any] = {"default": default, "help": help, "is_setting": is_setting, "only": only}
    found: Code | None = _declared(Kind.CODE, title, source, **more)
    return found


@overload
def pool(
    title: str,
    names: Sequence[str] | Mapping[str, str],
    source: str = "",
    *,
    most: int,
    default: Mapping[str, int] = ...,
    reads: Callable[[str], Any] | None = None,
    help: str = "",
    is_setting: bool = False,
    only: Only = (),
) -> Mapping[str, int]: ...
@overload
def pool(
    title: str,
    names: Sequence[str] | Mapping[str, str],
    source: str = "",
    *,
    most: int,
    default: None,
    reads: Callable[[str], Any] | None = None,
    help: str = "",
    is_setting: bool = False,
    only: Only = (),
) -> Mapping[str, int] | None: ...
def pool(
    title: str,
    names: Sequence[str] | Mapping[str, str],
    source: str = "",
    *,
    default: Mapping[str, int] | None = MappingProxyType({}),
    **more: Any,
) -> Mapping[str, int] | None:
    """Declare numbers by names, such as dice by their types; with ``default=None`` the game goes without them.

    :param reads: makes them of what people type.
    """
    counts = None if default is None else dict(default)
    found: Mapping[str, int] | None = _declared(
        Kind.POOL, title, source, choices=_choices_of(names), default=counts, **more
    )
    return found


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Form(msgspec.Struct, frozen=True, kw_only=True):
    """The answers to what a game asks, each of its type; where nothing was entered, the default.

    A game derives its own and declares a field for each question. On JSON all of them are one flat object.

    :cvar purposes: the answers to ``purpose`` for which this class stands; none: for all that no other class names.
    """

    purposes: ClassVar[tuple[str, ...]] = ()


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    F = TypeVar("F", bound=Form, default=Any)
else:
    from typing import TypeVar

    F = TypeVar("F")
P = ParamSpec("P")


def answers(kind: Callable[P, Form], *none: P.args, **named: P.kwargs) -> dict[str, Any]:
    """Return some answers as JSON has them: ``answers(Ask, soak=3)``. Their names and types are those of the class."""
    del kind, none
    written = {Code: str, tuple: list}
    return {name: written.get(type(value), lambda same: same)(value) for name, value in named.items()}


def name_of(field: object) -> str:
    """Return the name of a field that is given by its class: ``name_of(Ask.soak)``."""
    name: str = field.__name__  # type: ignore[attr-defined]
    return name


def names_of(*fields: object) -> tuple[str, ...]:
    """Return the names of such fields."""
    return tuple(name_of(field) for field in fields)


class Forms(Generic[F]):
    """All that a game can be asked for: a class of answers, and one for each purpose that asks something of its own.

    Fields stand in the order of the class, then of what it derives from, then of the purposes.
    """

    def __init__(self, form: type[F], *purposes: type[F]) -> None:
        self._form = form
        self._of = {purpose: one for one in purposes for purpose in one.purposes}
        self._names = {one: frozenset(one.__struct_fields__) for one in (form, *purposes)}
        found: dict[str, Field] = {}
        for one in (form, *purposes):
            own = _fields_of(one)
            only = with_purpose(*one.purposes) if one.purposes else ()
            found |= {name: replace(own[name], only=own[name].only or only) for name in own if name not in found}
        self._by_name = found
        self.fields: tuple[Field, ...] = tuple(found.values())

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def field(self, name: str, *, game: str) -> Field:
        """Return the field of this name, or raise :class:`BadAsk`."""
        if name in self._by_name:
            return self._by_name[name]
        hint = did_you_mean(name[:40], list(self._by_name)) or "Nothing is asked here."
        raise BadAsk(say("cannot be asked for {=name}", name=_short(name)), where=f"game {game}", hint=hint)

    def check(self, ask: Mapping[str, Any], *, game: str) -> F:
        """Return the answers, of the class for their purpose.

        All are checked, and those of another purpose change nothing.

        :raises BadAsk: for a question that the form does not have, or an answer that it does not take.
        """
        given = {name: self.field(str(name), game=game).checked(value, game=game) for name, value in ask.items()}
        kind = self._of.get(given.get(_PURPOSE, ""), self._form)
        return kind(**{name: value for name, value in given.items() if name in self._names[kind]})

    def known(self, field: object) -> str:
        """Return the name of a field of the class, which pages say by its title."""
        return self._by_name[name_of(field)].known

    def written(self, ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return an ask with its pools as numbers, as pages draw them and later changes add to them.

        :raises GameError: naming the part of a pool that is wrong.
        """
        known = self._by_name
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


def _fields_of(form: type[Form]) -> dict[str, Field]:
    """Return what a class asks: its own fields first, then those of what it derives from."""
    declared = {one.name: one.default_factory for one in msgspec.structs.fields(form)}
    order = [name for kind in form.__mro__ for name in vars(kind).get("__annotations__", ())]
    asked = {name: declared[name] for name in order if name in declared}
    return {name: replace(one.field, name=name) for name, one in asked.items() if isinstance(one, _Default)}


def with_purpose(*purposes: str) -> Only:
    """Return ``Field.only`` for a field that these purposes ask for."""
    return ((_PURPOSE, purposes),)


def choices(names: Sequence[str] | Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return names with the words for them: ``very_easy`` is shown as ``Very easy``."""
    return tuple((name, (name[:1].upper() + name[1:]).replace("_", " ")) for name in names)


def _choices_of(names: Sequence[str] | Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(names.items()) if isinstance(names, Mapping) else choices(names)


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
