"""Who may call: a known host name, no other site's page, and for changes only the table's screen or a paired device."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Request, g

from tableside.adapters.web.budget import Sender
from tableside.adapters.web.pairing import Device, Pairing, Role
from tableside.errors import TablesideError, without_folders
from tableside.rules.people import Person, PersonKind
from tableside.table import TableState
from tableside.table.shown import state_json

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'self'"
)
_COOKIE = "tableside"
_FORWARDED = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip")


_RESOLVER, _HOSTS = Path("/etc/resolv.conf"), Path("/etc/hosts")
_HOME_DOMAINS = frozenset({"local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box"})
"""Domains that routers at home name machines in. The last is its maker's; the others are in no public DNS."""


class Refused(TablesideError):
    """The caller may not do that."""


class Missing(TablesideError):
    """There is nothing at this address."""


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
    def sender(self) -> Sender:
        """What it takes of the server counts for; the own screen has no limit of its own, as it is this machine."""
        if self.device:
            return Sender(role=self.role, key=f"device {self.device.id}")
        return Sender(role=Role.SCREEN) if self.role is Role.SCREEN else Sender(key=network_of(self.address))

    def owns(self, person: Person) -> bool:
        """Whether somebody of the scene is this caller's: the character that its phone belongs to, or whom it added."""
        is_its = person.kind is PersonKind.PLAYER and self.device is not None and self.device.person == person.id
        return bool(self.id) and (person.device == self.id or is_its)

    @property
    def sees_hidden(self) -> bool:
        return self.role is Role.GM

    @property
    def sees_folders(self) -> bool:
        """Whether errors tell where files are: of use to those who look after this machine alone."""
        return self.role in (Role.SCREEN, Role.GM)

    @property
    def undoes_of(self) -> str:
        """The device whose changes alone this caller takes back, ``""`` for those of all."""
        return self.id if self.role is Role.PLAYER else ""

    def words(self, text: str) -> str:
        """Return an error's words as this caller may read them."""
        return text if self.sees_folders else without_folders(text)

    def view(self, state: TableState) -> dict[str, Any]:
        """Return what this caller may know of the table."""
        return state_json(
            state,
            now=time.time(),
            sees_hidden=self.sees_hidden,
            sees_folders=self.sees_folders,
            undoes_of=self.undoes_of,
        )

    @property
    def name(self) -> str:
        """What a change of this caller is signed with, ``""`` where it may say so itself."""
        return self.device.name if self.device else ""


def caller() -> Caller:
    """Return who sent the request at hand; one that was refused before it was known is a viewer."""
    found: Caller = g.get("tableside_caller", Caller(role=Role.VIEWER))
    return found


def need(*roles: Role) -> Caller:
    """Return the caller, or refuse it where it has none of these roles."""
    found = caller()
    if found.role in roles:
        return found
    if found.role is Role.VIEWER:
        raise stranger_refused()
    hint = "Ask the game master, or pair this device as one."
    raise Refused("a {role} may not do this", role=found.role.value, hint=hint)


def stranger_refused() -> Refused:
    """Return why a device that is not paired may not."""
    hint = "Pair this device: open /pair and enter the PIN from the table's own screen."
    return Refused("only paired devices may change anything", hint=hint)


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
    is_screen = trusts_screen and is_own_screen(request)
    mine = (pairing.device(token) for name, token in request.cookies.items() if name.partition("-")[0] == _COOKIE)
    device = next(filter(None, mine), None)
    # a browser on this machine may be both: the table's screen in one window, a paired game master in another
    if device is not None and not (is_screen and request.args.get("as") == Role.SCREEN.value):
        return Caller(role=device.role, device=device)
    if is_screen:
        return Caller(role=Role.SCREEN)
    return Caller(role=Role.PLAYER if is_open else Role.VIEWER, address=address_of(request))


def cookie_of(device: Device) -> str:
    """Return the name of a device's cookie: browsers share cookies among the ports of a host, and so among tables."""
    return f"{_COOKIE}-{device.id}"


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


def network_of(address: str) -> str:
    """Return what counts as one caller: an address, of IPv6 the network that one household has at least (RFC 6177)."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    found = (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found
    return str(found) if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))


def is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost"


def check_host(request: Request, names: Collection[str] = ()) -> None:
    """Refuse a host name that is not ours: another site's name that leads here is DNS rebinding.

    :param names: of the settings.
    """
    name = host_name(request.host)
    if not is_own_name(name, names):
        hint = "Call the table by its address or its own name, or add this name to [web] names."
        raise Refused("unknown host name", where=name[:80], hint=hint)


def check_origin(request: Request, names: Collection[str] = ()) -> None:
    """Refuse a change that another site's page sends.

    :param names: of the settings: a proxy may hand a call on under another name than the page has.
    """
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Refused("changes from other sites are not taken", hint="Open the table's own page.")
    origin = request.headers.get("Origin")
    said = urlsplit_netloc(origin or "")
    if origin is not None and said != request.host and not _is_named(host_name(said), names):
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


def is_own_name(name: str, names: Collection[str] = ()) -> bool:
    """Return whether the name is an address, localhost, one of the settings, or this machine's in a network's domain.

    Domains of networks are those that the resolver searches, and those that belong to networks at home: nobody else
    can have a name there that leads here.
    """
    name = name.lower().rstrip(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        own = socket.gethostname().lower()
        short = own.split(".")[0]
        if name in {"localhost", own, short} or _is_named(name, names):
            return True
        host, _, domain = name.partition(".")
        # what this machine's resolver adds to short names (resolv.conf(5)), as the network told it
        found = [words[1:] for words in _words_of(_RESOLVER) if words[0] in ("search", "domain")]
        searched = {one.strip(".") for words in found for one in words}
        if host == short and domain and (domain in _HOME_DOMAINS or domain in searched):
            return True
        # this machine's whole name stands beside its own (hosts(5))
        return any(short in words[1:] and name in words[1:] for words in _words_of(_HOSTS))
    return True


def _is_named(name: str, names: Collection[str]) -> bool:
    return bool(name) and name.lower().rstrip(".") in {as_browsers_send(one) for one in names}


def as_browsers_send(name: str) -> str:
    """Return a host name as it stands in a request, where letters other than English ones are encoded (RFC 3490)."""
    try:
        return name.encode("idna").decode().lower()
    except UnicodeError:
        return name.lower()


def _words_of(file: Path) -> list[list[str]]:
    try:
        lines = file.read_text(encoding="ascii", errors="replace").lower().splitlines()
    except OSError:
        return []
    return [words for line in lines if (words := line.partition("#")[0].split())]
