"""Settings: one TOML file with defaults for everything.

    [camera]
    kind = "usb"
    size_px = [1280, 960]

Unknown sections and keys are errors; all problems are reported together. Paths are relative to the file. A connection
brings its own section: see :mod:`tableside.delivery.connection`.
"""

from __future__ import annotations

import importlib
import os
import re
import textwrap
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from tableside import adapters
from tableside.adapters.camera.kind import CameraSettings
from tableside.adapters.gpio.parts import LAMPS, PARTS
from tableside.delivery.connection import Connection, Wrong
from tableside.durable import write_durably
from tableside.errors import SettingsError, did_you_mean
from tableside.record import words_of
from tableside.setting import File, Names, Pins, section_of, toml_of
from tableside.words import say

NAME = "tableside.toml"
_UTF_8 = "utf-8-sig"  # editors of Windows begin a file with a mark


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleSettings:
    """When dice count as lying still.

    :ivar dwell_seconds: how long dice must lie still before they are a roll.
    """

    dwell_seconds: Annotated[float, Meta(ge=0.05, le=10)] = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSettings:
    """Which dice are read.

    :ivar sets: names of the dice sets that are read; none means all that are installed but
        `polyhedral`, the numbered dice.
    :ivar learn: when a doubt is settled at the table, the die's picture becomes a
        [sample](teach.md#it-learns-at-the-table).
    """

    sets: Names = ()
    learn: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What is played. No game means the one that fits the dice.

    :ivar game: the game that is played; none means the one that fits the dice.
    :ivar name: what other programs and the [hall](connections.md#many-tables-on-one-wall) call this table; none means
        the machine's name.
    :ivar data: folder of history, pictures and taught sets; else ``TABLESIDE_DATA``, else the platform's usual place.
    """

    game: str = ""
    name: str = ""
    data: File = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Where the pages are served. ``0.0.0.0`` lets phones on the network look in.

    :ivar host: the address it listens on; ``0.0.0.0`` lets [phones](phones.md) in.
    :ivar open: everybody on the network may do what a player may, without pairing a phone.
    :ivar own_screen: a browser on this machine is the table's own screen; false behind a proxy.
    :ivar names: host names that lead here beside this machine's own, such as a proxy's: ``["dice.example.org"]``.
    :ivar port: the port; 0 takes any that is free.
    :ivar tls: ``own`` serves HTTPS, too, by a [certificate of the table's own](phones.md#https), which a phone's camera
        needs; ``files`` by one that you have. ``off`` begins with "Use a phone's camera" all the same.
    :ivar tls_port: the port of HTTPS; 0 takes any that is free.
    :ivar certificate: for ``files``, the PEM file of the certificate with its chain.
    :ivar key: for ``files``, the PEM file of its key.
    """

    host: str = "127.0.0.1"
    open: bool = False
    own_screen: bool = True
    names: Names = ()
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    tls: Literal["off", "own", "files"] = "off"
    tls_port: Annotated[int, Meta(ge=0, le=65535)] = 8443
    certificate: File = None
    key: File = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _PinSettings:
    """Lamps and buttons by BCM number. Buttons join their pin to ground; an empty list means none.

    The pins of each lamp and button are a setting by its name, as the rows of :mod:`tableside.adapters.gpio.parts` say.
    The usual ones are sixteen pins that no switch of ``raspi-config`` gives to something else (1-Wire, I2C, SPI, the
    serial port). A sound board takes 18 to 21: there hang the last lamps of each side, which are missed least.

    :ivar factory: ``auto`` drives real pins, ``mock`` draws them on the page, ``none`` leaves them alone.
    :ivar hold_seconds: how long "undo" must be held.
    """

    factory: Literal["auto", "mock", "none"] = "auto"
    hold_seconds: Annotated[float, Meta(ge=0.2, le=10)] = 1.0

    def pins(self) -> dict[str, Pins]:
        """Return the BCM pins of each lamp and button by its name."""
        return {name: getattr(self, name) for name in PARTS}

    def wires(self) -> list[tuple[str, int]]:
        """Return the setting and the BCM pin of each wire."""
        return [(name, pin) for name, pins in self.pins().items() for pin in pins]


if TYPE_CHECKING:

    class PinSettings(_PinSettings):
        """The section ``[pins]``, with a setting for each row of :mod:`tableside.adapters.gpio.parts`."""

        def __init__(self, **settings: Any) -> None: ...
        def __getattr__(self, name: str) -> Pins: ...
else:
    PinSettings = make_dataclass(
        "PinSettings",
        [(part.name, Pins, field(default=part.pins)) for part in PARTS.values()],
        bases=(_PinSettings,),
        frozen=True,
        slots=True,
        kw_only=True,
    )


CONNECTIONS: Mapping[str, Connection[Any]] = {
    file.parent.name: importlib.import_module(f"{adapters.__name__}.{file.parent.name}.connection").CONNECTION
    for file in sorted(Path(adapters.__path__[0]).glob("*/connection.py"))
}
"""Every connection by name: each folder of ``adapters`` with a file ``connection.py`` is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set.

    :ivar connections: the settings of each connection that is set, by name; see :meth:`section`.
    :ivar file: where it was read from, or ``None`` for the defaults.
    """

    camera: CameraSettings = field(default=CameraSettings())
    settle: SettleSettings = SettleSettings()
    reader: ReaderSettings = ReaderSettings()
    table: TableSettings = TableSettings()
    web: WebSettings = WebSettings()
    pins: PinSettings = field(default=PinSettings())
    connections: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None

    def section(self, name: str) -> Any:
        """Return the settings of a section of the file, be it of a connection or not."""
        if name in CONNECTIONS:
            return self.connections.get(name) or CONNECTIONS[name].settings()
        return getattr(self, name)

    def to_toml(self, *, is_explained: bool = False) -> str:
        """Return every setting in effect as a settings file, on demand with what each means above it."""
        lines = [f"# from {self.file}" if self.file else "# defaults: there is no settings file"]
        for section in SECTIONS:
            lines += ["", f"[{section}]"]
            part, words = self.section(section), words_of_section(section) if is_explained else {}
            for key in fields(part):
                value = getattr(part, key.name)
                said = words.get(key.name, "").rstrip(".")
                plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", said)  # its links lead within the guide
                lines += textwrap.wrap(plain, 100, initial_indent="# ", subsequent_indent="# ")
                if value is None:
                    lines.append(f"# {key.name} is not set")
                elif value and key.metadata.get("secret"):
                    lines.append(f"# {key.name} is set and not shown")
                else:
                    lines.append(f"{key.name} = {toml_of(value)}")
        return "\n".join(lines) + "\n"


SECTIONS: Mapping[str, type[Any]] = {
    **{key.name: type(key.default) for key in fields(Settings) if key.name not in ("connections", "file")},
    **{name: connection.settings for name, connection in CONNECTIONS.items()},
}


def words_of_section(name: str) -> Mapping[str, str]:
    """Return what each setting of a section means, as the docstring of its class or the row of its pins says it."""
    return words_of(SECTIONS[name]) | ({row.name: row.means for row in PARTS.values()} if name == "pins" else {})


def load_settings(path: File = None) -> Settings:
    """Read a settings file, else that of ``TABLESIDE_CONFIG``, else ``tableside.toml`` in this folder.

    Where that is not there the defaults count.

    :raises SettingsError: naming every problem, a line each.
    """
    file = path or Path(os.environ.get("TABLESIDE_CONFIG") or NAME)
    if file.name == NAME and not file.exists():  # another name that is not there may be a slip
        return Settings()
    try:
        raw = tomllib.loads(file.read_text(encoding=_UTF_8))
    except OSError as error:
        hint = f"Check the name and that you may read it, or make one: tableside config > {NAME}."
        raise SettingsError(f"cannot be read ({error.strerror})", where=str(file), hint=hint) from error
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, or a number of thousands of digits
        raise SettingsError(f"not valid TOML: {error}", where=str(file), hint="Correct that line.") from error
    return parse_settings(raw, file=file)


def parse_settings(raw: Mapping[str, Any], *, file: Path) -> Settings:
    """Check parsed TOML and return the settings. ``file`` names them in errors and anchors relative paths."""
    problems: list[SettingsError] = []
    parts: dict[str, Any] = {}
    for section, value in raw.items():
        where = f"{file.name}: [{section}]"
        if section not in SECTIONS:
            hint = did_you_mean(section, SECTIONS)
            problems.append(SettingsError("unknown section", where=where, hint=hint))
        elif not isinstance(value, dict):
            problems.append(SettingsError("must be a section, not a value", where=where))
        else:
            values, wrong = section_of(SECTIONS[section], value, base=file.parent)
            problems += [SettingsError(what, where=f"{where} {name}", hint=hint) for name, what, hint in wrong]
            parts[section] = SECTIONS[section](**values)
    connections = {name: parts.pop(name) for name in CONNECTIONS if name in parts}
    settings = Settings(**parts, connections=connections, file=file)
    if not problems:
        problems += _shared_pins(settings.pins, file.name)
        problems += _impossible(settings, file.name)
    if problems:
        raise SettingsError("\n".join(str(problem) for problem in problems))
    return settings


def keep_camera(file: Path | None, camera: CameraSettings) -> None:
    """Write which camera is taken into the settings file; all else in it stays as it is.

    :raises SettingsError: where it cannot be written.
    """
    file = file or Path(NAME)
    values = {"kind": camera.kind, "path": camera.path, "url": camera.url}
    new = [f"{key} = {toml_of(value)}" for key, value in values.items() if value]
    try:
        lines = file.read_text(encoding=_UTF_8).splitlines() if file.exists() else []
        head = next((n for n, line in enumerate(lines) if re.fullmatch(r"\s*\[camera\]\s*(#.*)?", line)), None)
        if head is None:
            lines, head = [*lines, *([""] if lines else []), "[camera]"], len(lines) + bool(lines)
        end = next((n for n in range(head + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
        kept = [line for line in lines[head + 1 : end] if not re.match(r"\s*(kind|index|path|url)\s*=", line)]
        text = "\n".join([*lines[: head + 1], *new, *kept, *lines[end:]]) + "\n"
        if parse_settings(tomllib.loads(text), file=file).camera.kind != camera.kind:
            raise ValueError("its section [camera] is written in another way")
        write_durably(file.resolve(), text.encode(), mode=file.stat().st_mode & 0o777 if file.exists() else 0o600)
    except (OSError, ValueError) as error:
        hint = say('Write kind = "{=kind}" below [camera] yourself.', kind=camera.kind)
        raise SettingsError("cannot be changed ({=why})", why=error, where=str(file), hint=hint) from error


def _shared_pins(pins: PinSettings, file: str) -> list[SettingsError]:
    """Find pins that two wires would share, and lamps with too many pins or too few."""
    problems = []
    users: dict[int, str] = {}
    for name, pin in pins.wires():
        if pin in users:
            what = f"pin {pin} is already used by {users[pin]}"
            problems.append(SettingsError(what, where=f"{file}: [pins] {name}", hint="Choose a free pin."))
        users[pin] = name
    for row in LAMPS:
        if row.kind.counts and len(getattr(pins, row.name)) not in row.kind.counts:
            what, where = "has the wrong number of pins", f"{file}: [pins] {row.name}"
            problems.append(SettingsError(what, where=where, hint=row.kind.hint))
    return problems


def _impossible(settings: Settings, file: str) -> list[SettingsError]:
    """Find names that nothing could be called by, and what no connection could be made with."""
    found: list[tuple[str, Wrong]] = []
    if len(settings.table.name) > 40 or not settings.table.name.isprintable():
        hint = 'Choose a shorter one, such as "Table 3".'
        found.append(("table", ("name", "is no name of at most 40 letters", hint)))
    unknown = [name for name in settings.web.names if not _is_host_name(name)]
    if unknown:
        hint = 'Write only names, without https:// and without a port, such as ["dice.example.org"].'
        found.append(("web", ("names", f"has {', '.join(map(repr, unknown))}, which is no host name", hint)))
    if settings.web.tls == "files" and not (settings.web.certificate and settings.web.key):
        found.append(("web", ("tls", "has no files", "Name both: certificate and key.")))
    for section, connection in CONNECTIONS.items():
        found += [(section, wrong) for wrong in connection.problems(settings.section(section))]
    return [
        SettingsError(what, where=f"{file}: [{section}] {name}", hint=hint) for section, (name, what, hint) in found
    ]


def _is_host_name(name: str) -> bool:
    try:
        sent = name.encode("idna").decode()
    except UnicodeError:
        return False
    return re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", sent) is not None
