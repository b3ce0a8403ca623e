"""The pages of the guide as tests see them: their headings, links and examples."""

from __future__ import annotations

import importlib
import re
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tests.conftest import ROOT

PAGES: Sequence[Path] = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "hardware").glob("*.md"),
        *(ROOT / "models").glob("*.md"),
        ROOT / "tableside" / "rules" / "README.md",
        *(ROOT / "tableside" / "games").glob("*/guide.md"),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One fenced block. ``marker`` is the word behind its fence, ``line`` the number of its first line."""

    page: Path
    line: int
    marker: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line} {self.marker}"


def examples(page: Path) -> Sequence[Example]:
    """Return the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Example(page=page, line=text.count("\n", 0, found.start(2)) + 1, marker=found[1], text=found[2])
        for found in re.finditer(r"^```(\S*)[^\n]*\n(.*?)^```", text, re.M | re.S)
    ]


def without_code(text: str) -> str:
    """Return a page without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub makes of a page's headings."""
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ (.+)$", without_code(page.read_text(encoding="utf-8")), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        kept = "".join(c for c in plain if c in "-_ " or unicodedata.category(c)[0] in "LN")
        slug = kept.replace(" ", "-")
        count = found.get(slug, 0)
        found[slug] = count + 1
        if count:
            found[f"{slug}-{count}"] = 1
    return set(found)


def links(page: Path) -> Sequence[str]:
    """Return what a page links to, pictures included."""
    return re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8")))


def section(page: Path, heading: str) -> str:
    """Return what stands below a heading of the second level, ``""`` where there is none."""
    parts = re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.M)
    return next((part for part in parts[1:] if part.splitlines()[0].strip() == heading), "")


def script(name: str) -> ModuleType:
    """Return a program beside the guide's pages."""
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / "docs"))
