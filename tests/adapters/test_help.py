"""The guide at ``/help``: whole, within the table, and nothing beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

import pytest
from flask.testing import FlaskClient

from tableside import paths
from tableside.adapters.web import Services, create_app
from tableside.adapters.web.openapi import openapi_document
from tableside.app.guide import made_parts
from tableside.config import SECTIONS
from tableside.rules import game_names
from tableside.table import MemoryStore, System, Table
from tests.conftest import ROOT

DOCS = ROOT / "docs"


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    table = Table(System(sets=()), MemoryStore())
    try:
        yield create_app(
            Services(
                table=table, web_folder=paths.web_folder(), guide_folder=paths.guide_folder(), guide_parts=made_parts()
            )
        ).test_client()
    finally:
        table.close()


def test_whoever_follows_every_link_and_picture_of_the_guide_finds_each_page(client: FlaskClient) -> None:
    to_do, seen = ["/help"], {"/help"}
    while to_do:
        with client.get(to_do.pop()) as answer:
            assert answer.status_code == 200
            html = answer.text if answer.mimetype == "text/html" else ""
        for link in re.findall(r'(?:href|src)="(/help(?:/[^"#]*)?)[#"]', html):
            if link not in seen:
                seen.add(link)
                to_do.append(link)
        here = set(re.findall(r'href="#([^"]+)"', html))
        assert here <= set(re.findall(r'id="([^"]+)"', html))
    pages = {f"/help/{path.relative_to(DOCS).with_suffix('')}" for path in DOCS.rglob("*.md")} - {"/help/README"}
    pages |= {f"/help/rules/{name}" for name in game_names()}
    assert pages <= seen, "a page that no link of the guide leads to"


def test_a_link_to_a_part_of_another_page_leads_to_its_heading(client: FlaskClient) -> None:
    for page in DOCS.rglob("*.md"):
        for name, part in re.findall(
            r'href="(/help[^"#]*)#([^"]+)"', client.get(f"/help/{page.relative_to(DOCS).with_suffix('')}").text
        ):
            assert f'id="{part}"' in client.get(name).text, f"{page.name}: {name}#{part}"


def test_every_address_with_its_keys_is_drawn(client: FlaskClient) -> None:
    page = client.get("/help/api").text
    document = openapi_document()
    for address, ways in document["paths"].items():
        for way in ways:
            assert f"<code>{way.upper()} {address}</code>" in page
    for schema in document["components"]["schemas"].values():
        for key in schema.get("properties", {}):
            assert f"<td><code>{key}</code></td>" in page
    assert "the id of the person it is made against" in page


def test_every_setting_is_drawn_with_what_is_usual_and_what_it_means(client: FlaskClient) -> None:
    page = client.get("/help/settings").text
    for section, kind in SECTIONS.items():
        assert f">[{section}]<" in page
        for key in fields(kind):
            assert re.search(rf"<td><code>{key.name}</code></td>\n<td>.+</td>\n<td>\S.+</td>", page), key.name


def test_a_link_out_of_the_guide_is_its_words_alone_and_a_point_of_such_links_goes(client: FlaskClient) -> None:
    index, page = client.get("/help").text, client.get("/help/settings").text
    assert "What do you want to do?" in index
    assert "wire and print" not in index  # pages of the checkout
    assert "Write a program" in index
    assert "hardware" in page
    assert not re.findall(r'href="[^"]*(?:\.md|\.\.)', index + page)


@pytest.mark.parametrize(
    "name",
    ["nothing", "../README", "%2e%2e/CONTRIBUTING", "rules/../../README", "rules/nothing", "settings.py", "throw.mp4"],
)
def test_nothing_but_pages_and_pictures_of_the_guide_is_told(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/help/{name}")
    assert answer.status_code == 404
    assert "error" in answer.json
