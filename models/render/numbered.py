"""Draw throws of numbered dice in many typefaces: ``python -m models.render.numbered FOLDER --first SEED --count N``.

Every die of a picture has the same typeface, half of them marks that tell 6 from 9, and a few dice bear letters or marks
of no set. The typefaces are those of ``PACKAGES``; with ``--apart`` those of ``APART``, which measure.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import ImageFont

from models.render import numbers
from models.render.camera import camera, on_table
from models.render.finishes import finished
from models.render.invented import invent
from models.render.lamps import light_up
from models.render.photograph import photograph
from models.render.scene import Placed, expose, lying
from models.render.seeds import made, seed_parser
from models.render.surfaces import surface
from tableside.errors import SettingsError

_MORE = """
adf-accanthis adf-baskervald adf-berenis adf-gillius adf-ikarius adf-irianis adf-libris adf-mekanus adf-romande
adf-solothurn adf-switzera adf-tribun adf-universalis adf-verana allerta arapey averia-serif-gwf b612 beteckna cabinsketch
cardo century-catalogue cherrybomb clear-sans comic-neue crosextra-caladea crosextra-carlito dancingscript essays1743
eurofurence fanwood femkeklaver gfs-artemisia gfs-neohellenic go goudybookletter hack inter jetbrains-mono junicode jura
kaushanscript klaudia-berenika league-mono league-spartan leckerli-one lindenhill lobstertwo manrope millimetre monofur
mononoki national-park noto-mono ocr-b okolaks opendyslexic osifont paratype prociono radisnoir roadgeek roboto-slab
routed-gothic rufscript sil-andika sil-charis solide-mirage sora stix summersby teluguvijayam tuffy unikurdweb vollkorn
woowa-bm yanone-kaffeesatz"""
_APART = "cmu courier-prime dejavu-core dosis firacode karla liberation opendin quattrocento staypuft texgyre tlwg-purisa-ttf"
PACKAGES = (*numbers.PACKAGES, *(f"fonts-{name}" for name in _MORE.split()))
"""Debian packages, all of main and so free."""
APART = tuple(f"fonts-{name}" for name in _APART.split())
"""Others, whose typefaces are in no picture that anything was learnt from."""
KINDS = {"d6": 6, "d8": 8, "d12": 12, "d20": 20}
STRANGE = ("?",)
_WIDTH, _HEIGHT = 960, 720
_RADIUS = (24, 70)  # px of a die of usual size
_MOST = 8  # dice in a picture
_OF_NO_SET, _FINISHED = 0.1, 0.35  # shares of the dice
_WEAR = 0.6  # of what cameras do to pictures, against none


@cache
def typefaces(packages: tuple[str, ...]) -> tuple[Path, ...]:
    """Return a usual and a bold font file of each family in those packages, in a fixed order.

    :raises SettingsError: when a package is not installed.
    """
    listed = subprocess.run(["dpkg-query", "-L", *packages], capture_output=True, text=True, check=False)
    if listed.returncode:
        hint = f"Install them: apt-get install {' '.join(packages)}"
        raise SettingsError("lacks typefaces that numbers on dice are drawn in", where=listed.stderr.strip(), hint=hint)
    families: dict[str, dict[str, Path]] = {}
    for path in sorted({Path(line) for line in listed.stdout.split("\n") if line.lower().endswith((".ttf", ".otf"))}):
        if not any(word in path.name.lower() for word in ("icon", "math", "initials", "keyboard")) and _is_whole(path):
            family, style = ImageFont.truetype(str(path), 20).getname()
            families.setdefault(str(family), {}).setdefault(str(style), path)
    usual = {name: next((of[s] for s in ("Regular", "Book", "Roman", "Medium") if s in of), next(iter(of.values())))
             for name, of in families.items()}  # fmt: skip
    return tuple(sorted({*usual.values(), *(of["Bold"] for of in families.values() if "Bold" in of)}))


def _is_whole(path: Path) -> bool:
    try:
        return numbers.has_digits(path)
    except OSError:
        return False


def render(job: tuple[Path, int, tuple[str, ...]]) -> int:
    """Render one seed's throw with its label, and return how many dice it has."""
    folder, seed, packages = job
    rng = np.random.default_rng([seed, 12])
    files = typefaces(packages)
    typeface, is_marked = files[rng.integers(len(files))], bool(rng.random() < 0.5)
    cam = camera(rng, _WIDTH, _HEIGHT, _WIDTH * 0.9 / rng.uniform(*_RADIUS))
    placed: list[Placed] = []
    of_no_set: list[bool] = []
    share = np.array(list(KINDS.values())) / sum(KINDS.values())
    for kind in rng.choice(list(KINDS), int(rng.integers(1, _MOST + 1)), p=share):
        is_strange = bool(rng.random() < _OF_NO_SET)
        marks = str(rng.choice(["letter", "mark"])) if is_strange else "number"
        model = invent(rng, str(kind), marks=marks, typeface=typeface, is_marked=is_marked)
        model = finished(rng, model) if rng.random() < _FINISHED else model
        for _ in range(60):
            spot = on_table(cam, rng.uniform(0.1, 0.9) * _WIDTH, rng.uniform(0.12, 0.88) * _HEIGHT)
            die = lying(rng, model, int(rng.integers(len(model.faces))), spot)
            if all(np.linalg.norm(spot - one.centre[:2]) > one.reach + die.reach for one in placed):
                placed.append(die)
                of_no_set.append(is_strange)
                break
    ground = surface(rng, _HEIGHT, _WIDTH).astype(np.float32)
    picture, truth = expose(rng, cam, light_up(rng), ground, placed)
    for die, is_strange in zip(truth, of_no_set, strict=True):
        die["type"], die["marked"] = ("other", False) if is_strange else (die["kind"], is_marked)
        die["face"] = list(STRANGE) if is_strange else die["face"]
    path = folder / f"{seed}.jpg"
    cv2.imwrite(str(path), photograph(picture, rng, strength=_WEAR), [cv2.IMWRITE_JPEG_QUALITY, 92])
    label = {"image": path.name, "complete": True, "typeface": typeface.name, "dice": truth}
    path.with_suffix(".json").write_text(json.dumps(label))
    return len(truth)


def main() -> None:
    parser = seed_parser(__doc__, count=1500)
    parser.add_argument("--apart", action="store_true", help="in typefaces that nothing was learnt from")
    options = parser.parse_args()
    packages = APART if options.apart else PACKAGES
    print(len(typefaces(packages)), "typefaces")
    options.folder.mkdir(parents=True, exist_ok=True)
    jobs = [(options.folder, seed, packages) for seed in range(options.first, options.first + options.count)]
    print(sum(made(render, jobs, options.workers, chunk=8)), "dice")


if __name__ == "__main__":
    main()
