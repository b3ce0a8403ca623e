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

import dataclasses
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, ParamSpec, TypedDict, Unpack, dataclass_transform, overload

import msgspec

from tableside.errors import BadAsk, GameError, did_you_mean
from tableside.record import Record
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


_READ = (Kind.CHOICES, Kind.CODE, Kind.POOL, Kind.FACES)
"""What a game uses in another form than JSON has."""


class ShownChoice(Record, frozen=True, kw_only=True):
    """A choice of a field.

    :ivar number: what it comes to, where it is a number.
    """

    optional = ("number",)

    name: str
    title: str
    number: int | None = None


class ShownField(Record, frozen=True, kw_only=True, rename={"is_setting": "setting"}):
    """A field as pages get it.

    :ivar typed: a pool that may be typed otherwise than as numbers with names.
    """

    optional = ("least", "most", "typed", "choices", "only")

    name: str
    title: str
    kind: Kind
    default: Any
    least: int | None = None
    most: int | None = None
    typed: bool | None = None
    choices: tuple[ShownChoice, ...] = ()
    only: Mapping[str, tuple[str, ...]] | None = None
    help: str
    source: str
    is_setting: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One question of a form.

    :ivar default: what counts where nothing was entered; ``None`` means that the game goes without.
    :ivar choices: names with the words that a page shows. :ivar numbers: what each comes to, where it is a number.
    :ivar is_setting: a choice of the table that stays from roll to roll, such as a variant of a rule.
    :ivar source: where the rules say it, such as ``"M05"``.
    :ivar only: where it is asked: for each named field the answers with which it is, such as one purpose. Nothing:
        always. An answer that is not asked for changes nothing.
    :ivar reads: makes a pool of what people type, where that may be more than numbers with names: ``"1a 2d"``.
    :ivar filled_by: what gives the answer: ``skill weapon damage defence`` of somebody, for which an editor asks;
        ``talent`` one of theirs; ``card`` where nobody is asked for it who uses a skill; ``opponent`` where the skill
        that resists gives it; ``fight`` where it is true of all that is rolled in one; ``pool`` with the players who
        throw for the pool; ``wounds`` of somebody or of their ship.
    :ivar builds_dice: it builds the dice: what lies in the tray may take its place.
    :ivar adds_up: several things that give it add up; else the last counts.
    :ivar holds: it is said once and holds for a round.
    :ivar with_damage: of a weapon, it holds for the damage to somebody as well.
    :ivar costs: the tracker that it takes as many points off; of a choice those of the names that cost one.
    """

    name: str
    title: str
    kind: Kind = Kind.NUMBER
    default: Any = None
    least: int = 0
    most: int = 99
    choices: tuple[tuple[str, str], ...] = ()
    numbers: Mapping[str, int] = dataclasses.field(default_factory=dict)
    help: str = ""
    source: str = ""
    is_setting: bool = False
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    reads: Callable[[str], Any] | None = None
    filled_by: str = ""
    builds_dice: bool = False
    adds_up: bool = False
    holds: bool = False
    with_damage: bool = False
    costs: str | Mapping[str, str] = ""

    def checked(self, value: Any, *, game: str) -> Any:
        """Return the value as the game uses it, a code as :class:`Code`.

        :raises BadAsk: naming the value and what would be right.
        """
        value = self.written(value)
        if wrong := self._wrong(value):
            raise BadAsk("{name} is {=value}", name=self.known, value=_short(value), where=f"game {game}", hint=wrong)
        return self.used(value)

    def used(self, value: Any) -> Any:
        """Return a right value as the game uses it."""
        match self.kind:
            case Kind.CODE:
                return value if isinstance(value, Code) else Code.of(value)
            case Kind.CHOICES | Kind.FACES:
                return tuple(value)
            case Kind.POOL:
                return {name: count for name, count in self.written(value).items() if count}
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
                value = _object(value) if value.startswith("{") else (self.reads or _parse_pool)(value)
        return self.checked(value, game=game)

    @property
    def shown(self) -> ShownField:
        """The field as pages get it, without what does not apply to its kind."""
        has_bounds = self.kind in (Kind.NUMBER, Kind.FACES, Kind.POOL)
        return ShownField(
            name=self.name, title=self.title, kind=self.kind, help=self.help, source=self.source,
            default=str(self.default) if isinstance(self.default, Code) else self.default,
            least=self.least if has_bounds else None,
            most=self.most if has_bounds else None,
            typed=self.reads is not None if self.kind is Kind.POOL else None,
            choices=tuple(ShownChoice(name=n, title=title, number=self.numbers.get(n)) for n, title in self.choices),
            only=dict(self.only) or None,
            is_setting=self.is_setting,
        )  # fmt: skip

    @property
    def known(self) -> str:
        """The field's name, which pages say by its title."""
        return known_as(self.name, self.title)

    def _wrong(self, value: Any) -> str:
        """Return what would be right, or nothing where the value is right."""
        bounds, names = {"least": self.least, "most": self.most}, dict(self.choices)
        match self.kind:
            case Kind.NUMBER if not self._is_number(value):
                return sentences(say("It must be a whole number from {least} to {most}.", **bounds), self.help)
            case Kind.FLAG if not isinstance(value, bool):
                return "It must be true or false."
            case Kind.CHOICE if not isinstance(value, str) or value not in names:
                return did_you_mean(str(value)[:40], names)
            case Kind.CHOICES if not isinstance(value, (list, tuple)):
                return say("It must be a list of: {=names}.", names=", ".join(names))
            case Kind.CHOICES if odd := [name for name in value if not isinstance(name, str) or name not in names]:
                return did_you_mean(str(odd[0])[:40], names)
            case Kind.FACES if not isinstance(value, (list, tuple)) or not all(map(self._is_number, value)):
                return say("It must be a list of numbers from {least} to {most}.", **bounds)
            case Kind.POOL:
                return self._wrong_pool(value, names)
            case Kind.CODE if not isinstance(value, str | Code):
                return "Write one such as 3D or 3D+2."
            case Kind.CODE:
                try:
                    Code.of(str(value))
                except GameError as error:
                    return error.hint
        return ""

    def _wrong_pool(self, value: Any, names: Collection[str]) -> str:
        if not isinstance(value, Mapping):
            return f'It must be an object such as {{"{next(iter(names))}": 2}}.'
        for name, count in value.items():
            if name not in names:
                return did_you_mean(str(name)[:40], names)
            if not self._is_number(count):
                return say("Of each die there are {least} to {most}.", least=self.least, most=self.most)
        return "" if sum(value.values()) <= self.most else say("There are at most {most} dice.", most=self.most)

    def _is_number(self, value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most


class _Default(partial[Any]):
    """A field as long as its class is not built: called for the answer where none was entered."""

    field: Field


Only = tuple[tuple[str, tuple[str, ...]], ...]


class Marks(TypedDict, total=False):
    """What else may be said of a field, as :class:`Field` describes it."""

    numbers: Mapping[str, int]
    help: str
    is_setting: bool
    only: Only
    filled_by: str
    builds_dice: bool
    adds_up: bool
    holds: bool
    with_damage: bool
    costs: str | Mapping[str, str]


def _declare(kind: Kind, title: str, source: str, default: Any, **more: Any) -> Any:
    answer = "" if default is None and kind is Kind.CHOICE else default
    found = _Default(next, repeat(answer))
    found.field = Field(name="", title=title, kind=kind, source=source, default=default, **more)
    return msgspec.field(default_factory=found)


@overload
def number(
    title: str, source: str = "", *, default: int = 0, least: int = 0, most: int = 99, **more: Unpack[Marks]
) -> int: ...
@overload
def number(
    title: str, source: str = "", *, default: None, least: int = 0, most: int = 99, **more: Unpack[Marks]
) -> int | None: ...
def number(title: str, source: str = "", *, default: int | None = 0, **more: Any) -> int | None:
    """Declare a whole number, by default from 0 to 99; with ``default=None`` the game goes without it."""
    found: int | None = _declare(Kind.NUMBER, title, source, default, **more)
    return found


def flag(title: str, source: str = "", *, default: bool = False, **more: Unpack[Marks]) -> bool:
    """Declare a yes or no."""
    found: bool = _declare(Kind.FLAG, title, source, default, **more)
    return found


def rules_join(source: str) -> str:
    """Declare which rules join calls by themselves, a setting of the table."""
    names = {"all": "All", "wounds": "Wounds alone", "nothing": "Nothing"}
    help = "What does not stays in the call, not ticked. A person may have another."
    return choice("Rules join by themselves", names, source, default="all", is_setting=True, help=help)


def choice(
    title: str, names: Sequence[str] | Mapping[str, str], source: str = "", *, default: str = "", **more: Unpack[Marks]
) -> str:
    """Declare one name of some, ``""`` where none was chosen.

    :param names: a mapping to words, else the words are made of the names: ``very_easy`` is shown as "Very easy".
    """
    found: str = _declare(Kind.CHOICE, title, source, default or None, choices=_choices_of(names), **more)
    return found


def chosen(
    title: str, names: Sequence[str] | Mapping[str, str], source: str = "", **more: Unpack[Marks]
) -> tuple[str, ...]:
    """Declare any of some names."""
    found: tuple[str, ...] = _declare(Kind.CHOICES, title, source, (), choices=_choices_of(names), **more)
    return found


def faces(title: str, source: str = "", *, least: int = 0, most: int = 99, **more: Unpack[Marks]) -> tuple[int, ...]:
    """Declare a list of numbers."""
    found: tuple[int, ...] = _declare(Kind.FACES, title, source, (), least=least, most=most, **more)
    return found


def code(title: str, source: str = "", *, default: Code | None = None, **more: Unpack[Marks]) -> Code | None:
    """Declare a dice code."""
    found: Code | None = _declare(Kind.CODE, title, source, default, **more)
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
    **more: Unpack[Marks],
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
    **more: Unpack[Marks],
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
    found: Mapping[str, int] | None = _declare(Kind.POOL, title, source, counts, choices=_choices_of(names), **more)
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
        found: dict[str, Field] = {}
        for one in (form, *purposes):
            own = _fields_of(one)
            only = with_purpose(*one.purposes) if one.purposes else ()
            found |= {name: replace(own[name], only=own[name].only or only) for name in own if name not in found}
        self._by_name = found
        self.fields: tuple[Field, ...] = tuple(found.values())
        self._asked = {
            one: {name: found[name] for name in one.__struct_fields__ if name in found} for one in (form, *purposes)
        }

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def field(self, name: str, *, game: str) -> Field:
        """Return the field of this name, or raise :class:`BadAsk`."""
        if name in self._by_name:
            return self._by_name[name]
        hint = did_you_mean(name[:40], list(self._by_name)) or "Nothing is asked here."
        raise BadAsk("cannot be asked for {=name}", name=_short(name), where=f"game {game}", hint=hint)

    def check(self, ask: Mapping[str, Any], *, game: str) -> F:
        """Return the answers, of the class for their purpose.

        All are checked, and those of another purpose change nothing.

        :raises BadAsk: for a question that the form does not have, or an answer that it does not take.
        """
        for name, value in ask.items():
            self.field(str(name), game=game).checked(value, game=game)
        return self.build(ask)

    def build(self, ask: Mapping[str, Any]) -> F:
        """Return answers that were checked before, of the class for their purpose."""
        kind = self._of.get(ask.get(_PURPOSE, ""), self._form)
        asked = self._asked[kind]
        found = {name: asked[name].used(value) if asked[name].kind in _READ else value
                 for name, value in ask.items() if name in asked}  # fmt: skip
        return kind(**found)

    def joined(self, *asks: Mapping[str, Any]) -> dict[str, Any]:
        """Return checked answers together: what several give adds up where its field says so, else the last counts."""
        found: dict[str, Any] = {}
        for ask in asks:
            for name, value in ask.items():
                field = self._by_name.get(name)
                if field is None or not field.adds_up or name not in found:
                    found[name] = value
                elif field.kind is Kind.POOL:
                    both, more = field.written(found[name]), field.written(value)  # of a person as people write it
                    found[name] = {die: both.get(die, 0) + more.get(die, 0) for die in {**both, **more}}
                elif field.kind is Kind.CHOICES:
                    found[name] = [*dict.fromkeys((*found[name], *value))]
                elif field.kind is Kind.CODE:
                    more = Code.of(str(value))
                    found[name] = str(Code.of(str(found[name])).plus(more.dice, more.pips))
                else:
                    found[name] = found[name] + value
        return found

    def filled_by(self, what: str) -> tuple[str, ...]:
        """Return the names of the fields that this gives."""
        return tuple(field.name for field in self.fields if what in field.filled_by.split())

    def without_dice(self, ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answers that build no dice."""
        return {name: value for name, value in ask.items() if not (self._by_name[name].builds_dice)}

    def with_damage(self, ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answers of a weapon that hold for its damage, too."""
        return {name: value for name, value in ask.items() if self._by_name[name].with_damage}

    def costs(self, ask: Mapping[str, Any]) -> dict[str, int]:
        """Return what the answers take off trackers."""
        found: dict[str, int] = {}
        for field in self.fields:
            if field.costs and (value := ask.get(field.name)):
                name = field.costs if isinstance(field.costs, str) else field.costs.get(value, "")
                count = value if field.kind is Kind.NUMBER else 1
                found |= {name: count} if name else {}
        return found

    def asking(self, what: str) -> dict[str, Any]:
        """Return the answer that a roll is for the purpose which asks what this gives, none where nothing does."""
        found = (field for field in self.fields if what in field.filled_by.split())
        return next(({_PURPOSE: purposes[0]} for field in found for _, purposes in field.only), {})

    def purpose(self, name: str) -> dict[str, Any]:
        """Return the answer that a roll is for this, none where the form knows no such purpose."""
        field = self._by_name.get(_PURPOSE)
        return {_PURPOSE: name} if field and name in dict(field.choices) else {}

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
                raise BadAsk("{=entry} has no value", entry=_short(entry), where=f"game {game}", hint=hint)
            ask[name.strip()] = self.field(name.strip(), game=game).parsed(text, game=game)
        return ask

    def to_json(self) -> list[dict[str, Any]]:
        return [field.shown.to_json() for field in self.fields]


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


def _parse_pool(text: str) -> Any:
    """Return a pool that is written as ``"2 red, 1 blue"``."""
    words = text.replace(",", " ").split()
    pairs = list(zip(words[::2], words[1::2], strict=False))
    return {name: _number(count) for count, name in pairs} if len(words) == 2 * len(pairs) else text


def _object(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
