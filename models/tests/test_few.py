"""Dice taught from made photographs that one camera took."""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path

import pytest

from tableside import paths
from tableside.app.teach_find import find_all
from tableside.app.teach_labels import read_labels
from tableside.errors import TablesideError
from tableside.reader.photo import load_photo
from tableside.teaching.samples import Finder

pytest.importorskip("numba", reason="only needed to render: pip install -e '.[drawing]'")

from models.render import few
from models.render.camera import camera

# a d20 that its camera, held as from a seat, sees so far aslant that in some pictures a side seems to lie up
STEEP = 9500080


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One photograph of each face of a d20, by one camera."""
    folder = tmp_path_factory.mktemp("few")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(few, "SHOWN", 0)
        patch.setattr(few, "ASKED", 1)
        patch.setattr(few, "camera", partial(camera, steep=True))
        few.render((folder, STEEP, "", True, False))
    return folder / str(STEEP) / "ask"


def upper_faces_found(folder: Path, into: Path) -> tuple[float, list[str]]:
    """Return the share of the upper faces that are found by labels that do not say where dice lie, and the notes."""
    truths = {}
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text())
        (die,) = label["dice"]
        truths[f"{path.stem}.jpg"] = die.pop("center")
        (into / path.name).write_text(json.dumps(label))
        (into / f"{path.stem}.jpg").symlink_to(path.with_suffix(".jpg"))
    problems: list[TablesideError] = []
    notes: list[str] = []
    found = find_all(read_labels(into, problems), Finder(paths.models_folder()), None, problems, notes)
    assert len(found) >= 18
    near = [
        math.dist(shown.view.centre, truths[label.path.name]) < 0.3 * shown.found.radius for label, _, shown in found
    ]
    return sum(near) / len(near), notes


def test_the_face_whose_middle_was_said_is_taken_though_another_seems_to_lie_up(photographs: Path) -> None:
    finder = Finder(paths.models_folder())
    far = 0
    for path in sorted(photographs.glob("*.json")):
        (die,) = json.loads(path.read_text())["dice"]
        picture = load_photo(path.with_suffix(".jpg"))
        shown = finder.at(picture, die["center"], where=path.name)
        assert math.dist(shown.view.centre, die["center"]) < 0.3 * shown.found.radius
        far += math.dist(shown.found.top, finder.only(picture, where=path.name).found.top) > 1
    assert far >= 3


def test_a_d20_that_is_photographed_aslant_is_said_to_be_doubtful(photographs: Path, tmp_path: Path) -> None:
    found, notes = upper_faces_found(photographs, tmp_path)
    assert found > 0.6
    assert len(notes) == 1
    assert "mine was photographed aslant" in notes[0]
