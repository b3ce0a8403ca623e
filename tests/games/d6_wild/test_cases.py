from __future__ import annotations

from tests.games.d6_wild.cases import MECHANICS
from tests.rules.case import Case, difference, of_cases


@of_cases(__file__)
def test_a_case_of_the_rules_comes_out_as_written(case: Case) -> None:
    assert not difference(case, MECHANICS)
