"""What a connection does with a broker that is there and yet does not answer."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing

import pytest

from tableside.adapters.connect import broker
from tableside.table import Table
from tableside.table.messages import EnterRoll
from tests.adapters.test_connect_mqtt import ABILITY, joined, tell, until
from tests.fakes.deaf_broker import DeafBroker


def test_a_message_that_is_never_answered_is_sent_over_a_new_connection(
    table: Table, undo: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "_SILENT_SECONDS", 0.2)
    deaf = undo.enter_context(closing(DeafBroker()))
    joined(table, deaf.port, undo)
    rolls = [tell(table, EnterRoll, dice=(ABILITY,)) for _ in range(3)]
    until(lambda: len(deaf.taken) == 3)
    assert [json.loads(payload)["id"] for payload in deaf.taken] == rolls
    assert deaf.connections == 2
