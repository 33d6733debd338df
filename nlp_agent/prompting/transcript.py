"""The days of a game as one seat saw them, safe to show; what was made of a talk is kept with it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from weakref import WeakValueDictionary

from nlp_agent.game import SeatState
from nlp_agent.prompting.quote import quote_name, quote_profile, quote_talk
from nlp_agent.prompting.view import Ballot, Day, Line, Told
from nlp_agent.protocol import Request, Talk
from nlp_agent.reading.statement import Heard
from nlp_agent.text.names import Names, names_of

_EVENING = frozenset({Request.DAILY_FINISH, Request.VOTE, Request.DIVINE, Request.GUARD, Request.ATTACK})
_DAY = attrgetter("day")
_SILENT: tuple[int, tuple[Line, ...], int] = (0, (), 0)
"""A day without talks, as :class:`Transcript` keeps one."""
_TOLD = frozenset({"claim", "result", "vote", "suspect", "trust"})

_LINES: WeakValueDictionary[tuple[Talk, bool, bool], Line] = WeakValueDictionary()
"""A talk as it is shown to whoever said it, is named in it, or neither: the same for all seats of a process, with what
was rendered of it, for as long as one of them holds it."""


class Transcript:
    """One per seat and game. It follows ``state`` and changes nothing in it.

    ``heard``: every talk with what it states, for days that are told in brief (see :class:`Day`). That is done to the
    oldest days gone by, one after another, where all talks together have more than ``budget`` characters (0: never).
    """

    def __init__(self, state: SeatState, heard: Sequence[Heard] = (), budget: int = 0) -> None:
        self._state, self._heard, self._budget = state, heard, budget
        self._lines: dict[Talk, Line | None] = {}
        self._talked: dict[int, tuple[int, tuple[Line, ...], int]] = {}
        """Day -> how many talks it had, those in which something was said, and their length; none is ever lost."""
        self._days: dict[tuple[int, bool], Day] = {}
        self._names: dict[str, str] = {}
        self._unsafe: tuple[tuple[str, ...], dict[str, str]] = ((), {})
        self._profiles: dict[str, tuple[str, ...]] = {}

    def lines(self, talks: Iterable[Talk]) -> tuple[Line, ...]:
        """Those of ``talks`` in which something was said."""
        made, found, names = self._lines, [], names_of(self._state.players)
        me = names.sign(self._state.me) if self._state.me in names.players else None
        for talk in talks:
            if talk not in made:
                made[talk] = self._line(talk, names, me) if talk.said else None
            if (line := made[talk]) is not None:
                found.append(line)
        return tuple(found)

    def days(self, request: Request, *, whispered: bool = False) -> tuple[Day, ...]:
        """Every day of which something is known, and today; ``whispered``: with the whispers heard."""
        state = self._state
        whispers = _by_day(state.whispers if whispered else ())
        self._follow()
        numbers = set(self._talked) | set(state.executions) | set(state.votes) | {day + 1 for day in state.attacks}
        known = sorted([number for number in numbers | {state.day} if number <= state.day])
        brief, heard = self._brief(known), {number: self.lines(those) for number, those in whispers.items()}
        return tuple(
            [
                self._day(number, request, talked[1], heard.get(number, ()), brief=number in brief)
                for number in known
                for talked in [self._talked.get(number, _SILENT)]
            ]
        )

    def _follow(self) -> None:
        """Look at the talks of days that have gained any; talks stand in the order of days."""
        talks, start = self._state.talks, 0
        while start < len(talks):
            day = talks[start].day
            end = bisect_right(talks, day, start, key=_DAY)
            if self._talked.get(day, (0,))[0] != end - start:
                lines = self.lines(talks[start:end])
                self._talked[day] = end - start, lines, sum([len(line.speaker) + len(line.text) for line in lines])
            start = end

    def _line(self, talk: Talk, names: Names, me: str | None) -> Line | None:
        """``me``: this seat's sign."""
        mine = talk.agent == self._state.me
        to_me = me is not None and not mine and me in names.mask(talk.text)
        line = _LINES.get((talk, mine, to_me))
        if line is None and (text := quote_talk(talk.text)):
            line = _LINES[talk, mine, to_me] = Line(talk.idx, talk.day, self.name(talk.agent), text, mine, to_me)
        return line

    def profile(self) -> tuple[str, ...]:
        """This seat's profile in lines as they are shown."""
        text = self._state.profile
        if text not in self._profiles:
            self._profiles[text] = quote_profile(text)
        return self._profiles[text]

    def unsafe(self) -> dict[str, str]:
        """The players whose names could be taken for markup, each as it is shown."""
        players, unsafe = self._unsafe
        if players != self._state.players:
            players = self._state.players
            unsafe = {name: shown for name in players if (shown := self.name(name)) != name}
            self._unsafe = players, unsafe
        return unsafe

    def name(self, name: str) -> str:
        """A player's name as it is shown."""
        if name not in self._names:
            self._names[name] = quote_name(name)
        return self._names[name]

    def _brief(self, known: Sequence[int]) -> set[int]:
        """Those of the ``known`` days gone by that have to be told in brief. More talk never takes one back."""
        if not self._budget:
            return set()
        sizes = [self._talked.get(number, _SILENT)[2] for number in known]
        over = sum(sizes) - self._budget
        brief = set()
        for number, size in zip(known, sizes, strict=True):
            if over > 0 and number < self._state.day:
                brief.add(number)
                over -= size
        return brief

    def _day(
        self, number: int, request: Request, lines: tuple[Line, ...], whispers: tuple[Line, ...], *, brief: bool
    ) -> Day:
        state = self._state
        passed = number < state.day
        # Wolves whisper before the first talk and again after it, so a whisper alone does not tell that the talk is
        # over.
        closed = passed or request in _EVENING or (request is Request.WHISPER and bool(lines))
        made = Day(
            number=number,
            attacked=state.attacks.get(number - 1, ""),
            nights=number >= 2 or number - 1 in state.attacks,
            alive=self._alive(number),
            lines=lines,
            closed=closed,
            executed=state.executions.get(number, "") if closed else "",
            passed=passed,
            votes=tuple(Ballot(vote.agent, vote.target) for vote in state.votes.get(number, ())) if passed else (),
            brief=brief,
            told=tuple(dict.fromkeys(self._told(number))) if brief else (),
            whispers=whispers,
        )
        known = self._days.get((number, closed))
        if known == made:  # with all that was rendered of it
            return known
        self._days[number, closed] = made
        return made

    def _alive(self, number: int) -> tuple[str, ...]:
        """Who lived on the morning of that day; of an unexplained death the day is not known."""
        state = self._state
        if number == state.day:
            executed = state.executions.get(number)
            return tuple([name for name in state.players if name in state.alive or name == executed])
        died = {name: day for deaths in (state.executions, state.attacks) for day, name in deaths.items()}
        return tuple([name for name in state.players if died.get(name, number) >= number])

    def _told(self, number: int) -> Iterator[Told]:
        heard = [(talk.who, said) for talk in self._heard if talk.day == number for said in talk.statements]
        vote = {who: said.target for who, said in heard if said.kind == "vote"}
        for who, said in heard:
            taken_back = said.kind == "vote" and vote[who] != said.target
            if said.kind in _TOLD and said.target != who and not taken_back:
                yield Told(said.kind, self.name(who), self.name(said.target), said.role, said.result)


def _by_day(talks: Iterable[Talk]) -> dict[int, list[Talk]]:
    found: dict[int, list[Talk]] = {}
    for talk in talks:
        found.setdefault(talk.day, []).append(talk)
    return found
