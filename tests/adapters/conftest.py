"""What tests of web and connections share: a table, its marks, its pages, and a server that takes what it is sent."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask

from tableside import paths
from tableside.adapters.web import Pairing, Services, WebServer, create_app
from tableside.delivery.outbox import Outbox
from tableside.table import Table
from tests.fakes.http_sink import HttpSink


@pytest.fixture
def pairing() -> Pairing:
    return Pairing()


@pytest.fixture
def app(table: Table, pairing: Pairing) -> Flask:
    return create_app(Services(table=table, web_folder=paths.web_folder(), pairing=pairing))


@pytest.fixture
def served(app: Flask, undo: ExitStack) -> WebServer:
    server = WebServer(app, host="127.0.0.1", port=0)
    undo.callback(server.close)
    server.start()
    return server


@pytest.fixture
def outbox(tmp_path: Path, undo: ExitStack) -> Outbox:
    outbox = Outbox(tmp_path / "connections.sqlite")
    undo.callback(outbox.close)
    return outbox


@pytest.fixture
def sink(undo: ExitStack) -> HttpSink:
    sink = HttpSink()
    undo.callback(sink.close)
    return sink
