"""Where the pages are served: at the address of the settings, again and again until it is free, and by HTTPS."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from flask import Flask

from tableside.adapters.web import WebServer, network_address
from tableside.config import Settings
from tableside.durable import write_durably
from tableside.errors import PortInUse, SettingsError, TablesideError

_log = logging.getLogger(__name__)
_PAGES, _TLS = "pages", "https"
_LISTEN_AGAIN_SECONDS = 2.0
TLS = "tls"
"""The folder of the table's own certificate; it is there once somebody wanted HTTPS."""
LETS_IN = "lets-phones-in"
"""The file that says that somebody let phones in, though the settings say this machine alone."""


class Pages:
    """The pages of one table; nobody is served before they are started.

    :param data: the user's data folder.
    :param say_trouble: tells the table what is wrong with a part, or by ``None`` that it works.
    """

    def __init__(
        self, settings: Settings, *, data: Path, say_trouble: Callable[[str, TablesideError | None], None]
    ) -> None:
        self._settings, self._data, self._say_trouble = settings.web, data, say_trouble
        self._is_phone_wanted = settings.camera.kind == "phone"
        is_let_in = network_address(settings.web.host, 0) is None and (data / LETS_IN).exists()
        self._host = "" if is_let_in else settings.web.host
        self._web: WebServer | None = None
        self._troubled: set[str] = set()
        self._stop = threading.Event()
        self._listening: threading.Thread | None = None

    @property
    def address(self) -> str:
        """Where a browser on this machine finds them."""
        is_everywhere = self._host in ("", "0.0.0.0", "::") or network_address(self._host, 0) is None
        return f"http://127.0.0.1:{self._port}/" if is_everywhere else f"{self.network_address}/"

    @property
    def network_address(self) -> str | None:
        """Where phones on the network find them, or ``None`` where they cannot."""
        return network_address(self._host, self._port)

    @property
    def secure_address(self) -> str | None:
        """Where phones find them by HTTPS, ``None`` where there is none."""
        port = self._web.secure_port if self._web is not None else None
        return None if port is None else network_address(self._host, port, scheme="https")

    @property
    def authority(self) -> Path:
        """Where the table's own authority is kept, once there is one."""
        return self._data / TLS / "authority.pem"

    @property
    def _port(self) -> int:
        return self._web.port if self._web is not None else self._settings.port

    def let_phones_in(self) -> None:
        """Listen to the whole network from now on, also after the next start."""
        if self._web is not None:
            self._web.listen_everywhere()
        self._host = ""
        self._data.mkdir(parents=True, exist_ok=True)
        write_durably(self._data / LETS_IN, b"")
        if self.secure_address is not None:
            self.serve_securely()

    def serve_securely(self) -> None:
        """Serve HTTPS, too, from now on, also after the next start; again, where names or addresses have changed.

        :raises PortInUse: when another program listens there. :raises SettingsError: where there is no certificate.
        """
        from tableside.adapters.web import certificate  # only who serves HTTPS waits until that is loaded

        web = self._settings
        if self._web is None:
            return
        if web.tls == "files" and web.certificate and web.key:
            context = certificate.file_context(web.certificate, web.key)
        else:
            names = certificate.own_names(self._host, web.names)
            context = certificate.own_context(self._data / TLS, names)
        self._web.listen_securely(context, host=self._host, port=web.tls_port)

    def start(self, application: Flask, *, must_listen: bool, when_listening: Callable[[], object]) -> None:
        """Serve as soon as the address is this machine's and free.

        :param when_listening: called when the pages are served.
        :raises PortInUse: where that has to be at once.
        """
        if self._listens(application, when_listening, raises=must_listen):
            return

        def listen_again() -> None:
            while not self._stop.wait(_LISTEN_AGAIN_SECONDS) and not self._listens(application, when_listening):
                pass

        self._listening = threading.Thread(target=listen_again, name="tableside listening", daemon=True)
        self._listening.start()

    def _listens(self, application: Flask, when_listening: Callable[[], object], *, raises: bool = False) -> bool:
        """Serve what is not served yet, and return whether no other try is needed."""
        if self._web is not None:
            return self._listens_securely(self._web)
        try:
            web = WebServer(application, host=self._host, port=self._settings.port)
        except PortInUse as error:
            if raises:
                raise
            self._say(_PAGES, error)
            return False
        web.start()
        self._web = web
        self._say(_PAGES, None)
        is_whole = self._listens_securely(web)
        when_listening()
        return is_whole

    def _listens_securely(self, web: WebServer) -> bool:
        is_wanted = self._settings.tls != "off" or self._is_phone_wanted or (self._data / TLS).exists()
        if is_wanted and web.secure_port is None:
            try:
                self.serve_securely()
            except (PortInUse, SettingsError) as error:
                self._say(_TLS, error)
                return isinstance(error, SettingsError)
        self._say(_TLS, None)
        return True

    def _say(self, part: str, trouble: TablesideError | None) -> None:
        """Say once what is wrong with a part, though it is tried again and again."""
        if (trouble is not None) is (part in self._troubled):
            return
        self._troubled ^= {part}
        if trouble is not None:
            again = " It is tried again and again." if isinstance(trouble, PortInUse) else ""
            _log.warning("%s%s", trouble, again)
        self._say_trouble(part, trouble)

    def close(self) -> None:
        """Serve nobody any more."""
        self._stop.set()
        if self._listening is not None:
            self._listening.join()
        if self._web is not None:
            self._web.close()
