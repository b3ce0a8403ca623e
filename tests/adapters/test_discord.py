"""Discord by its webhook against a local stand-in: posted, edited, deleted, and patient."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from typing import Any

import pytest

from tableside.adapters.discord.channel import Discord
from tableside.delivery.delivery import Delivery
from tableside.delivery.outbox import Outbox
from tableside.dice import Die
from tableside.table import Table
from tableside.table.messages import ChangeDestiny, ChangeRoll, CorrectDie, Do, EnterRoll, Redo, Undo
from tests.fakes.connected import started, tell, until
from tests.fakes.http_sink import Call, HttpSink, Reply

ABILITY = Die(type="ability", face=("success",))
HOOK = "/api/webhooks/123/token"


def posting(table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, **more: Any) -> Delivery:
    discord = Discord(f"{sink.url}{HOOK}", table="Table 3", outbox=outbox, **more)
    return started(Delivery("discord", discord, table, outbox), undo)


class Channel:
    """Discord as far as a webhook sees it: numbered messages that can be edited and deleted."""

    def __init__(self) -> None:
        self.messages: dict[str, str] = {}
        self.refuses: list[Reply] = []

    def __call__(self, call: Call) -> Reply:
        if self.refuses:
            return self.refuses.pop(0)
        path = call.path.split("?")[0]
        if not path.startswith(HOOK):
            return Reply(status=404, body={"code": 10015, "message": "Unknown Webhook"})
        message = path.removeprefix(HOOK).removeprefix("/messages/")
        if call.method == "POST":
            assert call.path.endswith("wait=true")
            made = str(1000 + len(self.messages))
            self.messages[made] = call.json["content"]
            return Reply(body={"id": made})
        if message not in self.messages:
            return Reply(status=404, body={"code": 10008, "message": "Unknown Message"})
        if call.method == "DELETE":
            del self.messages[message]
            return Reply(status=204)
        self.messages[message] = call.json["content"]
        return Reply(body={"id": message})


@pytest.fixture
def channel(sink: HttpSink) -> Channel:
    channel = Channel()
    sink.answer = channel
    return channel


def test_a_result_is_a_message_and_a_correction_edits_it(
    table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack
) -> None:
    delivery = posting(table, sink, outbox, undo)
    roll = tell(table, EnterRoll, dice=(ABILITY,), by="@everyone", label="*Stealth*")
    tell(table, CorrectDie, roll_id=roll, index=0, type="ability", face=())
    tell(table, ChangeDestiny, do=Do.SET, light=1)  # of which this channel is told nothing
    until(lambda: delivery.done == 3)
    assert [call.method for call in sink.calls] == ["POST", "PATCH"]
    first = sink.calls[0].json
    assert first["allowed_mentions"] == {"parse": []}
    assert first["username"] == "Table 3"
    assert first["content"].startswith("**Success** · \\@everyone: \\*Stealth\\*")
    assert len(channel.messages) == 1
    assert "**Failure**" in next(iter(channel.messages.values()))
    assert "corrected by hand" in next(iter(channel.messages.values()))


def test_a_roll_that_is_hidden_again_is_deleted_and_one_taken_back_says_so(
    table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack
) -> None:
    delivery = posting(table, sink, outbox, undo)
    tell(table, EnterRoll, dice=(ABILITY,), label="Stealth")
    until(lambda: delivery.done == 1)
    tell(table, Undo)
    until(lambda: delivery.done == 2)
    assert list(channel.messages.values()) == ["-# This roll was taken back."]
    tell(table, Redo)
    until(lambda: delivery.done == 3)
    assert "Stealth" in next(iter(channel.messages.values()))
    roll = table.state.roll
    assert roll is not None
    tell(table, ChangeRoll, roll_id=roll.id, is_hidden=True)
    until(lambda: delivery.done == 4)
    assert channel.messages == {}


def test_a_hidden_roll_never_leaves(
    table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack
) -> None:
    delivery = posting(table, sink, outbox, undo, tells_pool=True)
    roll = tell(table, EnterRoll, dice=(ABILITY,), label="Ambush", is_hidden=True)
    tell(table, CorrectDie, roll_id=roll, index=0, type="ability", face=())
    tell(table, ChangeDestiny, do=Do.SET, light=1)
    until(lambda: delivery.done == 3)
    assert [call.method for call in sink.calls] == ["POST"]
    assert b"Ambush" not in b"".join(call.body for call in sink.calls)


def test_rate_limits_are_kept(table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack) -> None:
    spent = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "0.8"}
    channel.refuses = [
        Reply(status=429, body={"retry_after": 1.0}, headers={"Retry-After": "1"}),
        Reply(body={"id": "77"}, headers=spent),
    ]
    delivery = posting(table, sink, outbox, undo)
    times: list[float] = []
    answer = sink.answer
    sink.answer = lambda call: (times.append(time.monotonic()), answer(call))[1]
    for _ in range(2):
        tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: delivery.done == 2)
    assert [call.method for call in sink.calls] == ["POST"] * 3
    assert times[1] - times[0] >= 1.0
    assert times[2] - times[1] >= 0.8
    assert table.state.trouble == ()  # to be asked to wait is none


def test_a_message_that_somebody_deleted_is_posted_anew(
    table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack
) -> None:
    delivery = posting(table, sink, outbox, undo)
    roll = tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: delivery.done == 1)
    channel.messages.clear()
    tell(table, CorrectDie, roll_id=roll, index=0, type="ability", face=())
    until(lambda: delivery.done == 2)
    assert len(channel.messages) == 1


def test_a_webhook_that_is_gone_is_said_without_its_token(
    table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack
) -> None:
    discord = Discord(f"{sink.url}/api/webhooks/9/tokentoken", table="T", outbox=outbox)
    started(Delivery("discord", discord, table, outbox), undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: table.state.trouble)
    trouble = table.state.trouble[0]
    assert trouble.what == "answers 404"
    assert "token" not in json.dumps(trouble.to_json())
