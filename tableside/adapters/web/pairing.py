"""Pairing of phones: a short-lived PIN from the table's own screen, then a cookie that only this server can tell.

Kept on disk are hashes of the cookies, never the cookies: who reads the file cannot act with it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import secrets
import threading
import time
import unicodedata
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path

import segno
from msgspec.structs import replace

from tableside.adapters.web.budget import Used
from tableside.durable import write_durably
from tableside.errors import Conflict, StoreError, TablesideError
from tableside.record import Record
from tableside.rules.people import Person, PersonKind
from tableside.table.kept import checksum
from tableside.words import say

_log = logging.getLogger(__name__)

PIN_SECONDS = 120.0
_DIGITS = 6
_WRONG_GUESSES = 5
_GUESSES_SECONDS = 600.0
_MOST_DEVICES = 64


class Role(StrEnum):
    """What a caller is to the table."""

    VIEWER = "viewer"
    PLAYER = "player"
    SCREEN = "screen"
    """The table's own screen: everything at the table, yet no hidden rolls, as all look at it."""
    GM = "gm"


_UNNAMED = {Role.PLAYER: "Player", Role.GM: "Game master"}


class WrongPin(TablesideError):
    """The PIN is wrong, used up or too old."""


class TooManyGuesses(TablesideError):
    """Somebody guesses PINs."""


class Offer(Record, frozen=True, kw_only=True):
    """A PIN on the table's screen.

    :ivar until: the clock's time at which it ends.
    :ivar role: ``None`` where each phone says itself what it is to be, such as at a new table.
    """

    pin: str
    role: Role | None
    until: float


class Phone(Record, frozen=True, kw_only=True):
    """A paired phone, without what tells its cookie.

    :ivar id: what it is called in lists; it gives no right. :ivar at: when it was paired.
    :ivar person: the id of the character that it belongs to, ``""`` for none.
    """

    id: str
    name: str
    role: Role
    at: float
    person: str = ""


class Device(Phone, frozen=True, kw_only=True):
    """A paired phone.

    :ivar mark: the hash of its cookie.
    """

    mark: str


class Pairing:
    """Which devices are paired, and the PIN that pairs the next.

    :param file: where devices are remembered over a restart, or ``None`` to forget them.
    :param say_trouble: is told why they are not, or by ``None`` that they are.
    """

    def __init__(
        self,
        file: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        say_trouble: Callable[[TablesideError | None], object] = lambda _: None,
    ) -> None:
        self._file, self._say_trouble = file, say_trouble
        self._clock = clock
        self._lock = threading.Lock()
        self._offers: dict[bool, Offer] = {}  # that for game masters apart, as each ends by itself
        self._wrong = Used(_GUESSES_SECONDS, clock=clock)
        self._devices = {device.mark: device for device in self._load()}

    def offer(self, role: Role | None = None) -> Offer | None:
        """Return the PIN that is valid now for this role; players have that which leaves the role open, too."""
        with self._lock:
            return self._offer_now(role)

    @property
    def has_gm(self) -> bool:
        with self._lock:
            return self._has_gm()

    def _has_gm(self) -> bool:
        return any(device.role is Role.GM for device in self._devices.values())

    def seconds_left(self, offer: Offer) -> int:
        return max(0, round(offer.until - self._clock()))

    def begin(self, role: Role | None) -> Offer:
        """Return the PIN for this role, or for the one that each phone says: a table has one, however many show it."""
        until = self._clock() + PIN_SECONDS
        with self._lock:
            offer = self._offer_now(role)
            if offer is None:
                pin = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}d}"
                offer = Offer(pin=pin, role=role, until=until)
            self._offers[role is Role.GM] = offer = replace(offer, role=role and offer.role, until=until)
            return offer

    def keep(self, role: Role | None = None) -> None:
        """Let the PIN last anew: somebody shows it, and looks for phones."""
        with self._lock:
            if offer := self._offer_now(role):
                self._offers[role is Role.GM] = replace(offer, until=self._clock() + PIN_SECONDS)

    def end(self) -> None:
        """Take every PIN back."""
        with self._lock:
            self._offers.clear()

    def pair(
        self, pin: str, *, name: str, address: str, again: Device | None = None, role: Role = Role.PLAYER
    ) -> tuple[str, Device]:
        """Return the cookie of a new device, and the device. Its name is like no other's, and never empty.

        A player's PIN pairs as many as read it in time; a game master's pairs one.

        :param role: what the device would be, where the PIN leaves it open and there is no game master yet.
        :param again: the same device as it was paired before: what it did stays its own.

        :raises TooManyGuesses: from an address that guessed wrongly too often; nobody else notices.
        """
        with self._lock:
            if self._wrong.of(address) >= _WRONG_GUESSES:
                raise TooManyGuesses("too many PINs were tried", hint="Wait ten minutes, then ask for a new PIN.")
            valid = filter(None, (self._offer_now(Role.GM), self._offer_now(None)))
            offer = next((one for one in valid if secrets.compare_digest(one.pin.encode(), pin.encode())), None)
            if offer is None:
                self._wrong.add(address, 1)
                raise WrongPin("this PIN is not valid", hint="Ask for a new one on the table's screen.")
            if again is not None:
                self._devices.pop(again.mark, None)
            if len(self._devices) >= _MOST_DEVICES:
                raise WrongPin(
                    "{n} devices are paired",
                    n=_MOST_DEVICES,
                    hint="Forget some on the game master's page.",
                )
            if offer.role is Role.GM:
                del self._offers[True]
            if offer.role is not None:
                role = offer.role
            elif self._has_gm():
                role = Role.PLAYER
            self._wrong.clear(address)
            token = secrets.token_urlsafe(32)
            device = Device(
                id=again.id if again else secrets.token_hex(4),
                name=_free_name(name, role, self._devices.values()),
                role=role,
                mark=_mark(token),
                at=round(time.time(), 1),
                person=again.person if again else "",
            )
            self._devices[device.mark] = device
            self._save()
            return token, device

    def give(self, device: Device, person: Person | None, *, takes_over: bool = False) -> Device:
        """Return the device with this character, whose name it has from now on; ``None`` gives it none.

        :raises Conflict: where it is no player's character, or another device has it and it is not to be taken over.
        """
        if person is not None and person.kind is not PersonKind.PLAYER:
            hint = "Choose one of the players' characters."
            raise Conflict("this is no player's character", where=person.name, hint=hint)
        who, name = (person.id, person.name) if person else ("", "")
        with self._lock:
            self._need(device)
            had = [one for one in self._having(person) if one.mark != device.mark] if person else []
            if had and not takes_over and device.person != who:
                raise Conflict("another phone has this character", where=name, hint="Take it over, or choose another.")
            for one in had:
                if one.person == who:
                    free = _free_name("", one.role, self._devices.values())
                    self._devices[one.mark] = replace(one, person="", name=free)
            return self._rename(replace(device, person=who), name or device.name)

    def rename(self, device: Device, name: str) -> Device:
        """Return the device by another name, or one like it that is free."""
        with self._lock:
            self._need(device)
            return self._rename(device, name)

    def _need(self, device: Device) -> None:
        if device.mark not in self._devices:
            raise Conflict("this device was forgotten", where="pairing", hint="Pair it again.")

    def _rename(self, device: Device, name: str) -> Device:
        others = [one for one in self._devices.values() if one.mark != device.mark]
        self._devices[device.mark] = given = replace(device, name=_free_name(name, device.role, others))
        self._save()
        return given

    def having(self, person: Person) -> list[Device]:
        """Return the players' phones that somebody of the scene belongs to: whose character it is, or that added it."""
        with self._lock:
            return self._having(person)

    def _having(self, person: Person) -> list[Device]:
        players = (one for one in self._devices.values() if one.role is Role.PLAYER)
        return [one for one in players if one.person == person.id or one.id == person.device]

    def device(self, token: str) -> Device | None:
        """Return the device of a cookie."""
        return self._devices.get(_mark(token)) if token else None

    def devices(self) -> list[Device]:
        with self._lock:
            return sorted(self._devices.values(), key=lambda device: device.at)

    def phones(self) -> tuple[Phone, ...]:
        """Return who is in, as anybody who leads may know it."""
        return tuple(map(Phone.from_fields, self.devices()))

    def is_paired(self, device: Device) -> bool:
        return device.mark in self._devices

    def forget(self, device_id: str) -> bool:
        """Forget a device, or all of them where the id is ``"all"``; tell whether there was one."""
        with self._lock:
            gone = [mark for mark, device in self._devices.items() if device_id in (device.id, "all")]
            for mark in gone:
                del self._devices[mark]
            self._save()
            return bool(gone)

    def _offer_now(self, role: Role | None) -> Offer | None:
        offer = self._offers.get(role is Role.GM)
        return offer if offer is not None and self._clock() < offer.until else None

    def _load(self) -> list[Device]:
        if self._file is None or not self._file.exists():
            return []
        try:
            return read_devices(self._file.read_bytes())
        except (OSError, ValueError) as error:
            _log.warning("the list of paired devices cannot be read, pair them again: %s: %s", self._file, error)
            return []

    def _save(self) -> None:
        if self._file is None:
            return
        devices = [device.to_json() for device in self._devices.values()]
        text = json.dumps({"checksum": checksum(json.dumps(devices).encode()), "devices": devices})
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_durably(self._file, text.encode(), mode=0o600)
        except OSError as error:
            what = say("paired phones are forgotten at the next start ({=why})", why=error.strerror or error)
            hint = "Make its disk writable: they are kept with the next phone that is paired."
            self._say_trouble(StoreError(what, where=str(self._file), hint=hint))
        else:
            self._say_trouble(None)


def read_devices(content: bytes) -> list[Device]:
    """Return the paired devices that a file holds.

    :raises ValueError: where it is not as it was written. Older versions wrote the list without a checksum.
    """
    try:
        raw = json.loads(content)
        told = raw if isinstance(raw, list) else raw["devices"]
        if told is not raw and checksum(json.dumps(told).encode()) != raw["checksum"]:
            raise ValueError("not as it was written")
        found: list[Device] = []
        for one in told:
            device = Device.from_json(one)
            found.append(replace(device, name=_free_name(device.name, device.role, found)))
    except (TypeError, LookupError, RecursionError) as error:
        raise ValueError(str(error)) from error
    return found


def _free_name(wanted: str, role: Role, others: Iterable[Device]) -> str:
    """Return the wanted name, or the next like it that no other device has: ``"Vex 2"``."""
    taken, first = {_looks(device.name) for device in others}, wanted or _UNNAMED[role]
    numbered = (f"{first} {number}" for number in itertools.count(2))
    return next(name for name in itertools.chain([first], numbered) if _looks(name) not in taken)


def _looks(name: str) -> str:
    """Return what two names share that people cannot tell apart: an accent typed by itself, wide letters, capitals."""
    return unicodedata.normalize("NFKC", name).casefold()


def _mark(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def qr_rows(text: str) -> tuple[str, ...]:
    """Return a QR code as rows of 0 and 1, with the quiet zone that it needs."""
    matrix = segno.make(text, error="m", micro=False).matrix_iter(border=4)
    return tuple("".join("1" if module else "0" for module in row) for row in matrix)
