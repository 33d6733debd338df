"""A seat at the table for one game: it hears packets, asks its model in quiet moments, and answers, turn by turn.

Whatever fails inside costs an answer its quality, never the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from nlp_agent.deadline import Deadline
from nlp_agent.game import SeatState
from nlp_agent.llm.model import Model
from nlp_agent.planning.strategy import Standard, Strategy
from nlp_agent.prompting import Pack, Style
from nlp_agent.protocol import MORNINGS, TALK_REQUESTS, Packet, Request
from nlp_agent.reading.reader import TalkReader
from nlp_agent.seat.advised import AskingOptions
from nlp_agent.seat.background import Background, CharacterSheetRequest, SharedReading, TalkReadingRequest
from nlp_agent.seat.decision import Decision, JournalWriter, SeatLog, SeatStats
from nlp_agent.seat.groupchat import GroupChat, Pace
from nlp_agent.seat.setup import Setup, set_up, set_up_for_protocol
from nlp_agent.seat.timing import Timing
from nlp_agent.seat.turn import Turn
from nlp_agent.voice.character_sheet import CharacterSheet, make_character_sheet

_UNHURRIED = 2.0
"""At tables that give at least this multiple of the usual time, the first answer waits for the character's sheet."""
_SHARE_FOR_SHEET = 0.1
"""At most this share of its time, 0..1."""


class Seat:
    """A player in one game: packets in, replies out.

    Call :meth:`hear` with every packet in order of arrival; where ``packet.needs_reply``, await :meth:`answer`; then
    tell what became of the decision with :meth:`delivered` or :meth:`dropped`.

    Args:
        choose_pack: the language pack for what is known; asked once, with the first packet that tells the profile,
            because that tells the language; without a profile with the first packet that is not of a morning.
        model: who finds words and choices; ``None`` for a player without a model.
        timing: how the time for a reply is divided.
        seed: all chance of this seat follows from it.
        record: where the journal goes; ``None`` when nobody will read it.
        strategy: makes the strategy that decides; a class of the user's own, or the built-in one.
        read_talks: what the seats of a game, by its id, read together; ``None``: talks are read by patterns alone.
        complete_sheet: whether a model completes the character's sheet.
        prompt_budget: characters that a prompt may have; 0: no limit.
        asking: in which style a model is asked, and for what.
    """

    def __init__(
        self,
        *,
        choose_pack: Callable[[SeatState], Pack],
        model: Model | None,
        timing: Timing,
        seed: int,
        record: JournalWriter | None,
        strategy: Callable[[], Strategy] = Standard,
        read_talks: Callable[[str], SharedReading] | None = None,
        complete_sheet: bool = False,
        prompt_budget: int = 0,
        asking: AskingOptions | None = None,
    ) -> None:
        self.state = SeatState()
        self.timing = timing
        self._log = SeatLog(record, self.state)
        self._choose_pack, self._model, self._strategy = choose_pack, model, strategy
        self._seed, self._random = seed, Random(seed)
        self._read_talks, self._complete_sheet = read_talks, complete_sheet
        self._prompt_budget, self._asking = prompt_budget, asking or AskingOptions()
        self._packets = 0
        self._setup: Setup | None = None
        self._background: Background | None = None
        self._groupchat: GroupChat | None = None

    @property
    def stats(self) -> SeatStats:
        """The counts of this game so far."""
        return self._log.stats

    @property
    def pack(self) -> Pack | None:
        """The language pack in use, once the seat is set up; None before."""
        return self._setup.pack if self._setup else None

    @property
    def reader(self) -> TalkReader | None:
        """The reader of talk at its table, once the seat is set up; None before."""
        return self._setup.planner.ledger.reader if self._setup else None

    # --- a packet comes ----------------------------------------------------------------------------------------

    def hear(self, packet: Packet) -> None:
        """Take in a packet of the server. Never raises.

        ``SeatState.apply`` and ``Background.hear`` raise nothing and are called plainly. Each of the others may fail,
        and is caught by itself (:meth:`SeatLog.catching`).
        """
        self._packets += 1
        self.state.apply(packet)  # never raises, so it is not caught
        catching = self._log.catching
        language_known = self.state.profile or packet.kind not in MORNINGS
        if self._setup is None and language_known and self.state.me and self.state.role:
            catching("sitting down", self._set_up, None)
        if (setup := self._setup) is not None:
            catching("reading", lambda: setup.checker.guardrails.hear(setup.planner.observe()), None)
            catching("keeping the conversation", lambda: setup.conversation.hear(packet), None)
        if self._background is not None:
            self._background.hear()  # never raises either
        if self._groupchat is not None:
            catching("listening", self._groupchat.heard, None)
        if self.state.finished:
            self.leave()
        elif not packet.needs_reply:
            self._idle()

    def _set_up(self) -> None:
        pack = self._choose_pack(self.state)
        if self.state.setting.protocol_language:
            self._model = None  # no model answers in the time there is, or in that language
            made = self._log.catching("making the strategy", self._strategy, None)
            self._setup = set_up_for_protocol(self.state, pack, self._seed, made)
            return
        self._setup = setup = set_up(self.state, pack, self._seed, self._strategy, self._log, self._prompt_budget)
        if self._model is None:
            return  # nobody reads a sheet
        setup.asking = self._asking
        setup.sheet = make_character_sheet(setup.pack.playbook, setup.words.persona, self.state.me)
        if setup.conversation.official:
            return  # in the sample's manner an endpoint is asked for talks and names, nothing else
        sheet = [CharacterSheetRequest(setup)] if self._complete_sheet else []
        talks = [TalkReadingRequest(setup, self._read_talks(self.state.game_id))] if self._read_talks else []
        me, quiet = self.state.me, self.timing.quiet
        self._background = Background(self._model, (*sheet, *talks), self._log, seat=me, quiet=quiet, pace=self._pace)

    def show_sheet(self, sheet: CharacterSheet) -> None:
        """Let prompts show ``sheet`` of the character from now on."""
        if self._setup is not None:
            self._setup.sheet = sheet

    def show_style(self, style: Style) -> None:
        """A model is, or would be, asked in ``style`` from now on."""
        if self._setup is not None:
            self._setup.asking.style = style

    # --- in quiet moments --------------------------------------------------------------------------------------

    def _idle(self) -> None:
        if self._background is not None and not self.state.finished:
            self._background.idle()

    def leave(self) -> None:
        """End what goes on in the background. Safe to call at any time."""
        if self._background is not None:
            self._background.leave()

    # --- a turn ------------------------------------------------------------------------------------------------

    def begin(
        self, request: Request, left: int | None = None, closing: bool = False, *, last: Deadline | None = None
    ) -> Turn:
        """Begin a turn: its plan is made, nothing is asked or sent yet, so it is also for looking into a game.

        Args:
            request: what is asked for.
            left: in a group chat, the talks left, this one counted.
            closing: in a group chat, whether its phase is about to end.
            last: the last moment at which a reply may be sent; a strategy of the user's own gets a share of the time.
        """
        if last is not None and self._setup is not None:
            self._setup.limit_strategy(last)
        if self._background is not None:
            self._background.pause()
        if left is not None:
            self.state.talks_after = left - 1
        turn = Turn(self.state, self._setup, self._log, request, self._random, model=self._model, closing=closing)
        if left is not None:
            turn.decision.chat = {"packets": self._packets, "left": left, "closing": int(closing)}
        return turn

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        """Decide the reply to ``packet``; it may be sent until ``last``. Never raises except when cancelled."""
        if self._background is not None and self._pace() >= _UNHURRIED:
            await self._background.wait_first(last.remaining * _SHARE_FOR_SHEET)
        turn = self.begin(Request(packet.request), last=last)
        return await turn.answer(self.timing.thinking(last, self.state.setting.timeout.action))

    def join(self, request: Request, closes: Deadline, pace: Pace) -> GroupChat:
        """Take part in the phase of group chat that has just begun; what is heard goes to it from now on."""
        begin, rng = partial(self.begin, request), Random(f"{self._seed}|{self.state.phase_no}")
        self._groupchat = GroupChat(
            self.state, self._setup, self._log, begin, request, pace, closes, rng, improvises=self._model is not None
        )
        return self._groupchat

    def _pace(self) -> float:
        return self.timing.scale(self.state.setting.timeout.action)

    # --- afterwards --------------------------------------------------------------------------------------------

    def delivered(self, decision: Decision, deadline: Deadline) -> None:
        """Note that the decision's text went out, exactly as it is, and remember what it says as binding."""
        self._log.sent(decision, deadline)
        if decision.request not in TALK_REQUESTS:
            self.state.chose(decision.request, decision.text)
        if (setup := self._setup) is not None:
            self._log.catching("remembering", lambda: setup.remember(decision), None)
        self._idle()

    def dropped(self, decision: Decision | None, request: str, why: str, deadline: Deadline) -> None:
        """Note that nothing went out for ``request``, and ``why``."""
        self._log.dropped(decision, request, why, deadline)
