"""Games that were played and recorded, for all tests of a process that read records."""

from __future__ import annotations

import asyncio
import atexit
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from nlp_agent.app.config import Config, LlmConfig
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.llm.loopback import HttpReply, Loopback, prompt_text, saying
from nlp_agent.net import Stop
from nlp_agent.records.journal import read_rows
from nlp_agent.records.summary import GameSummary
from tests.seat.thinker import Thinker


class _Slow:
    """A model that thinks for a moment, on a clock that jumps; at times it gives itself away, and is refused."""

    def __init__(self, lang: str) -> None:
        self._thinker, self._random = Thinker(lang), Random(1)

    def __call__(self, request: dict[str, Any]) -> HttpReply:
        form = request.get("response_format", {}).get("json_schema", {}).get("schema", {})
        text = self._thinker.answer(form, prompt_text(request)) if "thought" in form.get("properties", {}) else "Hm."
        waiting = partial(asyncio.sleep, self._random.uniform(0.7, 4.0))
        return saying(request, (waiting, text), cached=len(prompt_text(request)) // 6)


@cache
def recorded(players: int, lang: str, *, model: bool = True, seed: int = 4) -> Path:
    """The folder of one game, with both logs and the journals of all seats; with a model or without."""
    games: list[GameSummary] = []
    folder = Path(mkdtemp(prefix="recorded-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

    async def main() -> None:
        async with Loopback(_Slow(lang)) as endpoint:
            llm = LlmConfig(
                base_url=endpoint.base_url,
                model="loopback",
                api_key_env="PATH",
                read_talks=False,
                complete_character=False,
            )
            config = Config(llm=llm if model else LlmConfig())
            await play_games(config, TableOptions(players, lang, seed, 1, folder), lambda _: None, games.append, Stop())

    def play() -> None:
        with asyncio.Runner(loop_factory=HurriedLoop) as runner:
            runner.run(main())

    # In a thread of its own: where a browser is tested a loop runs in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(play).result()
    return Path(games[0].records)


def refused(folder: Path) -> tuple[str, int]:
    """Seat and number (from 1) of a talk on day 1 of which an answer was refused, made again with success if there is
    one; what a model is refused for changes with the rules.
    """
    found: list[tuple[bool, str, int]] = []
    for journal in sorted(folder.glob("*.jsonl")):
        decisions = [row for row in read_rows(journal) if row["event"] in ("decision", "dropped")]
        for number, row in enumerate(decisions, start=1):
            wanted = (row.get("day"), row.get("request")) == (1, "TALK") and "user" in row
            if wanted and any(problem.startswith("refused") for problem in row.get("problems", ())):
                found.append((row["how"] != "retry", journal.stem, number))
    _, seat, number = min(found)
    return seat, number
