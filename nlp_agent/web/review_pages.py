"""Reviews on pages: worked out elsewhere, asked for again and again by a script until they are there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from nlp_agent.records.game_files import GameFiles
from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.web.app import Pages

TEXTS = ("review.working", "review.preparing")
"""What the script of a review says."""


class RunningReview(Protocol):
    """The review of one game as far as it is there: ``done`` of ``total`` games are played; ``problem``: why there
    will be none."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def problem(self) -> str: ...
    def values(self, lang: str, me: str) -> Mapping[str, Any] | None:
        """What the template draws, told in ``lang`` to the player ``me`` (``""``: to nobody's); None until then."""


class Reviews(Protocol):
    """Who works reviews out, and keeps them."""

    def of(self, game: RecordedGame, title: str) -> RunningReview:
        """The review of ``game``; it is begun with the first question."""


def title_of(game: RecordedGame) -> str:
    """What to call a game of our own, as the replay does."""
    return GameFiles("", game.contest, game.name).title


def review_state(pages: Pages, request: Request, running: RunningReview, me: str = "") -> Response:
    """For the script: ``html`` once it is there, else how far it is, or the problem."""
    lang = pages.language(request)
    values = running.values(lang, me)
    html = pages.pieces(request, "review_body.html").piece("body", values) if values is not None else ""
    state = {"done": running.done, "total": running.total, "problem": running.problem, "html": html}
    return JSONResponse(state, headers={"Cache-Control": "no-store"})
