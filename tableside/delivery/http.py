"""Calls to other programs by HTTP, and what their answers mean for an event. urllib3 stays in this file.

Redirects are not followed: an address that is set is the one that gets the events.
"""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from tableside import __version__
from tableside.errors import ConnectError, EventRefused

_CONNECT_SECONDS = 5.0
_READ_SECONDS = 10.0
_MOST_BYTES = 65536
_WRONG_ADDRESS_SECONDS = 600.0
"""An address that is refused may come right by itself, but seldom."""
_LONGEST_WAIT_SECONDS = 3600.0
_SECRET_LETTERS = 8
"""Shorter parts of an address are words such as \"hooks\"; no token is so short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back. ``headers`` are by lower-case name; of the body at most 64 kB is kept."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def login_of(url: str) -> dict[str, str]:
    """Return the header for the name and the password in an address, which urllib3 leaves out."""
    import urllib3

    parts = urlsplit(url)
    if not (parts.username or parts.password):
        return {}
    login = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    return dict(urllib3.util.make_headers(basic_auth=login))


def host_of(url: str) -> str:
    """Return the host of an address, ``""`` where it is none. No more of it may be told: all else may be a secret."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.port is None or parts.port > 0 else ""
    except ValueError:  # a password with a slash ends where a port would stand
        return ""


class Http:
    """Calls one host, over connections that are kept open.

    :ivar where: the host, for errors.
    """

    def __init__(self, url: str) -> None:
        import urllib3

        self.where = host_of(url)
        self._login = login_of(url)
        self._url = url
        self._pool = urllib3.PoolManager(
            maxsize=1,
            retries=False,
            timeout=urllib3.Timeout(connect=_CONNECT_SECONDS, read=_READ_SECONDS),
        )

    def call(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send a request and return the answer, whatever it is.

        :raises ConnectError: where none comes.
        """
        import urllib3

        all_headers = {
            "User-Agent": f"tableside/{__version__}",
            "Content-Type": "application/json",
            **self._login,
            **headers,
        }
        try:
            answer: Any = self._pool.request(
                method, url, body=body, headers=all_headers, redirect=False, preload_content=False
            )
            try:
                text = answer.read(_MOST_BYTES)
            finally:
                answer.close()
            if answer.status >= 400:  # its words are shown, and some pages of errors repeat the address
                text = _secrets_of(self._url, url).sub(b"...", text)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            hint = "Is there a network? It is tried again; what happens meanwhile is sent then."
            raise ConnectError("cannot be reached ({=why})", why=_reason(error), where=self.where, hint=hint) from error
        return Answer(
            status=answer.status, headers={name.lower(): value for name, value in answer.headers.items()}, body=text
        )

    def close(self) -> None:
        self._pool.clear()


def _secrets_of(*urls: str) -> re.Pattern[bytes]:
    """Return what finds the parts of these addresses that no error may repeat.

    Detection are path, query, user and password whole, and of them each part of 8 letters and more, however encoded.
    """
    found = set()
    for url in urls:
        parts = urlsplit(url)
        whole = [part for part in (parts.username, parts.password, parts.path, parts.query) if part and len(part) > 3]
        found |= {*whole, *(part for one in whole for part in re.split("[/&=;]", one) if len(part) >= _SECRET_LETTERS)}
    longest_first = sorted((unquote(part).encode() for part in found), key=len, reverse=True)
    forms = (b"".join(b"(?:%b|%%%02x)" % (re.escape(bytes([one])), one) for one in part) for part in longest_first)
    return re.compile(b"|".join(forms) or b"(?!)", re.IGNORECASE)


def form_of(fields: Mapping[str, tuple[str | None, bytes, str]]) -> tuple[bytes, str]:
    """Return a form with files as a body and its type (RFC 7578).

    :param fields: file name, or ``None`` where it is no file, content and media type, by the field's name.
    """
    from urllib3.fields import RequestField
    from urllib3.filepost import encode_multipart_formdata

    parts = []
    for name, (filename, content, kind) in fields.items():
        part = RequestField(name, content, filename=filename)
        part.make_multipart(content_type=kind)
        parts.append(part)
    return encode_multipart_formdata(parts)


def check(answer: Answer, *, where: str, hint: str) -> None:
    """Return where the answer is a yes.

    :param hint: what to do where the address is refused.
    :raises EventRefused: where this event is never taken. :raises ConnectError: where it is to be tried again.
    """
    status = answer.status
    if 200 <= status < 300:
        return
    if status == 429:
        seconds = wait_seconds(answer)
        raise ConnectError("asks us to wait", where=where, hint="It is sent then.", retry_seconds=seconds)
    if status in (408, 425) or status >= 500:
        wanted = wait_seconds(answer) if "retry-after" in answer.headers else None
        hint = "It is tried again; what happens meanwhile is sent then."
        raise ConnectError("answers {=status}", status=status, where=where, hint=hint, retry_seconds=wanted)
    if status in (401, 403, 404, 405, 410) or 300 <= status < 400:
        raise ConnectError(
            "answers {=status}", status=status, where=where, hint=hint, retry_seconds=_WRONG_ADDRESS_SECONDS
        )
    raise EventRefused(
        "answers {=status}: {=body}",
        status=status,
        body=repr(answer.body[:200]),
        where=where,
        hint="Report this as a bug.",
    )


def wait_seconds(answer: Answer, default: float = 5.0) -> float:
    """Return how long the answer asks us to wait: seconds or a date (RFC 9110, 10.2.3)."""
    text = answer.headers.get("retry-after", "")
    try:
        seconds: float = float(text)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
        except (TypeError, ValueError):
            seconds = default
    return min(max(0.0, seconds), _LONGEST_WAIT_SECONDS)  # in this order, what is not a number is 0


def _reason(error: BaseException) -> str:
    """Return the system's own words where there are any; urllib3's may repeat the address."""
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, OSError) and found.strerror:
            return found.strerror
        found = found.__cause__ or found.__context__
    return type(error).__name__
