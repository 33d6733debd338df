"""Pages of recorded games: the list, a game step by step, a decision, two of them side by side, and a search.

What an onlooker could have believed takes seconds a game: it is worked out row by row in a thread, and kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from nlp_agent.records.decisions import NOT_SENT, RecordedDecision, Row
from nlp_agent.records.game_reader import RecordedGame, Step, StepKind
from nlp_agent.web.app import Pages, posted
from nlp_agent.web.decision import ROLE_ORDER, DecisionPrompt, shown
from nlp_agent.web.game_list import GameList, GameListRow, LoadedGame
from nlp_agent.web.kept_jobs import KeptJobs
from nlp_agent.web.review_pages import TEXTS, Reviews, answered, review_state
from nlp_agent.web.village_view import Claims, village_of

# --- What has to be worked out for a game, a piece at a time in a thread, kept for whoever asks next -----------------


Opinions = Callable[[RecordedGame], Iterator[Any]]
"""Works out what onlookers could have believed, row by row."""
logger = logging.getLogger(__name__)


class OpinionRows:
    """The rows of one game as far as they are there; it is held, so that nobody else gets its id."""

    def __init__(self, opened: LoadedGame, opinions: Opinions) -> None:
        self._opened, self._opinions = opened, opinions
        self._rows: list[Any] = []
        self.done = self.given_up = False

    def since(self, number: int) -> tuple[list[Any], bool]:
        """The rows from ``number`` on, and whether there will be no more."""
        done = self.done  # first: rows may come in between
        return self._rows[number:], done

    def work(self) -> None:
        """Work all of it out; a failure ends it and is logged."""
        game = self._opened.game
        try:
            for row in self._opinions(game):
                self._rows.append(row)
                if self.given_up:
                    break
        except Exception:
            logger.exception("what an onlooker could believe was not worked out: %s/%s", game.contest, game.name)
        self.done = True


# --- Pages of recorded games -----------------------------------------------------------------------------------------


A_PAGE = 100
"""Games of the list that stand on one page."""

_CERTAIN = 15
"""Log-odds from which on a fact leaves no doubt."""
_SAID = ("at_moment", "copied", "day", "lines", "moved", "moved_player", "no_journals", "nothing_moves")
_TEXTS = tuple(f"replay.{key}" for key in (*_SAID, "play", "stop", "working"))


class ReplayInsight(Protocol):
    """The source of what records do not tell and has to be worked out; called in threads."""

    def opinions(self, game: RecordedGame) -> Iterator[Any]:
        """Yield what an onlooker could believe, one opinion after each step that changed it."""

    def opinion_row(self, opinion: Any, lang: str) -> Mapping[str, Any]:
        """Make ``opinion`` into data for a page in ``lang``: ``step``, ``wolf`` and ``why``."""

    def asked(self, rows: Sequence[Row], number: int) -> DecisionPrompt | None:
        """The prompt of the decision ``number`` of a journal, made again; None when that cannot be."""

    def claims(self, game: RecordedGame) -> Claims:
        """A reader of what is claimed in ``game``, which has heard nothing yet."""


class ReplayPages:
    """The pages of the recorded ``games``."""

    def __init__(self, games: GameList, insight: ReplayInsight, reviews: Reviews | None = None) -> None:
        self._games, self._insight, self._reviews = games, insight, reviews
        self._opinion_rows = KeptJobs[OpinionRows]("opinions", threads=2)

    def close(self) -> None:
        """Stop working out what nobody will look at."""
        self._opinion_rows.close()

    def routes(self, pages: Pages) -> Iterable[BaseRoute]:
        """The list, a game, its opinions, a decision, two of them side by side, and the search."""
        self._pages = pages
        yield Route("/", self._list)
        yield Route("/games/{key}", self._game)
        yield Route("/games/{key}/opinions", self._opinions)
        yield Route("/games/{key}/decisions/{seat}/{number:int}", self._decision)
        yield Route("/games/{key}/review", self._review)
        yield Route("/games/{key}/review/state", self._review_state)
        yield Route("/games/{key}/ask", self._ask, methods=["POST"])
        yield Route("/compare", self._compare)
        yield Route("/search", self._search)

    # --- games -------------------------------------------------------------------------------------------------

    async def _list(self, request: Request) -> Response:
        wanted = {key: request.query_params.get(key, "")[:80] for key in ("player", "role", "winner", "contest")}
        games = await asyncio.to_thread(self._games.games)
        found = [game for game in games if game.fits(wanted["player"], wanted["role"], wanted["winner"])]
        found = [game for game in found if wanted["contest"] in ("", game.files.contest)]
        first = _whole(request.query_params.get("from", "")) // A_PAGE * A_PAGE
        return self._pages.show(
            request,
            "replay_list.html",
            games=found[first : first + A_PAGE],
            count=len(found),
            total=len(games),
            first=first,
            a_page=A_PAGE,
            wanted=wanted,
            roles=ROLE_ORDER,
            contests=sorted({game.files.contest for game in games}),
        )

    async def _open(self, key: str) -> LoadedGame:
        try:
            return await asyncio.to_thread(self._games.game, key)
        except KeyError:
            raise HTTPException(404) from None

    async def _game(self, request: Request) -> Response:
        opened = await self._open(request.path_params["key"])
        village = await asyncio.to_thread(lambda: village_of(opened.game, self._insight.claims(opened.game)))
        return self._pages.show(
            request,
            "replay_game.html",
            village={**village.board(), "link": "s"},
            texts=_TEXTS,
            opened=opened,
            game=opened.game,
            days=_days(opened.steps),
            kinds=StepKind,
            reviewed=self._reviews is not None and bool(opened.game.winner),
        )

    async def _review(self, request: Request) -> Response:
        opened = await self._open(request.path_params["key"])
        key = opened.files.key
        return self._pages.show(
            request, "replay_review.html", texts=TEXTS, key=key, state=f"/games/{key}/review/state", words=""
        )

    async def _review_state(self, request: Request) -> Response:
        opened = await self._open(request.path_params["key"])
        if self._reviews is None:
            raise HTTPException(404)
        running = self._reviews.of(opened.game, opened.files.title)
        ask = f"/games/{opened.files.key}/ask" if opened.rows else ""
        return await asyncio.to_thread(review_state, self._pages, request, running, ask)

    async def _ask(self, request: Request) -> Response:
        opened = await self._open(request.path_params["key"])
        if self._reviews is None or not opened.game.winner:
            raise HTTPException(404)
        data = await posted(request)
        return await asyncio.to_thread(answered, self._pages, request, self._reviews, opened.files, data)

    async def _opinions(self, request: Request) -> Response:
        """``rows`` from the number ``from`` on, and whether they are all: whoever asks again gets the next ones."""
        opened = await self._open(request.path_params["key"])
        job = self._opinion_rows.of(id(opened), lambda: OpinionRows(opened, self._insight.opinions))
        rows, done = job.since(_whole(request.query_params.get("from", "")))
        lang, pieces = self._pages.language(request), self._pages.pieces(request, "replay_pieces.html")

        def drawn(row: Any) -> dict[str, Any]:
            opinion = self._insight.opinion_row(row, lang)
            why = [
                {"name": name, "push": abs(push), "certain": abs(push) >= _CERTAIN, "fresh": fresh, "html": html}
                for name, facts in opinion["why"].items()
                for text, push, fresh in facts
                if (html := pieces.piece("fact", opened, name, text, push, abs(push) >= _CERTAIN, fresh))
            ]
            return {**opinion, "why": why}

        opinions = await asyncio.to_thread(lambda: [drawn(row) for row in rows])
        return JSONResponse({"rows": opinions, "done": done}, headers={"Cache-Control": "no-store"})

    # --- decisions ---------------------------------------------------------------------------------------------

    async def _decision(self, request: Request) -> Response:
        key, seat, number = (request.path_params[name] for name in ("key", "seat", "number"))
        shown = await self._shown(key, seat, number)
        others = await asyncio.to_thread(self._others, shown["opened"], shown["decided"])
        return self._pages.show(request, "replay_decision.html", one=shown, others=others)

    async def _compare(self, request: Request) -> Response:
        both = []
        for name in ("a", "b"):
            key, _, rest = request.query_params.get(name, "").partition("/")
            seat, _, number = rest.rpartition("/")
            both.append(await self._shown(key, seat, _whole(number)))
        return self._pages.show(request, "replay_compare.html", both=both)

    async def _shown(self, key: str, seat: str, number: int) -> dict[str, Any]:
        opened = await self._open(key)
        decisions = opened.decisions.get(seat, [])
        if not 1 <= number <= len(decisions):
            raise HTTPException(404)
        one = decisions[number - 1]
        asked = await asyncio.to_thread(self._asked, opened, seat, one)
        return {"count": len(decisions), **shown(opened, seat, one, asked)}

    def _asked(self, opened: LoadedGame, seat: str, one: RecordedDecision) -> DecisionPrompt | None:
        if one.how in NOT_SENT:
            return None
        # A journal counts what was not sent too; prompts are made again by what was sent.
        sent = [each for each in opened.decisions[seat][: one.number] if each.how not in NOT_SENT]
        return self._insight.asked(opened.rows[seat], len(sent))

    def _others(self, opened: LoadedGame, one: RecordedDecision) -> list[dict[str, Any]]:
        """The same moment elsewhere: of the other seats of this game, and of this seat in other runs of it."""
        found = [_nearest(opened, seat, one) for seat in opened.decisions]
        for summary in self._games.games():
            if summary.files.key != opened.files.key and _same_deal(summary, opened.game):
                other = self._games.game(summary.files.key)
                found += [
                    _nearest(other, seat, one)
                    for seat, decisions in other.decisions.items()
                    if decisions and decisions[0].who == one.who
                ]
        return [place for place in found if place is not None and place["decided"] is not one]

    # --- search ------------------------------------------------------------------------------------------------

    async def _search(self, request: Request) -> Response:
        words = request.query_params.get("q", "").strip()[:200]
        hits, looked, whole = await asyncio.to_thread(self._games.search, words) if words else ([], 0, True)
        return self._pages.show(request, "replay_search.html", words=words, hits=hits, looked=looked, whole=whole)


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def _days(steps: Sequence[Step]) -> list[tuple[int, list[Step]]]:
    found: dict[int, list[Step]] = {}
    for step in steps:
        found.setdefault(step.day, []).append(step)
    return list(found.items())


def _nearest(opened: LoadedGame, seat: str, one: RecordedDecision) -> dict[str, Any] | None:
    """The decision of ``seat`` on the same day for the same request that comes nearest to ``one``."""
    alike = [each for each in opened.decisions[seat] if (each.day, each.request) == (one.day, one.request)]
    if not alike:
        return None
    best = min(alike, key=lambda each: abs((each.step or 0) - (one.step or 0)))
    return {"key": opened.files.key, "name": opened.files.title, "seat": seat, "decided": best}


def _same_deal(summary: GameListRow, game: RecordedGame) -> bool:
    return {(p.name, p.role) for p in summary.players} == set(game.roles.items())
