"""Learn from corrections at the table: each doubt that a person settled becomes a sample.

Runs as a display, on a thread of its own, so the table never waits. A correction that is taken back is forgotten. One
that looks like another face is kept apart and asked about on ``/setup/dice``.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tableside import paths
from tableside.app.taught_sets import TaughtSets
from tableside.app.teach import sample_of
from tableside.dice import DiceSet, Die, face_name, find_sets
from tableside.dice.taught import Sample, Source, save_taught
from tableside.errors import DiceSetError, PhotoError
from tableside.reader.classify import Prediction
from tableside.reader.photo import load_photo
from tableside.reader.prototypes import TaughtType
from tableside.table.kept import Roll, RollDie, TableState
from tableside.teaching.measure import predict_sample
from tableside.teaching.samples import Finder, check_marks, check_sharp

_log = logging.getLogger(__name__)
_ROLLS = 8
"""So many of the last rolls are looked at; a correction of an older one teaches nothing."""
_OUTLIER = 0.02
"""A sample less likely than this to show what was said of it is asked about."""

_Key = tuple[str, int]


class Corrections:
    """Adds what is corrected to the set that the die belongs to; for a shipped set to one like it, ``own-NAME``.

    :param picture: where the picture of a roll is, by its id.
    :param when_learnt: called when a set has changed.
    """

    def __init__(
        self,
        sets: TaughtSets,
        *,
        picture: Callable[[str], Path | None],
        when_learnt: Callable[[], object] = lambda: None,
    ) -> None:
        self._sets = sets
        self._picture = picture
        self._when_learnt = when_learnt
        self._finder: Finder | None = None
        self._known: dict[_Key, Die] | None = None

    def show(self, state: TableState) -> None:
        """Learn what has been corrected since the last state, and forget what was taken back."""
        now = {(r.id, i): d.lying for r in state.rolls[:_ROLLS] for i, d in enumerate(r.dice) if _is_settled(r, d)}
        at_hand = {roll.id for roll in state.rolls}
        before, self._known = self._known, now
        if before is None:
            return  # what was corrected before this start was learnt then
        changed = False
        for key in before.keys() | now.keys():
            old, new = before.get(key), now.get(key)
            if old == new or (new is None and key[0] not in {r.id for r in state.rolls[:_ROLLS]} & at_hand):
                continue
            try:
                changed |= self._forget(key) if old is not None else False
                if new is not None:
                    roll = state.find_roll(key[0])
                    changed |= roll is not None and self._learn(key, roll.dice[key[1]])
            except (DiceSetError, PhotoError) as error:
                _log.warning("a correction was not learnt: %s", error)
        if changed:
            self._when_learnt()

    def _learn(self, key: _Key, die: RollDie) -> bool:
        path = self._picture(key[0])
        shown_in = [
            one for one in find_sets(user_folder=self._sets.folder) for kind in one.types
            if kind.name == die.type and die.lying.face in kind.faces
        ]  # fmt: skip
        base = shown_in[0] if shown_in else None
        if path is None or die.center is None or base is None:
            return False
        finder = self._finder = self._finder or Finder(paths.models_folder())
        shown = finder.at(load_photo(path), die.center, where=path.name)
        check_sharp(shown, where=path.name, face=die.lying.face)
        check_marks(shown, die.lying.face, where=path.name)
        origin = f"roll {key[0]} die {key[1] + 1}"
        sample = sample_of(shown, die.type, die.lying.face, id=_id(key), source=Source.CORRECTION, origin=origin)
        doubt = self._doubt(sample, base, finder)
        name = base.name if base.taught else f"own-{base.name}"
        with self._sets.writing():
            like = base.like if base.taught else base.name
            taught = self._sets.load_or_begin(name, like=like, title=f"Your own dice of {base.title}")
            save_taught(taught.with_samples([replace(sample, doubted=doubt)]), self._sets.path(name))
        return not doubt

    def _forget(self, key: _Key) -> bool:
        for name in self._sets.names():
            with self._sets.writing():
                try:
                    taught = self._sets.load(name)
                except DiceSetError:  # said at the table; the sample may be in another
                    continue
                gone = [sample for sample in taught.samples if sample.id == _id(key)]
                if gone:
                    save_taught(taught.without([_id(key)]), self._sets.path(name))
                    return not gone[0].doubted
        return False

    def _doubt(self, sample: Sample, base: DiceSet, finder: Finder) -> str:
        """Return why a sample is not believed, ``""`` where it is."""
        from tableside.teaching.load import load_taught_types

        predictions = predict_sample(sample, finder.classifier)
        taught = load_taught_types([base], finder.classifier)
        chances = _chances(sample, base, finder, predictions, taught)
        if not chances:
            return ""
        best = max(chances, key=lambda face: chances[face])
        if best != sample.face and chances.get(sample.face, 1.0) < _OUTLIER:
            return f"looks like {face_name(best)}"
        return ""


def _chances(
    sample: Sample, base: DiceSet, finder: Finder, predictions: list[Prediction], taught: Sequence[TaughtType]
) -> dict[tuple[str, ...], float]:
    """Return how likely a sample shows each face of its type, by prototypes of the shipped set and by its samples."""
    faces = base.type(sample.type).distinct_faces
    logits: dict[tuple[str, ...], float] = {}
    shipped = {face: i for i, (of, face) in enumerate(finder.classifier.faces) if of == base.name}
    for face in faces:
        if face in shipped:
            logits[face] = float(
                np.mean([np.log(look.faces[shipped[face]] + 1e-9) + look.weight for look in predictions])
            )
    embeddings = np.array([look.embedding for look in predictions])
    for kind in taught:
        if kind.name == sample.type:
            near = kind.cosines(embeddings).mean(axis=0) * finder.classifier.cosine_scale
            for face, logit in zip(kind.faces, near, strict=True):
                logits[face] = max(float(logit), logits.get(face, float(logit)))
    top = max(logits.values(), default=0.0)
    powers = {face: float(np.exp(logit - top)) for face, logit in logits.items()}
    whole = sum(powers.values())
    return {face: power / whole for face, power in powers.items()}


def _is_settled(roll: Roll, die: RollDie) -> bool:
    is_said = die.original is not None or die.is_told
    return is_said and die.center is not None and die.throw == roll.last_throw and roll.pictures > 0


def _id(key: _Key) -> str:
    return hashlib.sha256(f"{key[0]} {key[1]}".encode()).hexdigest()[:20]
