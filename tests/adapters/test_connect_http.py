"""Webhooks and Discord against a local stand-in: signed, edited, patient, and each event once."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook as Receiver
from standardwebhooks.webhooks import WebhookVerificationError

from tableside.adapters.connect import Delivery, Discord, Outbox, Webhook
from tableside.adapters.connect.http import Answer, wait_seconds
from tableside.adapters.connect.outbox import Mark
from tableside.dice import Die, find_sets
from tableside.errors import StoreError
from tableside.table import MemoryStore, System, Table
from tableside.table.messages import ChangeDestiny, ChangeRoll, CorrectDie, Do, EnterRoll, Redo, Undo
from tests.fakes.certificate import certificate
from tests.fakes.http_sink import Call, HttpSink, Reply

SYSTEM = System(sets=find_sets(["narrative", "pips"]))
ABILITY = Die(type="ability", face=("success",))
SECRET = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcy4uLiE="
HOOK = "/api/webhooks/123/token"


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    with ExitStack() as undo:
        yield undo


@pytest.fixture
def table(undo: ExitStack) -> Table:
    table = Table(SYSTEM, MemoryStore())
    undo.callback(table.close)
    return table


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


def hooked(table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, **more: Any) -> Delivery:
    return started(Delivery("webhook", Webhook(sink.url, secret=SECRET, table="T"), table, outbox, **more), undo)


def posting(table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, **more: Any) -> Delivery:
    discord = Discord(f"{sink.url}{HOOK}", table="Table 3", outbox=outbox, **more)
    return started(Delivery("discord", discord, table, outbox), undo)


def started(delivery: Delivery, undo: ExitStack) -> Delivery:
    undo.callback(delivery.close)
    delivery.start()
    return delivery


def tell(table: Table, kind: type[Any], **more: Any) -> str:
    message = kind(id=str(uuid.uuid4()), at=1.0, **more)
    table.ask(message)
    return str(message.id)


def until(is_so: Callable[[], Any], *, timeout: float = 15.0) -> None:
    end = time.monotonic() + timeout
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


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


def test_a_receiver_of_standard_webhooks_can_verify_it(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack
) -> None:
    hooked(table, sink, outbox, undo)
    roll = tell(table, EnterRoll, dice=(ABILITY,), label="Stealth – schnell")
    sink.wait_for(lambda calls: len(calls) == 1)
    call = sink.calls[0]
    told = Receiver(SECRET).verify(call.body, call.headers)
    assert told == call.json
    assert told["event_type"] == "roll"
    assert told["roll"]["label"] == "Stealth – schnell"
    assert call.headers["webhook-id"] == told["id"] == roll
    with pytest.raises(WebhookVerificationError):
        Receiver(SECRET).verify(call.body.replace(b"Stealth", b"Charm!!"), call.headers)


def test_the_example_of_the_guide_verifies_it(table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack) -> None:
    from tests.conftest import ROOT

    page = (ROOT / "docs" / "webhook.md").read_text(encoding="utf-8")
    example: dict[str, Any] = {}
    exec(page.split("```python\n")[1].split("```")[0], example)
    hooked(table, sink, outbox, undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    sink.wait_for(lambda calls: len(calls) == 1)
    call = sink.calls[0]
    assert example["is_genuine"](SECRET, call.headers, call.body)
    assert not example["is_genuine"](SECRET, call.headers, call.body + b" ")
    old = {**call.headers, "webhook-timestamp": str(int(call.headers["webhook-timestamp"]) - 3600)}
    assert not example["is_genuine"](SECRET, old, call.body)


def test_what_an_outage_missed_comes_later_in_order_and_once(table: Table, outbox: Outbox, undo: ExitStack) -> None:
    away = HttpSink()
    port = away.port
    away.close()
    delivery = started(
        Delivery("webhook", Webhook(f"http://127.0.0.1:{port}/", secret=SECRET, table="T"), table, outbox), undo
    )
    begin = time.perf_counter()
    rolls = [tell(table, EnterRoll, dice=(ABILITY,)) for _ in range(20)]
    assert time.perf_counter() - begin < 2  # the table waits for nobody
    until(lambda: any(trouble.part == "webhook" for trouble in table.state.trouble))
    back = HttpSink(port=port)
    undo.callback(back.close)
    back.wait_for(lambda calls: len(calls) == 20, timeout=30)
    until(lambda: delivery.done == 20 and not table.state.trouble)
    assert [call.json["roll"]["id"] for call in back.calls] == rolls


def test_a_table_that_starts_again_goes_on_where_it_was(sink: HttpSink, outbox: Outbox, undo: ExitStack) -> None:
    store = MemoryStore()
    table = Table(SYSTEM, store)
    tell(table, EnterRoll, dice=(ABILITY,))  # before there was a connection: not told
    first = hooked(table, sink, outbox, undo)
    told = [tell(table, EnterRoll, dice=(ABILITY,)) for _ in range(3)]
    until(lambda: first.done == 4)
    first.close()
    told += [tell(table, EnterRoll, dice=(ABILITY,)) for _ in range(3)]
    table.close()
    again = Table(SYSTEM, store)
    undo.callback(again.close)
    second = hooked(again, sink, outbox, undo)
    until(lambda: second.done == 7)
    assert [call.json["roll"]["id"] for call in sink.calls] == told


def test_another_history_is_not_taken_for_the_old_one(sink: HttpSink, outbox: Outbox, undo: ExitStack) -> None:
    outbox.set_mark("webhook", Mark(number=2, change="of another history"))
    table = Table(SYSTEM, MemoryStore())
    undo.callback(table.close)
    for _ in range(4):
        tell(table, EnterRoll, dice=(ABILITY,))
    delivery = hooked(table, sink, outbox, undo)
    roll = tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: delivery.done == 5)
    assert [call.json["roll"]["id"] for call in sink.calls] == [roll]


def test_of_a_very_long_outage_only_the_newest_are_sent(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack
) -> None:
    outbox.set_mark("webhook", Mark(number=0, change=""))
    rolls = [tell(table, EnterRoll, dice=(ABILITY,)) for _ in range(12)]
    delivery = hooked(table, sink, outbox, undo, most_waiting=5)
    until(lambda: delivery.done == 12)
    assert [call.json["roll"]["id"] for call in sink.calls] == rolls[-5:]


def test_a_server_that_is_busy_is_asked_again_when_it_says(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack
) -> None:
    replies = [Reply(status=429, headers={"Retry-After": "1"}), Reply(status=503), Reply(), Reply()]
    sink.answer = lambda _: replies.pop(0)
    delivery = hooked(table, sink, outbox, undo)
    begin = time.monotonic()
    rolls = [tell(table, EnterRoll, dice=(ABILITY,)) for _ in range(2)]
    until(lambda: delivery.done == 2)
    assert time.monotonic() - begin >= 1.8
    assert [call.json["roll"]["id"] for call in sink.calls] == [rolls[0]] * 3 + [rolls[1]]
    assert len({call.headers["webhook-id"] for call in sink.calls}) == 2  # the same id, by which it is known


def test_a_server_that_never_answers_delays_nobody(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack
) -> None:
    asked, let_go = threading.Event(), threading.Event()
    undo.callback(let_go.set)

    def hang(_call: Call) -> Reply:
        asked.set()
        let_go.wait(30)
        return Reply()

    sink.answer = hang
    delivery = hooked(table, sink, outbox, undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    assert asked.wait(10)
    begin = time.perf_counter()
    for _ in range(20):
        tell(table, EnterRoll, dice=(ABILITY,))
    assert time.perf_counter() - begin < 2
    let_go.set()
    until(lambda: delivery.done == 21)
    assert len({call.json["id"] for call in sink.calls}) == 21


def test_an_event_that_is_never_taken_stops_no_other(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack
) -> None:
    replies = [Reply(status=400), Reply()]
    sink.answer = lambda _: replies.pop(0)
    delivery = hooked(table, sink, outbox, undo)
    for _ in range(2):
        tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: delivery.done == 2)
    assert len(sink.calls) == 2


def test_a_wrong_address_is_said_and_a_redirect_not_followed(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack
) -> None:
    sink.answer = lambda _: Reply(status=307, headers={"Location": f"{sink.url}/elsewhere"})
    hooked(table, sink, outbox, undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: table.state.trouble)
    trouble = table.state.trouble[0]
    assert (trouble.part, trouble.what, trouble.where) == ("webhook", "answers 307", "127.0.0.1")
    assert "[webhook] url" in trouble.hint
    assert {call.path for call in sink.calls} == {"/"}


def test_a_certificate_that_is_not_trusted_gets_nothing(
    table: Table, outbox: Outbox, undo: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = HttpSink(certificate=certificate(tmp_path))
    undo.callback(sink.close)
    url = f"https://localhost:{sink.port}/"
    first = Delivery("webhook", Webhook(url, secret=SECRET, table="T"), table, outbox)
    started(first, undo)
    roll = tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: table.state.trouble)
    assert "certificate" in table.state.trouble[0].what
    assert sink.calls == []
    first.close()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    started(Delivery("webhook", Webhook(url, secret=SECRET, table="T"), table, outbox), undo)
    sink.wait_for(lambda calls: [call.json["roll"]["id"] for call in calls] == [roll])


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2.5", 2.5), ("", 5.0), ("-1", 0.0), ("1e9", 3600.0), ("nan", 0.0), ("soon", 5.0),
     ("Fri, 31 Dec 1999 23:59:59 GMT", 0.0)],
)  # fmt: skip
def test_how_long_to_wait_is_read_from_the_answer(text: str, seconds: float) -> None:
    assert wait_seconds(Answer(status=429, headers={"retry-after": text}, body=b"")) == seconds


def test_a_result_is_a_message_and_a_correction_edits_it(
    table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack
) -> None:
    delivery = posting(table, sink, outbox, undo)
    roll = tell(table, EnterRoll, dice=(ABILITY,), by="@everyone", label="*Stealth*")
    tell(table, CorrectDie, roll_id=roll, index=0, die=Die(type="ability", face=()))
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
    tell(table, CorrectDie, roll_id=roll, index=0, die=Die(type="ability", face=()))
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
    tell(table, CorrectDie, roll_id=roll, index=0, die=Die(type="ability", face=()))
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


def test_a_damaged_file_of_marks_is_an_error_in_three_parts(tmp_path: Path) -> None:
    path = tmp_path / "connections.sqlite"
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError) as raised:
        Outbox(path)
    assert raised.value.where == str(path)
    assert raised.value.hint


def test_old_messages_are_forgotten(outbox: Outbox) -> None:
    for number in range(2100):
        outbox.keep_message("discord", f"roll {number}", str(number))
    assert outbox.message("discord", "roll 0") == ""
    assert outbox.message("discord", "roll 2099") == "2099"
