"""Addresses of pairing: the table's screen shows a PIN and its QR code, a phone sends it back and gets a cookie."""

from __future__ import annotations

import socket
from typing import Literal

from flask import Blueprint, Response, request
from msgspec import Struct

from tableside.adapters.web import guard
from tableside.adapters.web.body import NoBody, body_of, told
from tableside.adapters.web.pairing import Pairing, Phone, Role, qr_rows
from tableside.adapters.web.services import Services
from tableside.errors import BadChange, Conflict
from tableside.record import Record
from tableside.rules.people import PersonKind
from tableside.table.messages import Line

_COOKIE_DAYS = 180


class OfferBody(Struct, frozen=True, kw_only=True):
    """Show a new PIN.

    :ivar role: what it pairs; ``"any"`` lets the first phone say whether it is the game master's.
    """

    role: Literal["player", "gm", "any"] = "player"


class PairBody(Struct, frozen=True, kw_only=True):
    """Pair this device by the PIN.

    :ivar role: what it would be, where the PIN leaves that open.
    """

    pin: Line
    name: Line = ""
    role: Literal["player", "gm"] = "player"


class MeBody(Struct, frozen=True, kw_only=True):
    """Say whose phone this is.

    :ivar person: the id of a character, ``""`` for none. :ivar name: what a game master is called.
    :ivar takes_over: also from another phone that has it.
    """

    person: Line = ""
    name: Line = ""
    takes_over: bool = False


class Mine(Record, frozen=True, kw_only=True):
    """Whose phone this is by now."""

    role: Role
    name: str
    person: str


class Me(Mine, frozen=True, kw_only=True, rename={"has_gm": "gm", "is_demo": "demo"}):
    """What this caller may do.

    :ivar person: the id of the character whose phone it is. :ivar also: ids of further ones that it made.
    :ivar has_gm: a game master's phone is paired.
    """

    also: tuple[str, ...]
    has_gm: bool
    is_demo: bool


class Paired(Record, frozen=True, kw_only=True):
    """What this phone may do from now on.

    :ivar asks_role: it may still say that it is the game master's.
    """

    optional = ("asks_role",)

    role: Role
    name: str
    asks_role: bool = False


class Unpaired(Record, frozen=True, kw_only=True):
    """What a phone may do that is not paired."""

    role: Role = Role.VIEWER


class PairingOffer(Record, frozen=True, kw_only=True):
    """The PIN that is valid now, if any.

    :ivar role: what it is for, ``"any"`` where the phone says it. :ivar url: where phones enter it.
    :ivar qr: rows of a code that holds both. :ivar reachable: the table listens to the network.
    """

    pin: str | None = None
    role: str | None = None
    seconds: int = 0
    url: str | None = None
    qr: tuple[str, ...] | None = None
    reachable: bool
    phones: tuple[Phone, ...]


def access_routes(services: Services) -> Blueprint:
    """Return the addresses of pairing."""
    routes, pairing, address = Blueprint("access", __name__), services.pairing, services.address

    @routes.get("/api/me")
    def me() -> Response:
        caller = guard.caller()
        person = caller.device.person if caller.device else ""
        made = (one for one in services.table.state.people if one.kind is PersonKind.PLAYER and caller.owns(one))
        also = tuple(one.id for one in made if one.id != person)
        return told(
            Me(
                role=caller.role, name=caller.name, person=person, also=also, has_gm=pairing.has_gm,
                is_demo=services.demo is not None,
            )
        )  # fmt: skip

    @routes.post("/api/me")
    def is_mine() -> Response:
        caller = guard.need(Role.PLAYER, Role.GM)
        sent = body_of(request, MeBody)
        if sent.person:  # a game master is nobody's player
            guard.need(Role.PLAYER)
        if caller.device is None:
            raise guard.Refused("this phone is not paired", hint="Pair it by the PIN on the table's own screen.")
        person = services.table.state.person(sent.person)
        if sent.person and person is None:
            raise Conflict("nobody of that id is here", where="person", hint="Somebody took them away.")
        if caller.role is Role.GM:
            given = pairing.rename(caller.device, _plain(sent.name))
        else:
            given = pairing.give(caller.device, person, takes_over=sent.takes_over)
        return told(Mine.from_fields(given))

    @routes.get("/api/pairing")
    def pairing_now() -> Response:
        guard.need_master()
        role = Role.GM if request.args.get("role") == Role.GM.value else None
        if request.args.get("keep"):
            pairing.keep(role)
        return told(_offer_of(pairing, address(), role))

    @routes.post("/api/pairing")
    def begin() -> Response:
        caller = guard.need_master()
        wanted = body_of(request, OfferBody).role
        role = None if wanted == "any" else Role(wanted)
        if role is Role.GM and pairing.has_gm and caller.role is not Role.GM:
            hint = "Pair it on the game master's page under Tonight, or forget all paired phones in this screen's menu."
            raise Conflict("there is a game master already", where="pairing", hint=hint)
        pairing.begin(role)
        return told(_offer_of(pairing, address(), role))

    @routes.delete("/api/pairing")
    def end() -> Response:
        guard.need_master()
        pairing.end()
        return told(_offer_of(pairing, address()))

    @routes.post("/api/pairing/open")
    def let_in() -> Response:
        """Let phones in: the table listens to the network from now on."""
        guard.need_master()
        body_of(request, NoBody)
        if address() is None:
            services.let_in()
        return told(_offer_of(pairing, address()))

    @routes.post("/api/pair")
    def pair() -> Response:
        sent = body_of(request, PairBody)
        pin = "".join(sent.pin.split())
        offer = pairing.offer()
        asks = offer is not None and offer.role is None and not pairing.has_gm
        token, device = pairing.pair(
            pin,
            name=_plain(sent.name),
            address=guard.network_of(guard.address_of(request)),
            again=guard.caller().device,
            role=Role(sent.role),
        )
        answer = told(Paired(role=device.role, name=device.name, asks_role=asks))
        age = _COOKIE_DAYS * 86400
        name = guard.cookie_of(device)
        answer.set_cookie(name, token, max_age=age, httponly=True, samesite="Strict", secure=request.is_secure)
        return answer

    @routes.post("/api/unpair")
    def unpair() -> Response:
        caller = guard.caller()
        answer = told(Unpaired())
        if caller.device:
            pairing.forget(caller.device.id)
            answer.delete_cookie(guard.cookie_of(caller.device), httponly=True, samesite="Strict")
        return answer

    @routes.get("/api/devices")
    def devices() -> Response:
        guard.need_master()
        return told(pairing.phones())

    @routes.post("/api/devices/<device_id>/forget")
    def forget(device_id: str) -> Response:
        guard.need_master()
        body_of(request, NoBody)
        if not pairing.forget(device_id) and device_id != "all":
            raise BadChange("no such device", where=device_id[:40], hint="See /api/devices.")
        return told(pairing.phones())

    return routes


def _plain(name: str) -> str:
    return " ".join(name.split())[:40]


def _offer_of(pairing: Pairing, address: str | None, role: Role | None = None) -> PairingOffer:
    offer, phones = pairing.offer(role), pairing.phones()
    if offer is None:
        return PairingOffer(reachable=address is not None, phones=phones)
    # the PIN stands behind the #, which browsers keep to themselves: it gets into no log and no other site
    url = f"{address or ''}/pair#{offer.pin}"
    return PairingOffer(
        pin=offer.pin,
        role=offer.role.value if offer.role else "any",
        seconds=pairing.seconds_left(offer),
        url=f"{address}/pair" if address else None,
        qr=qr_rows(url) if address else None,
        reachable=address is not None,
        phones=phones,
    )


def network_address(host: str, port: int, *, scheme: str = "http") -> str | None:
    """Return where phones on the network find a server that listens there, ``None`` for this machine alone."""
    if guard.is_loopback(host):
        return None
    if host not in ("", "0.0.0.0", "::"):
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; the system only chooses its own address
            return f"{scheme}://{probe.getsockname()[0]}:{port}"
        except OSError:
            return f"{scheme}://{socket.gethostname()}:{port}"
