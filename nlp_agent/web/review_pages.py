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
    def done(self) -> int:
        """The number of games of the review that have been played."""

    @property
    def total(self) -> int:
        """The number of games that the review needs."""

    @property
    def problem(self) -> str:
        """The reason why the review cannot be made; ``""`` as long as there is none."""

    def values(self, lang: str, me: str) -> Mapping[str, Any] | None:
        """The values that the template draws, told in ``lang`` to the player ``me`` (``""``: to nobody's); None until
        the review is there.
        """


class Reviews(Protocol):
    """The keeper of reviews, which works them out and answers questions about them."""

    def of(self, game: RecordedGame, title: str) -> RunningReview:
        """The review of ``game``; it is begun with the first question."""

    def answer(self, files: GameFiles, player: str, question: str, lang: str, asker: str) -> str:
        """Answer ``question`` as ``player`` of the game would, in ``lang``; ``""`` where nobody kept its notes."""


def title_of(game: RecordedGame) -> str:
    """The title of a game of our own, as the replay names it."""
    return GameFiles("", game.contest, game.name).title


def review_state(pages: Pages, request: Request, running: RunningReview, ask: str, me: str = "") -> Response:
    """Answer the page's script: ``html`` once the review is there, else how far it is, or the problem. ``ask``: where
    players are asked questions.
    """
    lang = pages.language(request)
    values = running.values(lang, me)
    html = pages.pieces(request, "review_body.html").piece("body", values, ask) if values is not None else ""
    state = {"done": running.done, "total": running.total, "problem": running.problem, "html": html}
    return JSONResponse(state, headers={"Cache-Control": "no-store"})


LONGEST_QUESTION = 500
"""Characters of a question to a player."""


def answered(
    pages: Pages, request: Request, reviews: Reviews, files: GameFiles, data: Mapping[str, Any], asker: str = ""
) -> Response:
    """Answer the question that was posted, as the player who was asked."""
    lang = pages.language(request)
    player, question = (str(data.get(key, ""))[:LONGEST_QUESTION] for key in ("player", "question"))
    told = reviews.answer(files, player, question, lang, asker) or pages.texts[lang]["ask"]["no_notes"]
    return JSONResponse({"player": player, "text": told}, headers={"Cache-Control": "no-store"})
