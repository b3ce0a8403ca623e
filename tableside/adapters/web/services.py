"""What the pages and the API are served from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from flask import Blueprint

from tableside.adapters.web.camera import Cameras
from tableside.adapters.web.demo import Plays
from tableside.adapters.web.dice_setup import Teaches
from tableside.adapters.web.hall import ShowsHall
from tableside.adapters.web.pairing import Pairing
from tableside.adapters.web.photographs import ReadsPhotographs
from tableside.adapters.web.setup import SetsUp
from tableside.table import Table
from tableside.tray.film import Film


class DrawnPanel(Protocol):
    """What the page needs of the drawn lamp panel."""

    def snapshot(self) -> dict[str, Any]: ...
    def press(self, name: str, pressed: bool) -> None: ...


def _none(_id: str) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """A table and what stands beside it; everything that may be absent has a default.

    :ivar web_folder: of the pages and their parts. :ivar guide_folder: of the guide, where it is there.
    :ivar guide_parts: what is made at the end of a page of the guide, by the page's name.
    :ivar pairing: which devices are paired. :ivar address: where phones reach this table.
    :ivar forget_trouble: drops a trouble that somebody has seen, by its id; false where none has it.
    :ivar let_in: has the table listen to the whole network, where it listens to this machine alone so far.
    :ivar is_open: whether everybody on the network may do what a player may.
    :ivar trusts_screen: whether a browser on this machine is the table's own screen.
    :ivar names: host names that lead here beside this machine's own.
    :ivar most_streams: event streams at the same time.
    :ivar picture: where the picture of a roll is, by the roll's id. :ivar replay: the film of a roll.
    :ivar tray: its picture as it is now, a JPEG. :ivar read_again: has the tray read once more;
        false where no camera watches it.
    :ivar cameras: what the table can look through. :ivar setup: that of the camera of now.
    :ivar teaching: of dice.
    :ivar photographs: reads throws that phones send. :ivar panel: lamps and buttons, where they are drawn.
    :ivar demo: throws recorded rolls, where the table is one. :ivar hall: all tables of a broker, where one is set.
    :ivar addresses: of connections that other programs ask.
    :ivar trouble: reasons not to be healthy.
    """

    table: Table
    web_folder: Path
    guide_folder: Path | None = None
    guide_parts: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    pairing: Pairing = field(default_factory=Pairing)
    address: Callable[[], str | None] = lambda: None
    forget_trouble: Callable[[str], bool] = lambda _: False
    let_in: Callable[[], None] = lambda: None
    is_open: bool = False
    trusts_screen: bool = True
    names: Collection[str] = ()
    most_streams: int | None = None
    picture: Callable[[str], Path | None] = _none
    replay: Callable[[str], Film | None] = _none
    tray: Callable[[], bytes | None] = lambda: None
    read_again: Callable[[], bool] = lambda: False
    cameras: Cameras | None = None
    setup: Callable[[], SetsUp] | None = None
    teaching: Teaches | None = None
    photographs: ReadsPhotographs | None = None
    panel: DrawnPanel | None = None
    demo: Plays | None = None
    hall: ShowsHall | None = None
    addresses: Sequence[Blueprint] = ()
    trouble: Callable[[], Sequence[str]] = lambda: ()
