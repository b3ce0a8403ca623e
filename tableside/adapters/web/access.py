"""Addresses of pairing: the table's screen shows a PIN and its QR code, a phone sends it back and gets a cookie."""

from __future__ import annotations

import socket
from typing import Any, Literal

import segno
from flask import Blueprint, Response, jsonify, request
from msgspec import Struct

from tableside.adapters.web import guard
from tableside.adapters.web.body import NoBody, body_of
from tableside.adapters.web.pairing import Device, Pairing, Role
from tableside.adapters.web.services import Services
from tableside.errors import BadChange, Conflict
from tableside.table.messages import Line

_COOKIE_DAYS = 180


class OfferBody(Struct, frozen=True, kw_only=True):
    """Show a new PIN."""

    role: Literal["player", "gm"] = "player"


class PairBody(Struct, frozen=True, kw_only=True):
    """Pair this device by the PIN."""

    pin: Line
    name: Line = ""


def access_routes(services: Services) -> Blueprint:
    """Return the addresses of pairing."""
    routes, pairing, address = Blueprint("access", __name__), services.pairing, services.address

    @routes.get("/api/me")
    def me() -> Response:
        caller = guard.caller()
        return jsonify(
            {"role": caller.role.value, "name": caller.name, "gm": pairing.has_gm, "demo": services.demo is not None}
        )

    @routes.get("/api/pairing")
    def pairing_now() -> Response:
        guard.need_master()
        return jsonify(_offer_json(pairing, address()))

    @routes.post("/api/pairing")
    def begin() -> Response:
        caller = guard.need_master()
        role = Role(body_of(request, OfferBody).role)
        if role is Role.GM and pairing.has_gm and caller.role is not Role.GM:
            hint = "Pair it on the game master's page under Table, or forget all paired phones in this screen's menu."
            raise Conflict("there is a game master already", where="pairing", hint=hint)
        pairing.begin(role)
        return jsonify(_offer_json(pairing, address()))

    @routes.delete("/api/pairing")
    def end() -> Response:
        guard.need_master()
        pairing.end()
        return jsonify(_offer_json(pairing, address()))

    @routes.post("/api/pair")
    def pair() -> Response:
        sent = body_of(request, PairBody)
        pin = "".join(sent.pin.split())
        name = " ".join(sent.name.split())[:40]
        token, device = pairing.pair(pin, name=name, address=guard.address_of(request), again=guard.caller().device)
        answer = jsonify({"role": device.role.value, "name": device.name})
        age = _COOKIE_DAYS * 86400
        answer.set_cookie(guard.COOKIE, token, max_age=age, httponly=True, samesite="Strict", secure=request.is_secure)
        return answer

    @routes.post("/api/unpair")
    def unpair() -> Response:
        caller = guard.caller()
        if caller.device:
            pairing.forget(caller.device.id)
        answer = jsonify({"role": Role.VIEWER.value})
        answer.delete_cookie(guard.COOKIE, httponly=True, samesite="Strict")
        return answer

    @routes.get("/api/devices")
    def devices() -> Response:
        guard.need(Role.GM)
        return jsonify([_device_json(device) for device in pairing.devices()])

    @routes.post("/api/devices/<device_id>/forget")
    def forget(device_id: str) -> Response:
        """The table's screen may forget all devices: that is seen by everybody there."""
        caller = guard.need_master()
        body_of(request, NoBody)
        if caller.role is Role.SCREEN and device_id != "all":
            raise guard.Refused("this screen can only forget all devices", hint="Use the game master's page.")
        if not pairing.forget(device_id) and device_id != "all":
            raise BadChange("no such device", where=device_id[:40], hint="See /api/devices.")
        return jsonify([_device_json(device) for device in pairing.devices()] if caller.role is Role.GM else [])

    return routes


def _offer_json(pairing: Pairing, address: str | None) -> dict[str, Any]:
    offer = pairing.offer
    if offer is None:
        nothing = {"pin": None, "role": None, "seconds": 0, "url": None, "qr": None}
        return {**nothing, "reachable": address is not None, "paired": pairing.paired}
    # the PIN stands behind the #, which browsers keep to themselves: it gets into no log and no other site
    url = f"{address or ''}/pair#{offer.pin}"
    return {
        "pin": offer.pin,
        "role": offer.role.value,
        "seconds": pairing.seconds_left(offer),
        "url": f"{address}/pair" if address else None,
        "qr": qr_rows(url) if address else None,
        "reachable": address is not None,
        "paired": pairing.paired,
    }


def _device_json(device: Device) -> dict[str, Any]:
    return {"id": device.id, "name": device.name, "role": device.role.value, "at": device.at}


def qr_rows(text: str) -> list[str]:
    """Return a QR code as rows of 0 and 1, with the quiet zone that it needs."""
    matrix = segno.make(text, error="m", micro=False).matrix_iter(border=4)
    return ["".join("1" if module else "0" for module in row) for row in matrix]


def network_address(host: str, port: int) -> str | None:
    """Return where phones on the network find a server that listens there, ``None`` for this machine alone."""
    if guard.is_loopback(host):
        return None
    if host not in ("", "0.0.0.0", "::"):
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; the system only chooses its own address
            return f"http://{probe.getsockname()[0]}:{port}"
        except OSError:
            return f"http://{socket.gethostname()}:{port}"
