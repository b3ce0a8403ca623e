"""Whether what the API answers in any test is as its description says, without a key that is not described."""

from __future__ import annotations

import gzip
import json
from functools import cache, lru_cache
from typing import Any

import jsonschema_rs
from flask import Flask, Response, request, request_finished
from werkzeug.routing import Rule

from tableside.adapters.web.openapi import openapi_document

document = cache(openapi_document)


def faults(value: Any, schema: dict[str, Any]) -> list[str]:
    """Return what of a value is not as a schema says."""
    return _faults(json.dumps(value), json.dumps(schema))


@lru_cache(maxsize=4096)
def _faults(value: str | bytes, schema: str) -> list[str]:
    found = _validator(schema).iter_errors(json.loads(value))
    return [f"{error.instance_path}: {error.message[:300]}" for error in found]


@cache
def _validator(schema: str) -> Any:
    return jsonschema_rs.validator_for(json.loads(schema) | {"components": document()["components"]})


@cache
def _described(rule: str, method: str) -> tuple[str, str, dict[str, str]] | None:
    """Return an act's address and name, and the schema of each answer; ``None`` where it is not described."""
    address = next((one for one in document()["paths"] if _plain(one) == _plain(rule)), "")
    told = document()["paths"].get(address, {}).get(method.lower())
    if told is None:
        return None
    content = {code: one.get("content", {}).get("application/json", {}) for code, one in told["responses"].items()}
    return address, told["operationId"], {code: json.dumps(one.get("schema", False)) for code, one in content.items()}


class Answers:
    """Listens to every app of a test: what it answers in JSON, and what of that is not as described."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.seen: set[str] = set()
        request_finished.connect(self._look)

    def close(self) -> None:
        request_finished.disconnect(self._look)

    def _look(self, _app: Flask, response: Response, **_: Any) -> None:
        rule: Rule | None = request.url_rule
        if not response.is_json or rule is None or not (rule.rule.startswith("/api/") or rule.rule == "/health"):
            return
        if request.method in ("HEAD", "OPTIONS"):
            return
        if rule.rule == "/api/openapi.json" or (response.status_code >= 400 and rule.rule != "/health"):
            return
        if (told := _described(rule.rule, request.method)) is None:
            self.faults.append(f"{request.method} {rule.rule} is not described")
            return
        address, name, schemas = told
        code = "200" if response.status_code == 503 else str(response.status_code)
        self.seen.add(name)
        wrong = _faults(_unpacked(response), schemas.get(code, "false"))
        self.faults += [f"{request.method} {address} {code}: {one}" for one in wrong]


def _unpacked(response: Response) -> bytes:
    body = response.get_data()
    return gzip.decompress(body) if response.content_encoding == "gzip" else body


def _plain(address: str) -> str:
    """Return an address without the names and kinds of its places."""
    for opening, closing in ("<>", "{}"):
        while opening in address:
            before, _, rest = address.partition(opening)
            address = f"{before}*{rest.partition(closing)[2]}"
    return address
