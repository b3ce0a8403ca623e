"""What ``tableside doctor`` sees of the machine: board, system, devices, disk, clock and power."""

from __future__ import annotations

import os
import platform
import shutil
import struct
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tableside.errors import PinError, SettingsError, StoreError

_MODEL = "proc/device-tree/model"
_LEAST_FREE_BYTES = 200_000_000
"""Half of what pictures of rolls may take; below it the history is in danger next."""
PIN_DEVICES = ("dev/gpiochip*",)
CAMERA_DEVICES = ("dev/video*", "dev/media*", "dev/dma_heap/*", "dev/v4l-subdev*")
"""What the lamps and buttons, and the cameras, are reached by."""
_SET_BY_NETWORK = "run/systemd/timesync/synchronized"
# bits of `vcgencmd get_throttled`, as Raspberry Pi documents them
_LOW_POWER_NOW, _HOT_NOW, _LOW_POWER_ONCE = 1 << 0, 1 << 3, 1 << 16

Tell = Callable[[], str]
"""Returns what a tool of the system says; raises ``OSError`` where there is none."""


def throttled() -> str:
    """Ask the Pi's firmware whether it slowed the processor down."""
    asked = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5, check=False)
    return asked.stdout


class Machine:
    """This machine, or one that a test lays out in a folder.

    :param root: where its files are. :param now: seconds since 1970.
    :param power: says ``throttled=0x0`` on a Pi.
    """

    def __init__(
        self,
        root: Path = Path("/"),
        *,
        now: Callable[[], float] = time.time,
        power: Tell = throttled,
        bits: int = struct.calcsize("P") * 8,
    ) -> None:
        self._root = root
        self._now = now
        self._power = power
        self._bits = bits

    def board(self) -> str:
        """Say which board this is.

        :raises SettingsError: where its system cannot run tableside.
        """
        model = self._read(_MODEL).strip("\0\n ") or f"no Raspberry Pi ({platform.machine()})"
        if self._bits != 64:
            hint = "Install Raspberry Pi OS (64-bit); there are no wheels for 32 bits."
            raise SettingsError(f"its system has {self._bits} bits", where=model, hint=hint)
        return f"{model}, {self._memory()}, {self._system()}"

    def devices(self, needed: Sequence[str]) -> str:
        """Say which of the devices that are needed this user may open.

        :raises PinError: where one of them is closed to the user.
        """
        found = [path for pattern in needed for path in sorted(self._root.glob(pattern))]
        closed = [path for path in found if not os.access(path, os.R_OK | os.W_OK)]
        if closed:
            names = ", ".join(str(Path("/") / path.relative_to(self._root)) for path in closed)
            groups = ",".join(sorted({_group_of(path) for path in closed}))
            hint = f"Run `sudo usermod -aG {groups} {_user()}`, then log in again (or restart the service)."
            raise PinError(f"{_user()} may not open {names}", where="groups", hint=hint)
        kinds = sorted({path.name.rstrip("0123456789") for path in found})
        return f"{_user()} may open {', '.join(kinds)}" if found else "no camera and no pins to open"

    def cameras(self) -> str:
        """Say which video devices the kernel knows, such as USB cameras."""
        names = sorted(self._root.glob("sys/class/video4linux/video*/name"))
        types = [f"/dev/{path.parent.name} {self._read(str(path.relative_to(self._root))).strip()}" for path in names]
        return ", ".join(types) or "none"

    def disk(self, folder: Path) -> str:
        """Say how much room there is for the table's data.

        :raises StoreError: where that is too little.
        """
        there = next(one for one in (folder, *folder.parents) if one.exists())
        free = shutil.disk_usage(there).free
        if free < _LEAST_FREE_BYTES:
            raise StoreError(f"only {free / 1e6:.0f} MB are free", where=str(folder), hint="Delete something.")
        return f"{free / 1e9:.1f} GB free"

    def clock(self) -> str:
        """Say the time, and who set it.

        :raises SettingsError: where it cannot be right: a Pi has no battery and forgets it.
        """
        now = self._now()
        said = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
        if now < Path(__file__).stat().st_mtime - 86400:
            hint = "Connect it to a network once, or run `sudo date -s ...`; rolls would carry the wrong date."
            raise SettingsError(f"it says {said}, before this program was installed", where="clock", hint=hint)
        is_set = (self._root / _SET_BY_NETWORK).exists()
        return f"{said}, {'set by the network' if is_set else 'not set by the network since the start'}"

    def power(self) -> str:
        """Say whether the board has enough power and is cool enough.

        :raises SettingsError: where it has not or is not.
        """
        try:
            value = self._power().partition("=")[2]
            bits = int(value, 16)
        except (OSError, ValueError, subprocess.SubprocessError):
            return "not told by this board"
        hint = "Use the power supply made for this board, and a short thick cable."
        if bits & _LOW_POWER_NOW:
            raise SettingsError("the voltage is too low", where="power", hint=hint)
        if bits & _HOT_NOW:
            raise SettingsError("the processor is too hot and slowed down", where="power", hint="Give it air.")
        return f"the voltage was too low once since the start. {hint}" if bits & _LOW_POWER_ONCE else "good"

    def checks(self, data: Path, *, devices: Sequence[str]) -> Iterator[tuple[str, Tell]]:
        """Yield the name of each check with what makes it.

        :param devices: those that the settings need.
        """
        yield "board", self.board
        yield "power", self.power
        yield "groups", lambda: self.devices(devices)
        yield "video", self.cameras
        yield "disk", lambda: self.disk(data)
        yield "clock", self.clock

    def _memory(self) -> str:
        for line in self._read("proc/meminfo").splitlines():
            name, _, amount = line.partition(":")
            if name == "MemTotal":
                return f"{int(amount.split()[0]) / 1e6:.1f} GB of memory"
        return "memory unknown"

    def _system(self) -> str:
        for line in self._read("etc/os-release").splitlines():
            name, _, value = line.partition("=")
            if name == "PRETTY_NAME":
                return value.strip('"')
        return platform.platform(terse=True)

    def _read(self, name: str) -> str:
        try:
            return (self._root / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a service's user need not be in any list
        return str(os.getuid())


def _group_of(path: Path) -> str:
    try:
        return path.group()
    except (KeyError, NotImplementedError):
        return str(path.stat().st_gid)
