"""The cases of D6 with a Wild Die."""

from __future__ import annotations

from collections.abc import Mapping

from tableside.rules.d6_code import Code
from tableside.rules.d6_wild import wild_roll
from tests.rules.case import Case, Play


def _wild_roll(given: Case) -> Case:
    roll = wild_roll(given["faces"], given["wild"], Code.of(given["code"]).pips)
    return {"total": roll.total, "rerolls": roll.rerolls, "complication": roll.complication}


MECHANICS: Mapping[str, Play] = {
    "wild_roll": _wild_roll,
}
