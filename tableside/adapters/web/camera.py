"""Addresses of the tray's camera: a phone that is it, and which of all cameras is taken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from flask import Blueprint, Response, request, send_file
from msgspec import Struct

from tableside.adapters.web import guard
from tableside.adapters.web.body import NoBody, body_of, told
from tableside.adapters.web.guard import Caller
from tableside.adapters.web.pages import page_of
from tableside.adapters.web.pairing import Pairing, Role, qr_rows
from tableside.errors import Conflict
from tableside.record import Record
from tableside.table.messages import Line

FRAMES = "/api/camera/frames"
_MOST_FRAME_BYTES = 1_000_000

Answer: TypeAlias = Response | tuple[str, int, dict[str, str]]


class PhoneBody(Struct, frozen=True, kw_only=True):
    """Say what this phone is to the camera.

    :ivar do: become it, stop being it, leave it to the phone that asks, or stay it.
    """

    do: Literal["begin", "stop", "give", "keep"]


class ChooseBody(Struct, frozen=True, kw_only=True):
    """Choose the tray's camera. It is tried at once, and kept in the settings.

    :ivar kind: as the settings name it. :ivar path: of a USB camera. :ivar url: of one on the network.
    """

    kind: Line
    path: Line = ""
    url: Line = ""


class SeenPhone(Protocol):
    """A phone as the camera keeps it."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


class TakesPictures(Protocol):
    """What takes a phone's pictures."""

    @property
    def camera(self) -> SeenPhone | None: ...
    @property
    def asks(self) -> SeenPhone | None: ...
    def begin(self, id: str, name: str) -> None: ...
    def give(self, id: str) -> None: ...
    def keep(self, id: str) -> None: ...
    def is_replaced(self, id: str) -> bool: ...
    def put(self, data: bytes, *, id: str, name: str) -> None: ...


class Cameras(Protocol):
    """What the table can look through."""

    @property
    def phone(self) -> TakesPictures: ...
    @property
    def kind(self) -> str:
        """Of the camera of now."""

    @property
    def is_seeing(self) -> bool:
        """Whether the camera of now gives pictures."""

    @property
    def secure_address(self) -> str | None: ...
    @property
    def authority(self) -> Path | None:
        """The authority that a phone may install."""

    def serve_securely(self) -> None: ...
    def look_through_phone(self) -> None: ...
    def look_through_own(self) -> None: ...
    def all(self) -> list[CameraChoice]: ...
    def picture_of(self, path: str) -> bytes: ...
    def choose(self, *, kind: str, path: str, url: str) -> None: ...


class CameraNow(Record, frozen=True, kw_only=True):
    """The tray's camera, as this caller stands to it.

    :ivar secure: where phones find HTTPS, ``None`` where it is not served. :ivar phone: the name of the phone that is
        it. :ivar is_mine: that is this caller's. :ivar is_replaced: it was, and another took over.
    :ivar asks: who wants to be it. :ivar qr: rows of a code that leads a phone to it.
    """

    kind: str
    is_seeing: bool
    secure: str | None
    phone: str | None
    is_mine: bool
    is_replaced: bool
    asks: str | None
    qr: tuple[str, ...] | None
    has_authority: bool


class CameraChoice(Record, frozen=True, kw_only=True):
    """A camera that could be chosen.

    :ivar is_now: it is looked through.
    """

    kind: str
    name: str
    path: str
    is_now: bool


def camera_routes(
    cameras: Cameras, pairing: Pairing, *, address: Callable[[], str | None], let_in: Callable[[], None]
) -> Blueprint:
    """Return the addresses.

    :param address: where phones reach this table. :param let_in: has it listen to the whole network.
    """
    routes, phone = Blueprint("camera", __name__), cameras.phone

    @routes.get("/camera")
    def page() -> Response:
        return page_of("camera")

    @routes.get("/tableside-authority.crt")
    def authority() -> Response:
        file = cameras.authority
        if file is None:
            raise guard.Missing("there is no authority", where=request.path, hint='Tap "Use a phone\'s camera" first.')
        return send_file(file, mimetype="application/x-x509-ca-cert", max_age=0)

    @routes.get("/api/camera")
    def now() -> Response:
        return told(_camera_of(guard.caller()))

    @routes.post("/api/camera/secure")
    def secure() -> Response:
        """Let phones in and serve HTTPS, so that a phone can be the camera."""
        guard.need_player()
        body_of(request, NoBody)
        if address() is None:
            guard.need_master()
            let_in()
        if cameras.secure_address is None:
            cameras.serve_securely()
        return told(_camera_of(guard.caller()))

    @routes.post("/api/camera")
    def be() -> Response:
        caller = guard.need_player()
        do = body_of(request, PhoneBody).do
        if do == "begin":
            if cameras.kind != "phone":
                if caller.role is Role.PLAYER and cameras.is_seeing:
                    hint = "The game master chooses another under Camera and dice."
                    raise Conflict("the table has a camera that works", where="camera", hint=hint)
                cameras.look_through_phone()
            phone.begin(caller.id, caller.name)
        elif do == "keep":
            phone.keep(caller.id)
        else:
            was = phone.camera
            phone.give(caller.id)
            if was and was.id == caller.id and phone.camera is None:
                cameras.look_through_own()
        return told(_camera_of(caller))

    @routes.post(FRAMES)
    def frame() -> Answer:
        caller = guard.need_player()
        request.max_content_length = _MOST_FRAME_BYTES
        phone.put(request.get_data(), id=caller.id, name=caller.name)
        return "", 204, {"Tableside-Asks": phone.asks.name.encode("ascii", "replace").decode() if phone.asks else ""}

    @routes.get("/api/cameras")
    def every() -> Response:
        guard.need_master()
        return told(cameras.all())

    @routes.get("/api/cameras/picture")
    def picture() -> Response:
        guard.need_master()
        jpeg = cameras.picture_of(request.args.get("path", ""))
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @routes.post("/api/cameras")
    def choose() -> Response:
        guard.need_master()
        wanted = body_of(request, ChooseBody)
        cameras.choose(kind=wanted.kind, path=wanted.path, url=wanted.url)
        return told(cameras.all())

    def _way(caller: Caller) -> str:
        """Return where a phone goes that shall be the camera: it joins first, where it may be shown the PIN."""
        offer = pairing.offer()
        may = offer and caller.role in (Role.SCREEN, Role.GM)
        return f"pair?to=camera#{offer.pin}" if offer and may else "camera"

    def _camera_of(caller: Caller) -> CameraNow:
        camera, secure, own = phone.camera, cameras.secure_address, address()
        return CameraNow(
            kind=cameras.kind,
            is_seeing=cameras.is_seeing,
            secure=secure,
            phone=camera.name if camera else None,
            is_mine=bool(camera and caller.id and camera.id == caller.id),
            is_replaced=phone.is_replaced(caller.id),
            asks=phone.asks.name if phone.asks else None,
            qr=qr_rows(f"{own}/{_way(caller)}") if own and secure else None,
            has_authority=cameras.authority is not None,
        )

    return routes
