"""Load for the reader what it knows by samples. Taught sets are measured again when the network or the samples have
changed; of a set on request ``models/polyhedral.py`` has measured drawn samples."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from tableside.dice import DiceSet
from tableside.dice.taught import load_taught
from tableside.errors import DiceSetError, ModelError
from tableside.reader.classify import Classifier
from tableside.reader.prototypes import TaughtType
from tableside.teaching.measure import fingerprint, keep, kept, measure

_log = logging.getLogger(__name__)
_FILE = "prototypes.npz"


def load_taught_types(sets: Sequence[DiceSet], classifier: Classifier) -> tuple[TaughtType, ...]:
    """Return the taught types of these sets. A set whose samples are damaged is left out, and logged.

    :raises ModelError: when what was measured for a set on request is missing, damaged, or of another network.
    """
    types: list[TaughtType] = []
    for dice_set in sets:
        if dice_set.on_request:
            shipped = kept(dice_set.folder / _FILE, classifier.network)
            if shipped is None:
                where = str(dice_set.folder / _FILE)
                raise ModelError("the prototypes cannot be read", where=where, hint="Install tableside again.")
            types += shipped
        for folder in dice_set.sample_folders:
            try:
                taught = load_taught(folder)
            except DiceSetError as error:
                _log.warning("%s", error)
                continue
            mark = fingerprint(taught, classifier)
            known = kept(folder / _FILE, mark)
            if known is None:
                measured = measure(taught, classifier, base=dice_set if taught.dice_set.like else None)
                keep(measured, folder / _FILE, mark)
                known = measured.types
            types += known
    return tuple(types)
