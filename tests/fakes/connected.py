"""Hands for the tests of connections."""

from __future__ import annotations

import uuid
from contextlib import ExitStack
from typing import Any

from tableside.delivery.delivery import Delivery
from tableside.table import Table


def started(delivery: Delivery, undo: ExitStack) -> Delivery:
    undo.callback(delivery.close)
    delivery.start()
    return delivery


def tell(table: Table, kind: type[Any], **more: Any) -> str:
    message = kind(id=str(uuid.uuid4()), at=1.0, **more)
    table.ask(message)
    return str(message.id)
