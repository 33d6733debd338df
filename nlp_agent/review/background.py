"""Reviews for pages: worked out in processes of their own, one game at a time, and kept for whoever asks next.

A server that plays or shows games goes on meanwhile: nothing is computed in its own process but what is told.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, as_completed
from typing import Any

from nlp_agent.app.processes import cores, end_pool, new_pool, starting
from nlp_agent.app.wiring.replay_insight import OnlookerOpinion
from nlp_agent.errors import NlpAgentError
from nlp_agent.records.game_files import GameFiles
from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.review.ask import interview_in
from nlp_agent.review.page import page_values, reviewed_data
from nlp_agent.review.review import (
    GameReview,
    Prepared,
    Results,
    Task,
    assemble,
    closer_rounds,
    opinions_of,
    play_round,
    prepare,
    rounds,
    usual_games,
)
from nlp_agent.web.game_list import load_game
from nlp_agent.web.kept_jobs import KeptJobs

logger = logging.getLogger(__name__)


class ReviewJob:
    """The review of one game; ``games`` from each moment, 0: as many as usual."""

    def __init__(self, game: RecordedGame, title: str, games: int = 0) -> None:
        self._game, self._title, self._games = game, title, games or usual_games(len(game.players))
        self._review: GameReview | None = None
        self._told: dict[tuple[str, str], Mapping[str, Any]] = {}
        self.done = self.total = 0
        self.problem = ""
        self.given_up = False

    def values(self, lang: str, me: str) -> Mapping[str, Any] | None:
        """The values that a template draws of the review in ``lang``, told to the player ``me``; None until it is
        there.
        """
        if self._review is None:
            return None
        if (lang, me) not in self._told:
            self._told[lang, me] = page_values(reviewed_data(self._review, lang, self._title, me))
        return self._told[lang, me]

    def work(self) -> None:
        """Work it out; to be run in a thread. Never raises: what goes wrong is its problem."""
        pool = new_pool(cores())
        try:
            with starting():
                beginning = pool.submit(prepare, self._game)
            prepared = beginning.result()
            opinions = pool.submit(_opinions, prepared)
            results = Results()
            self._play(pool, rounds(prepared, self._games), results)
            if not self.given_up:
                self._play(pool, closer_rounds(prepared, results, self._games), results)
            if self.given_up:
                return
            self._review = assemble(prepared, results, opinions.result(), self._games)
        except NlpAgentError as error:
            self.problem = str(error)
        except Exception as error:
            logger.exception("a review was not worked out: %s", self._title)
            self.problem = f"{type(error).__name__}: {error}"
        finally:
            end_pool(pool, now=True)

    def _play(self, pool: Executor, tasks: Sequence[Task], results: Results) -> None:
        self.total += sum(len(task.seeds) for task in tasks)
        for played in as_completed([pool.submit(play_round, task) for task in tasks]):
            if self.given_up:
                return
            results.add(played.result())
            self.done += len(played.result()[1])


def _opinions(prepared: Prepared) -> tuple[OnlookerOpinion, ...]:
    return tuple(opinions_of(prepared))


class ReviewJobs:
    """The reviews of a server, worked out one at a time and kept."""

    def __init__(self, games: int = 0) -> None:
        self._games, self._jobs = games, KeptJobs[ReviewJob]("review")

    def of(self, game: RecordedGame, title: str) -> ReviewJob:
        """The review of ``game``; it is begun with the first question."""
        key = (game.contest, game.name, game.players)
        return self._jobs.of(key, lambda: ReviewJob(game, title, self._games))

    def answer(self, files: GameFiles, player: str, question: str, lang: str, asker: str) -> str:
        """Answer ``question`` as ``player`` would, from its journal; ``""`` without one."""
        try:
            found = interview_in(load_game(files), player, lang, asker)
        except KeyError:
            return ""
        return found[0].answer(question) if found is not None else ""

    def close(self) -> None:
        """Give up what nobody will look at."""
        self._jobs.close()
