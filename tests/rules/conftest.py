"""Rules cases that are marked uncertain are reported apart.

A difference in such a case is a question, not a defect.
"""

from __future__ import annotations

import pytest

UNCERTAIN = "is marked uncertain; ours "


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the test of a folder's cases where no folder is named."""
    if config.getoption("--examples") is None:
        items[:] = [item for item in items if item.name != "test_an_example_of_the_rules_comes_out_as_written"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = [
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple) and UNCERTAIN in report.longrepr[2]
    ]
    if reasons:
        terminalreporter.section("rules cases marked uncertain")
        differing = [reason for reason in reasons if reason.endswith("differs")]
        terminalreporter.write_line(f"{len(reasons)} cases, {len(reasons) - len(differing)} of them as ours")
        for reason in differing:
            terminalreporter.write_line(reason)
