"""What a connection does with a broker that is there and yet does not answer."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing

import pytest

from tableside.adapters.mqtt import broker
from tableside.table import Table
from tableside.table.messages import EnterRoll
from tests.adapters.test_mqtt import ABILITY, joined, tell
from tests.fakes.deaf_broker import DeafBroker, OldBroker
from tests.until import until


@pytest.mark.parametrize(
    ("refusal", "what"),
    [
        (b"\x20\x02\x00\x01", "the broker does not speak MQTT 5"),
        (b"\x20\x03\x00\x84\x00", "the broker does not speak MQTT 5"),
        (b"", "the broker ended the connection without an answer"),
    ],
)
def test_a_broker_of_another_version_is_told_with_the_version_that_is_needed(
    table: Table, undo: ExitStack, refusal: bytes, what: str
) -> None:
    old = undo.enter_context(closing(OldBroker(refusal)))
    joined(table, old.port, undo, wait=False)
    until(lambda: table.state.trouble)
    trouble = table.state.trouble[0]
    assert (trouble.part, trouble.what, trouble.where) == ("mqtt", what, f"127.0.0.1:{old.port}")
    assert "needs MQTT 5" in trouble.hint
    assert "password" not in trouble.hint


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
