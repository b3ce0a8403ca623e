"""Who may call: a known host name, no other site's page, and for changes only the table's screen or a paired device."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Request, g

from tableside.adapters.web.pairing import Device, Pairing, Role
from tableside.errors import TablesideError

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
COOKIE = "tableside"
_FORWARDED = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip")


class Refused(TablesideError):
    """The caller may not do that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who sent this request."""

    role: Role
    device: Device | None = None
    address: str = ""

    @property
    def id(self) -> str:
        """What its changes belong to: a paired device, else what calls from that address; ``""`` is the own screen."""
        if self.device:
            return self.device.id
        return "" if self.role is Role.SCREEN else f"at {self.address}"

    @property
    def sees_hidden(self) -> bool:
        return self.role is Role.GM

    @property
    def name(self) -> str:
        """What a change of this caller is signed with, ``""`` where it may say so itself."""
        return self.device.name if self.device else ""


def caller() -> Caller:
    """Return who sent the request at hand."""
    found: Caller = g.tableside_caller
    return found


def need(*roles: Role) -> Caller:
    """Return the caller, or refuse it where it has none of these roles."""
    found = caller()
    if found.role in roles:
        return found
    if found.role is Role.VIEWER:
        hint = "Pair this device: open /pair and enter the PIN from the table's own screen."
        raise Refused("only paired devices may change anything", hint=hint)
    hint = "Ask the game master, or pair this device as one."
    raise Refused(f"a {found.role.value} may not do this", hint=hint)


def need_player() -> Caller:
    """Refuse who is not at the table."""
    return need(Role.PLAYER, Role.SCREEN, Role.GM)


def need_master() -> Caller:
    """Refuse who neither leads the game nor stands before the table's own screen."""
    return need(Role.SCREEN, Role.GM)


def caller_of(request: Request, pairing: Pairing, *, is_open: bool, trusts_screen: bool) -> Caller:
    """Return who sends this request.

    :param is_open: everybody on the network is a player.
    :param trusts_screen: a browser on this machine is the table's own screen.
    """
    device = pairing.device(request.cookies.get(COOKIE, ""))
    if device is not None:
        return Caller(role=device.role, device=device)
    if trusts_screen and is_own_screen(request):
        return Caller(role=Role.SCREEN)
    return Caller(role=Role.PLAYER if is_open else Role.VIEWER, address=address_of(request))


def is_own_screen(request: Request) -> bool:
    """Return whether a browser on this machine called, by this machine's inner name, and nobody handed it on."""
    if any(name in request.headers for name in _FORWARDED):
        return False
    return is_loopback(request.remote_addr or "") and is_loopback(host_name(request.host))


def address_of(request: Request) -> str:
    """Return where a request comes from: what a proxy on this machine says, or who is connected.

    A proxy adds to the end of ``X-Forwarded-For`` who called it; what stands before may be anybody's word.
    """
    address = request.remote_addr or ""
    said = request.headers.get("X-Forwarded-For", "").rsplit(",", 1)[-1].strip()
    return said[:80] if said and is_loopback(address) else address


def is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost"


def check_host(request: Request) -> None:
    """Refuse a host name that is not ours: another site's name that leads here is DNS rebinding."""
    name = host_name(request.host)
    if not is_own_name(name):
        raise Refused(
            "unknown host name", where=name[:80], hint="Call the table by its address, its name or NAME.local."
        )


def check_origin(request: Request) -> None:
    """Refuse a change that another site's page sends."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Refused("changes from other sites are not taken", hint="Open the table's own page.")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit_netloc(origin) != request.host:
        raise Refused("changes from other sites are not taken", where=origin[:80], hint="Open the table's own page.")


def urlsplit_netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # such as an unclosed bracket
        return ""


def host_name(host: str) -> str:
    """Return the name or address of a Host header without its port."""
    if host.startswith("["):
        return host[1:].split("]", 1)[0]
    return host.rsplit(":", 1)[0] if host.count(":") == 1 else host


def is_own_name(name: str) -> bool:
    """Return whether the name is an address, localhost, or this machine's name as it is or under .local."""
    name = name.lower().rstrip(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        own = socket.gethostname().lower()
        return name in {"localhost", own, f"{own}.local", own.split(".")[0], f"{own.split('.')[0]}.local"}
    return True
