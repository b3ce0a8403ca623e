"""By which host names the table may be called, and who reads where its files are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tableside import paths
from tableside.adapters.web import Services, create_app, guard
from tableside.adapters.web.pairing import Pairing, Role
from tableside.errors import StoreError
from tableside.table import Table
from tableside.table.messages import ShowTrouble

FAR = {"REMOTE_ADDR": "192.0.2.7"}
FOLDER = "/home/Bob Smith/.local/share/tableside"


@pytest.fixture
def app(table: Table, pairing: Pairing) -> Flask:
    return create_app(
        Services(
            table=table,
            web_folder=paths.web_folder(),
            pairing=pairing,
            names=["Dice.example.org", "W\u00fcrfel.example"],
            hall=NoBroker(),
        )
    )


class NoBroker:
    """A hall whose certificates cannot be read."""

    def touch(self) -> None:
        """Nobody listens."""

    def wait(self, *, after: int, timeout: float) -> int:
        return 0

    def link(self) -> dict[str, Any]:
        return {"up": False, "trouble": {"what": "cannot be used", "where": f"{FOLDER}/ca.pem", "hint": ""}, "own": "x"}

    def since(self, revision: int) -> list[dict[str, Any]]:
        return []


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """This machine is called "pi", in a network that calls its machines NAME.castle.test."""
    (tmp_path / "resolv.conf").write_text(
        "# made by the network\nnameserver 192.0.2.1\nsearch castle.test. other.test\n"
    )
    (tmp_path / "hosts").write_text("127.0.0.1 localhost\n127.0.1.1 pi.hall.test pi  # its whole name\n192.0.2.9 nas\n")
    monkeypatch.setattr(guard, "_RESOLVER", tmp_path / "resolv.conf")
    monkeypatch.setattr(guard, "_HOSTS", tmp_path / "hosts")
    monkeypatch.setattr("socket.gethostname", lambda: "pi")


@pytest.mark.parametrize(
    "host",
    [
        "pi", "PI", "pi.local", "pi.lan", "pi.fritz.box", "pi.home.arpa", "pi.castle.test", "pi.other.test:8000",
        "pi.hall.test", "pi.lan.", "192.0.2.1:8000", "[2001:db8::1]:8000", "dice.example.org", "dice.example.org:443",
        "xn--wrfel-kva.example",
    ],
)  # fmt: skip
def test_its_own_name_in_the_networks_domain_is_known(app: Flask, host: str) -> None:
    assert app.test_client().get("/api/state", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "pi.evil.example", "other.lan", "lan", "nas", "example.org", "pi.castle.test.evil.example"]
)
def test_another_name_is_refused_with_what_to_do(app: Flask, host: str) -> None:
    answer = app.test_client().get("/api/state", headers={"Host": host})
    assert answer.status_code == 403
    assert "[web] names" in answer.get_json()["error"]["hint"]


@pytest.mark.parametrize(
    ("origin", "status"), [("https://dice.example.org", 200), ("https://evil.example", 403), ("null", 403)]
)
def test_a_proxy_may_hand_on_changes_of_the_page_that_has_its_name(app: Flask, origin: str, status: int) -> None:
    headers = {"Origin": origin, "Host": "127.0.0.1:8000"}
    answer = app.test_client().post("/api/destiny", json={"do": "set", "light": 1}, headers=headers)
    assert answer.status_code == status


Reads = Callable[[str], str]


def reader(client: FlaskClient, **environ: str) -> Reads:
    def read(path: str) -> str:
        if path == "/api/events":
            answer = client.get(path, environ_overrides=environ)
            lines = (line for line in answer.response if b"event: state" in line)  # type: ignore[union-attr,operator]
            text = next(lines)
            answer.close()
            return text.decode() if isinstance(text, bytes) else text
        return client.get(path, environ_overrides=environ).get_data(as_text=True)

    return read


TOLD = ["/api/state", "/api/events", "/health", "/api/rolls/lost", "/api/hall"]


@pytest.mark.parametrize("path", TOLD)
def test_where_files_are_is_told_to_the_own_screen_and_the_master_alone(
    app: Flask, table: Table, pairing: Pairing, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def lost(_id: str) -> None:
        raise StoreError(f"cannot read '{FOLDER}/table.sqlite'", where=f"{FOLDER}/table.sqlite", hint="Look there.")

    monkeypatch.setattr(table, "find_roll", lost)
    trouble = ShowTrouble(
        at=1.0, part="reader", what=f"disk full ({FOLDER}/a)", where=f"{FOLDER}/b", hint=f"See {FOLDER}/c"
    )
    table.ask(trouble)
    master, player = app.test_client(), app.test_client()
    for client, role in ((master, Role.GM), (player, Role.PLAYER)):
        assert client.post("/api/pair", json={"pin": pairing.begin(role).pin}, environ_overrides=FAR).status_code == 200
    for client, environ in ((app.test_client(), {}), (master, FAR)):
        assert FOLDER in reader(client, **environ)(path)
    for client in (app.test_client(), player):
        text = reader(client, **FAR)(path)
        assert not any(part in text for part in ("Bob", "Smith", "share"))
        assert any(name in text for name in ("table.sqlite", "(a)", "ca.pem"))
