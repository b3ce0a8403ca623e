"""Discord by its webhook against a local stand-in: posted, edited, deleted, and patient."""

from __future__ import annotations

import email
import json
import time
import uuid
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tableside import paths
from tableside.adapters.discord.channel import Discord, message_of
from tableside.adapters.web import Services, create_app
from tableside.app.pictures import RollPictures
from tableside.delivery.delivery import Delivery
from tableside.delivery.outbox import Outbox
from tableside.dice import Die, find_sets
from tableside.table import MemoryStore, Table
from tableside.table.messages import ChangeDestiny, ChangeRoll, CorrectDie, Do, EnterRoll, NewRoll, Redo, Undo
from tests.adapters.test_web_access import caller
from tests.conftest import SYSTEM
from tests.fakes.connected import started, tell
from tests.fakes.http_sink import Call, HttpSink, Reply
from tests.fakes.tray import DrawnReader, draw_tray
from tests.nows import ROWS, Scene, title
from tests.until import until

ABILITY = Die(type="ability", face=("success",))
HOOK = "/api/webhooks/123/token"
CALLED = "/api/v10/webhooks/123/token"
SETS = find_sets(["narrative", "pips", "percentile"])


def no_picture(_: str) -> None:
    return None


def posting(table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, **more: Any) -> Delivery:
    more = {"picture": no_picture, **more}
    discord = Discord(f"{sink.url}{HOOK}", table="Table 3", outbox=outbox, sets=lambda: SETS, **more)
    return started(Delivery("discord", discord, table, outbox), undo)


def told(call: Call) -> tuple[dict[str, Any], Any]:
    """Return what a request says, and the picture with it, as Discord takes them."""
    kind = call.headers["content-type"]
    if not kind.startswith("multipart/form-data"):
        return call.json, None
    form = email.message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + call.body)
    parts = {part.get_param("name", header="content-disposition"): part for part in form.get_payload()}
    assert set(parts) == {"payload_json", "files[0]"}
    found, picture = json.loads(parts["payload_json"].get_payload(decode=True)), parts["files[0]"]
    shown = cv2.imdecode(np.frombuffer(picture.get_payload(decode=True), np.uint8), cv2.IMREAD_COLOR)
    assert picture.get_filename() == found["attachments"][0]["filename"]
    assert found["embeds"][0]["image"]["url"] == f"attachment://{picture.get_filename()}"
    return found, shown.astype(int)


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
    first, edited = sink.calls[0].json, sink.calls[1].json
    assert first["allowed_mentions"] == {"parse": []}
    assert first["username"] == "Table 3"
    assert first["content"].startswith("**Success** · \\@everyone: \\*Stealth\\*")
    assert first["content"].endswith("🟩 ability\\: success")
    assert edited["content"].endswith("🟩 ability\\: blank")
    assert first["attachments"] == first["embeds"] == []
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
    discord = Discord(
        f"{sink.url}/api/webhooks/9/tokentoken", table="T", outbox=outbox, sets=lambda: SETS, picture=no_picture
    )
    started(Delivery("discord", discord, table, outbox), undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: table.state.trouble)
    trouble = table.state.trouble[0]
    assert trouble.what == "answers 404"
    assert "token" not in json.dumps(trouble.to_json())


def test_what_is_in_doubt_is_asked_about_and_no_result_until_it_is_settled(
    table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack, tmp_path: Path
) -> None:
    """Its photograph shows the dice close by, the one in doubt in another colour until somebody has settled it."""
    pictures = RollPictures(tmp_path)
    delivery = posting(table, sink, outbox, undo, picture=pictures.path)
    tray = draw_tray(("doubtful", 80, 60), ("yellow", 130, 90), size=(640, 480))
    roll = str(uuid.uuid4())
    pictures.keep(roll, tray)
    table.ask(NewRoll(id=roll, at=1.0, reading=DrawnReader().read(tray), has_picture=True))
    until(lambda: delivery.done == 1)
    first, asked = told(sink.calls[0])
    assert first["content"].startswith("**Being asked**")
    assert "uccess" not in first["content"]
    assert first["attachments"][0]["description"].startswith("🟨 proficiency: triumph, 🟦❔ boost: advantage")
    assert asked.shape[0] < 150  # the dice, and little of what lies round them
    tell(table, CorrectDie, roll_id=roll, index=1, type="boost", face=("advantage",))
    until(lambda: delivery.done == 2)
    edited, settled = told(sink.calls[1])
    assert edited["content"].startswith("**Success**")
    assert first["embeds"][0]["color"] != edited["embeds"][0]["color"]
    assert np.abs(asked - settled)[:, : asked.shape[1] // 2].max() > 100
    assert np.abs(asked - settled)[:, asked.shape[1] // 2 :].max() < 40


def test_each_kind_of_die_has_a_sign_of_its_colour_and_equal_ones_are_counted(
    table: Table, sink: HttpSink, channel: Channel, outbox: Outbox, undo: ExitStack
) -> None:
    delivery = posting(table, sink, outbox, undo)
    for dice_set, signs in ((SETS[0], "🟦⬛🟩🟪🟨🟥⬜"), (SETS[1], "⬜🟥")):
        tell(table, EnterRoll, dice=tuple(Die(type=kind.name, face=kind.faces[-1]) for kind in dice_set.types * 2))
        until(lambda: delivery.done == len(sink.calls) == table.state.last_number)
        said = sink.calls[-1].json["content"].splitlines()[-1].split(", ")
        assert "".join(part.split(" ")[0] for part in said) == signs
        assert all(part.endswith("×2") for part in said)


@pytest.mark.parametrize("repeat", [str, str.upper, lambda path: path.replace("-", "%2D"), lambda path: path[4:]])
def test_a_token_that_discord_repeats_gets_into_no_log(
    table: Table, sink: HttpSink, outbox: Outbox, undo: ExitStack, caplog: pytest.LogCaptureFixture, repeat: Any
) -> None:
    """Discord is called by another path than the settings have, so the whole path is not what it repeats."""
    token = "q7-Zr_81-kPwx"
    discord = Discord(
        f"{sink.url}/api/webhooks/84/{token}", table="T", outbox=outbox, sets=lambda: SETS, picture=no_picture
    )
    started(Delivery("discord", discord, table, outbox), undo)
    sink.answer = lambda call: Reply(status=400, body={"message": f"nothing is at {repeat(call.path)}"})
    tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: "nothing is at" in caplog.text)
    said = (repr(table.state.trouble) + caplog.text).lower()
    assert token.lower() not in said
    assert "zr_81" not in said


@pytest.mark.parametrize("row", [one for one in ROWS if one["name"] in ("wrong", "more", "spend", "result")], ids=title)
def test_a_message_has_the_words_of_the_table(row: dict[str, Any]) -> None:
    with closing(Table(SYSTEM, MemoryStore())) as table:
        app = create_app(Services(table=table, web_folder=paths.web_folder()))
        Scene(table, caller(app.test_client())).bring_to(row)
        roll = table.state.find_roll(table.state.now.roll or "")
        assert roll is not None
        content = message_of(roll, SYSTEM.sets, has_picture=False)["content"]
        assert content.startswith(f"**{row['places'][2]}**")
