"""What the seats of one configuration share, and how each of them is made for a game.

First the packs (:class:`ReadyPacks`), made ready in the order in which games may need them; then the :class:`Team`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import Any
from weakref import WeakValueDictionary
from zlib import crc32

from nlp_agent.app.config import Config
from nlp_agent.app.official_sample import template_text
from nlp_agent.app.secrets import server_token
from nlp_agent.app.wiring.models import asking_options, build_model
from nlp_agent.app.wiring.strategies import load_strategy
from nlp_agent.deadline import Clock
from nlp_agent.errors import PackError
from nlp_agent.game import SeatState
from nlp_agent.llm.local import LocalModel
from nlp_agent.net import EntryLock, Session
from nlp_agent.net.classic import ClassicServer, is_classic
from nlp_agent.net.connection import Connection
from nlp_agent.net.session import Player
from nlp_agent.prompting import OfficialPrompts, Pack, TemplateSource, detect_language, load_pack, refresh
from nlp_agent.prompting.detect_language import DEFAULT_PACK, shipped_scripts
from nlp_agent.prompting.pack import find_pack
from nlp_agent.protocol import MORNINGS, Packet
from nlp_agent.protocol.classic import ClassicReader
from nlp_agent.records.game_files import RecordFolders, safe_name
from nlp_agent.records.journal import Journal, NoJournal
from nlp_agent.seat import JournalWriter, Pace, Seat
from nlp_agent.seat.background import SharedReading

# --- The packs of a team, made ready in the order in which games may need them ---------------------------------------


AUTO = "auto"
"""The pack is chosen by the language of the village."""


class ReadyPacks:
    """The packs by name, of which a config names ``names``; ``load`` makes one, ``loaded`` are there already.

    Once :meth:`prepare` is done, a game in any language that it may be in waits for nothing: loading a pack takes a
    good part of a second, and a server may wait for less.
    """

    def __init__(self, names: Sequence[str], load: Callable[[str], Pack], loaded: dict[str, Pack]) -> None:
        self._names, self._load, self._loaded = names, load, loaded
        self._left = False

    def __iter__(self) -> Iterator[Pack]:
        """Iterate over the packs that are loaded."""
        return iter(self._loaded.values())

    def __getitem__(self, name: str) -> Pack:
        if name in self._loaded:
            return self._loaded[name]
        # A game may have begun meanwhile: all its seats share what the first of them was given.
        return self._loaded.setdefault(name, self._load(name))

    @cached_property
    def likely(self) -> Sequence[str]:
        """The names of the packs that a game may need, the likeliest first."""
        if AUTO not in self._names:
            return self._names
        return sorted(shipped_scripts(), key=lambda name: name != DEFAULT_PACK)

    @property
    def first(self) -> Pack:
        """The pack of the game that is likeliest to come."""
        return self[self.likely[0]]

    async def prepare(self, needed: Callable[[], Sequence[str]], *, every_language: bool) -> None:
        """Make ready what a game may need, in threads, the likeliest language first.

        Args:
            needed: asked before each step. Where a game has begun already, it tells the packs that this one needs, and
                the others are left out; before, it tells nothing.
            every_language: where any may come, and not the likeliest alone.
        """
        names = self.likely if every_language or AUTO not in self._names else self.likely[:1]
        ready = set[str]()
        while name := next((each for each in needed() or names if each not in ready), ""):
            steps = self._steps(name)
            while name in (needed() or (name,)):
                if self._left:
                    return
                if await asyncio.to_thread(next, steps, self) is self:
                    ready.add(name)
                    break

    def prepare_all(self) -> None:
        """Make everything ready, in this very thread, down to the last pattern: 100 ms may be all there is."""
        from nlp_agent.app.wiring.warm_up import warm_up_pack  # noqa: PLC0415 - loads numpy, and the first NAME must be answered at once

        for name in self.likely:
            warm_up_pack(self[name])

    def leave_the_rest(self) -> None:
        """Make nothing more ready: there will be no game."""
        self._left = True

    def _steps(self, name: str) -> Iterator[None]:
        from nlp_agent.app.wiring.warm_up import warm_up_steps  # noqa: PLC0415 - loads numpy

        pack = self[name]
        yield
        # What is left to compile a whole game needs some 30 of 500 ms of, and a talk at most 20.
        yield from warm_up_steps(pack)


# --- What the seats of one configuration share, and how each of them is made for a game ------------------------------


_SHORT_TALK = 60
"""Code points of a talk up to which a village is Japanese if nothing else tells: contests give 50, English ones 125."""


def now_iso() -> str:
    """The present as ISO 8601 text in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def now_folder() -> str:
    """The present as the beginning of a folder's name, in local time."""
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"


def official_prompts(config: Config) -> OfficialPrompts | None:
    """The prompts of a config in the official sample's format. Raises PackError with file and line."""
    file = str(config.source or "")
    sources = {name: TemplateSource(text, file, above) for name, (text, above) in config.chat.items()}
    return OfficialPrompts(sources) if sources else None


class Team:
    """The seats of one Config; all of them share model, packs and record folders.

    ``packs`` that are loaded already may be shared with other teams whose prompts are the same.
    """

    def __init__(
        self, config: Config, folders: RecordFolders, entry: EntryLock, packs: dict[str, Pack] | None = None
    ) -> None:
        self.config = config
        self.folders = folders
        self.entry = entry
        self.model = build_model(config)
        models = self.model.models.values() if self.model is not None else ()
        self._local = [model for model in models if isinstance(model, LocalModel)]
        self._strategy = load_strategy(config.strategy, source=config.source)
        for name in config.packs:
            if name != AUTO:
                find_pack(name)
        self._packs = ReadyPacks(config.packs, self.load_pack, {} if packs is None else packs)
        self._readings: WeakValueDictionary[str, SharedReading] = WeakValueDictionary()
        """Of each game that is being played, by its id."""
        self.on_row: Callable[[str, str, Mapping[str, Any]], None] | None = None
        """Told of every row of a journal: the seat's name, the event, and the row."""
        self._timing = config.deadline.timing(classic=is_classic(config.web_socket.url))
        self._pace = Pace(**config.groupchat.model_dump())

    def load_pack(self, name: str) -> Pack:
        """The pack called ``name``; loading takes a good part of a second."""
        return load_pack(name, official=official_prompts(self.config))

    def names(self) -> list[str]:
        """The connection names: the team and a number from 1; on a classic server a single seat is called as
        the team.
        """
        if self.config.agent.num == 1 and is_classic(self.config.web_socket.url):
            return [self.config.agent.team]
        return [f"{self.config.agent.team}{number}" for number in range(1, self.config.agent.num + 1)]

    async def start_local(self, on_status: Callable[[str], None]) -> None:
        """Start the local model, if there is one, and wait until it is ready. Raises ConfigError when it is not."""
        for model in self._local:
            await model.start(on_status)

    async def prepare(self, *, every_language: bool = False) -> None:
        """Load, open and compile what a game needs, so that no deadline pays for it; a good part of a second.

        ``every_language``: at somebody else's server, whose language nobody knows before the game, with `auto` all of
        them, for as long as no game has begun.
        """
        if self.model is not None:
            await self.model.warm()
        if not is_classic(self.config.web_socket.url):
            await self._packs.prepare(self._needed, every_language=every_language)
            likely, *_ = self._needed() or self._packs.likely
            await asyncio.to_thread(self._measure, self._packs[likely], asyncio.get_running_loop().time)
            return
        # Nobody waits for a name yet, and the Protocol Division forbids threads.
        self._packs.prepare_all()
        from nlp_agent.app.wiring.warm_up import warm_up_protocol  # noqa: PLC0415 - no other name waits for it

        warm_up_protocol(self._packs.first)
        self._measure(self._packs.first, asyncio.get_running_loop().time)

    def _needed(self) -> Sequence[str]:
        """The packs of the game that has begun; none before."""
        packet = self.entry.begun
        if packet is None or AUTO not in self.config.packs:
            return () if packet is None else self.config.packs
        state = SeatState()
        state.apply(packet)
        return (self._language(state),)

    def _measure(self, pack: Pack, clock: Clock) -> None:
        """Tell the entry lock how long the talks of all seats, one after the other, take on this machine now, with a
        ``pack`` that is ready.
        """
        from nlp_agent.app.wiring.warm_up import talk_seconds  # noqa: PLC0415 - loads numpy

        self.entry.needs += talk_seconds(pack, clock) * self.config.agent.num

    async def aclose(self) -> None:
        """End the models and all work in the background."""
        self._packs.leave_the_rest()
        if self.model is not None:
            await self.model.aclose()

    def refresh_packs(self) -> list[PackError]:
        """Take in templates changed since the last game; a broken one is reported and the last good one stays."""
        return [error for pack in self._packs if (error := refresh(pack)) is not None]

    def seat(self, name: str, seed: int | str, chance: str = "") -> tuple[Seat, Journal]:
        """A seat for one game, and its journal, which opens when the game is known.

        What it leaves to chance follows from ``seed`` and ``chance``, by default its name.
        """
        journal = Journal(now_iso, partial(self.on_row, name) if self.on_row else None, kept=self.config.records.keep)

        def sit_down(state: SeatState) -> Pack:
            file = f"{safe_name(name)}.jsonl"
            journal.open(self.folders.joined(state.game_id, file) / file)
            return self._pack_for(name, state)

        # Without a reader nothing is recorded: in the protocol's language that saves a third of an answer's time.
        read = self.config.records.keep or self.on_row is not None
        return self._seat(sit_down, f"{seed}/{chance or name}", journal if read else None), journal

    def unrecorded_seat(self, name: str, seed: int | str, chance: str = "") -> Seat:
        """Make a seat as :meth:`seat` does, but without a journal."""
        return self._seat(lambda state: self._pack_for(name, state), f"{seed}/{chance or name}", NoJournal())

    def _seat(self, sit_down: Callable[[SeatState], Pack], seed: str, record: JournalWriter | None) -> Seat:
        return Seat(
            choose_pack=sit_down,
            model=self.model,
            timing=self._timing,
            seed=crc32(seed.encode()),
            record=record,
            strategy=self._strategy,
            read_talks=self._reading_of if self.config.llm.read_talks and not self.config.llm.gguf else None,
            # A small model on this machine has enough to do, and writes nothing that could be used.
            complete_sheet=self.config.llm.complete_character and not self.config.llm.gguf,
            prompt_budget=self.config.llm.prompt_budget,
            asking=asking_options(self.config),
        )

    def _reading_of(self, game_id: str) -> SharedReading:
        return self._readings.setdefault(game_id, SharedReading())

    def classic_server(
        self, url: str, name: str, seed: int | str, game_id: Callable[[int], str] = "classic-{}".format
    ) -> ClassicServer:
        """The way in to the classic server at ``url`` for the seat with this connection name.

        ``game_id`` names the games of a connection, from 1: such a server does not.
        """
        from nlp_agent.app.wiring.casts import CharacterDealer  # noqa: PLC0415 - seats elsewhere need none

        place, packs = self.names().index(name), self.config.packs

        def language(packet: Packet) -> str:
            if AUTO not in packs:
                return packs[place % len(packs)]
            said = (*(packet.talk_history or ()), *(packet.whisper_history or ()))
            # In the morning nobody is about to speak, and no language has to be chosen yet.
            return "" if packet.kind in MORNINGS else detect_language("", (), talks=(talk.text for talk in said))

        return ClassicServer(
            url,
            packets=partial(ClassicReader, game_id),
            wish=self.config.agent.role,
            character=CharacterDealer(place, str(seed), language),
        )

    def session(
        self,
        url: str,
        name: str,
        seat: Player,
        journal: Journal,
        on_status: Callable[[str], None],
        connect: Callable[[], Awaitable[Connection]] | None = None,
    ) -> Session:
        """Make the session in which ``seat`` plays at ``url``; ``connect``: where the connection comes from, if not
        from ``url`` itself.
        """
        return Session(
            url,
            name,
            seat,
            journal,
            # The loop's own clock, which jumps where the loop does.
            clock=asyncio.get_running_loop().time,
            entry=self.entry,
            token=server_token(self.config) or "",
            pace=self._pace,
            on_status=on_status,
            connect=connect,
        )

    def _pack_for(self, seat: str, state: SeatState) -> Pack:
        """The pack of the seat with this connection name: several packs are dealt out in turn."""
        packs = self.config.packs
        if AUTO in packs:
            return self._packs[self._language(state)]
        return self._packs[packs[self.names().index(seat) % len(packs)]]

    def _language(self, state: SeatState) -> str:
        """The language of the village as its profile, talks and names tell it, else the team's own prompts, else the
        length of a talk.
        """
        rule = state.setting.talk.max_length
        limit = rule.base_length or rule.per_talk or 0
        short = 0 < limit <= _SHORT_TALK and not rule.count_in_word
        return detect_language(
            state.profile,
            state.players,
            talks=(talk.text for talk in (*state.talks, *state.whispers)),
            own="\n".join(template_text({name: text for name, (text, _) in self.config.chat.items()})),
            otherwise="ja" if short else DEFAULT_PACK,
        )
