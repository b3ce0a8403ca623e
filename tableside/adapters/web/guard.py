"""Who may call: a known host name, no other site's page, and for changes only this machine unless opened."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from flask import Request

from tableside.errors import TablesideError

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)


class Refused(TablesideError):
    """The caller may not do that."""


def check_host(request: Request) -> None:
    """Refuse a host name that is not ours: another site's name that leads here is DNS rebinding."""
    name = host_name(request.host)
    if not is_own_name(name):
        raise Refused("unknown host name", where=name, hint="Call the table by its address, its name or NAME.local.")


def check_change(request: Request, *, is_open: bool) -> None:
    """Refuse a change that another site's page sends, or another machine while the table is not open to it."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Refused("changes from other sites are not taken", hint="Open the table's own page.")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise Refused("changes from other sites are not taken", where=origin, hint="Open the table's own page.")
    if is_open:
        return
    try:
        is_here = ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        is_here = False
    if not is_here:
        hint = "Change it on the table's own screen, or set [web] open = true."
        raise Refused("only the table's own screen may change anything", where=request.remote_addr or "", hint=hint)


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
