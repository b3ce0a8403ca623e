"""Teaching on the page: look at the tray, name what lies there, save when it is good enough."""

from __future__ import annotations

import base64
import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tableside import paths
from tableside.app import teach
from tableside.app.taught_sets import TaughtSets
from tableside.app.teach_review import change_samples, meanings
from tableside.dice import Face, face_name, find_sets
from tableside.dice.sets import SIDES, is_name
from tableside.dice.taught import Source, Taught, remove_taught, take_back
from tableside.errors import BadChange, CameraError, DiceSetError, PhotoError, TablesideError
from tableside.reader.photo import SENT_PIXELS, Picture, decode_photo, jpeg_of
from tableside.reader.prototypes import Floats
from tableside.teaching.measure import Measured, steadiness
from tableside.teaching.samples import Finder, Shown, check_sharp, has_lost_its_marks
from tableside.words import say

_MOST_CROPS = 400
_APART = 2.0  # of what harder views of one picture differ: two pictures of one face differ little more
_GOOD = 0.97
"""A set is good enough where so many of its views come out right, each sample left out or made harder."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Crop:
    """A die that lay there, with the mean embedding of its views, and how near to it harder views are."""

    id: str
    shot: int
    crop: Picture
    shape: float
    radius: float
    embedding: Floats
    steady: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Draft:
    """What was shown so far of one die type; every step makes a new one, so that each can be undone."""

    set_name: str
    kind: str
    solid: str
    plays_as: str
    crops: tuple[_Crop, ...] = ()
    named: dict[str, Face] = field(default_factory=dict)
    shots: int = 0
    picture: Picture | None = None


class TeachingTable:
    """What the page ``/setup/dice`` shows and does. One draft at a time, for everybody who may set up.

    :param look: the newest picture of the tray, ``None`` where there is no camera.
    :param when_taught: called when a set has changed. :param named: sets that the settings name, which stay.
    """

    def __init__(
        self,
        sets: TaughtSets,
        *,
        named: Sequence[str] = (),
        look: Callable[[], Picture | None] = lambda: None,
        when_taught: Callable[[], object] = lambda: None,
    ) -> None:
        self._sets, self._named = sets, named
        self._look = look
        self._when_taught = when_taught
        self._finder: Finder | None = None
        self._steps: list[_Draft] = []
        self._measured: tuple[_Draft, Measured] | None = None
        self._one = threading.Lock()

    def now(self) -> dict[str, Any]:
        """Return the taught sets and the draft."""
        with self._one:
            return {
                "sets": self._sets_json(),
                "draft": self._draft_json(),
                "camera": self._look() is not None,
                "symbols": self._palette(),
            }

    def begin(self, *, set_name: str, kind: str, solid: str, plays_as: str) -> dict[str, Any]:
        """Begin to teach a type of dice, in a new set or beside others."""
        self._sets.path(set_name)
        if not is_name(kind):
            raise BadChange(
                "{=kind} is no name",
                kind=repr(kind),
                where="type",
                hint="Use lower-case letters, digits, - and _.",
            )
        if solid not in SIDES:
            raise BadChange(
                "{=solid} is no solid",
                solid=repr(solid),
                where="solid",
                hint=say("Choose one of {=names}.", names=", ".join(SIDES)),
            )
        with self._one:
            draft = _Draft(set_name=set_name, kind=kind, solid=solid, plays_as=plays_as)
            self._before(draft)
            self._steps = [draft]
        return self.now()

    def shot(self, data: str) -> dict[str, Any]:
        """Look at the tray, or at a photograph in base64, and add the dice in it.

        :raises PhotoError: where no die is seen. :raises CameraError: where there is no picture.
        """
        picture = self._picture(data)
        with self._one:
            draft = self._draft()
            finder = self._finder = self._finder or Finder(paths.models_folder())
            shown = self._dice_in(picture, draft.picture, finder)
            number, crops = draft.shots + 1, []
            for i, one in enumerate(shown):
                mark = hashlib.sha256(f"{time.time_ns()} {number} {i}".encode()).hexdigest()[:20]
                sample = teach.sample_of(one, "", (), id=mark, source=Source.PAGE, origin="")
                mean, steady = steadiness(sample, finder.classifier)
                crops.append(
                    _Crop(
                        id=mark, shot=number, crop=one.crop, shape=one.shape, radius=one.radius,
                        embedding=mean, steady=steady,
                    )
                )  # fmt: skip
            if len(draft.crops) + len(crops) > _MOST_CROPS:
                raise BadChange("holds all that it can", where="draft", hint="Save it; more can be shown later.")
            self._steps.append(replace(draft, crops=(*draft.crops, *crops), shots=number, picture=picture))
        return self.now()

    def name(self, group: Sequence[str], face: Face) -> dict[str, Any]:
        """Say what some of the dice show.

        :raises BadChange: for a die that is not there, marks that cannot be seen, or more faces than the die has sides.
        """
        if not all(is_name(symbol) for symbol in face):
            hint = "Use lower-case letters, digits, - and _."
            raise BadChange("is no face", where="face", hint=hint)
        with self._one:
            draft = self._draft()
            known = {crop.id for crop in draft.crops}
            if not group or not set(group) <= known:
                raise BadChange("no such die", where="group", hint="Load the page again.")
            if face and any(has_lost_its_marks(crop.crop) for crop in draft.crops if crop.id in group):
                hint = "Leave it out, dim the lamp or turn it away, and look again."
                raise BadChange("is so bright that the marks cannot be seen", where="the picture", hint=hint)
            named = draft.named | dict.fromkeys(group, face)
            if len(set(named.values())) > SIDES[draft.solid]:
                what = say("a {=solid} has only {=sides} faces", solid=draft.solid, sides=SIDES[draft.solid])
                raise BadChange(what, where=draft.kind, hint="Give this die a name of a face that was shown.")
            self._steps.append(replace(draft, named=named))
        return self.now()

    def drop(self, group: Sequence[str]) -> dict[str, Any]:
        """Leave some of the dice out."""
        with self._one:
            draft = self._draft()
            kept = tuple(crop for crop in draft.crops if crop.id not in group)
            named = {key: face for key, face in draft.named.items() if key not in group}
            self._steps.append(replace(draft, crops=kept, named=named))
        return self.now()

    def undo(self) -> dict[str, Any]:
        """Take the last step back; the first ends the draft."""
        with self._one:
            if self._steps:
                self._steps.pop()
        return self.now()

    def save(self) -> dict[str, Any]:
        """Write what was named to the set, and read by it from now on.

        :raises BadChange: where nothing was named, or something named cannot be learnt.
        """
        with self._one:
            draft = self._draft()
            if not draft.named:
                raise BadChange("no face has a name yet", where=draft.kind, hint="Tap what the dice show.")
            finder = self._finder = self._finder or Finder(paths.models_folder())
            with self._sets.writing():
                problems: list[TablesideError] = []
                taught, measured = teach.learn(self._sets, self._before(draft), _shown_dice(draft), finder, problems)
                for wrong in problems:
                    hint = "Some were taught before; choose another name."
                    if isinstance(wrong, teach.Misnamed):
                        hint = "Undo, and give it its right name, or leave it out."
                    raise BadChange(wrong.what, where=wrong.where, hint=hint)
                installed = [one for one in find_sets(user_folder=self._sets.folder) if one.name != draft.set_name]
                plays_as = {draft.kind: draft.plays_as} if draft.plays_as else {}
                taught = meanings(taught, installed, plays_as=plays_as, counts={})
                teach.store(taught, measured, self._sets.path(draft.set_name), finder)
            self._steps = []
        self._when_taught()
        return self.now()

    def change_set(self, name: str, act: str) -> dict[str, Any]:
        """Remove a set, or take its last change back.

        :raises DiceSetError: where there is none, or the table would not start without it.
        """
        if act == "remove" and name in self._named:
            raise DiceSetError("is named in the settings", where=name, hint="Take it out of [reader] sets first.")
        with self._sets.writing():
            (remove_taught if act == "remove" else take_back)(self._sets.path(name))
        self._when_taught()
        return self.now()

    def review(self, name: str, sample: str, act: str) -> dict[str, Any]:
        """Believe a doubted sample, or drop one."""
        accept, forget = ([sample], []) if act == "accept" else ([], [sample])
        change_samples(self._sets, name, accept=accept, forget=forget)
        self._when_taught()
        return self.now()

    def crop(self, crop_id: str) -> bytes | None:
        """Return the picture of a die of the draft as JPEG."""
        with self._one:
            crops = self._steps[-1].crops if self._steps else ()
            return next((jpeg_of(one.crop) for one in crops if one.id == crop_id), None)

    def sample(self, name: str, sample_id: str) -> bytes | None:
        """Return the picture of a sample as JPEG."""
        return next((s.jpeg for s in self._sets.load(name).samples if s.id == sample_id), None)

    def _draft(self) -> _Draft:
        if not self._steps:
            raise BadChange("nothing is being taught", where="draft", hint="Name the die first.")
        return self._steps[-1]

    def _picture(self, data: str) -> Picture:
        if data:
            try:
                photograph = base64.b64decode(data.partition(",")[2] or data, validate=True)
            except ValueError as error:
                raise PhotoError("is not base64", where="photograph", hint="Choose it again.") from error
            return decode_photo(photograph, where="photograph", most_pixels=SENT_PIXELS)
        picture = self._look()
        if picture is None:
            raise CameraError("has given no picture", where="camera", hint="Choose a photograph instead.")
        return picture

    def _dice_in(self, picture: Picture, before: Picture | None, finder: Finder) -> list[Shown]:
        """Return the dice that were not there in the picture before."""
        sharp, last = [], PhotoError("no die was seen", where="tray", hint="Lay it in the middle, in good light.")
        if before is not None:
            last = PhotoError("shows nothing new", where="tray", hint="Turn the die to another face, and look again.")
        for one in finder.all(picture, before):
            try:
                check_sharp(one, where="tray")
                sharp.append(one)
            except PhotoError as error:
                last = error
        if not sharp:
            raise last
        return sharp

    def _before(self, draft: _Draft) -> Taught:
        taught = self._sets.load_or_begin(draft.set_name)
        other = next((one.solid for one in taught.dice_set.types if one.name == draft.kind), draft.solid)
        if other != draft.solid:
            what = say("was taught as a {=solid}", solid=other)
            raise BadChange(what, where=draft.kind, hint="Choose that solid, or another name.")
        return taught

    def _sets_json(self) -> list[dict[str, Any]]:
        rows = []
        for name in self._sets.names():
            try:
                taught = self._sets.load(name)
            except DiceSetError as error:
                rows.append({"name": name, "error": str(error), "types": [], "samples": 0, "doubted": []})
                continue
            doubted = [
                {"id": s.id, "type": s.type, "face": list(s.face), "why": s.doubted, "origin": s.origin}
                for s in taught.samples
                if s.doubted
            ]
            types = [
                {
                    "name": k.name,
                    "solid": k.solid,
                    "body": k.body,
                    "ink": k.ink,
                    "faces": [list(f) for f in k.faces],
                    "plays_as": k.plays_as,
                }
                for k in taught.dice_set.types
            ]
            corrected = sum(s.source is Source.CORRECTION for s in taught.samples)
            rows.append(
                {
                    "name": name,
                    "like": taught.dice_set.like,
                    "types": types,
                    "samples": len(taught.samples),
                    "corrections": corrected,
                    "doubted": doubted,
                }
            )
        return rows

    def _draft_json(self) -> dict[str, Any] | None:
        if not self._steps:
            return None
        draft = self._steps[-1]
        faces = list(dict.fromkeys(draft.named.values()))
        unnamed = [crop for crop in draft.crops if crop.id not in draft.named]
        report = self._report(draft)
        right = float(np.mean([one.right for one in report.faces])) if report else 0.0
        weak = [face_name(one.face) for one in report.faces if one.right < _GOOD] if report else []
        return {
            "set": draft.set_name,
            "type": draft.kind,
            "solid": draft.solid,
            "plays_as": draft.plays_as,
            "sides": SIDES[draft.solid],
            "pictures": draft.shots,
            "faces": [{"face": list(f), "dice": [k for k, v in draft.named.items() if v == f]} for f in faces],
            "groups": [[crop.id for crop in group] for group in groups_of(unnamed)],
            "right": round(right, 4),
            "weak": weak,
            "close": teach.close_faces(report)[:3] if report else [],
            "good": bool(faces) and right >= _GOOD and len(faces) == SIDES[draft.solid],
        }

    def _report(self, draft: _Draft) -> Measured | None:
        """Return how well the faces that were named so far are told, measured once for each step."""
        if len(set(draft.named.values())) < 2 or self._finder is None:
            return None
        if self._measured is None or self._measured[0] is not draft:
            _, measured = teach.learn(self._sets, self._before(draft), _shown_dice(draft), self._finder, [])
            self._measured = draft, measured
        return self._measured[1]

    def _palette(self) -> list[dict[str, Any]]:
        rows = []
        for one in find_sets(user_folder=self._sets.folder):
            rows.append(
                {
                    "set": one.name,
                    "types": [kind.name for kind in one.types],
                    "symbols": [symbol for symbol in one.symbols if one.drawing(symbol)],
                }
            )
        return rows


def groups_of(crops: Sequence[_Crop]) -> list[list[_Crop]]:
    """Return dice that look alike together: hardly farther apart than one is from itself under another lamp."""
    if not crops:
        return []
    vectors = np.array([crop.embedding for crop in crops])
    near = vectors @ vectors.T
    limit = 1 - _APART * (1 - float(np.mean([crop.steady for crop in crops])))
    left, groups = list(range(len(crops))), []
    while left:
        group = [left.pop(0)]
        for other in list(left):
            if float(near[other, group].mean()) >= limit:
                group.append(other)
                left.remove(other)
        groups.append([crops[i] for i in group])
    return groups


def _shown_dice(draft: _Draft) -> list[teach.ShownDie]:
    """Return the dice of a draft that have a name."""
    found = []
    for one in (one for one in draft.crops if one.id in draft.named):
        face, origin = draft.named[one.id], f"picture {one.shot}"
        sample = teach.sample_of(one, draft.kind, face, id=one.id, source=Source.PAGE, origin=origin)
        found.append(teach.ShownDie(sample, draft.solid, one.crop))
    return found
