"""What a seat asks its model while nobody waits for an answer of its own.

One question at a time, after a moment of quiet; it is given up as soon as the seat is asked for anything (unless its
answer is of use whenever it comes), and whatever a model does with it costs at most what it might have brought. There
are two: completing the character sheet, once a game, and reading the new talks for what the patterns may have missed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.game import SeatState
from nlp_agent.llm.model import Answer, Message, Model, Question
from nlp_agent.prompting import Pack, character_prompt
from nlp_agent.prompting.quote import quote_talk
from nlp_agent.protocol import LengthRule, Request, Role, Species, Talk
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement
from nlp_agent.seat.decision import SeatLog
from nlp_agent.seat.model_answer import LONGEST_ANSWER, read_object, strict_object
from nlp_agent.seat.setup import Setup
from nlp_agent.text import Allowance, make_utterance
from nlp_agent.text.finder import Phrase
from nlp_agent.voice.character_sheet import SAMPLES, CharacterSheet, make_character_sheet
from nlp_agent.voice.persona import Persona

# --- Background requests ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BackgroundQuestion:
    """A question for a model in a quiet moment.

    Attributes:
        prompt: the words of the question.
        schema: the JSON schema of the answer.
        learn: takes the answer in and tells for the journal what it brought; raises ValueError for nonsense.
        about: what the journal tells of the question itself, beside its prompt.
    """

    prompt: str
    schema: Mapping[str, Any]
    learn: Callable[[str], Mapping[str, Any]]
    about: Mapping[str, Any] = field(default_factory=dict)


class Background:
    """Asks a seat's model in quiet moments, one question at a time.

    The seat calls :meth:`hear` whenever it has heard something, :meth:`idle` when it has nothing to answer,
    :meth:`pause` before it answers, and :meth:`leave` at the end.

    Args:
        model: who is asked.
        requests: what may be asked, in order of worth.
        log: the seat's journal; ``seat``: its player's name.
        quiet: seconds without an event before anything is asked, at the usual pace.
        pace: tells the share of the usual time that this table gives.
    """

    def __init__(
        self,
        model: Model,
        requests: Sequence[BackgroundRequest],
        log: SeatLog,
        *,
        seat: str,
        quiet: float,
        pace: Callable[[], float],
    ) -> None:
        self._model, self._requests, self._log = model, requests, log
        self._seat, self._quiet, self._pace = seat, quiet, pace
        self._task: asyncio.Task[None] | None = None
        self._waited = False
        """Whether an answer was waited for: that happens once."""
        self._lasting = False
        """Whether the question under way has gone out and is kept until its answer comes."""
        self._unasked = asyncio.Event()
        """Set while nobody waits for an answer of the seat's own."""
        self._unasked.set()

    @property
    def busy(self) -> bool:
        """Whether a question is under way."""
        return self._task is not None and not self._task.done()

    def hear(self) -> None:
        """Take in what a model has answered to other seats since the last call. Never raises.

        The seats of one game that have a model in common ask it about a talk once, and all of them use its answer.
        """
        for request in self._requests:
            if added := self._log.catching("taking in what others asked", request.take, None):
                self._log.write(request.event, {"added": added})

    def idle(self) -> None:
        """Ask what is due, unless a question is under way. Never waits, never raises."""
        self._unasked.set()
        request = None if self.busy else self._log.catching("looking for what to ask", self._next, None)
        if request is not None and (loop := _running_loop()) is not None:
            self._task = loop.create_task(self._ask(request))

    async def wait_first(self, seconds: float) -> None:
        """Wait, before the first answer of one's own, at most ``seconds`` for what is of use whenever it comes, asked
        now if it is due. Never raises.
        """
        first = not self._waited
        self._waited = True
        lasting = [request for request in self._requests if request.lasts and request.due()] if first else []
        if lasting and not self._lasting:
            self.stop()
            self._task = asyncio.get_running_loop().create_task(self._ask(lasting[0], quiet=False))
        if first and self._task is not None and (lasting or self._lasting):
            await asyncio.wait({self._task}, timeout=seconds)

    def pause(self) -> None:
        """Give up the question under way, unless it lasts: endpoints let every other question go before it. What that
        brings is taken in after the answer, so that no prompt changes between two attempts, nor against the journal."""
        self._unasked.clear()
        if not (self.busy and self._lasting):
            self.stop()

    def stop(self) -> None:
        """Give up the question under way."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def leave(self) -> None:
        """Give up the question under way, and ask for nobody any more."""
        self.stop()
        for request in self._requests:
            request.leave()

    def _next(self) -> BackgroundRequest | None:
        return next((request for request in self._requests if request.due()), None)

    async def _ask(self, request: BackgroundRequest, *, quiet: bool = True) -> None:
        pace = self._pace()
        self._lasting = False
        if quiet and self._quiet:
            await asyncio.sleep(self._quiet * pace)
            if not request.due():
                return  # another seat's answer came meanwhile
        row: dict[str, Any] = {}
        try:
            question = request.question()
            self._lasting = request.lasts
            row |= {**question.about, "user": question.prompt}
            answer = await self._answer(request, question, pace)
            self._log.spend(answer.usage)
            row |= {"raw": (answer.raw or answer.text)[:LONGEST_ANSWER], "notes": list(answer.notes)}
            await self._unasked.wait()
            row |= question.learn(answer.text)
        except asyncio.CancelledError:
            self._log.write(request.event, row | {"problem": "given up"})
            raise
        except (LlmError, TimeoutError, ValueError) as error:
            row["problem"] = str(error) or "too late"
        except Exception as error:
            row["problem"] = f"{type(error).__name__}: {error}"
            self._log.crash(f"asking {request.purpose}")
        request.ended(well="problem" not in row)
        self._log.write(request.event, row)

    async def _answer(self, request: BackgroundRequest, question: BackgroundQuestion, pace: float) -> Answer:
        until = Deadline.after(request.patience * pace, asyncio.get_running_loop().time)
        messages = (Message("user", question.prompt),)
        ask = Question(messages, request.purpose, schema=question.schema, pace=pace, seat=self._seat, background=True)
        async with asyncio.timeout(until.remaining):
            return await self._model.ask(ask, until)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:  # a seat that is played without an event loop does without
        return None


# --- The question that completes a character's sheet -----------------------------------------------------------------


_CHARACTER_TEMPLATE = "character.jinja"
FEWEST_LINES = 3
"""Usable sample lines from which they take the place of those by rules."""
_NOTE, _LINE = 80, 60
"""Characters of a note and of a sample line."""
_HABITS = 3


def sheet_schema() -> dict[str, Any]:
    """The strict JSON schema of an answer."""
    text = {"type": "string"}
    many = {"type": "array", "items": text}
    return strict_object({"temper": text, "words": text, "habits": many, "lines": many})


def completed_sheet(
    answer: str, sheet: CharacterSheet, persona: Persona, pack: Pack, state: SeatState
) -> CharacterSheet:
    """Add to ``sheet`` what is usable of a model's ``answer``; nonsense, orders and secrets leave it as it is."""
    whole = read_object(answer)
    notes = _SheetNotes(persona, pack, state)
    temper, words = notes.note(whole.get("temper")), notes.note(whole.get("words"))
    habits = tuple(dict.fromkeys(filter(None, map(notes.note, _texts(whole.get("habits"))))))[:_HABITS]
    lines = tuple(dict.fromkeys(filter(None, map(notes.line, _texts(whole.get("lines"))))))[:SAMPLES]
    own = len(lines) >= FEWEST_LINES
    samples = lines if own else sheet.samples
    return CharacterSheet(temper or sheet.temper, words or sheet.vocabulary, habits or sheet.habits, samples, own)


def _texts(value: object) -> Iterator[object]:
    yield from value if isinstance(value, list) else ()


class _SheetNotes:
    """What may stand on a sheet: no orders, no players, no roles, nothing that commits, no other first person."""

    def __init__(self, persona: Persona, pack: Pack, state: SeatState) -> None:
        self._me, self._pack, self._players = persona.me, pack, state.players
        self._village = pack.language.village(state.players)
        cap = LengthRule(base_length=_LINE, mention_length=_LINE)
        self._table = Allowance(state.me, state.players, state.players, cap)

    def note(self, value: object) -> str:
        """One phrase without a full stop, or ``""``."""
        text = quote_talk(value, LONGEST_ANSWER).strip(" .。") if isinstance(value, str) else ""
        return text if text and len(text) <= _NOTE and self._harmless(text) else ""

    def line(self, value: object) -> str:
        """One line as it could be said at the table, or ``""``."""
        if not isinstance(value, str) or len(value) > 2 * _NOTE:
            return ""
        if (
            "," in value
        ):  # It would be taken out, and what is left is no pattern to speak by: "No thank you; I decline."
            return ""
        made = make_utterance(value, self._table, self._pack.language)
        if made is None or not self._harmless(made.text):
            return ""
        pack = self._pack
        firsts = {first for pattern in pack.lines.firsts for first in re.findall(pattern, made.text)}
        kinds = (said.kind for said in pack.reading.read(made.text, self._players).statements)
        if firsts - {self._me} or any(kind != "ask" for kind in kinds):
            return ""
        return "" if self._village.look(made.text).unspeakable else made.text

    def _harmless(self, text: str) -> bool:
        reading = self._pack.reading
        return not (
            self._village.names.players_in(text)
            or reading.roles_in(Phrase(text))
            or self._village.look(text).is_injection
        )


class CharacterSheetRequest:
    """The question that completes the sheet of ``setup``, which prompts show from then on.

    As of every background question, ``event`` is what the journal's row is called, and ``patience`` the seconds, at the
    usual pace, after which an answer is not waited for any more; an answer that ``lasts`` is of use whenever it comes,
    so that the seat's own questions do not end this one.
    """

    event, purpose, patience, lasts = "character", "CHARACTER", 60.0, True

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        # A profile with orders for models is shown to none.
        self._due = setup.pack.has(_CHARACTER_TEMPLATE) and setup.checker.guardrails.trusts(setup.state.profile)

    def due(self) -> bool:
        """Whether the sheet has not been asked for yet."""
        return self._due  # It is asked once, and the answer is taken whenever it comes.

    def question(self) -> BackgroundQuestion:
        """The question that completes the sheet; it is asked once."""
        self._due = False
        setup, persona, state = self._setup, self._setup.words.persona, self._setup.state
        sheet = setup.sheet or make_character_sheet(setup.pack.playbook, persona, state.me)

        def learn(answer: str) -> Mapping[str, Any]:
            setup.sheet = completed_sheet(answer, sheet, persona, setup.pack, state)
            row: dict[str, Any] = {"sheet": asdict(setup.sheet)}
            return row if setup.sheet != sheet else row | {"problem": "nothing usable"}

        style = setup.asking.of(Request.TALK, setup.pack)
        return BackgroundQuestion(character_prompt(setup.pack, state, persona, sheet, style), sheet_schema(), learn)

    def ended(self, *, well: bool) -> None:
        """Do not ask again, however the question went. One that was given up has not ended."""

    def take(self) -> list[str]:
        """Take over nothing from other seats: every seat has a character of its own."""
        return []

    def leave(self) -> None:
        """Do nothing: nobody else waits for the answer."""


# --- The question what new talks say ---------------------------------------------------------------------------------


_READING_TEMPLATE = "reading.jinja"
FEWEST_TALKS, MOST_TALKS = 2, 30
"""Talks from which a question is worth its price, and those that are shown at once."""
MOST_FAILURES = 3
_LAST_LIVING = 3
"""Players of whom an execution leaves no day with a vote."""
_KINDS = ("claim", "retracts", "result", "vote", "suspect", "trust")
_SPECIES = (Species.HUMAN.value, Species.WEREWOLF.value)
_ROLES = tuple(role.value for role in Role)
_VALUES = {"claim": _ROLES, "retracts": _ROLES, "result": _SPECIES}

FoundStatements = dict[tuple[int, int], tuple[Statement, ...]]
"""(day, idx) of a talk -> what a model found in it."""


def talks_schema(players: Sequence[str], count: int) -> dict[str, Any]:
    """The strict JSON schema of an answer about ``count`` talks."""
    item = {
        "talk": {"type": "integer", "enum": list(range(1, count + 1))},
        "kind": {"type": "string", "enum": list(_KINDS)},
        "target": {"type": "string", "enum": ["", *players]},
        "value": {"type": "string", "enum": ["", *_ROLES, *_SPECIES[:1]]},
    }
    return strict_object({"found": {"type": "array", "items": strict_object(item)}})


def found_in(answer: str, talks: Sequence[Talk], players: tuple[str, ...], reader: TalkReader) -> FoundStatements:
    """Find what ``answer`` tells about ``talks``, as far as each talk bears it out. Raises ValueError for nonsense.

    A statement belongs to the speaker of the talk it is said to stand in, whatever the model thinks, and must be borne
    out by a sentence of that very talk: so no talk can put words into the mouth of another.
    """
    found: dict[tuple[int, int], list[Statement]] = {}
    rows = read_object(answer).get("found")
    if not isinstance(rows, list):
        raise ValueError("no list of what was found")
    for row in rows:
        number = row.get("talk") if isinstance(row, dict) else None
        if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= len(talks):
            talk = talks[number - 1]
            statement = _statement(row, talk, players, reader)
            if statement is not None:
                found.setdefault(talk.place, []).append(statement)
    return {key: tuple(dict.fromkeys(statements)) for key, statements in found.items()}


def _statement(row: Mapping[str, Any], talk: Talk, players: tuple[str, ...], reader: TalkReader) -> Statement | None:
    kind, target, value = (str(row.get(key, "")) for key in ("kind", "target", "value"))
    if kind not in _KINDS or target == talk.agent or (kind in _VALUES and value not in _VALUES[kind]):
        return None
    said = Statement(kind, target=target)
    if kind in ("claim", "retracts"):
        said = Statement("claim" if kind == "claim" else "unclaim", role=value)
    elif kind == "result":
        said = Statement("result", target=target, result=value)
    return said if reader.supports(talk.text, players, said) else None


@dataclass(eq=False)
class SharedReading:
    """The readings that the seats of one game share which have a model in common. ``seats``: the players who take part;
    ``found`` has every talk that was read; ``failures``: answers in a row that were none.
    """

    seats: set[str] = field(default_factory=set)
    found: FoundStatements = field(default_factory=dict)
    failures: int = 0


class TalkReadingRequest:
    """The question what the new talks say. One that gives orders to models is not shown to any."""

    event, purpose, patience, lasts = "reading", "READING", 30.0, False

    def __init__(self, setup: Setup, shared: SharedReading) -> None:
        self._setup, self._shared = setup, shared
        shared.seats.add(setup.state.me)

    def leave(self) -> None:
        """Note that this seat neither asks any more, nor for others."""
        self._shared.seats.discard(self._setup.state.me)

    def take(self) -> list[str]:
        """Take in what was read for other seats in talks that are known here; returns what was new."""
        found = self._shared.found
        read = [talk for talk in self._unchecked() if talk.place in found]
        self._setup.planner.ledger.mark_read_by_model(read)
        return self._setup.planner.add_model_reading(
            {talk.place: found[talk.place] for talk in read if found[talk.place]}
        )

    def due(self) -> bool:
        # In a group chat there is no quiet, and what is read a phase later is of no use.
        """Whether this seat is to ask about new talks now, for all seats of the game that share the model."""
        able = self._shared.failures < MOST_FAILURES and self._setup.pack.has(_READING_TEMPLATE)
        in_turn = not self._setup.state.phase_no and self._asks_for_all() and not self._all_settled()
        return able and in_turn and bool(self._shown())

    def _asks_for_all(self) -> bool:
        """Whether this seat lives, and nobody before it lives and takes part."""
        state = self._setup.state
        first = next((name for name in state.alive if name in self._shared.seats), state.me)
        return state.me in state.alive and first == state.me

    def _all_settled(self) -> bool:
        """Whether nothing of this seat's game can change any more: three or fewer live, so that today's execution ends
        it or leaves nobody to persuade, its vote is announced, and it has had its last talk. Others may read along."""
        state, ledger = self._setup.state, self._setup.planner.ledger
        settled = bool(ledger.promise(state.me, state.day)) and state.talks_after == 0
        return settled and len(state.alive) <= _LAST_LIVING and self._shared.seats <= {state.me}

    def _shown(self) -> list[Talk]:
        """The new talks, unless they are too few, without those that tell nothing or give orders to models."""
        players, may_tell = self._setup.state.players, self._setup.pack.reading.may_tell
        trusts = self._setup.checker.guardrails.trusts
        telling = [talk for talk in self._unchecked() if may_tell(talk.text, players)]
        return [talk for talk in telling[-MOST_TALKS:] if len(telling) >= FEWEST_TALKS and trusts(talk.text)]

    def _unchecked(self) -> list[Talk]:
        """What no model was asked about; on day 0, the evening of greetings, there is next to nothing to find."""
        unread = self._setup.planner.ledger.not_read_by_model(self._setup.state.me)
        return [talk for talk in unread if talk.day > 0]

    def question(self) -> BackgroundQuestion:
        """The question what the new talks say; its answer is shared with the other seats."""
        state, pack, talks = self._setup.state, self._setup.pack, self._shown()
        players = state.players
        # Whatever becomes of the question: a model is not bothered, nor paid, with the same talks again.
        self._setup.planner.ledger.mark_read_by_model(self._unchecked())
        prompt = pack.reading_prompt([(talk.agent, talk.text) for talk in talks], players)

        def learn(answer: str) -> Mapping[str, Any]:
            found = found_in(answer, talks, players, pack.reading)
            self._shared.found |= {talk.place: found.get(talk.place, ()) for talk in talks}
            return {"added": self._setup.planner.add_model_reading(found)}

        about = {"talks": [[talk.day, talk.idx] for talk in talks]}
        return BackgroundQuestion(prompt.user, talks_schema(players, len(talks)), learn, about)

    def ended(self, *, well: bool) -> None:
        """Count answers in a row that could not be used: after :data:`MOST_FAILURES` nobody asks any more."""
        self._shared.failures = 0 if well else self._shared.failures + 1


BackgroundRequest = CharacterSheetRequest | TalkReadingRequest
"""A question worth asking a model in a quiet moment, and when to ask it."""
