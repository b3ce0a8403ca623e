"""The guide at ``/help``, so that nobody needs another screen or the internet to read it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Blueprint, Response, make_response, render_template, request, send_from_directory

from tableside.adapters.web.guard import Missing
from tableside.rules import find_game, game_names

if TYPE_CHECKING:
    from markdown_it.token import Token

_HOME = "README"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """A page of the guide.

    :ivar place: in a checkout, which its links begin at: ``"docs/camera.md"``.
    """

    name: str
    file: Path
    place: str


def help_routes(folder: Path, made: Mapping[str, Callable[[], str]]) -> Blueprint:
    """Return the addresses of the guide's pages and pictures; each game that is installed brings its page.

    :param folder: of the guide: Markdown files and their pictures.
    :param made: what stands below a page of this name, made when it is read.
    """
    routes = Blueprint("help", __name__)
    guides = [(f"rules/{name}", guide) for name in game_names() if (guide := find_game(name).guide)]
    of_games = [
        _Page(name=name, file=file, place=f"tableside/games/{file.parent.name}/guide.md") for name, file in guides
    ]
    of_names = {page.name: page for page in of_games}
    of_places = {page.place: page.name for page in of_games}

    @routes.get("/help", defaults={"name": _HOME})
    @routes.get("/help/<path:name>")
    def page(name: str) -> Response:
        if Path(name).suffix in (".png", ".svg", ".webp"):
            return send_from_directory(folder, name, max_age=3600)
        file = folder / f"{name}.md"
        is_there = file.resolve().is_relative_to(folder.resolve()) and file.is_file()
        found = of_names.get(name) or (_Page(name=name, file=file, place=f"docs/{name}.md") if is_there else None)
        if found is None:
            raise Missing("no such page of the guide", where=name[:80], hint="Open /help for all pages.")
        title, body = shown(found)
        answer = make_response(render_template("help.html", title=title, body=body, is_home=name == _HOME))
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    @cache
    def shown(page: _Page) -> tuple[str, str]:
        more = made[page.name]() if page.name in made else ""
        return _page_html(page, f"{page.file.read_text(encoding='utf-8')}\n{more}", of_places)

    return routes


def _page_html(page: _Page, text: str, of_places: Mapping[str, str]) -> tuple[str, str]:
    """Return a page's title and its HTML. Links lead within the guide; what lies outside of it is its words alone.

    :param of_places: the names of pages that do not lie in the guide's folder, by their place in a checkout.
    """
    from markdown_it import MarkdownIt  # it takes a while, and a table need not wait for it
    from mdit_py_plugins.anchors import anchors_plugin

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").use(anchors_plugin, max_level=3)
    tokens = _without_points_that_lead_out(markdown.parse(text), posixpath.dirname(page.place), of_places)
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # a wide one scrolls, also by the keyboard
        if token.children:
            token.children = _lead_links(token.children, posixpath.dirname(page.place), of_places)
    title = next((token.content for token in tokens if token.type == "inline"), page.name)
    return title, markdown.renderer.render(tokens, markdown.options, {})


def _without_points_that_lead_out(tokens: list[Token], folder: str, of_places: Mapping[str, str]) -> list[Token]:
    """Leave out each point of a list whose only ways lead out of the guide: no phone can go there."""
    kept: list[Token] = []
    for token in tokens:
        kept.append(token)
        if token.type == "list_item_close":
            begin = max(n for n, one in enumerate(kept) if one.type == "list_item_open")
            inner = [part for one in kept[begin:] for part in one.children or () if part.type == "link_open"]
            if inner and not any(_address(str(link.attrGet("href")), folder, of_places) for link in inner):
                del kept[begin:]
    return kept


def _lead_links(tokens: list[Token], folder: str, of_places: Mapping[str, str]) -> list[Token]:
    """Return the words of a line with addresses as the table has them, without links that lead out of the guide."""
    led, is_open = [], True
    for token in tokens:
        if token.type == "image":
            picture = posixpath.normpath(posixpath.join(folder, str(token.attrGet("src"))))
            token.attrSet("src", f"/help/{picture.removeprefix('docs/')}")
        if token.type == "link_open":
            address = _address(str(token.attrGet("href")), folder, of_places)
            is_open = address is not None
            token.attrSet("href", address or "")
        if is_open or token.type not in ("link_open", "link_close"):
            led.append(token)
    return led


def _address(link: str, folder: str, of_places: Mapping[str, str]) -> str | None:
    """Return where a link of a page in ``folder`` leads at the table, ``None`` where that is no page of the guide."""
    parts = urlsplit(link)
    if parts.scheme or not parts.path:
        return link
    place = posixpath.normpath(posixpath.join(folder, parts.path))
    is_of_guide = place.startswith("docs/") and place.endswith(".md")
    page = of_places.get(place, place.removeprefix("docs/").removesuffix(".md") if is_of_guide else "")
    if not page:
        return None
    return ("/help" if page == _HOME else f"/help/{page}") + (f"#{parts.fragment}" if parts.fragment else "")
