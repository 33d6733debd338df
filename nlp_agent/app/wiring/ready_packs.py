"""The packs of a team, made ready in the order in which games may need them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from nlp_agent.prompting import Pack
from nlp_agent.prompting.detect_language import FIRST, shipped_scripts

AUTO = "auto"
"""The pack is chosen by the language of the village."""
_QUIET = 2.0
"""Seconds without a game after which the wait for one is used."""


class ReadyPacks:
    """Packs by name, of which a config names ``names``; ``load`` makes one, ``loaded`` are there already.

    Once :meth:`prepare` is done a game in the likeliest language waits for nothing but patterns that few games need.
    When none has begun for a while, these are compiled too, and then other languages are made ready.
    """

    def __init__(self, names: Sequence[str], load: Callable[[str], Pack], loaded: dict[str, Pack]) -> None:
        self._names, self._load, self._loaded = names, load, loaded
        self._quiet: asyncio.Task[None] | None = None

    def __iter__(self) -> Iterator[Pack]:
        """Those that are loaded."""
        return iter(self._loaded.values())

    def __getitem__(self, name: str) -> Pack:
        if name in self._loaded:
            return self._loaded[name]
        # A game may have begun meanwhile: all its seats share what the first of them was given.
        return self._loaded.setdefault(name, self._load(name))

    @cached_property
    def _likely(self) -> Sequence[str]:
        if AUTO not in self._names:
            return self._names
        return sorted(shipped_scripts(), key=lambda name: name != FIRST)

    @property
    def first(self) -> Pack:
        """That of the likeliest game."""
        return self[self._likely[0]]

    async def prepare(self) -> None:
        """Make ready what a game may need at once; the rest when it has been quiet for a moment."""
        now = self._likely[:1] if AUTO in self._names else self._likely
        for name in now:
            await _in_threads(self._rehearsing(name))
        self._quiet = asyncio.create_task(self._use_the_wait(now))

    def prepare_all(self) -> None:
        """Make everything ready, in this very thread."""
        from nlp_agent.app.wiring.rehearsal import rehearse  # noqa: PLC0415 - no first NAME is to wait for it

        for name in self._likely:
            rehearse(self[name])

    def leave_the_rest(self) -> None:
        """Make nothing more ready: a game has told its language and needs no other, or there will be none."""
        if self._quiet is not None:
            self._quiet.cancel()

    async def _use_the_wait(self, ready: Sequence[str]) -> None:
        await asyncio.sleep(_QUIET)
        for name in self._likely:
            if name not in ready:
                await _in_threads(self._rehearsing(name))
            await _in_threads(self._completing(name))

    def _rehearsing(self, name: str) -> Iterator[None]:
        from nlp_agent.app.wiring.rehearsal import rehearsing  # noqa: PLC0415 - likewise

        pack = self[name]
        yield
        yield from rehearsing(pack)

    def _completing(self, name: str) -> Iterator[None]:
        from nlp_agent.app.wiring.rehearsal import completing  # noqa: PLC0415 - likewise

        yield from completing(self[name])


async def _in_threads(steps: Iterator[None]) -> None:
    """One after the other: a game that begins meanwhile waits for a single one at most."""
    while await asyncio.to_thread(next, steps, steps) is None:
        pass
