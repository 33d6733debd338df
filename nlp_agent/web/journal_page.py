"""Journals as one page in one file, with its styles inside and without any script: to be sent to somebody."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from nlp_agent.web.decision import AskedPrompt, shown
from nlp_agent.web.game_list import OpenGame
from nlp_agent.web.templating import STATIC, templates
from nlp_agent.web.texts import load_texts

_STYLES = ("base.css", "replay.css")


def journal_page(games: Sequence[OpenGame], lang: str) -> str:
    """A page in ``lang`` with every decision of every journal of ``games``. Raises KeyError for a foreign language."""
    texts = load_texts()[lang]
    style = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in _STYLES)
    # Only this very style is allowed, and nothing is loaded or run, whatever stands in the talks.
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        templates()
        .get_template("leaflet.html")
        .render(t=texts, lang=lang, style=style, digest=digest, games=[(game, list(_seats(game))) for game in games])
    )


def _seats(game: OpenGame) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Of each seat its decisions, as templates want them."""
    for seat, decisions in game.decisions.items():
        told, before = [], ""
        for one in decisions:
            system = str(one.row.get("system", ""))
            told.append(shown(game, seat, one, _short(one.row.get("user"), system, before)))
            before = system or before
        yield seat, told


def _short(user: object, system: str, before: str) -> AskedPrompt | None:
    """The prompt as the journal holds it, without a system message that was shown at the decision before."""
    if not isinstance(user, str) or not user:
        return None
    first = (("system", system),) if system and system != before else ()
    return AskedPrompt((*first, ("user", user)), again=False)
