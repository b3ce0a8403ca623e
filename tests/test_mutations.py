"""The list of mutations fits the program; ``python -m tests.mutations`` tries them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import ROOT
from tests.mutations import rows


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['file'].rpartition('/')[2]} {row['old'].strip()[:40]}")
def test_a_mutation_has_one_place_and_tests_that_exist(row: dict[str, Any]) -> None:
    assert (ROOT / row["file"]).read_text(encoding="utf-8").count(row["old"]) == 1
    assert row["old"] != row["new"]
    assert all((ROOT / test.partition("::")[0]).exists() for test in row["tests"])
