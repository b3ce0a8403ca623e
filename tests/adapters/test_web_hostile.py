"""The API against its own description, and against ten thousand hostile requests."""

from __future__ import annotations

import json
import os
import random
import string
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.openapi.checks import UndefinedStatusCode  # noqa: F401 - proves that the OpenAPI checks are there

from tableside import paths
from tableside.adapters.web import create_app
from tableside.adapters.web.pairing import Pairing, Role
from tableside.dice import find_sets
from tableside.table import MemoryStore, System, Table
from tableside.table.messages import ChangeDestiny, Do

SETS = find_sets(["narrative", "pips"])
REQUESTS = int(os.environ.get("TABLESIDE_HOSTILE", "1500"))
load_all_checks()
TABLE = Table(System(sets=SETS), MemoryStore())
APP = create_app(TABLE, web_folder=paths.web_folder(), sets=SETS, most_streams=0, read_again=lambda: None)
CHECKS = [
    check
    for check in schemathesis.checks.CHECKS.get_all()
    if check.__name__ in {"not_a_server_error", "status_code_conformance", "content_type_conformance",
                          "response_schema_conformance", "negative_data_rejection"}
]  # fmt: skip
SCHEMA = schemathesis.openapi.from_wsgi("/api/openapi.json", APP)
SCHEMA.config.generation.update(modes=list(schemathesis.GenerationMode))


@pytest.fixture(scope="module", autouse=True)
def closed_at_the_end() -> Iterator[None]:
    yield
    TABLE.close()
