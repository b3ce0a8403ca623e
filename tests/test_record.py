"""A value's JSON form is made of its fields, and read back from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from tableside.record import Record, schemas_of
from tableside.words import Words, say


class Point(Record, frozen=True, kw_only=True):
    digits: ClassVar[dict[str, int]] = {"at": 1}
    optional = ("name", "marks")

    at: tuple[float, float]
    name: str = ""
    marks: Mapping[str, int] = {}


class Shape(Record, frozen=True, kw_only=True, rename={"is_open": "open"}):
    texts = ("title",)
    pairs = ("counts",)
    properties = ("size",)

    title: str
    points: tuple[Point, ...] = ()
    middle: Point | None = None
    counts: tuple[tuple[str, int], ...] = ()
    is_open: bool = False

    @property
    def size(self) -> int:
        return len(self.points)


SHAPE = Shape(
    title=say("{n:corner|corners}", n=2),
    points=(Point(at=(1.0, 2.04)), Point(at=(3.0, 4.0), name="end", marks={"x": 1})),
    middle=Point(at=(2.0, 3.0)),
    counts=(("red", 2), ("blue", 1)),
    is_open=True,
)
FORM: dict[str, Any] = {
    "title": "corners",
    "points": [{"at": [1.0, 2.0]}, {"at": [3.0, 4.0], "name": "end", "marks": {"x": 1}}],
    "middle": {"at": [2.0, 3.0]},
    "counts": {"red": 2, "blue": 1},
    "open": True,
    "size": 2,
    "words": {"title": {"key": "{n:corner|corners}", "values": {"n": 2}}},
}


def test_the_form_has_the_fields_in_its_own_words() -> None:
    assert SHAPE.to_json() == FORM


class Half(Record, frozen=True, kw_only=True):
    leaves_out_none = True

    left: int | None = None
    right: int | None = None


def test_what_is_none_stands_in_no_form_of_a_class_that_leaves_it_out() -> None:
    assert Half(right=2).to_json() == {"right": 2}
    assert Half.from_json({"right": 2}) == Half(right=2)


def test_the_schema_says_what_the_form_has() -> None:
    schemas = schemas_of([Shape, Half], ref_template="#/{name}")[1]
    assert schemas["Shape"]["required"] == ["counts", "middle", "open", "points", "size", "title", "words"]
    assert schemas["Shape"]["properties"]["size"] == {"type": "integer"}
    assert schemas["Shape"]["properties"]["counts"] == {
        "type": "object", "additionalProperties": {"type": "integer"}
    }  # fmt: skip
    assert schemas["Shape"]["properties"]["words"]["properties"] == {"title": {"$ref": "#/SaidText"}}
    assert not any(schemas[name]["additionalProperties"] for name in ("Shape", "Point", "Half"))
    assert (schemas["Point"]["required"], schemas["Half"]["required"]) == (["at"], [])


def test_the_form_is_read_back_with_what_its_texts_were_made_of() -> None:
    back = Shape.from_json(FORM)
    assert isinstance(back.title, Words)
    assert back.title.values == {"n": 2}
    assert back.to_json() == FORM
    assert back.points[1] == SHAPE.points[1]


def test_what_a_form_does_not_hold_has_its_default_and_what_it_holds_besides_is_passed_over() -> None:
    assert Shape.from_json({"title": "a", "colour": "red"}) == Shape(title="a")


@pytest.mark.parametrize(
    "form", [{}, {"title": 3}, {"title": "a", "points": [3]}, {"title": "a", "counts": [1]}, {"title": "a", "open": 1}]
)
def test_what_is_none_is_refused(form: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a Shape"):
        Shape.from_json(form)
