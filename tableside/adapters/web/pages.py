"""The pages, their parts and the drawings of symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify, send_file, send_from_directory

from tableside.dice import DiceSet

PAGES = ("gm", "player", "overlay", "pair", "setup")


def add_pages(
    app: Flask, web_folder: Path, sets: Callable[[], Sequence[DiceSet]], error: Callable[..., Any]
) -> None:  # fmt: skip
    """Add the addresses of pages and drawings.

    :param sets: the dice of now; more may be taught meanwhile.
    """

    @app.get("/")
    def table_screen() -> Response:
        return send_from_directory(web_folder, "index.html")

    @app.get(f"/<any({', '.join(PAGES)}):page>")
    def page(page: str) -> Response:
        return send_from_directory(web_folder, f"{page}.html")

    @app.get("/setup/dice")
    def dice_page() -> Response:
        return send_from_directory(web_folder, "dice-setup.html")

    @app.get("/<path:name>")
    def file(name: str) -> Response:
        return send_from_directory(web_folder, name)

    @app.get("/symbols/<set_name>/<symbol>.svg")
    def drawing(set_name: str, symbol: str) -> Any:
        found = [one for one in sets() if one.name == set_name and symbol in one.symbols]
        path = found[0].drawing(symbol) if found else None
        if path is None:
            return error("no such drawing", f"{set_name}/{symbol}"[:80], "See /api/sets for the symbols.", 404)
        return send_file(path, mimetype="image/svg+xml", max_age=3600)

    @app.get("/api/sets")
    def all_sets() -> Response:
        return jsonify([_set_json(dice_set) for dice_set in sets()])


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
