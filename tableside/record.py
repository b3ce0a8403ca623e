"""Values whose JSON form is made of their fields, and which are read back from it by the types of these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class SaidText(msgspec.Struct, frozen=True, kw_only=True):
    """A text as a key with values, by which a page says it in its language.

    :ivar key: the English pattern. :ivar values: what stands at its places, by their names.
    """

    key: str
    values: Mapping[str, Any]


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
    beside: ClassVar[tuple[tuple[str, Any], ...]] = ()
    """Types of what a class with a ``to_json`` of its own puts into the form; ``None`` for what it leaves out."""
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
    def from_fields(cls, value: Any, **others: Any) -> Self:
        """Return a value with the fields that another one has by the same names, but for these others."""
        return cls(**{name: getattr(value, name) for name in cls.__struct_fields__ if name not in others}, **others)

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

    beside: ClassVar[tuple[tuple[str, Any], ...]] = (("said", SaidText),)

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
        words |= words_in(str(one.__doc__))
    return words


def words_in(docstring: str) -> dict[str, str]:
    """Return what a docstring says of each field, and under ``""`` of its class."""
    first, *fields = re.split(r"\s*:ivar (\w+(?:, \w+)*):\s*", " ".join(docstring.split()))
    words = {"": first}
    for names, text in zip(fields[::2], fields[1::2], strict=True):
        words |= dict.fromkeys(names.split(", "), text)
    return {name: text.replace("``", "`").replace("`None`", "`null`") for name, text in words.items()}


def schemas_of(
    kinds: Iterable[Any], *, ref_template: str
) -> tuple[Sequence[dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return the JSON schemas of the forms of these types, and of what they hold by the names of the classes.

    The form of a record has no key that is not described.
    """
    types = [*kinds]
    known = {one.__name__: one for kind in types for one in _records_in(type_info(kind))}
    more = {name: _more_of(kind) for name, kind in known.items()}
    others = [given for by_key in more.values() for given in by_key.values() if given is not None]
    for given in others:
        look_at(given)
    shown, schemas = msgspec.json.schema_components(
        [*types, *known.values(), *others, SaidText], ref_template=ref_template
    )
    made = iter(shown[len(types) + len(known) :])
    said = {"$ref": ref_template.format(name=SaidText.__name__)}
    for name, kind in known.items():
        schema, words = schemas[name], words_of(kind)
        keys = {field.name: field.key for field in _fields(kind)}
        properties = schema["properties"]
        for pair in kind.pairs:
            value = properties[keys[pair]]["items"]["prefixItems"][1]
            properties[keys[pair]] = {"type": "object", "additionalProperties": value}
        for key, given in more[name].items():
            if given is None:
                del properties[key]
            else:
                properties[key] = next(made)
        if kind.texts:
            properties["words"] = {
                "type": "object",
                "properties": dict.fromkeys(kind.texts, said),
                "required": [*kind.texts],
                "additionalProperties": False,
            }
        for field, text in words.items():
            if keys.get(field) in properties:
                properties[keys[field]] = properties[keys[field]] | {"description": text}
        may_lack = {keys[name] for name in kind.optional}
        may_lack |= {field.key for field in _fields(kind) if kind.leaves_out_none and field.default is None}
        schema |= {"description": words[""], "required": sorted(properties.keys() - may_lack)}
        schema["additionalProperties"] = False
    for name in schemas.keys() - known.keys():
        describe(schemas[name])
    _open_objects([shown, schemas])
    return shown[: len(types)], schemas


def _open_objects(schema: Any) -> None:
    """Say of every object whose keys nobody names that it may have any."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and not schema.keys() & {"properties", "additionalProperties"}:
            schema["additionalProperties"] = True
        schema = [*schema.values()]
    for one in schema if isinstance(schema, list | tuple) else ():
        _open_objects(one)


def describe(schema: dict[str, Any]) -> None:
    """Give each key of a schema what the docstring of its class says of it."""
    words = words_in(schema.get("description", ""))
    schema["description"] = words.pop("")
    for key, text in words.items():
        schema["properties"][key]["description"] = text


def _more_of(kind: type[Record]) -> dict[str, Any]:
    """Return the types of what stands in the form of a class beside its fields, ``None`` for what does not."""
    more = {name: get_type_hints(getattr(kind, name).fget)["return"] for name in kind.properties}
    for one in reversed(kind.__mro__):
        more |= dict(vars(one).get("beside", ()))
    return more


def _records_in(shape: inspect.Type, seen: set[type[Record]] | None = None) -> Iterator[type[Record]]:
    """Yield the records that a type is or holds, each once: a record may hold others of its own kind."""
    seen = set() if seen is None else seen
    for kind in _held_in(shape):
        if kind not in seen:
            seen.add(kind)
            yield kind
            fields = (field.record for field in _fields(kind) if field.record)
            for given in (*fields, *_more_of(kind).values()):
                yield from _records_in(type_info(given), seen)


def _held_in(shape: inspect.Type) -> Iterator[type[Record]]:
    """Yield the classes of records that a value of a type is, or that it holds by itself."""
    match shape:
        case inspect.StructType() if issubclass(shape.cls, Record):
            yield shape.cls
        case inspect.VarTupleType() | inspect.ListType():
            yield from _held_in(shape.item_type)
        case inspect.DictType():
            yield from _held_in(shape.value_type)
        case inspect.UnionType():
            for one in shape.types:
                yield from _held_in(one)


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
            default=one.default if one.default_factory is msgspec.NODEFAULT else one.default_factory(),
            record=next(_held_in(one.type), None),
            is_map=_is_map(one.type),
            is_optional=one.name in kind.optional,
            is_pairs=one.name in kind.pairs,
            digits=kind.digits.get(one.name),
        )
        for one in shape.fields
    )


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
        return {key: _form(one) for key, one in value.items()}
    return value.to_json()
