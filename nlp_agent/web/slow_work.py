"""What has to be worked out for a game, a piece at a time in a thread, kept for whoever asks next."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from nlp_agent.records.gamelog import LoggedGame
from nlp_agent.web.game_list import OpenGame

KEPT = 20
"""Games of which it is remembered."""
Opinions = Callable[[LoggedGame], Iterator[Any]]
"""Works it out, row by row."""
logger = logging.getLogger(__name__)


class SlowWork:
    """The rows of one game as far as they are there."""

    def __init__(self) -> None:
        self._rows: list[Any] = []
        self.done = self.given_up = False

    def since(self, number: int) -> tuple[list[Any], bool]:
        """The rows from ``number`` on, and whether there will be no more."""
        done = self.done  # first: rows may come in between
        return self._rows[number:], done

    def work(self, opinions: Opinions, game: LoggedGame) -> None:
        """Work all of it out; a failure ends it and is told to the log."""
        try:
            for row in opinions(game):
                self._rows.append(row)
                if self.given_up:
                    break
        except Exception:
            logger.exception("what an onlooker could believe was not worked out: %s/%s", game.contest, game.name)
        self.done = True


class SlowWorks:
    """Those of all games, one worked out at a time."""

    def __init__(self, opinions: Opinions) -> None:
        self._opinions = opinions
        self._known: OrderedDict[int, tuple[OpenGame, SlowWork]] = OrderedDict()
        self._threads = ThreadPoolExecutor(2, "reckoning")

    def of(self, opened: OpenGame) -> SlowWork:
        """What there is of this game; it is begun with the first question."""
        if id(opened) not in self._known:
            reckoning = SlowWork()
            self._known[id(opened)] = (opened, reckoning)  # held, so that its id stays its own
            self._threads.submit(reckoning.work, self._opinions, opened.game)
            while len(self._known) > KEPT:
                _, (_, oldest) = self._known.popitem(last=False)
                oldest.given_up = True
        return self._known[id(opened)][1]

    def close(self) -> None:
        """Stop at the next row."""
        for _, reckoning in self._known.values():
            reckoning.given_up = True
        self._threads.shutdown(wait=False, cancel_futures=True)
