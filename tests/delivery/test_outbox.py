"""The file that notes what each connection has confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tableside.delivery.outbox import Outbox
from tableside.errors import StoreError


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    outbox = Outbox(tmp_path / "connections.sqlite")
    yield outbox
    outbox.close()


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
