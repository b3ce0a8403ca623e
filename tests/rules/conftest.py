"""Rules cases that are marked uncertain, and words of games that a language lacks, are reported apart.

A difference in such a case is a question, not a defect.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tableside.adapters.web.pages import languages_of
from tableside.rules import find_game, game_names
from tests.conftest import ROOT

UNCERTAIN = "is marked uncertain; ours "


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the test of a folder's cases where no folder is named."""
    if config.getoption("--examples") is None:
        items[:] = [item for item in items if item.name != "test_an_example_of_the_rules_comes_out_as_written"]


def untranslated() -> Iterator[tuple[str, str, list[str]]]:
    """Yield what German says of a game and another language does not, so that its pages say it in English."""
    for game in map(find_game, game_names()):
        for language in languages_of(ROOT / "web").keys() - {"en", "de"}:
            if missing := sorted(game.words("de").keys() - game.words(language).keys()):
                yield game.name, language, missing


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name, language, missing in untranslated():
        terminalreporter.write_line(f"{name} lacks {len(missing)} in {language}: {', '.join(missing)}")
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
