"""One running table: parts are taken in order and given back in reverse."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from tableside import paths
from tableside.adapters.camera import Camera, Controls, PhonePictures
from tableside.adapters.gpio.panel import Panel
from tableside.adapters.sqlite_store import SqliteStore
from tableside.adapters.web import Pairing, Services, WebServer, create_app, network_address
from tableside.app.backups import DEVICES, DailyBackups
from tableside.app.calibrate import FOLDER, Calibrations, KeptSetup
from tableside.app.camera_choice import camera_for, health_rules
from tableside.app.camera_setup import CameraSetup, CardCheck
from tableside.app.cameras import TableCameras
from tableside.app.connections import Connections
from tableside.app.corrections import Corrections
from tableside.app.demo import Demo
from tableside.app.live import CAMERA, LOCK, SETUP, LiveTray
from tableside.app.photographs import Photographs
from tableside.app.pictures import FOLDER as PICTURES
from tableside.app.pictures import RollPictures
from tableside.app.pins import TablePins
from tableside.app.readers import LiveReader, Reads, open_reader, usable_sets
from tableside.app.replays import Replays
from tableside.app.taught_sets import TaughtSets, joined_errors, wrong_sets
from tableside.app.teach_page import TeachingTable
from tableside.app.tray_picture import TrayPicture
from tableside.app.unwatched import NoSetup, UnwatchedTray
from tableside.config import CameraSettings, Settings
from tableside.dice import DiceSet
from tableside.durable import write_durably
from tableside.errors import Conflict, PortInUse, SettingsError, TablesideError
from tableside.reader.photo import Picture
from tableside.reader.variant import Expected, bgr_of
from tableside.rules import find_game, wrong_games
from tableside.table import Store, System, Table
from tableside.table.kept import Phase
from tableside.table.messages import ClearTrouble, ShowPhase, ShowTrouble
from tableside.tray.meaning import Wanted
from tableside.tray.region import WHOLE
from tableside.tray.settle import SettleRules

_log = logging.getLogger(__name__)
_DICE, _GAMES, _PAGES, _TLS = "dice sets", "games", "pages", "https"
_LISTEN_AGAIN_SECONDS = 2.0
TLS = "tls"
"""The folder of the table's own certificate; it is there once somebody wanted HTTPS."""
LETS_IN = "lets-phones-in"
"""The file that says that somebody let phones in, though the settings say this machine alone."""


class RunningTable:
    """A table at work until it is closed: store, table, lamps and buttons, pages, then the camera.

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
        data = paths.data_folder(settings.table.data)
        with ExitStack() as undo:
            undo.callback(store.close)
            left_out = wrong_games()
            game = "" if settings.table.game in left_out else settings.table.game
            if game:
                find_game(game)
            self._sets = usable_sets((), data)
            if settings.reader.sets:
                usable_sets(settings.reader.sets, data)
            system = System(sets=self._sets, game=game)
            if demo is not None:
                camera = demo.camera(wait=self._stop.wait)
            self._settings, self._data, self._beat = settings, data, beat
            self._camera_settings = settings.camera
            self._phone = PhonePictures()
            self._make_reader = self._open_reader if reader is None else lambda: reader
            self._reader: LiveReader | None = None
            self.table = Table(system, store)
            undo.callback(self.table.close)
            self.pictures = RollPictures(data / PICTURES)
            if demo is not None:
                demo.begin(self.table.post)
                self.table.add_display("demo", demo)
            self.replays = Replays()
            self.table.add_display("replays", self.replays)
            self._pins = TablePins(settings.pins, self.table, read_again=self.read_again)
            undo.callback(self._pins.close)
            self.table.add_display("lamps", self._pins)
            if isinstance(store, SqliteStore):
                self.table.add_display("backups", DailyBackups(data))
            self._tell_wrong_sets()
            for error in left_out.values():
                self._tell(_GAMES, error)
            is_let_in = network_address(settings.web.host, 0) is None and (data / LETS_IN).exists()
            self._host = "" if is_let_in else settings.web.host
            self._connections = Connections(settings, self.table, data=data, url=lambda: self.network_address)
            undo.callback(self._connections.close)
            self._calibrations = Calibrations(data / FOLDER)
            self._swapping = threading.Lock()
            self._look_by(settings.camera, camera)
            undo.callback(lambda: self._tray.close())
            taught = TaughtSets(data)
            if settings.reader.learn:
                learner = Corrections(taught, picture=self.pictures.path, when_learnt=self.know_taught_dice)
                learner.show(self.table.state)
                self.table.add_display("corrections", learner)
            self._photographs = Photographs(self.table, make_reader=self._still_reader, keep_picture=self.pictures.keep)
            undo.callback(self._photographs.close)
            self.application = create_app(
                Services(
                    table=self.table,
                    web_folder=paths.web_folder(),
                    guide_folder=paths.guide_folder(),
                    pairing=Pairing(data / DEVICES),
                    address=lambda: self.network_address,
                    let_in=self.let_phones_in,
                    is_open=settings.web.open,
                    trusts_screen=settings.web.own_screen,
                    names=settings.web.names,
                    picture=self.pictures.path,
                    replay=self.replays.film,
                    tray=TrayPicture(lambda: self._tray.last_frame).jpeg,
                    read_again=self._read_as_asked,
                    setup=lambda: self._setup,
                    cameras=TableCameras(
                        settings,
                        phone=self._phone,
                        now=lambda: self._camera_settings,
                        look=self.look_through,
                        picture=self._last_picture,
                        secure_address=lambda: self.secure_address,
                        serve_securely=self.serve_securely,
                        authority=data / TLS / "authority.pem",
                    ),
                    photographs=self._photographs,
                    teaching=TeachingTable(taught, look=self._last_picture, when_taught=self.know_taught_dice),
                    panel=self._pins.panel,
                    demo=demo,
                    hall=self._connections.hall,
                    addresses=self._connections.addresses,
                    trouble=self._troubles,
                )
            )
            self._is_demo = demo is not None
            self._web: WebServer | None = None
            self._listening: threading.Thread | None = None
            undo.callback(self._stop_listening)
            self._undo = undo.pop_all()

    def know_taught_dice(self) -> None:
        """Read by the dice sets of now from the next picture on."""
        self._sets = usable_sets((), self._data)
        self.table.use_sets(self._sets)
        self._tell_wrong_sets()
        if self._reader is not None:
            self._reader.load_again()
        self._photographs.forget_reader()

    def look_through(self, settings: CameraSettings) -> None:
        """Look through the camera of these settings from now on."""
        with self._swapping:
            if self._stop.is_set():
                return
            self._tray.close()
            for part in (CAMERA, SETUP, LOCK):
                self._tell(part, None)
            self.table.post(ShowPhase(at=time.time(), phase=Phase.NO_CAMERA))
            self._look_by(settings)
            self._tray.start()

    def _look_by(self, settings: CameraSettings, camera: Camera | None = None) -> None:
        """Watch the tray by the camera of these settings, or the one that is given, or by none."""
        stop = threading.Event()
        if camera is None and settings.kind != "none":
            camera = camera_for(settings, wait=stop.wait, phone=self._phone)
        self._camera, self._camera_settings = camera, settings
        self._tray: LiveTray | UnwatchedTray
        self._setup: CameraSetup | NoSetup
        if camera is None:
            self._tray, self._setup = UnwatchedTray(self.table, stop=stop, beat=self._beat), NoSetup()
            return
        if self._reader is None:
            self._reader = LiveReader(self._make_reader)
        else:
            self._reader.load_again()  # of a camera that stays, more is known than of a recording
        made = self._set_up_before(camera, self._calibrations)
        tray = self._tray = self._watched(camera, self._reader, made, stop)
        card = CardCheck(self._make_reader, self._read_sets)
        self._setup = CameraSetup(camera, tray, self._calibrations, made, card=card)

    def _watched(self, camera: Camera, reader: Reads, made: KeptSetup | None, stop: threading.Event) -> LiveTray:
        """Return the tray under this camera, which was set up before or not."""
        settings = self._settings
        return LiveTray(
            camera,
            reader,
            self.table,
            keep_picture=self.pictures.keep,
            replays=self.replays,
            rules=SettleRules(
                dwell_seconds=settings.settle.dwell_seconds,
                corners=WHOLE if made is None else made.calibration.corners,
            ),
            empty=None if made is None else made.empty,
            health=health_rules(camera, self._camera_settings),
            wanted=self._wanted,
            beat=self._beat,
            stop=stop,
        )

    def _tell_wrong_sets(self) -> None:
        """Say which taught dice are left out, as one trouble."""
        wrong = wrong_sets(self._data)
        self._tell(_DICE, joined_errors(wrong) if wrong else None)

    def _tell(self, part: str, error: TablesideError | None) -> None:
        now = time.time()
        if error is None:
            self.table.post(ClearTrouble(at=now, part=part))
        else:
            self.table.post(ShowTrouble(at=now, part=part, what=error.what, where=error.where, hint=error.hint))

    def _last_picture(self) -> Picture | None:
        frame = self._tray.last_frame
        return None if frame is None else frame.picture

    def _read_sets(self) -> Sequence[DiceSet]:
        """Return the dice sets that are read."""
        named = self._settings.reader.sets
        return usable_sets(named, self._data) if named else self._sets

    def _open_reader(self) -> Reads:
        stays = self._camera is not None and self._camera.is_live
        return open_reader(self._read_sets(), expected=self._expected, camera_stays=stays)

    def _still_reader(self) -> Reads:
        """Load a reader of photographs, none of which says how dice lie on the next."""
        return open_reader(self._read_sets(), expected=self._expected)

    def _expected(self) -> Expected:
        """Tell what is known of the die that differs by colour, before a picture is read."""
        state = self.table.state
        game = self.table.system.game_now(state.setup.game)
        lone = find_game(game).lone_die if game else None
        wanted = state.roll.awaits if state.roll and state.roll.awaits else state.asked.tray
        if lone and wanted and lone not in dict(wanted.dice):
            lone = None  # a throw without it; but what was thrown before may lie there still
        return Expected(
            lone_die=lone, looks={kind: (bgr_of(a), bgr_of(b)) for kind, (a, b) in state.setup.looks.items()}
        )

    @property
    def panel(self) -> Panel:
        """What a page may draw of the pins."""
        return self._pins.panel

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the page."""
        is_everywhere = self._host in ("", "0.0.0.0", "::") or network_address(self._host, 0) is None
        return f"http://127.0.0.1:{self._port}/" if is_everywhere else f"{self.network_address}/"

    def read_again(self) -> None:
        """Have the tray read once more as it lies, where a camera watches it."""
        self._tray.read_again()

    def _read_as_asked(self) -> None:
        if isinstance(self._tray, UnwatchedTray):
            raise Conflict("there is no camera", where="tray", hint="Enter the roll by hand.")
        self.read_again()

    @property
    def network_address(self) -> str | None:
        """Where phones on the network find it, or ``None`` where they cannot."""
        return network_address(self._host, self._port)

    @property
    def _port(self) -> int:
        return self._web.port if self._web is not None else self._settings.web.port

    def let_phones_in(self) -> None:
        """Listen to the whole network from now on, also after the next start."""
        if self._web is not None:
            self._web.listen_everywhere()
        self._host = ""
        self._data.mkdir(parents=True, exist_ok=True)
        write_durably(self._data / LETS_IN, b"")
        if self.secure_address is not None:
            self.serve_securely()

    @property
    def secure_address(self) -> str | None:
        """Where phones find it by HTTPS, ``None`` where it serves none."""
        port = self._web.secure_port if self._web is not None else None
        return None if port is None else network_address(self._host, port, scheme="https")

    def serve_securely(self) -> None:
        """Serve HTTPS, too, from now on, also after the next start; again, where names or addresses have changed.

        :raises PortInUse: when another program listens there. :raises SettingsError: where there is no certificate.
        """
        from tableside.adapters.web import certificate  # only who serves HTTPS waits until that is loaded

        web = self._settings.web
        if self._web is None:
            return
        if web.tls == "files" and web.certificate and web.key:
            context = certificate.file_context(web.certificate, web.key)
        else:
            names = certificate.own_names(self._host, web.names)
            context = certificate.own_context(self._data / TLS, names)
        self._web.listen_securely(context, host=self._host, port=web.tls_port)

    def start(self, *, when_listening: Callable[[], object] = lambda: None) -> None:
        """Begin to watch the tray, and to serve the pages as soon as their address is this machine's and free.

        :param when_listening: called when the pages are served.
        :raises PortInUse: for a demo, which is nothing but its pages.
        """
        is_listening = self._listens(when_listening)
        self._connections.start()
        self._tray.start()
        if not is_listening:
            self._listening = threading.Thread(
                target=self._listen_again, args=(when_listening,), name="tableside listening", daemon=True
            )
            self._listening.start()

    def _listens(self, when_listening: Callable[[], object]) -> bool:
        try:
            web = WebServer(self.application, host=self._host, port=self._settings.web.port)
        except PortInUse as error:
            if self._is_demo:
                raise
            if self._listening is None:
                _log.warning("%s It is tried again and again.", error)
                self._tell(_PAGES, error)
            return False
        web.start()
        self._web = web
        self._tell(_PAGES, None)
        if self._settings.web.tls != "off" or self._camera_settings.kind == "phone" or (self._data / TLS).exists():
            try:
                self.serve_securely()
            except (PortInUse, SettingsError) as error:
                _log.warning("%s", error)
                self._tell(_TLS, error)
        when_listening()
        return True

    def _listen_again(self, when_listening: Callable[[], object]) -> None:
        while not self._stop.wait(_LISTEN_AGAIN_SECONDS) and not self._listens(when_listening):
            pass

    def _stop_listening(self) -> None:
        self._stop.set()
        if self._listening is not None:
            self._listening.join()
        if self._web is not None:
            self._web.close()

    def close(self) -> None:
        """Stop, newest part first. Closing twice does no harm."""
        self._stop.set()
        self._undo.close()

    def _set_up_before(self, camera: Camera, calibrations: Calibrations) -> KeptSetup | None:
        """Lock the camera as it was set up. A set-up that is damaged is a trouble; the table goes on without."""
        try:
            made = calibrations.load(camera.name)
        except SettingsError as error:
            self._tell(SETUP, error)
            return None
        if made is not None:
            camera.lock(Controls.from_json(dict(made.calibration.controls)))
        return made

    def _wanted(self, roll_id: str) -> Wanted:
        """Tell what the game wants of the roll that lies in the tray, if that is still the newest."""
        state = self.table.state
        laid = state.laid if state.asked.tray else None
        if state.is_taken_back(roll_id):
            return Wanted(is_gone=True, laid=laid)
        roll = state.roll
        if roll is None or roll.id != roll_id:
            return Wanted(laid=laid)
        count = roll.awaits.most if roll.awaits else 0
        has_too_many = any(gap < 0 for _, gap in roll.short)
        return Wanted(count=count, throws=len(roll.throws), has_too_many=has_too_many, laid=laid)

    def _troubles(self) -> list[str]:
        return [] if self._tray.is_alive else ["the camera loop has stopped"]
