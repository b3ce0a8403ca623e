"""Draw the icons of installed pages from ``web/icon.svg``: ``python docs/icons.py``. Needs chromium."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright
from screenshots import chromium

WEB = Path(__file__).parent.parent / "web"
GREEN = "#2f9e44"
ICONS = (("icon-192", 192, False), ("icon-512", 512, False), ("icon-maskable", 512, True))


def main() -> None:
    """Draw each: a maskable one has its ground up to the edge, as phones cut it."""
    drawing = (WEB / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        for name, size, is_maskable in ICONS:
            page = browser.new_page(viewport={"width": size, "height": size})
            ground = GREEN if is_maskable else "transparent"
            style = f"body {{ margin: 0; background: {ground}; }} svg {{ width: 100vw; display: block; }}"
            page.set_content(f"<style>{style}</style>{drawing}")
            page.screenshot(path=WEB / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
