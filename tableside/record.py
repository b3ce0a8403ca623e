"""Values whose JSON form is made of their fields, and which are read back from it by the types of these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self, get_type_hints

import msgspec
from msgspec import inspect

from tableside.typed import built, look_at, type_info
from tableside.words import heard, word_json, words_json

_FOREIGN = ("builtins", "msgspec", "typing")
"""Packages whose classes' docstrings say nothing of fields."""
_PLAIN = frozenset({str, int, bool, type(None)})
"""Types of values that stand in a form as they are."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A value that never changes. Its JSON form has each field by its name, or by another one that ``rename`` gives.

    What of the form is no field as it is, a class says by the names below.
    """

    texts: ClassVar[tuple[str, ...]] = ()
    """Fields that pages say in other languages: ``words`` has each as a key with values."""
    pairs: ClassVar[tuple[str, ...]] = ()
    """Fields of names with values, which are one object."""
    optional: ClassVar[tuple[str, ...]] = ()
    """Fields that stand in the form only where they differ from their default."""
    leaves_out_none: ClassVar[bool] = False
    """Whether no field that is ``None`` stands in the form."""
    properties: ClassVar[tuple[str, ...]] = ()
    """Properties that stand in the form as well."""
    digits: ClassVar[Mapping[str, int]] = {}
    """How many digits after the point the numbers of a field have."""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return self.form_without()

    def form_without(self, *names: str) -> dict[str, Any]:
        """Return the JSON form without some of the fields."""
        form: dict[str, Any] = {}
        for name, key, default, _, _, is_optional, is_pairs, digits in _fields(type(self)):
            value = getattr(self, name)
            if (is_optional and value == default) or (value is None and self.leaves_out_none) or name in names:
                continue
            if type(value) in _PLAIN:  # nearly all of them
                form[key] = value
            else:
                form[key] = dict(value) if is_pairs else _form(value, digits)
        for name in self.properties:
            form[name] = _form(getattr(self, name))
        if self.texts:
            form["words"] = words_json(**{name: getattr(self, name) for name in self.texts})
        return form

    @classmethod
    def from_json(cls, form: Mapping[str, Any]) -> Self:
        """Return the value of a JSON form. Fields that it does not hold have their default; others are passed over.

        :raises ValueError: where it is none.
        """
        try:
            return built(cls.values_of(form), cls)
        except (msgspec.ValidationError, LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"not a {cls.__name__}: {error}") from error

    @classmethod
    def values_of(cls, form: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the types of the fields are checked against. A class with more in its form extends this."""
        values = dict(form)
        words = form.get("words")
        for name in cls.texts:
            if name in values and isinstance(words, Mapping):
                values[name] = heard(words.get(name), values[name])
        for field in _fields(cls):
            value = values.get(field.key)
            if value is None:
                continue
            if field.is_pairs:
                values[field.key] = list(value.items())
            elif field.record is not None:
                values[field.key] = field.read(value)
        return values


class Worded(Record, frozen=True, kw_only=True):
    """A record with one text of its own, ``words``. Its key with values stands in ``said``."""

    words: str = ""

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"said": word_json(self.words)}

    @classmethod
    def values_of(cls, form: Mapping[str, Any]) -> dict[str, Any]:
        return super().values_of({**form, "words": heard(form.get("said"), form["words"])})


def words_of(kind: type[Any]) -> dict[str, str]:
    """Return what the docstrings of a class and its bases say of its fields, and under ``""`` of itself."""
    words: dict[str, str] = {}
    ours = [base for base in kind.__mro__ if base.__doc__ and base.__module__.partition(".")[0] not in _FOREIGN]
    for one in reversed(ours):
        first, *fields = re.split(r"\s*:ivar (\w+):\s*", " ".join(str(one.__doc__).split()))
        words |= dict(zip(fields[::2], fields[1::2], strict=True)) | {"": first}
    return {name: text.replace("``", "`").replace("`None`", "`null`") for name, text in words.items()}


def schemas_of(kinds: Iterable[type[Record]], *, ref_template: str) -> dict[str, dict[str, Any]]:
    """Return the JSON schemas of the forms of these records and of what they hold, by the names of the classes."""
    known = {one.__name__: one for kind in kinds for one in _records_in(kind)}
    _, schemas = msgspec.json.schema_components(known.values(), ref_template=ref_template)
    for name, kind in known.items():
        schema, words = schemas[name], words_of(kind)
        keys = {field.name: field.key for field in _fields(kind)}
        shown = schema["properties"]
        shown |= {keys[name]: {"type": "object"} for name in kind.pairs}
        for name in kind.properties:
            given = get_type_hints(getattr(kind, name).fget)["return"]
            look_at(given)
            shown[name] = msgspec.json.schema(given)
        shown |= {"words": {"type": "object"}} if kind.texts else {}
        for name, text in words.items():
            if keys.get(name) in shown:
                shown[keys[name]] = shown[keys[name]] | {"description": text}
        schema["description"] = words[""]
        may_lack = {keys[name] for name in kind.optional}
        may_lack |= {field.key for field in _fields(kind) if kind.leaves_out_none and field.default is None}
        schema["required"] = sorted(shown.keys() - may_lack)
    return schemas


def _records_in(kind: type[Record], seen: set[type[Record]] | None = None) -> Iterator[type[Record]]:
    """Yield a class and those that it holds, each once: a record may hold others of its own kind."""
    seen = set() if seen is None else seen
    if kind in seen:
        return
    seen.add(kind)
    yield kind
    for field in _fields(kind):
        if field.record is not None:
            yield from _records_in(field.record, seen)


class _Field(NamedTuple):
    """A field: its name and key, its default, the records that it holds, and what its class says of its form."""

    name: str
    key: str
    default: Any
    record: type[Record] | None
    is_map: bool
    is_optional: bool
    is_pairs: bool
    digits: int | None

    def read(self, value: Any) -> Any:
        """Return the values of the records that this field holds."""
        assert self.record is not None
        of = self.record.values_of
        if isinstance(value, list | tuple):
            return [of(one) for one in value]
        return {key: one and of(one) for key, one in value.items()} if self.is_map else of(value)


@cache
def _fields(kind: type[Record]) -> tuple[_Field, ...]:
    shape = type_info(kind)
    assert isinstance(shape, inspect.StructType)
    return tuple(
        _Field(
            name=one.name,
            key=one.encode_name,
            default=one.default,
            record=_record_in(one.type),
            is_map=_is_map(one.type),
            is_optional=one.name in kind.optional,
            is_pairs=one.name in kind.pairs,
            digits=kind.digits.get(one.name),
        )
        for one in shape.fields
    )


def _record_in(kind: inspect.Type) -> type[Record] | None:
    """Return the class of records that a field holds, be it one, none or many."""
    if isinstance(kind, inspect.StructType):
        return kind.cls if issubclass(kind.cls, Record) else None
    if isinstance(kind, inspect.VarTupleType):
        return _record_in(kind.item_type)
    if isinstance(kind, inspect.DictType):
        return _record_in(kind.value_type)
    if isinstance(kind, inspect.UnionType):
        return next((found for one in kind.types if (found := _record_in(one))), None)
    return None


def _is_map(kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.UnionType):
        return any(_is_map(one) for one in kind.types)
    return isinstance(kind, inspect.DictType)


def _form(value: Any, digits: int | None = None) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, float) and digits is not None:
        return round(value, digits)
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple | list):
        return [_form(one, digits) for one in value]
    if isinstance(value, Mapping):
        return {key: one.to_json() if isinstance(one, Record) else one for key, one in value.items()}
    return value.to_json()
