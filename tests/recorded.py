"""Games that were played and recorded, for all tests of a process that read records."""

from __future__ import annotations

import asyncio
import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from nlp_agent.app.config import Config, LlmConfig
from nlp_agent.app.wiring import TableOptions, play_games
from nlp_agent.lab.loopback import Loopback
from nlp_agent.net import Stop
from nlp_agent.records.summary import GameSummary


@cache
def recorded(players: int, lang: str, *, model: bool = True, seed: int = 4) -> Path:
    """The folder of one game, with both logs and the journals of all seats; with the loopback endpoint or without."""
    games: list[GameSummary] = []
    folder = Path(mkdtemp(prefix="recorded-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

    async def main() -> None:
        async with Loopback() as endpoint:
            llm = LlmConfig(base_url=endpoint.base_url, model="loopback", api_key_env="PATH")
            config = Config(llm=llm if model else LlmConfig())
            await play_games(config, TableOptions(players, lang, seed, 1, folder), lambda _: None, games.append, Stop())

    asyncio.run(main())
    return Path(games[0].records)
