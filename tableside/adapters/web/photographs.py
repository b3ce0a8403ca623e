"""The addresses that take a throw by photograph, and what its camera sees before."""

from __future__ import annotations

import time
from typing import Annotated, Literal, Protocol, TypeAlias

import msgspec
from flask import Blueprint, Response, jsonify, request
from msgspec import Meta, Struct, field

from tableside.adapters.web import guard
from tableside.adapters.web.pairing import Role
from tableside.dice import Reading
from tableside.errors import BadChange, Conflict
from tableside.table import Table
from tableside.table.acts import answers_of
from tableside.table.kept import Photographers, Roll
from tableside.table.messages import Photo, Said, Signed
from tableside.typed import built, decoded

PHOTOGRAPHS = "/api/rolls/photo"
LOOKS = "/api/rolls/photo/look"
MOST_PHOTO_BYTES = 12_000_000

Answer: TypeAlias = Response | tuple[str, int]
Doubts: TypeAlias = Literal["count", "ask", "show"]
"""Whether a roll with a doubt counts; of ``show`` none does."""


class _Sent(Struct, frozen=True, kw_only=True):
    """What a phone says of a photograph of dice, as the address has it.

    :ivar id: of its roll; the same id counts once. :ivar who: the id of the person who threw.
    :ivar is_for: the open call, where that is this person's, or none.
    """

    id: Annotated[str, Meta(pattern=r"^[0-9A-Za-z-]{1,64}\Z")]
    who: str = ""
    is_for: Literal["call", "loose"] = field(default="call", name="for")
    doubts: Doubts = "count"
    said: tuple[Said, ...] = ()


class ReadsPhotographs(Protocol):
    """What the addresses need of what reads photographs."""

    def throw(self, data: bytes, photo: Photo, signed: Signed, *, doubts: Doubts) -> tuple[Roll, bool]: ...
    def look(self, data: bytes) -> Reading | None: ...


def photograph_routes(photographs: ReadsPhotographs, table: Table) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("photographs", __name__)

    @routes.post(PHOTOGRAPHS)
    def photograph() -> Response:
        caller = guard.need_player()
        request.max_content_length = MOST_PHOTO_BYTES
        state = table.state
        try:
            sent = built(request.args.to_dict() | {"said": _finds_of(request.args.get("said", "[]"))}, _Sent)
        except msgspec.ValidationError as error:
            hint = "Send id=UUID, who=PERSON, for=call or for=loose, and doubts=count, doubts=ask or doubts=show."
            raise BadChange("the photograph is not named rightly", where=request.path, hint=hint) from error
        if sent.who and state.person(sent.who) is None:
            raise BadChange("nobody of this id is in the scene", where="who", hint="See GET /api/people.")
        _check_allowed(state.setup.photographs, caller.role, is_called=bool(sent.who) and state.asked.who == sent.who)
        photo = Photo(who=sent.who, is_for_call=sent.is_for == "call", said=sent.said)
        signed = Signed(id=sent.id, at=time.time(), by=caller.name, device=caller.id)
        roll, counts = photographs.throw(request.get_data(), photo, signed, doubts=sent.doubts)
        if counts:
            return jsonify(roll.to_json())
        answers = [answer.to_json() for answer in answers_of(roll, table.system)]
        return jsonify(roll.to_json() | {"counts": False, "answers": answers})

    @routes.post(LOOKS)
    def look() -> Answer:
        guard.need_player()
        request.max_content_length = MOST_PHOTO_BYTES
        reading = photographs.look(request.get_data())
        if reading is None:
            return "", 204
        return jsonify(reading.to_json())

    return routes


def _finds_of(sent: str) -> tuple[Said, ...]:
    try:
        return decoded(sent, tuple[Said, ...])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        hint = 'Send a list such as [{"index": 0, "die": {"type": "boost", "face": []}}]; without "die" it is none.'
        raise BadChange("is no list of finds", where="said", hint=hint) from error


def _check_allowed(photographers: Photographers, role: Role, *, is_called: bool) -> None:
    if role is not Role.PLAYER or photographers is Photographers.ALL:
        return
    if photographers is Photographers.NOBODY:
        raise Conflict("throws by photograph are switched off", where="table", hint="Throw into the tray.")
    if not is_called:
        hint = "The game master takes photographs of those who are called."
        raise Conflict("you are not called", where="table", hint=hint)
