"""Render dice of no set to teach and to ask about: ``python -m models.render.few FOLDER --first 9500000 --count 24``.

Each seed is one die, in ``FOLDER/SEED``: ``show`` holds photographs of each of its faces to teach it from, named
``FACE-PHOTOGRAPH.jpg``, and ``ask`` others to read. Every photograph has a table, a lamp and a camera of its own; with
``--one-table`` those of one die share them, as where dice are taught in the tray that they are thrown into. With
``--numbered`` the dice are d6, d8, d10, d12, d20 and d100 in turn, each with its usual numbers; with ``--ornate`` these are
thin or flourished, on six dice of veined stone, then on six of metal.
Read them with ``python -m tools.bench teach FOLDER``.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from models.render.camera import camera
from models.render.dice import Model
from models.render.finishes import METAL, VEINS, finished
from models.render.invented import NUMBERED, invent
from models.render.lamps import light_up
from models.render.photograph import photograph
from models.render.scene import expose, lying
from models.render.seeds import made, seed_parser
from models.render.surfaces import surface
from models.render.trouble import troubled

SHOWN, ASKED = 5, 3
_WIDTH, _HEIGHT = 640, 480
_STRENGTH = 0.7  # of what cameras do to pictures, against none


def render(job: tuple[Path, int, str, bool, bool]) -> int:
    """Render every face of one seed's die, and return how many photographs that made."""
    folder, seed, numbered, is_one_table, is_ornate = job
    rng = np.random.default_rng([seed, 1])
    model = invent(rng, numbered)
    if is_ornate:
        model = _ornate(rng, model, METAL if seed // len(NUMBERED) % 2 else VEINS)
    names = list(dict.fromkeys(model.faces))
    for part in ("show", "ask"):
        (folder / str(seed) / part).mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(names):
        choices = [i for i, face in enumerate(model.faces) if face == name]
        for photo in range(SHOWN + ASKED):
            table = np.random.default_rng([seed, 2]) if is_one_table else rng
            radius = table.uniform(36, 90)
            cam = camera(table, _WIDTH, _HEIGHT, _WIDTH * model.size / radius)
            spot = rng.uniform(-0.25, 0.25, 2) * _HEIGHT * model.size / radius
            placed = lying(rng, model, int(rng.choice(choices)), spot)
            lamps = light_up(table)
            albedo = surface(table, _HEIGHT, _WIDTH).astype(np.float32)
            picture, truth = expose(table, cam, lamps, albedo, [placed])
            entry = {
                "type": "mine",
                "kind": model.solid.name,
                "face": [symbol.lower() for symbol in name],
                "cocked": False,
            }
            shown = photo < SHOWN
            if not shown:
                entry |= {key: truth[0][key] for key in ("center", "outline")}
            path = folder / str(seed) / ("show" if shown else "ask") / f"{number}-{photo}.jpg"
            cv2.imwrite(str(path), photograph(picture, table, strength=_STRENGTH), [cv2.IMWRITE_JPEG_QUALITY, 92])
            path.with_suffix(".json").write_text(json.dumps({"image": path.name, "dice": [entry]}))
    return len(names) * (SHOWN + ASKED)


def _ornate(rng: np.random.Generator, model: Model, style: int) -> Model:
    """Return the die with its numbers in a thin or ornate typeface, and with that finish."""
    fine = troubled(rng, model, "ornate")
    while (made_of := finished(rng, fine)).finish[0] != style:
        pass
    return made_of


def main() -> None:
    parser = seed_parser(__doc__, count=24)
    parser.add_argument(
        "--one-table", action="store_true", help="one table, lamp and camera for all of a die's pictures"
    )
    parser.add_argument("--numbered", action="store_true", help="dice with numbers, and with no other marks")
    parser.add_argument(
        "--ornate", action="store_true", help="dice of stone and of metal with thin or flourished numbers"
    )
    options = parser.parse_args()
    kinds = NUMBERED if options.numbered or options.ornate else ("",)
    seeds = range(options.first, options.first + options.count)
    jobs = [(options.folder, seed, kinds[seed % len(kinds)], options.one_table, options.ornate) for seed in seeds]
    print(sum(made(render, jobs, options.workers)), "photographs")


if __name__ == "__main__":
    main()
