"""Signed webhooks against a local stand-in: verified, patient, and each event once; and the marks of connections."""

from __future__ import annotations

import base64
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook as Receiver
from standardwebhooks.webhooks import WebhookVerificationError

from tableside.adapters.webhook.connection import WebhookSettings, key_of, problems
from tableside.adapters.webhook.signed import Webhook, signature
from tableside.delivery.delivery import Delivery
from tableside.delivery.http import Answer, wait_seconds
from tableside.delivery.outbox import Mark, Outbox
from tableside.dice import Die
from tableside.table import MemoryStore, Table
from tableside.table.messages import EnterRoll
from tests.conftest import SYSTEM
from tests.fakes.certificate import certificate
from tests.fakes.connected import started, tell
from tests.fakes.http_sink import Call, HttpSink, Reply
from tests.until import until

ABILITY = Die(type="ability", face=("success",))
SECRET = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcy4uLiE="
KEY = key_of(SECRET) or b""


def hooked(table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, **more: Any) -> Delivery:
    return started(Delivery("webhook", Webhook(sink.url, key=KEY, table="T"), table, outbox, **more), undo)


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

    page = (ROOT / "docs" / "connections.md").read_text(encoding="utf-8")
    example: dict[str, Any] = {}
    exec(page.partition("## A webhook")[2].split("```python\n")[1].split("```")[0], example)
    hooked(table, sink, outbox, undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    sink.wait_for(lambda calls: len(calls) == 1)
    call = sink.calls[0]
    assert example["is_genuine"](SECRET, call.headers, call.body)
    assert not example["is_genuine"](SECRET, call.headers, call.body + b" ")
    old = {**call.headers, "webhook-timestamp": str(int(call.headers["webhook-timestamp"]) - 3600)}
    assert not example["is_genuine"](SECRET, old, call.body)


def test_an_addresss_password_is_used_and_none_of_its_secrets_is_told(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"http://vex:hunter2%21@127.0.0.1:{sink.port}/hooks/T0K3N?key=s3cr3t"
    sink.answer = lambda call: Reply(status=400, body={"what": f"{call.path} is wrong for hunter2%21"})
    started(Delivery("webhook", Webhook(url, key=KEY, table="T"), table, outbox), undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: "is wrong for" in caplog.text)
    assert sink.calls[0].headers["authorization"] == f"Basic {base64.b64encode(b'vex:hunter2!').decode()}"
    told = repr(table.state.trouble) + caplog.text
    assert not any(secret in told for secret in ("hunter2", "T0K3N", "s3cr3t"))


def test_what_an_outage_missed_comes_later_in_order_and_once(table: Table, outbox: Outbox, undo: ExitStack) -> None:
    away = HttpSink()
    port = away.port
    away.close()
    delivery = started(
        Delivery("webhook", Webhook(f"http://127.0.0.1:{port}/", key=KEY, table="T"), table, outbox), undo
    )
    rolls = [tell(table, EnterRoll, dice=(ABILITY,)) for _ in range(20)]
    assert delivery.done == 0  # the table waits for nobody
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
        let_go.wait(120)
        return Reply()

    sink.answer = hang
    delivery = hooked(table, sink, outbox, undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    assert asked.wait(10)
    for _ in range(20):
        tell(table, EnterRoll, dice=(ABILITY,))
    assert delivery.done == 0  # all were told while the first was still waited for
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
    first = Delivery("webhook", Webhook(url, key=KEY, table="T"), table, outbox)
    started(first, undo)
    roll = tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: table.state.trouble)
    assert "certificate" in table.state.trouble[0].what
    assert sink.calls == []
    first.close()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    started(Delivery("webhook", Webhook(url, key=KEY, table="T"), table, outbox), undo)
    sink.wait_for(lambda calls: [call.json["roll"]["id"] for call in calls] == [roll])


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2.5", 2.5), ("", 5.0), ("-1", 0.0), ("1e9", 3600.0), ("nan", 0.0), ("soon", 5.0),
     ("Fri, 31 Dec 1999 23:59:59 GMT", 0.0)],
)  # fmt: skip
def test_how_long_to_wait_is_read_from_the_answer(text: str, seconds: float) -> None:
    assert wait_seconds(Answer(status=429, headers={"retry-after": text}, body=b"")) == seconds


@pytest.mark.parametrize("count", [24, 25, 26, 31, 32, 64])
@pytest.mark.parametrize("is_padded", [True, False])
def test_a_secret_is_the_same_with_its_padding_and_without(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, count: int, is_padded: bool
) -> None:
    key = bytes(range(count))
    padded = f"whsec_{base64.b64encode(key).decode()}"
    secret = padded if is_padded else padded.rstrip("=")
    assert not list(problems(WebhookSettings(url=sink.url, secret=secret)))
    started(Delivery("webhook", Webhook(sink.url, key=key_of(secret) or b"", table="T"), table, outbox), undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    sink.wait_for(lambda calls: len(calls) == 1)
    call = sink.calls[0]
    signed = signature(key, call.headers["webhook-id"], call.headers["webhook-timestamp"], call.body)
    assert call.headers["webhook-signature"] == signed


@pytest.mark.parametrize(
    "secret",
    ["", "whsec_", "whsec_" + "A" * 45, "whsec_" + "A" * 28, "A" * 44, "whsec_" + "-" * 44, "whsec_" + "A" * 90],
)
def test_a_secret_that_nothing_is_signed_with_is_refused_in_words(secret: str) -> None:
    ((name, what, hint),) = problems(WebhookSettings(url="https://example.org/hook", secret=secret))
    assert name == "secret"
    assert "24 to 64 random bytes" in what
    assert "openssl" in hint
    assert len(secret) < 9 or secret not in what
