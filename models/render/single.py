"""Render single dice as crops of their upper faces: ``python -m models.render.single OUT.npz --first SEED --count N``.

Every seed is one invented die, seen VIEWS times under as many lamps, from as many places, a few of its faces each
more than once. ``--invented`` draws dice of no set, whose crops carry a number for what they show.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

from models.render.camera import camera
from models.render.dice import Model
from models.render.finishes import finished
from models.render.invented import invent
from models.render.lamps import light_up
from models.render.lookalike import LOOKALIKE, STRANGER, make_any
from models.render.scene import Placed, expose
from models.render.seeds import made, seed_parser
from models.render.solids import rotation_to_up
from models.render.surfaces import surface
from models.render.trouble import OF_ONE_DIE, grounded, lens_of, troubled
from models.train.crops import CROP, MARGIN, corners_of, cut, store
from models.train.labels import UNKNOWN, face_index, type_index
from tableside.dice import BLANK

SIDE = 160
FACES, VIEWS = 4, 3
_KINDS = ("boost", "setback", "ability", "difficulty", "proficiency", "challenge", "force", "pip", "d10", "d100")
_SHARES = (0.09, 0.09, 0.09, 0.09, 0.09, 0.09, 0.07, 0.15, 0.11, 0.13)
Rng = np.random.Generator
LABELS = ("types", "faces", "cocked", "radius", "shows", "names", "corners")
Crop = tuple[np.ndarray, int, int, bool, float, int, int, np.ndarray]


def view(
    rng: Rng, model: Model, face: int, neighbours: list[Model], trouble: str = ""
) -> tuple[np.ndarray, float, np.ndarray]:
    """Return the (CROP, CROP, 3) crop of a die that shows ``face``, the radius in px that a camera gave it, and the
    silhouette's and the upper face's corners in the crop, (2, CORNERS, 2) px."""
    reach = float(model.solid.frames[face][3, 0]) * model.size
    span = 2 * MARGIN * reach * SIDE / CROP * 1.05
    cam = camera(rng, SIDE, SIDE, span, distance=model.size * float(np.exp(rng.uniform(np.log(14), np.log(80)))))
    placed = [lying(rng, model, face, np.zeros(2))]
    for other in neighbours:
        angle = rng.uniform(0, 2 * np.pi)
        gap = 0.5 * (placed[0].reach + model.size) + 1.1 * other.size * rng.uniform(0.95, 1.4)
        spot = gap * np.array([np.cos(angle), np.sin(angle)])
        placed.append(lying(rng, other, int(rng.integers(len(other.faces))), spot))
    lighting, albedo = light_up(rng), surface(rng, SIDE, SIDE).astype(np.float32)
    albedo = grounded(rng, albedo, [model], trouble)
    picture, truth = expose(
        rng, cam, lighting, albedo, placed, lens_of(rng, trouble, 2 * reach * cam.focal / cam.eye[2])
    )
    top = np.array(truth[0]["top"])
    middle = np.array(truth[0]["center"])
    radius = float(np.linalg.norm(top - middle, axis=1).mean())
    corners = np.stack([corners_of(truth[0][name], middle, radius) for name in ("outline", "top")])
    return cut(picture, middle, radius), radius, corners


def lying(rng: Rng, model: Model, face: int, spot: np.ndarray) -> Placed:
    """Return the die lying flat at (2,) ``spot`` on the table in cm, ``face`` up, turned at random."""
    turn = rotation_to_up(model.solid.normals[face], rng.uniform(0, 2 * np.pi))
    return Placed(model, turn, np.array([*spot, model.size]), face, False)


def crops_of(job: tuple[int, bool, str, bool, bool, str]) -> list[Crop]:
    """Return every view of one seed's die.

    :returns: crop, type, face, whether it leans, radius px, a number for this face of this die (-1 for a die of a known
        set), a number for its name, which other dice may share, the corners of silhouette and upper face.
    """
    seed, invented, kind, dark, finishes, trouble = job
    rng = np.random.default_rng([seed, int(invented)])
    model = (
        invent(rng) if invented else make_any(rng, kind or str(rng.choice(_KINDS, p=_SHARES)), marbled=0.2, dark=dark)
    )
    if finishes:
        model = finished(np.random.default_rng([seed, 8]), model)
    model = troubled(np.random.default_rng([seed, 11]), model, trouble)
    names = list(dict.fromkeys(model.faces))
    if trouble == "bare" and BLANK in names:
        names = [BLANK]
    neighbours = [model] if rng.random() < 0.4 else []
    found = []
    for number in rng.permutation(len(names))[:FACES]:
        choices = [i for i, name in enumerate(model.faces) if name == names[number]]
        entry = {"type": model.type, "face": list(names[number])}
        for _ in range(VIEWS):
            crop, radius, corners = view(
                rng, model, int(rng.choice(choices)), neighbours if rng.random() < 0.5 else [], trouble
            )
            face = UNKNOWN if invented else face_index(entry)
            name = "+".join(names[number])
            own = seed * 32 + int(number) if invented else -1
            found.append((crop, type_index(entry), face, False, radius, own, zlib.crc32(name.encode()), corners))
    return found


def draw(
    out: Path, *, first: int, count: int, workers: int, invented: bool, kind: str, dark: bool, finishes: bool,
    trouble: str,
) -> int:  # fmt: skip
    """Draw the dice of so many seeds, store their crops, and return how many these are."""
    jobs = [(seed, invented, kind, dark, finishes, trouble) for seed in range(first, first + count)]
    found = [crop for crops in made(crops_of, jobs, workers, chunk=16) for crop in crops]
    store(out, LABELS, found)
    return len(found)


def main() -> None:
    parser = seed_parser(__doc__, out="out", count=1000)
    parser.add_argument("--invented", action="store_true", help="dice of no set")
    parser.add_argument("--kind", default="", choices=["", *_KINDS, LOOKALIKE, STRANGER], help="one type only")
    parser.add_argument("--dark", action="store_true", help="pip dice are dark and polished, with coloured marks")
    parser.add_argument(
        "--finishes", action="store_true", help="stripes, flakes, rims, metal and the like on most dice"
    )
    parser.add_argument("--trouble", default="", choices=["", *OF_ONE_DIE], help="see models/render/trouble.py")
    wanted = vars(parser.parse_args())
    print(draw(wanted.pop("out"), **wanted), "crops")


if __name__ == "__main__":
    main()
