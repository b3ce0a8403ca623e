"""Whether what the API answers in any test is as its description says, without a key that is not described."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any

import jsonschema_rs
from flask import Flask, Response, request, request_finished
from werkzeug.routing import Rule

from tableside.adapters.web.openapi import openapi_document

document = cache(openapi_document)


def faults(value: Any, schema: dict[str, Any]) -> list[str]:
    """Return what of a value is not as a schema says."""
    found = _validator(json.dumps(schema)).iter_errors(json.loads(json.dumps(value)))
    return [f"{error.instance_path}: {error.message[:300]}" for error in found]


@cache
def _validator(schema: str) -> Any:
    return jsonschema_rs.validator_for(json.loads(schema) | {"components": document()["components"]})


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
        address = next((one for one in document()["paths"] if _plain(one) == _plain(rule.rule)), "")
        told = document()["paths"].get(address, {}).get(request.method.lower())
        if told is None:
            self.faults.append(f"{request.method} {rule.rule} is not described")
            return
        code = "200" if response.status_code == 503 else str(response.status_code)
        content = told["responses"].get(code, {}).get("content", {})
        self.seen.add(told["operationId"])
        wrong = faults(json.loads(_unpacked(response)), content.get("application/json", {}).get("schema", False))
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
