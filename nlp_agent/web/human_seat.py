"""A person's seat at a table: between the page, which comes and goes, and the player, which is asked and must answer.

It knows nothing of networks, models or rules: the player tells what is asked and until when, the page what was
answered. A question that nobody answers in time is answered by the player without a model; after a few of those the
computer takes over, and gives the seat back at the first sign of its person. :func:`preview_words` tells the page
what will be sent of the words typed so far.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from nlp_agent.game import SeatState
from nlp_agent.protocol import OVER, SKIP, TALK_REQUESTS, TARGET_REQUESTS, Request, Role, Talk
from nlp_agent.records.game_reader import RecordedGame, Step, StepKind
from nlp_agent.text import (
    Allowance,
    Language,
    as_typed,
    find_mention,
    heard_as,
    length_of,
    make_utterance,
)
from nlp_agent.web.event_stream import EventStream
from nlp_agent.web.village_view import Line, ReadClaims, SeatSteps, VillageView

# --- What becomes of words a person types ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Preview:
    """A preview of what would go out of a person's words. ``text`` is what is sent, ``""`` when nothing can be;
    ``heard`` what the others read of it. ``count`` is its length and ``typed`` that of the words as they were typed,
    both as the server counts, of at most ``most`` (None: no limit). ``changes`` name what was done to the words, as
    :class:`nlp_agent.text.Utterance` does. ``to``: the anchor. ``gone``: the pieces of the words that are not sent.
    ``call``: why an @ that was typed addresses nobody, ``middle`` (it does not open the talk) or ``nobody`` (no other
    living player follows it), ``""`` where each does.
    """

    text: str = ""
    heard: str = ""
    count: int = 0
    typed: int = 0
    most: int | None = None
    changes: tuple[str, ...] = ()
    to: str = ""
    gone: tuple[str, ...] = ()
    call: str = ""


def preview_words(typed: str, allowed: Allowance, language: Language, *, own_marks: bool = False) -> Preview:
    """Return what would be sent of ``text``, and what is cut off, as the page shows it while somebody types.

    ``own_marks``: whether one's own punctuation may stay.
    """
    made = as_typed(typed, allowed) if own_marks else make_utterance(typed, allowed, language)
    text, changes = (made.text, made.changes) if made is not None else ("", ())
    mention = find_mention(text or typed, allowed.me, allowed.players)
    to = mention.name if mention is not None and not mention.before.strip() else ""
    return Preview(
        text=text,
        heard=heard_as(text, allowed.me, allowed.players).strip() if text else "",
        count=_count(text, to, allowed),
        typed=_count(typed.strip(), to, allowed),
        most=allowed.most(anchored=bool(to)),
        changes=changes,
        to=to,
        gone=removed(typed, text) if text else (),
        call=_call(typed, text) if text else "",
    )


_COMPARED = 1_000
"""Characters of what was typed in which it is looked for what is gone."""
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff"
"""Kana and Chinese characters, between which no space tells where a word ends."""
_PIECES = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|\s+|[^\w\s]")


def removed(typed: str, sent: str) -> tuple[str, ...]:
    """The pieces of ``typed`` that are not in ``sent``, in order; spaces alone are none, nor is another case."""
    one, other = (_PIECES.findall(text[:_COMPARED]) for text in (typed, sent))
    alike = SequenceMatcher(None, list(map(str.casefold, one)), list(map(str.casefold, other)), autojunk=False)
    changed = alike.get_opcodes()
    pieces = ("".join(one[begin:end]).strip() for kind, begin, end, _, _ in changed if kind in ("delete", "replace"))
    return tuple(piece for piece in pieces if piece)


_AT = ("@", "＠")


def _call(typed: str, sent: str) -> str:
    """Why an @ of ``typed`` is not in ``sent``; ``""`` where each is."""
    lost = sum(map(typed.count, _AT)) - sent.count("@")
    if lost <= 0:
        return ""
    opens = typed.lstrip().startswith(_AT)
    return "nobody" if opens and not sent.startswith("@") else "middle"


def _count(text: str, to: str, allowed: Allowance) -> int:
    return length_of(text.removeprefix(f"@{to}") if to else text, allowed.length)


# --- A person's seat at a table -------------------------------------------------------------------------------------


MISSED_BEFORE_TAKEOVER = 3
"""Questions in a row that a person may leave unanswered before the computer takes over."""
_AHEAD = 4
"""Words of a group chat that wait to be sent."""
_WRITING = 4.0
"""Seconds after the last key that somebody counts as writing."""


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """A person's answer: the text that goes out, what the person had typed for it, and what was changed."""

    text: str
    typed: str = ""
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonQuestion:
    """A question to the person in the seat. ``until`` in Unix milliseconds, ``given`` at the beginning; ``choices`` are
    names, none where words are asked.
    """

    number: int
    request: Request
    given: int
    until: int
    choices: tuple[str, ...] = ()


class NotNowError(Exception):
    """The page sent something that fits nothing that is asked; the text names why, as a key of the page's texts."""


class HumanSeat:
    """The seat of a person through one game after another. ``token`` is the secret part of its address.

    ``host``: it belongs to whoever ordered the table. ``on_change`` hears of every sign of life of its person.
    """

    def __init__(self, token: str, now_ms: Callable[[], int], *, host: bool = False) -> None:
        self.token, self.label, self._host = token, "", host
        self.stream = EventStream()
        self.away = False
        self.ready = asyncio.Event()
        """Set while the person wants to play the next game."""
        self.finished: tuple[RecordedGame, str, Path] | None = None
        """The game played last with all that its end told, the person's player, and the folder of its records."""
        self.on_change: Callable[[], None] = lambda: None
        self._now_ms = now_ms
        self._preview: Callable[[str, Request], Preview] | None = None
        self._read_claims: ReadClaims = lambda _: None
        self._steps, self._village = SeatSteps(), VillageView()
        self._state: SeatState | None = None
        self._question: PersonQuestion | None = None
        self._answer: asyncio.Future[PersonAnswer] | None = None
        self._numbers = 0
        self._missed = 0
        self._chat: PersonQuestion | None = None
        self._words: asyncio.Queue[PersonAnswer] = asyncio.Queue(_AHEAD)
        self._flipped = asyncio.Event()
        self._wrote, self._writes = 0, Request.TALK
        self._about: dict[str, Any] = {"stage": "lobby"}
        self._refresh()

    # --- for the table -----------------------------------------------------------------------------------------

    def tell(self, **about: Any) -> None:
        """Tell the page something about the table: who is waited for, who writes, what to open; ``None`` takes
        it away.
        """
        self._about.update(about)
        self._about = {key: value for key, value in self._about.items() if value is not None}
        self._refresh()

    def overhear(self, request: Request, talk: Talk) -> None:
        """A talk that was just said at this table; whispers for werewolves only."""
        state = self._state
        if state is not None and state.me:
            self._tell_lines(self._steps.overhear(_kind(request), talk, state))
            self._refresh()

    @property
    def writes(self) -> Request | None:
        """The request for which words are being written here right now; None where nobody writes."""
        return self._writes if self._now_ms() - self._wrote < _WRITING * 1000 else None

    @property
    def playing(self) -> bool:
        """Whether a game is being played."""
        return bool(self._about["stage"] == "playing")

    @property
    def name(self) -> str:
        """The player's name in the running game."""
        return self._state.me if self._state is not None else ""

    # --- for the seat ------------------------------------------------------------------------------------------

    def begin_game(self, preview: Callable[[str, Request], Preview], read_claims: ReadClaims = lambda _: None) -> None:
        """Get ready for a game that is about to begin; ``preview`` tells what goes out of words for a request, and
        ``read_claims`` makes the reader of what others claim.
        """
        self._preview, self._read_claims = preview, read_claims
        self._steps, self._village, self._state = SeatSteps(), VillageView(), None
        self._question, self._chat = None, None
        self._words = asyncio.Queue(_AHEAD)
        self._missed = 0
        self.stream.restart()
        self.tell(stage="waiting", problem=None, review=None)

    def on_packet(self, state: SeatState) -> None:
        """Show a packet that has come; ``state`` is what the seat knows now."""
        self._state = state
        self._about["stage"] = "over" if state.finished else "playing" if state.me else "waiting"
        if state.finished:
            self.ready.clear()
        if not state.phase:
            self._chat = None
        if state.me and not self._village.players:
            self._village = VillageView(state.players, self._read_claims(state.players), state.me)
        partners = dict.fromkeys(state.partners, Role.WEREWOLF.value)
        self._village.know_roles(state.roles if state.finished else {**partners, state.me: state.role})
        self._tell_lines(self._steps.news(state))
        self._refresh()

    def reviewable(self, game: RecordedGame, folder: Path) -> None:
        """Offer the review of the game, which is over and recorded in ``folder``."""
        if game.winner and self.name in game.roles and all(game.roles.values()):
            self.finished = (game, self.name, folder)
            self.tell(review=True)

    def lost(self, problem: str) -> None:
        """Show that the connection to the game server is gone."""
        if self._about["stage"] != "over":
            self.ready.clear()
            self.tell(stage="over", problem=problem)

    async def ask(self, request: Request, choices: Sequence[str], until: int) -> PersonAnswer:
        """Ask the person and wait for the answer; cancel it when time is up. ``until`` is in Unix milliseconds."""
        self._numbers += 1
        self._question = PersonQuestion(self._numbers, request, self._now_ms(), until, tuple(choices))
        answer: asyncio.Future[PersonAnswer] = asyncio.get_running_loop().create_future()
        self._answer = answer
        self._refresh()
        try:
            return await answer
        finally:
            if self._answer is answer:  # and no newer question has taken its place
                self._question = self._answer = None
                self._refresh()

    def open_chat(self, request: Request, until: int) -> None:
        """Let the person speak at any moment, until the phase ends."""
        self._numbers += 1
        self._chat = PersonQuestion(self._numbers, request, self._now_ms(), until)
        self._words = asyncio.Queue(_AHEAD)
        self._refresh()

    async def words(self) -> PersonAnswer:
        """The next thing the person says in the group chat."""
        return await self._words.get()

    async def flipped(self) -> None:
        """Wait until the computer takes the seat over from its person, or gives it back."""
        await self._flipped.wait()

    def missed(self) -> None:
        """Count a question that nobody answered; after a few the computer takes over."""
        self._missed += 1
        if self._missed >= MISSED_BEFORE_TAKEOVER and not self.away:
            self._flip(True)

    def sent(self, request: Request, text: str, by: str = "") -> None:
        """Show that ``text`` went out for ``request``; ``by``: ``""`` the person, ``time`` the computer because time
        ran out, ``takeover`` because it has taken over.
        """
        assert self._state is not None
        if request in TALK_REQUESTS:
            self._tell_lines(self._steps.said(_kind(request), text, self._state), by)
            self._refresh()
        else:
            line = {"kind": "action", "request": request.value, "who": text, "day": self._state.day, "mine": True}
            self._tell_line(line, by)

    def _tell_lines(self, steps: Iterable[Step], by: str = "") -> None:
        for step in steps:
            for line in self._village.take(step):
                self._tell_line(line, by)

    def _tell_line(self, line: Line, by: str) -> None:
        self.stream.add({**line, "by": by} if by else line)

    def _flip(self, away: bool) -> None:
        self.away = away
        self._flipped.set()
        self._flipped = asyncio.Event()
        self._refresh()

    # --- for the page ------------------------------------------------------------------------------------------

    def here(self, *, ready: bool = False) -> None:
        """The person is there; ``ready`` for the next game, where none is running."""
        self._missed = 0
        if self.away:
            self._flip(False)
        if ready and self._about["stage"] in ("lobby", "over"):
            self.ready.set()
            self._refresh()
        self.on_change()

    def opened(self) -> None:
        """The page of the seat was opened: by that whoever ordered the table has sat down, an invited person not."""
        self.here(ready=self._host and self._about["stage"] == "lobby")

    def preview(self, typed: str, request: Request) -> Preview | None:
        """Show what would go out of ``typed``; None while nobody knows. Whoever asks for it counts as writing."""
        self._wrote, self._writes = self._now_ms() if typed.strip() else 0, request
        self.here()
        return self._preview(typed, request) if self._preview is not None and self._state is not None else None

    def say(self, number: int, typed: str) -> PersonAnswer:
        """Answer question or chat ``number`` with the words ``typed``. Raises NotNowError where none are asked, or none
        can be said.
        """
        self.here()
        asked = self._asked(number)
        preview = self._preview(typed, asked.request) if self._preview is not None else None
        if asked.choices or preview is None:
            raise NotNowError("not_asked")
        if not preview.text:
            raise NotNowError("nothing_sayable")
        self._wrote = 0
        self.on_change()
        return self._give(asked, PersonAnswer(preview.text, typed, preview.changes))

    def choose(self, number: int, name: str) -> PersonAnswer:
        """Answer question ``number`` with one of its names. Raises NotNowError where it is not asked, or has no such
        name.
        """
        self.here()
        asked = self._asked(number)
        if name not in asked.choices:
            raise NotNowError("not_asked")
        return self._give(asked, PersonAnswer(name))

    def be_silent(self, number: int, *, over: bool) -> PersonAnswer:
        """Answer question ``number`` with Skip, or with Over. Raises NotNowError where it is not asked, or no Skip is
        left.
        """
        self.here()
        asked = self._asked(number)
        state = self._state
        if asked.choices or (not over and (state is None or not state.remain_skip)):
            raise NotNowError("not_asked")
        return self._give(asked, PersonAnswer(OVER if over else SKIP))

    def _asked(self, number: int) -> PersonQuestion:
        asked = self._question or self._chat
        if asked is None or asked.number != number:
            raise NotNowError("too_late")
        return asked

    def _give(self, asked: PersonQuestion, answer: PersonAnswer) -> PersonAnswer:
        if asked is self._chat:
            if self._words.full() or not self._chat_left():
                raise NotNowError("no_talks_left")
            self._words.put_nowait(answer)
        elif self._answer is None or self._answer.done():
            raise NotNowError("too_late")
        else:
            self._answer.set_result(answer)
            self._question = None
        self._refresh()
        return answer

    def _chat_left(self) -> int:
        state = self._state
        if state is None or state.phase_over:
            return 0
        left = state.phase_left
        return (_AHEAD if left is None else left) - self._words.qsize()

    # --- what the page shows -----------------------------------------------------------------------------------

    def _refresh(self) -> None:
        state = self._state
        now = {**self._about, "away": self.away, "ready": self.ready.is_set(), "label": self.label}
        if state is not None and state.me:
            now |= self._village.board() | {
                "night": state.last_request in TARGET_REQUESTS,
                "group_chat": state.setting.talk.duration is not None,
                "me": state.me,
                "role": state.role,
                "profile": state.profile,
                "partners": list(state.partners),
            }
        asked = self._question or (self._chat if self._chat_left() else None)
        if asked is not None and state is not None:
            now["ask"] = {
                "number": asked.number,
                "request": asked.request.value,
                "chat": asked is self._chat,
                "given": asked.given,
                "until": asked.until,
                "choices": list(asked.choices),
                "left": self._chat_left() if asked is self._chat else state.talks_after,
                "skips": state.remain_skip or 0,
            }
        elif self._chat is not None and state is not None and state.phase:
            now["listening"] = {"request": self._chat.request.value, "until": self._chat.until}
        self.stream.show(now)


def _kind(request: Request) -> StepKind:
    return StepKind.WHISPER if request is Request.WHISPER else StepKind.TALK
