"""Made rolls of pip dice of one make under uneven light, one of them of another colour, and how it is told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.labelled import Label, Labelled
from models.render.camera import Camera, camera
from models.render.dice import Model, linear, make
from models.render.finishes import METAL
from models.render.lamps import Lighting
from models.render.scene import Placed, expose, throw
from models.render.surfaces import surface
from tableside.app.readers import Reads
from tableside.dice import Die, DieReading, Doubt
from tableside.reader.photo import Picture
from tableside.reader.variant import Bgr, Expected, tell_variants

Rng = np.random.Generator

WIDTH, HEIGHT, _SCALE = 960, 720, 1.5
_AREA = (0.12, 0.14, 0.88, 0.86)
_DICE = (3, 9)
_DARK, _LIGHT = (0.06, 0.06, 0.06), (0.93, 0.93, 0.90)

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Make:
    """What the dice of a table are made of; colours are sRGB, 0..1.

    :ivar plain: of most of them. :ivar wild: of the Wild Die. :ivar inks: of the pips of these and of that.
    """

    plain: Colour
    wild: Colour
    inks: tuple[Colour, Colour]
    finish: str = "satin"


MAKES: Mapping[str, Make] = {
    "ivory and red": Make(plain=(0.93, 0.89, 0.78), wild=(0.70, 0.10, 0.12), inks=(_DARK, _LIGHT)),
    "white and black, polished": Make(
        plain=(0.95, 0.95, 0.95), wild=(0.05, 0.05, 0.06), inks=(_DARK, _LIGHT), finish="polished"
    ),
    "black and red": Make(plain=(0.08, 0.08, 0.09), wild=(0.66, 0.09, 0.10), inks=(_LIGHT, _LIGHT)),
    "blue and white, marbled": Make(
        plain=(0.12, 0.28, 0.66), wild=(0.92, 0.92, 0.90), inks=(_LIGHT, _DARK), finish="marbled"
    ),
    "green and yellow, polished": Make(
        plain=(0.10, 0.48, 0.22), wild=(0.93, 0.78, 0.14), inks=(_LIGHT, _DARK), finish="polished"
    ),
    "white with red pips and red": Make(
        plain=(0.93, 0.93, 0.92), wild=(0.72, 0.08, 0.10), inks=((0.75, 0.05, 0.08), _LIGHT)
    ),
    "ivory and orange, pearl": Make(
        plain=(0.93, 0.89, 0.80), wild=(0.90, 0.45, 0.10), inks=(_DARK, _DARK), finish="marbled"
    ),
    "steel and brass": Make(plain=(0.62, 0.62, 0.64), wild=(0.74, 0.55, 0.22), inks=(_DARK, _DARK), finish="metal"),
}


def made(seed: int, *, count: int = 0, throw_number: int = 0, has_wild: bool = True) -> tuple[Label, Picture]:
    """Return one roll with its truth. The seed tells the table: make of dice, ground, lamps and camera.

    :param count: how many dice, 0 for three to nine. :param throw_number: another throw at the same table.
    :param has_wild: one of the dice is the Wild Die.
    """
    table, rng = np.random.default_rng([seed, 55]), np.random.default_rng([seed, 56, throw_number])
    width, height = round(WIDTH * _SCALE), round(HEIGHT * _SCALE)
    cam, lighting = camera(table, width, height, float(table.uniform(15, 30))), _uneven(table)
    albedo = surface(table, height, width).astype(np.float32)
    first = make(table, "pip")
    number = count or int(rng.integers(_DICE[0], _DICE[1] + 1))
    of = list(MAKES.values())[seed % len(MAKES)]
    models = [_model(rng, first, of, is_wild=has_wild and n == number - 1) for n in range(number)]
    picture, truth = expose(table, cam, lighting, albedo, _thrown(rng, cam, (width, height), models))
    picture = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    dice = tuple(
        Labelled(
            die=Die(type=one["type"], face=tuple(one["face"])),
            cocked=False,
            whole=one["whole"],
            outline=tuple((x / _SCALE, y / _SCALE) for x, y in one["outline"]),
        )
        for one in truth
    )
    return Label(picture=Path(f"{seed}.jpg"), dice=dice, complete=True), picture


def _model(rng: Rng, first: Model, of: Make, *, is_wild: bool) -> Model:
    """Return a die of the make, of the form of the first. What a maker leaves to chance differs from die to die."""
    body = linear(of.wild if is_wild else of.plain) * rng.normal(1, 0.02, 3)
    body2, pattern, finish = body, np.array([3.0, 0.0, rng.uniform(0, 50), 0.0, 0.6]), np.zeros(10)
    gloss = np.array([0.15, 30, 0.08, 0.5, 0.15])
    if of.finish == "polished":
        gloss = np.array([0.7, 90, 0.6, 0.4, 0.1])
    elif of.finish == "marbled":
        body2, pattern[1] = np.clip(body * rng.uniform(0.5, 1.5), 0, 1), 0.7
    elif of.finish == "metal":
        finish[[0, 1, 8, 9]] = METAL, 3.0, rng.uniform(0, 50), 0.5
        gloss = np.array([0.8, 40, 0.8, 0.4, 0.1])
    return replace(
        first, type="wild" if is_wild else "pip", body=body, body2=body2, ink=linear(of.inks[is_wild]), gloss=gloss,
        pattern=pattern, finish=finish, size=0.8, deboss=-0.3,
    )  # fmt: skip


def _thrown(rng: Rng, cam: Camera, size: tuple[int, int], models: Sequence[Model]) -> list[Placed]:
    placed: list[Placed] = []
    for model in models:
        for _ in range(300):
            (die,) = throw(rng, cam, size, 1, ["pip"], _AREA, 0.0)
            die.model = model
            die.centre[2] = model.size
            if all(np.linalg.norm(die.centre - other.centre) > 2.3 * model.size for other in placed):
                placed.append(die)
                break
    return placed


def _uneven(rng: Rng) -> Lighting:
    """Return a near lamp at one side, a lamp or window of another colour at the other, and little light of the room."""
    angle, high = rng.uniform(0, 2 * np.pi), rng.uniform(14, 40)
    away, warm, cool = high * rng.uniform(0.5, 1.4), rng.uniform(0.0, 0.35), rng.uniform(-0.15, 0.15)
    near, far, level = rng.uniform(0.4, 0.9), rng.uniform(0.05, 0.4), rng.uniform(0.05, 0.3)
    across = angle + np.pi + rng.uniform(-0.8, 0.8)
    lamps = np.array(
        [
            [away * np.cos(angle), away * np.sin(angle), high, *(near * np.array([1 - warm, 1, 1 + warm]))],
            [60 * np.cos(across), 60 * np.sin(across), 60.0, *(far * np.array([1 - cool, 1, 1 + cool]))],
        ]
    )
    ambient = np.array([level, level, level, *(3 * [level * 0.4])])
    panels = np.array([[*rng.normal(0, 0.7, 2), rng.uniform(0.05, 0.4), 0.2, rng.uniform(0.2, 1.2)]])
    return Lighting(lamps, ambient, panels, level)


def score_rolls(reader: Reads, *, first: int, count: int) -> dict[str, Any]:
    """Read so many rolls, and count how the Wild Die is told in each way of asking.

    Right is the Wild Die named and no other die; asked, the question which of them it is; silent is all else. Where the
    Wild Die was not found, there is no telling it; that is counted apart. The look of a table's dice that a person
    shows is what the first roll was measured to have.

    :param reader: knows no Wild Die.
    """
    counts: dict[str, Counter[str]] = {}
    silent: list[str] = []

    def count_in(way: str, told: Sequence[DieReading], label: Label, seed: int) -> None:
        truth = [_truth(label, die) for die in told]
        if truth.count("wild") != sum(one.die.type == "wild" for one in label.dice):
            counts.setdefault(way, Counter())["not found"] += 1
            return
        result = "silent"
        if any(die.doubt is Doubt.COLOUR for die in told):
            result = "asked"
        elif [die.type for die in told] == [kind or die.type for kind, die in zip(truth, told, strict=True)]:
            result = "right"
        else:
            silent.append(f"{way}: {seed}")
        counts.setdefault(way, Counter())[result] += 1

    variants = {"pip": "wild"}
    for seed in range(first, first + count):
        label, picture = made(seed)
        dice = reader.read(picture).dice
        game, look = Expected(lone_die="wild"), _look(label, dice)
        count_in("in a game with a Wild Die", tell_variants(dice, variants, game), label, seed)
        count_in("no game chosen", tell_variants(dice, variants, Expected()), label, seed)
        if look is not None:
            for number in (1, 2, 3):
                label, picture = made(seed, count=number, throw_number=number)
                told = Expected(lone_die="wild", looks={"wild": look})
                dice = reader.read(picture).dice
                count_in(f"told once, {number} dice", tell_variants(dice, variants, told), label, seed)
                count_in(f"not told, {number} dice", tell_variants(dice, variants, game), label, seed)
        label, picture = made(seed, throw_number=9, has_wild=False)
        dice = reader.read(picture).dice
        count_in("no game chosen, no Wild Die", tell_variants(dice, variants, Expected()), label, seed)
    return {way: dict(found) for way, found in counts.items()} | {"silent": silent}


def _truth(label: Label, die: DieReading) -> str:
    return next((one.die.type for one in label.dice if one.contains(die.center)), "")


def _look(label: Label, dice: Sequence[DieReading]) -> tuple[Bgr, Bgr] | None:
    """Return the measured colours of the Wild Die and of the others, as far as both were found."""
    of: dict[str, list[Bgr]] = {"wild": [], "pip": []}
    for die in dice:
        if die.colour_bgr is not None:
            of.setdefault(_truth(label, die), []).append(die.colour_bgr)
    if not of["wild"] or not of["pip"]:
        return None
    b, g, r = (int(v) for v in np.median(of["pip"], axis=0))
    return of["wild"][0], (b, g, r)
