"""A watched table is shown at reading pace: it can be stopped, stepped and hurried, and its page stays afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from playwright.sync_api import Page, expect

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.app.wiring.web_tables import open_onlooker_page
from nlp_agent.arena.events import Event, Talked
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.net import Stop
from nlp_agent.protocol import Request
from nlp_agent.records.summary import GameSummary
from nlp_agent.web.pacing import Pacer, share_of
from tests.web.axe import serious
from tests.web.browser import running


def test_things_are_shown_in_order_after_their_time() -> None:
    """What has no share comes with what was before it; a talk with words takes the whole pace, one without a part."""

    async def main() -> list[tuple[str, float]]:
        loop, pacer = asyncio.get_running_loop(), Pacer(10.0)
        shown: list[tuple[str, float]] = []
        begun = loop.time()

        def note(name: str) -> None:
            shown.append((name, round(loop.time() - begun)))

        for name, share in (("a", 1.0), ("b", 0.0), ("c", 0.5)):
            pacer.put(partial(note, name), share)
        running_pacer = asyncio.create_task(pacer.run())
        await pacer.caught_up()
        running_pacer.cancel()
        return shown

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        assert runner.run(main()) == [("a", 10), ("b", 10), ("c", 15)]
    talk = Talked(1, Request.TALK, 0, 0, 0, "I am here.")
    assert share_of(talk) == 1.0 > share_of(Talked(1, Request.TALK, 0, 0, 0, "Over")) > 0


def test_it_stops_steps_and_hurries() -> None:
    """Stopped, nothing comes however long one waits; a step brings one thing; in a hurry all comes at once."""

    async def main() -> None:
        pacer, shown = Pacer(1.0), list[int]()
        for number in range(5):
            pacer.put(partial(shown.append, number), 1.0)
        running_pacer = asyncio.create_task(pacer.run())
        pacer.stop()
        await asyncio.sleep(100)
        assert shown == []
        pacer.step()
        await asyncio.sleep(100)
        assert shown == [0]
        pacer.go_on()
        await asyncio.sleep(1.5)
        assert shown == [0, 1]
        pacer.hurry()
        assert set(shown[1:]) >= {1, 3, 4}
        await asyncio.sleep(100)
        running_pacer.cancel()
        assert sorted(shown) == [0, 1, 2, 3, 4]

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        runner.run(main())


def test_space_pauses_a_watched_game(page: Page, tmp_path: Path) -> None:
    """The space key stops a watched game, and its page stays as a replay.

    With the keyboard alone: stop, step, go on; the end leads to the replay with its review. axe finds nothing.
    """

    @asynccontextmanager
    async def watched() -> AsyncIterator[str]:
        async with open_onlooker_page("en", 0, pace=0.4, records=tmp_path) as opened:
            games: list[GameSummary] = []

            def seen(event: Event) -> None:
                opened.pacer.put(lambda: opened.show(event), share_of(event))

            async def play() -> None:
                options = TableOptions(5, "en", 4, 1, tmp_path)
                await play_games(Config(), options, seen, games.append, Stop())
                await opened.pacer.caught_up()
                opened.ended(Path(games[0].records))

            playing = asyncio.create_task(play())
            try:
                yield opened.url
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)

    with running(watched) as (url, _):
        page.goto(url)
        expect(page.locator(".line.talk").first).to_be_visible()
        page.keyboard.press("Space")
        expect(page.locator("#pace [data-do=go]")).to_be_visible()
        count = page.locator("#lines > li").count()
        assert serious(page) == []
        assert page.locator("#lines > li").count() == count
        page.keyboard.press("ArrowRight")
        expect(page.locator("#lines > li")).not_to_have_count(count)
        assert page.locator("#lines > li").count() <= count + 2
        count = page.locator("#lines > li").count()
        for steps_back in (1, 2):
            page.keyboard.press("ArrowLeft")
            expect(page.locator("#lines > li.read")).to_have_count(1)
            assert page.locator("#lines > li.read ~ li").count() == steps_back
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#lines > li.read")).to_have_count(0)
        assert page.locator("#lines > li").count() == count
        page.keyboard.press("Space")
        expect(page.locator("#pace [data-do=stop]")).to_be_visible()
        expect(page.locator("#to-replay")).to_be_visible(timeout=90_000)
        page.locator("#to-replay").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#replay")).to_be_visible()
