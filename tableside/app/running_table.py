"""One running table: parts are taken in order and given back in reverse."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from tableside import paths
from tableside.adapters.camera.port import Camera
from tableside.adapters.gpio.panel import Panel
from tableside.adapters.sqlite_store import SqliteStore, not_writable
from tableside.adapters.web import Pairing, Services, create_app
from tableside.app.backups import DEVICES, DailyBackups
from tableside.app.cameras import TableCameras
from tableside.app.connections import Connections
from tableside.app.corrections import Corrections
from tableside.app.demo import Demo
from tableside.app.guide import made_parts
from tableside.app.mending import mend_around
from tableside.app.pages import Pages
from tableside.app.photographs import Photographs
from tableside.app.pictures import FOLDER, RollPictures
from tableside.app.pins import TablePins
from tableside.app.readers import Reads, usable_sets
from tableside.app.replays import Replays
from tableside.app.table_readers import TableReaders
from tableside.app.taught_sets import TaughtSets
from tableside.app.teach_page import TeachingTable
from tableside.app.tray import TableTray
from tableside.app.tray_picture import TrayPicture
from tableside.config import Settings
from tableside.errors import TablesideError
from tableside.rules import find_game, wrong_games
from tableside.table import Store, System, Table
from tableside.table.kept import DEVICES as DEVICES_PART
from tableside.table.kept import FILES, TROUBLES, forget_trouble, kept_troubles
from tableside.table.messages import ClearTrouble, ShowTrouble


class RunningTable:
    """A table at work until it is closed: store, table, lamps and buttons, the camera, then the pages.

    Nothing is served and the tray is not watched before it is started.

    :param reader: reads in place of the networks.
    :param camera: looks at the tray in place of the camera of the settings, which may switch it off.
    :param demo: throws recorded rolls in place of a camera.
    :param beat: called as long as the tray is watched, for a watchdog.
    :ivar application: the pages and the API, as served.
    :raises TablesideError: when a part that is needed is missing; what was taken is given back.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        store: Store,
        reader: Reads | None = None,
        camera: Camera | None = None,
        demo: Demo | None = None,
        beat: Callable[[], object] = lambda: None,
    ) -> None:
        self._stop = threading.Event()
        self._is_demo = demo is not None
        data = self._data = paths.data_folder(settings.table.data)
        with ExitStack() as undo:
            undo.callback(store.close)
            unmended = mend_around(data) if isinstance(store, SqliteStore) else None
            left_out = wrong_games()
            game = "" if settings.table.game in left_out else settings.table.game
            if game:
                find_game(game)
            self.table = Table(System(sets=usable_sets((), data, besides=settings.reader.sets), game=game), store)
            undo.callback(self.table.close)
            self.pictures = RollPictures(data / FOLDER)
            if demo is not None:
                camera = demo.camera(wait=self._stop.wait)
                demo.begin(self.table.post)
                self.table.add_display("demo", demo)
            self.replays = Replays()
            self.table.add_display("replays", self.replays)
            self._pins = TablePins(settings.pins, self.table, read_again=self.read_again)
            undo.callback(self._pins.close)
            self.table.add_display("lamps", self._pins)
            if isinstance(store, SqliteStore):
                self.table.add_display("backups", DailyBackups(data))
            if unmended is not None:
                self._say_trouble(FILES, unmended)
            for one in kept_troubles(data):
                self.table.post(ShowTrouble.of(one, part=one.part, at=one.since, trouble_id=one.id))
            readers = self._readers = TableReaders(
                self.table,
                named=settings.reader.sets,
                data=data,
                say_wrong=lambda error: self._say_trouble("dice sets", error),
            )
            for error in left_out.values():
                self._say_trouble("games", error)
            pages = self._pages = Pages(settings, data=data, say_trouble=self._say_trouble)
            self._connections = Connections(
                settings, self.table, data=data, picture=self.pictures.path, url=lambda: pages.network_address
            )
            undo.callback(self._connections.close)
            tray = self._tray = TableTray(
                settings,
                self.table,
                data=data,
                camera=camera,
                make_reader=readers.open if reader is None else lambda _: reader,
                sets=readers.sets,
                keep_picture=self.pictures.keep,
                replays=self.replays,
                beat=beat,
                say_trouble=self._say_trouble,
            )
            undo.callback(tray.close)
            taught = TaughtSets(data)
            if settings.reader.learn:
                learner = Corrections(taught, picture=self.pictures.path, when_learnt=self.know_taught_dice)
                learner.show(self.table.state)
                self.table.add_display("corrections", learner)
            self._photographs = Photographs(
                self.table,
                make_reader=readers.open,
                keep_picture=self.pictures.keep,
                find_picture=self.pictures.path,
            )
            undo.callback(self._photographs.close)
            self.application = create_app(
                Services(
                    table=self.table,
                    web_folder=paths.web_folder(),
                    guide_folder=paths.guide_folder(),
                    guide_parts=made_parts(),
                    pairing=Pairing(data / DEVICES, say_trouble=partial(self._say_trouble, DEVICES_PART)),
                    address=lambda: pages.network_address,
                    forget_trouble=self._forget_trouble,
                    let_in=pages.let_phones_in,
                    is_open=settings.web.open,
                    trusts_screen=settings.web.own_screen,
                    names=settings.web.names,
                    picture=self.pictures.path,
                    replay=self.replays.film,
                    tray=TrayPicture(tray.last_frame).jpeg,
                    read_again=tray.read_again,
                    setup=lambda: tray.setup,
                    cameras=TableCameras(settings, tray=tray, pages=pages),
                    photographs=self._photographs,
                    teaching=TeachingTable(
                        taught,
                        named=settings.reader.sets,
                        look=tray.last_picture,
                        when_taught=self.know_taught_dice,
                    ),
                    panel=self._pins.panel,
                    demo=demo,
                    hall=self._connections.hall,
                    addresses=self._connections.addresses,
                    trouble=lambda: [] if tray.is_alive else ["the camera loop has stopped"],
                )
            )
            undo.callback(pages.close)
            self._undo = undo.pop_all()

    def start(self, *, when_listening: Callable[[], object] = lambda: None) -> None:
        """Begin to watch the tray, and to serve the pages as soon as their address is this machine's and free.

        :param when_listening: called when the pages are served.
        :raises PortInUse: for a demo, which is nothing but its pages.
        """
        self._pages.start(self.application, must_listen=self._is_demo, when_listening=when_listening)
        self._connections.start()
        self._tray.start()

    def close(self) -> None:
        """Stop, newest part first. Closing twice does no harm."""
        self._stop.set()
        self._undo.close()

    def know_taught_dice(self) -> None:
        """Read by the dice sets of now from the next picture on."""
        self._readers.know_taught_dice()
        self._tray.load_reader_again()
        self._photographs.forget_reader()

    def read_again(self) -> bool:
        """Have the tray read once more as it lies, and return whether a camera watches it."""
        return self._tray.read_again()

    @property
    def panel(self) -> Panel:
        """What a page may draw of the pins."""
        return self._pins.panel

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the page."""
        return self._pages.address

    @property
    def network_address(self) -> str | None:
        """Where phones on the network find it, or ``None`` where they cannot."""
        return self._pages.network_address

    @property
    def secure_address(self) -> str | None:
        """Where phones find it by HTTPS, ``None`` where it serves none."""
        return self._pages.secure_address

    def _forget_trouble(self, trouble_id: str) -> bool:
        try:
            was_kept = forget_trouble(self._data, trouble_id)
        except OSError as error:
            raise not_writable(self._data / TROUBLES, error) from error
        self.table.post(ClearTrouble(at=time.time(), trouble_id=trouble_id))
        return was_kept

    def _say_trouble(self, part: str, error: TablesideError | None) -> None:
        now = time.time()
        self.table.post(ClearTrouble(at=now, part=part) if error is None else ShowTrouble.of(error, part=part, at=now))
