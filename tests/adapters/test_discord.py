"""Discord by its webhook against a local stand-in: posted, edited, deleted, and patient."""

from __future__ import annotations

import email
import json
import time
from contextlib import ExitStack
from typing import Any

import cv2
import numpy as np
import pytest

from tableside.adapters.discord.channel import Discord
from tableside.adapters.discord.picture import DIE_PX, picture_of
from tableside.delivery.delivery import Delivery
from tableside.delivery.outbox import Outbox
from tableside.dice import Die, DieReading, Face, Reading, Status, find_sets
from tableside.dice.outlines import shapes_of
from tableside.table import Table
from tableside.table.kept import RollDie
from tableside.table.messages import ChangeDestiny, ChangeRoll, CorrectDie, Do, EnterRoll, NewRoll, Redo, Undo
from tests.fakes.connected import started, tell
from tests.fakes.http_sink import Call, HttpSink, Reply
from tests.until import until

ABILITY = Die(type="ability", face=("success",))
HOOK = "/api/webhooks/123/token"
CALLED = "/api/v10/webhooks/123/token"
SETS = find_sets(["narrative", "pips", "percentile"])


def posting(table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, **more: Any) -> Delivery:
    discord = Discord(f"{sink.url}{HOOK}", table="Table 3", outbox=outbox, sets=lambda: SETS, **more)
    return started(Delivery("discord", discord, table, outbox), undo)


def told(call: Call) -> tuple[dict[str, Any], bytes]:
    """Return what a request says, and the picture with it, as Discord takes them."""
    kind = call.headers["content-type"]
    if not kind.startswith("multipart/form-data"):
        return call.json, b""
    form = email.message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + call.body)
    parts = {part.get_param("name", header="content-disposition"): part for part in form.get_payload()}
    assert set(parts) == {"payload_json", "files[0]"}
    found, picture = json.loads(parts["payload_json"].get_payload(decode=True)), parts["files[0]"]
    assert picture.get_filename() == found["attachments"][0]["filename"]
    assert found["embeds"][0]["image"]["url"] == f"attachment://{picture.get_filename()}"
    return found, picture.get_payload(decode=True)


class Channel:
    """Discord as far as a webhook sees it: numbered messages that can be edited and deleted."""

    def __init__(self) -> None:
        self.messages: dict[str, str] = {}
        self.refuses: list[Reply] = []

    def __call__(self, call: Call) -> Reply:
        if self.refuses:
            return self.refuses.pop(0)
        path = call.path.split("?")[0]
        if not path.startswith(CALLED):
            return Reply(status=404, body={"code": 10015, "message": "Unknown Webhook"})
        message = path.removeprefix(CALLED).removeprefix("/messages/")
        if call.method == "POST":
            assert call.path.endswith("wait=true")
            made = str(1000 + len(self.messages))
            self.messages[made] = told(call)[0]["content"]
            return Reply(body={"id": made})
        if message not in self.messages:
            return Reply(status=404, body={"code": 10008, "message": "Unknown Message"})
        if call.method == "DELETE":
            del self.messages[message]
            return Reply(status=204)
        self.messages[message] = told(call)[0]["content"]
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
    first, picture = told(sink.calls[0])
    edited, other = told(sink.calls[1])
    assert first["allowed_mentions"] == {"parse": []}
    assert first["username"] == "Table 3"
    assert first["content"].startswith("**Success** · \\@everyone: \\*Stealth\\*")
    assert first["attachments"][0]["description"] == "ability: success"
    assert picture == picture_of([RollDie(type="ability", face=("success",))], SETS)
    assert other == picture_of([RollDie(type="ability", face=())], SETS)
    assert first["embeds"][0]["color"] != edited["embeds"][0]["color"]
    assert "username" not in edited
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
    assert sink.calls[-1].json["attachments"] == sink.calls[-1].json["embeds"] == []  # nor is the picture left
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
    discord = Discord(f"{sink.url}/api/webhooks/9/tokentoken", table="T", outbox=outbox, sets=lambda: SETS)
    started(Delivery("discord", discord, table, outbox), undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: table.state.trouble)
    trouble = table.state.trouble[0]
    assert trouble.what == "answers 404"
    assert "token" not in json.dumps(trouble.to_json())


def test_what_is_in_doubt_is_asked_about_and_no_result_until_it_is_settled(
    table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack
) -> None:
    delivery = posting(table, sink, outbox, undo)
    box = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    read = DieReading(type="ability", face=("success",), center=(5.0, 5.0), outline=box, confidence=0.6,
                      status=Status.UNSURE)  # fmt: skip
    roll = tell(table, NewRoll, reading=Reading(width=320, height=240, dice=(read,)))
    until(lambda: delivery.done == 1)
    first, picture = told(sink.calls[0])
    assert first["content"].startswith("**Being asked**")
    assert "uccess" not in first["content"]
    assert picture != picture_of([RollDie(type="ability", face=("success",))], SETS)  # a ring
    tell(table, CorrectDie, roll_id=roll, index=0, type="ability", face=("success",))
    until(lambda: delivery.done == 2)
    settled, picture = told(sink.calls[1])
    assert settled["content"].startswith("**Success**")
    assert picture == picture_of([RollDie(type="ability", face=("success",))], SETS)


def drawn(*dice: tuple[str, Face]) -> Any:
    png = picture_of([RollDie(type=kind, face=face) for kind, face in dice], SETS)
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)[..., ::-1].astype(int)


def centre(picture: Any, row: int, column: int, *, up: int = 0) -> Any:
    step = DIE_PX + 12
    return picture[12 + row * step + DIE_PX // 2 - up, 12 + column * step + DIE_PX // 2]


def test_dice_are_drawn_in_their_colours_what_hinders_below() -> None:
    picture = drawn(("difficulty", ()), ("ability", ()), ("pip", ("1",)), ("pip", ("2",)))
    red, green, blue = centre(picture, 0, 0)  # the biggest first
    assert green > red + 50
    assert green > blue + 50
    red, green, blue = centre(picture, 1, 0)
    assert blue > green + 50
    assert centre(picture, 0, 1).max() < 60  # the pip of a one, and none of a two
    assert centre(picture, 0, 2).min() > 200
    assert picture.shape == (2 * (DIE_PX + 12) + 12, 3 * (DIE_PX + 12) + 12, 3)


def test_a_symbol_has_its_holes_and_arcs() -> None:
    picture = drawn(("force", ("light",)), ("force", ("dark",)))
    assert centre(picture, 0, 0).min() > 200
    assert centre(picture, 0, 1).max() < 60
    ring = round(0.35 * 0.43 * DIE_PX)  # of a drawing of 100 its radius is 28 to 42
    assert centre(picture, 0, 0, up=ring).max() < 60


def test_every_drawing_of_the_sets_can_be_drawn_and_a_strange_one_is_written() -> None:
    for one in SETS:
        for symbol in one.symbols:
            path = one.drawing(symbol)
            assert path is None or shapes_of(path.read_text(encoding="utf-8"))
    assert shapes_of('<svg><path d="m1 1 l2 2 z"/></svg>') == []
    assert shapes_of('<svg><circle cx="5" cy="5" r="2"/><polygon points="1,1 2,2 3,1"/></svg>') == []
    assert (drawn(("dragon", ("fire",))) != drawn(("dragon", ()))).any()
    assert picture_of([], SETS) == b""


@pytest.mark.parametrize("repeat", [str, str.upper, lambda path: path.replace("-", "%2D"), lambda path: path[4:]])
def test_a_token_that_discord_repeats_gets_into_no_log(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, caplog: pytest.LogCaptureFixture, repeat: Any
) -> None:
    """Discord is called by another path than the settings have, so the whole path is not what it repeats."""
    token = "q7-Zr_81-kPwx"
    discord = Discord(f"{sink.url}/api/webhooks/84/{token}", table="T", outbox=outbox, sets=lambda: SETS)
    started(Delivery("discord", discord, table, outbox), undo)
    sink.answer = lambda call: Reply(status=400, body={"message": f"nothing is at {repeat(call.path)}"})
    tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: "nothing is at" in caplog.text)
    said = (repr(table.state.trouble) + caplog.text).lower()
    assert token.lower() not in said
    assert "zr_81" not in said
