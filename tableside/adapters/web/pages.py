"""The pages, their parts and the drawings of symbols."""

from __future__ import annotations

import gzip
import hashlib
import json
import posixpath
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    render_template,
    request,
    send_file,
    send_from_directory,
)

from tableside.adapters.web.body import told
from tableside.adapters.web.guard import Missing
from tableside.dice import DiceSet, Face
from tableside.record import Record
from tableside.rules import find_game, game_names
from tableside.table import Table

_KEPT = "public, max-age=31536000, immutable"
"""A year (RFC 9111, 5.2.2.1; RFC 8246): what changes has another address."""
_IMPORT = re.compile(r"""^(?:import|export)\s+(?:[^;"'()=]*\sfrom\s+)?["'](\.[^"']+)["']""", re.M)
PAGES = ("gm", "player", "overlay", "pair", "setup", "lookup")


def page_of(name: str) -> Response:
    """Return a page, made from its template, or that the browser has it already."""
    answer = make_response(render_template(f"{name}.html"))
    answer.add_etag()
    answer.make_conditional(request)
    return packed(answer)


def languages_of(folder: Path) -> dict[str, str]:
    """Return the languages that the pages speak, a file each, by what each calls itself."""
    return {path.stem: json.loads(path.read_text("utf-8"))["name"] for path in sorted(folder.glob("words/*.json"))}


def words_of(folder: Path, language: str) -> dict[str, Any]:
    """Return all that the pages say in a language: their own words, and under ``table`` those of the games, too."""
    words: dict[str, Any] = json.loads((folder / "words" / f"{language}.json").read_text("utf-8"))
    games = [find_game(name).words(language) for name in game_names()]
    return words | {"table": {key: text for said in (*games, words.get("table", {})) for key, text in said.items()}}


class Files:
    """The parts of the pages: scripts, styles, drawings, typefaces and words.

    A browser that has them asks for none of them again: they stand under a hash of all.

    :param folder: where they are. :ivar languages: what each language that the pages speak calls itself.
    :ivar version: that hash; it is another one where any of them, or what a game says, is.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.languages = languages_of(folder)
        self.modules = cache(self._modules)
        self._words = {one: json.dumps(words_of(folder, one), ensure_ascii=False) for one in self.languages}
        found = hashlib.blake2b(json.dumps(self._words).encode(), digest_size=6)
        for path in sorted(folder.rglob("*.*")):
            found.update(str(path.relative_to(folder)).encode() + path.read_bytes())
        self.version = found.hexdigest()

    def words(self, language: str) -> str:
        """Return all that the pages say in a language as JSON, and under ``table`` what the games say, too."""
        return self._words[language]

    def _modules(self, script: str) -> list[str]:
        """Return the scripts that a page's script cannot begin without, so that a browser asks for all at once."""
        found: dict[str, None] = {f"{script}.js": None}
        for name in (waiting := [*found]):
            text = (self._folder / name).read_text("utf-8")
            near = (posixpath.normpath(posixpath.join(posixpath.dirname(name), one)) for one in _IMPORT.findall(text))
            new = [one for one in dict.fromkeys(near) if one not in found]
            found |= dict.fromkeys(new)
            waiting += new
        return [*found][1:]

    def last(self, answer: Response, version: str) -> Response:
        """Have the browser keep an answer for good, where it was asked for by its address of now."""
        if version == self.version:
            answer.headers["Cache-Control"] = _KEPT
        return answer


@lru_cache(maxsize=256)
def _gzipped(text: bytes) -> bytes:
    """Return a text packed; each is packed once, however many browsers ask for it."""
    return gzip.compress(text, compresslevel=6, mtime=0)


def packed(answer: Response) -> Response:
    """Return a file packed where it is text and who asked takes it so: it then weighs a third."""
    kind = answer.mimetype or ""
    if not (kind.startswith("text/") or kind in ("application/json", "image/svg+xml")):
        return answer
    answer.vary.add("Accept-Encoding")
    if answer.status_code != 200 or not request.accept_encodings["gzip"]:
        return answer
    answer.direct_passthrough = False
    answer.data = _gzipped(answer.data)
    answer.content_encoding = "gzip"
    tag, _ = answer.get_etag()
    if tag is not None:
        answer.set_etag(tag, weak=True)  # the same text in another form of bytes
    return answer


def page_routes(folder: Path, files: Files, table: Table) -> Blueprint:
    """Return the addresses of pages and drawings. The dice are those of now; more may be taught meanwhile."""
    routes = Blueprint("pages", __name__)

    @routes.get("/")
    def table_screen() -> Response:
        return page_of("index")

    @routes.get(f"/<any({', '.join(PAGES)}):page>")
    def page(page: str) -> Response:
        return page_of(page)

    @routes.get("/manifest.json")
    def manifest() -> Response:
        """What a browser needs to install a page: the one that it was asked from begins."""
        at = request.args.get("at", "/")
        icons = [("icon-192", 192, "any"), ("icon-512", 512, "any"), ("icon-maskable", 512, "maskable")]
        told = {
            "name": "Tableside",
            "short_name": "Tableside",
            "description": "Reads real dice in a tray, scores them and shows the result.",
            "start_url": at if at in ("/", *(f"/{page}" for page in PAGES)) else "/player",
            "scope": "/",
            "display": "standalone",
            "background_color": "#0b0e13",
            "theme_color": "#0b0e13",
            "icons": [
                {
                    "src": f"/v-{files.version}/{name}.png",
                    "sizes": f"{px}x{px}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, px, purpose in icons
            ],
        }
        return Response(json.dumps(told), mimetype="application/manifest+json")

    @routes.get("/setup/dice")
    def dice_page() -> Response:
        return page_of("dice-setup")

    @routes.get("/setup/card")
    def card_page() -> Response:
        return page_of("card")

    @routes.get("/words/<language>.json")
    @routes.get("/v-<version>/words/<language>.json")
    def words(language: str, version: str = "") -> Response:
        if language not in files.languages:
            abort(404)
        answer = Response(files.words(language), mimetype="application/json")
        answer.add_etag()
        answer.make_conditional(request)
        return packed(files.last(answer, version))

    @routes.get("/<path:name>")
    @routes.get("/v-<version>/<path:name>")
    def file(name: str, version: str = "") -> Response:
        if name.endswith(".html"):
            abort(404)  # a page is told by its name, and what it is made from is no page
        return packed(files.last(send_from_directory(folder, name), version))

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
        return told(_show_set(dice_set) for dice_set in table.system.sets)

    return routes


class ShownType(Record, frozen=True, kw_only=True):
    """A type of dice as pages draw it.

    :ivar any_colour: its colours are only the usual ones. :ivar variant_of: the type that it differs from by colour.
    :ivar hinders: it is against who rolls. :ivar faces: each once.
    """

    name: str
    title: str
    solid: str
    body: str
    ink: str
    any_colour: bool
    variant_of: str
    hinders: bool
    faces: tuple[Face, ...]


class ShownSet(Record, frozen=True, kw_only=True):
    """A set of dice as pages draw it.

    :ivar whole_face: a face is told as a whole. :ivar drawings: symbols that have a drawing.
    """

    name: str
    title: str
    whole_face: bool
    types: tuple[ShownType, ...]
    drawings: tuple[str, ...]


def _show_set(dice_set: DiceSet) -> ShownSet:
    return ShownSet(
        name=dice_set.name,
        title=dice_set.title,
        whole_face=dice_set.whole_face,
        types=tuple(ShownType.from_fields(one, faces=tuple(one.distinct_faces)) for one in dice_set.types),
        drawings=tuple(symbol for symbol in dice_set.symbols if dice_set.drawing(symbol)),
    )
