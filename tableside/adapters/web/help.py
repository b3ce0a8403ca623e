"""The guide at ``/help``, so that nobody needs another screen or the internet to read it."""

from __future__ import annotations

import posixpath
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from flask import Blueprint, Response, make_response, render_template, request, send_from_directory
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin

from tableside.adapters.web.guard import Missing

_HOME = "README"


def help_routes(folder: Path) -> Blueprint:
    """Return the addresses of the guide's pages and pictures.

    :param folder: of the guide: Markdown files and their pictures.
    """
    routes = Blueprint("help", __name__)

    @routes.get("/help", defaults={"name": _HOME})
    @routes.get("/help/<path:name>")
    def page(name: str) -> Response:
        if Path(name).suffix in (".png", ".svg", ".webp"):
            return send_from_directory(folder, name, max_age=3600)
        file = folder / f"{name}.md"
        if not file.resolve().is_relative_to(folder.resolve()) or not file.is_file():
            raise Missing("no such page of the guide", where=name[:80], hint="Open /help for all pages.")
        title, body = _shown(file, name)
        answer = make_response(render_template("help.html", title=title, body=body, is_home=name == _HOME))
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    return routes


@cache
def _shown(file: Path, name: str) -> tuple[str, str]:
    """Return a page's title and its HTML. Links lead within the guide; what lies outside of it is its words alone."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").use(anchors_plugin, max_level=3)
    tokens = markdown.parse(file.read_text(encoding="utf-8"))
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # a wide one scrolls, also by the keyboard
        if token.children:
            token.children = _led(token.children, posixpath.dirname(name))
    title = next((token.content for token in tokens if token.type == "inline"), name)
    return title, markdown.renderer.render(tokens, markdown.options, {})


def _led(tokens: list[Token], folder: str) -> list[Token]:
    """Return the words of a line with addresses as the table has them, without links that lead out of the guide."""
    led, is_open = [], True
    for token in tokens:
        if token.type == "image":
            token.attrSet("src", "/help/" + posixpath.normpath(posixpath.join(folder, str(token.attrGet("src")))))
        if token.type == "link_open":
            address = _address(str(token.attrGet("href")), folder)
            is_open = address is not None
            token.attrSet("href", address or "")
        if is_open or token.type not in ("link_open", "link_close"):
            led.append(token)
    return led


def _address(link: str, folder: str) -> str | None:
    """Return where a link of a page in ``folder`` leads at the table, ``None`` where that is no page of the guide."""
    parts = urlsplit(link)
    if parts.scheme or not parts.path:
        return link
    path = posixpath.normpath(posixpath.join(folder, parts.path))
    if path.startswith("..") or not path.endswith(".md"):
        return None
    page = path.removesuffix(".md")
    return ("/help" if page == _HOME else f"/help/{page}") + (f"#{parts.fragment}" if parts.fragment else "")
