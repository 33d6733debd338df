"""What axe-core finds on a page as it stands."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_OF_COLOURS = ("color-contrast", "link-in-text-block")
"""What can be another by night than by day."""


def serious(page: Page, *, by_night: bool = False) -> list[str]:
    """Serious and critical faults of ``page``, with where they are; ``by_night`` those of its dark colours alone."""
    page.emulate_media(color_scheme="dark" if by_night else "light")
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    options: dict[str, Any] = {"resultTypes": ["violations"]} | ({"runOnly": _OF_COLOURS} if by_night else {})
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    place = f"{page.url.partition('?')[0]} by {'night' if by_night else 'day'}"
    return [
        f"{place}: {fault['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
