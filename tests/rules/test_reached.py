"""Every name of the rules is in reach of a table: what only tests know is no rule of the product."""

from __future__ import annotations

import pytest

from tests.rules.reached import unreached


@pytest.mark.slow
def test_every_name_of_the_rules_is_in_reach_of_a_table() -> None:
    assert unreached() == {}, "give these a way in, make them reference data, or take them out"
