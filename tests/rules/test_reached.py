"""Every name of the rules is in reach of a table: what only tests know is no rule of the product.

``unreached.txt`` has what is out of reach, a line each. It may only shrink: a name of it that is reached, or gone,
has to leave it.
"""

from __future__ import annotations

from tests.conftest import ROOT
from tests.rules.reached import RULES, unreached

LISTED = set((ROOT / "tests" / "rules" / "unreached.txt").read_text(encoding="utf-8").split("\n")) - {""}


def test_every_name_of_the_rules_is_in_reach_of_a_table() -> None:
    found = {f"{module.removeprefix(f'{RULES}.')} {name}" for module, names in unreached().items() for name in names}
    assert found - LISTED == set(), "give these a way in, make them reference data, or take them out"
    assert LISTED - found == set(), "these are reached or gone: take them out of tests/rules/unreached.txt"
