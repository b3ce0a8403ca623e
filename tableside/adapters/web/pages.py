"""The pages, their parts and the drawings of symbols."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    make_response,
    render_template,
    request,
    send_file,
    send_from_directory,
)

from tableside.adapters.web.guard import Missing
from tableside.dice import DiceSet
from tableside.rules import find_game, game_names
from tableside.table import Table

PAGES = ("gm", "player", "overlay", "pair", "setup", "lookup")


def page_of(name: str) -> Response:
    """Return a page, made from its template, or that the browser has it already."""
    answer = make_response(render_template(f"{name}.html"))
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def languages_of(folder: Path) -> dict[str, str]:
    """Return the languages that the pages speak, a file each, by what each calls itself."""
    return {path.stem: json.loads(path.read_text("utf-8"))["name"] for path in sorted(folder.glob("words/*.json"))}


def words_of(folder: Path, language: str) -> dict[str, Any]:
    """Return all that the pages say in a language: their own words, and under ``table`` those of the games, too."""
    words: dict[str, Any] = json.loads((folder / "words" / f"{language}.json").read_text("utf-8"))
    games = [find_game(name).words(language) for name in game_names()]
    return words | {"table": {key: text for said in (*games, words.get("table", {})) for key, text in said.items()}}


def packed(answer: Response) -> Response:
    """Return a file packed where it is text and who asked takes it so: it then weighs a third."""
    kind = answer.mimetype or ""
    if not (kind.startswith("text/") or kind in ("application/json", "image/svg+xml")):
        return answer
    answer.vary.add("Accept-Encoding")
    if answer.status_code != 200 or not request.accept_encodings["gzip"]:
        return answer
    answer.direct_passthrough = False
    answer.data = gzip.compress(answer.data, compresslevel=6, mtime=0)
    answer.content_encoding = "gzip"
    tag, _ = answer.get_etag()
    if tag is not None:
        answer.set_etag(tag, weak=True)  # the same text in another form of bytes
    return answer


def page_routes(folder: Path, table: Table) -> Blueprint:
    """Return the addresses of pages and drawings. The dice are those of now; more may be taught meanwhile."""
    routes = Blueprint("pages", __name__)

    @routes.get("/")
    def table_screen() -> Response:
        return page_of("index")

    @routes.get(f"/<any({', '.join(PAGES)}):page>")
    def page(page: str) -> Response:
        return page_of(page)

    @routes.get("/setup/dice")
    def dice_page() -> Response:
        return page_of("dice-setup")

    @routes.get("/setup/card")
    def card_page() -> Response:
        return page_of("card")

    languages = languages_of(folder)

    @cache
    def spoken(language: str) -> str:
        return json.dumps(words_of(folder, language), ensure_ascii=False)

    @routes.get("/words/<language>.json")
    def words(language: str) -> Response:
        if language not in languages:
            abort(404)
        answer = Response(spoken(language), mimetype="application/json")
        answer.add_etag()
        answer.make_conditional(request)
        return packed(answer)

    @routes.get("/<path:name>")
    def file(name: str) -> Response:
        if name.endswith(".html"):
            abort(404)  # a page is told by its name, and what it is made from is no page
        return packed(send_from_directory(folder, name))

    @routes.get("/symbols/<set_name>/<symbol>.svg")
    def drawing(set_name: str, symbol: str) -> Any:
        found = [one for one in table.system.sets if one.name == set_name and symbol in one.symbols]
        path = found[0].drawing(symbol) if found else None
        if path is None:
            where, hint = f"{set_name}/{symbol}"[:80], "See /api/sets for the symbols."
            raise Missing("no such drawing", where=where, hint=hint)
        return send_file(path, mimetype="image/svg+xml", max_age=3600)

    @routes.get("/api/sets")
    def all_sets() -> Response:
        return jsonify([_set_json(dice_set) for dice_set in table.system.sets])

    return routes


def _set_json(dice_set: DiceSet) -> dict[str, Any]:
    types = [
        {
            "name": t.name,
            "title": t.title,
            "solid": t.solid,
            "body": t.body,
            "ink": t.ink,
            "any_colour": t.any_colour,
            "variant_of": t.variant_of,
            "hinders": t.hinders,
            "faces": [list(face) for face in t.distinct_faces],
        }
        for t in dice_set.types
    ]
    drawn = [symbol for symbol in dice_set.symbols if dice_set.drawing(symbol)]
    return {
        "name": dice_set.name,
        "title": dice_set.title,
        "whole_face": dice_set.whole_face,
        "types": types,
        "drawings": drawn,
    }
