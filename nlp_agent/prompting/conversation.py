"""From what a seat knows to the prompt of one request: the days as it saw them, the variables of the templates, the
conversation.

A conversation grows like a chat: the system message, what was heard since, the seat's own talks as the model's
answers, and last what is asked now. All of it follows from the packets, so any prompt of a game can be made again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from operator import attrgetter
from typing import Any
from weakref import WeakValueDictionary

from nlp_agent.game import ROLES, SeatState, Side, role_spec
from nlp_agent.planning.advice import Advice
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting.official import OfficialConversation
from nlp_agent.prompting.pack import Pack
from nlp_agent.prompting.prompt import Prompt, SectionKind, Style
from nlp_agent.prompting.quote import closing_sentences, last_sentences, quote_name, quote_profile, quote_talk
from nlp_agent.prompting.view import Ballot, BriefStatement, Day, Death, Limit, Line, Manner, OwnChoice, OwnResult, View
from nlp_agent.protocol import LengthRule, Packet, Request, Role, Talk
from nlp_agent.reading.statement import TalkRecord
from nlp_agent.text.count import fills_its_room
from nlp_agent.text.names import Names, names_of
from nlp_agent.voice.character_sheet import CharacterSheet, make_character_sheet
from nlp_agent.voice.persona import Persona

# --- The days of a game as one seat saw them, safe to show -----------------------------------------------------------


_EVENING = frozenset({Request.DAILY_FINISH, Request.VOTE, Request.DIVINE, Request.GUARD, Request.ATTACK})
_DAY = attrgetter("day")
_NO_TALKS: tuple[int, tuple[Line, ...], int] = (0, (), 0)
"""A day without talks, as :class:`Transcript` keeps one."""
_BRIEF_KINDS = frozenset({"claim", "result", "vote", "suspect", "trust"})

_LINES: WeakValueDictionary[tuple[Talk, bool, bool, bool], Line] = WeakValueDictionary()
"""A talk as it is shown to whoever said it, is named in it, or neither, whole or cut: the same for all seats of a
process, with what was rendered of it, for as long as one of them holds it."""


class Transcript:
    """The transcript of one game for one seat. It follows ``state`` and changes nothing in it.

    ``heard``: every talk with what it states, for days that are told in brief (see :class:`Day`). That is done to the
    oldest days gone by, one after another, where all talks together have more than ``budget`` characters (0: never).
    """

    def __init__(self, state: SeatState, heard: Sequence[TalkRecord] = (), budget: int = 0) -> None:
        self._state, self._heard, self._budget = state, heard, budget
        self._lines: dict[Talk, Line | None] = {}
        self._talked: dict[int, tuple[int, tuple[Line, ...], int]] = {}
        """Day -> how many talks it had, those in which something was said, and their length; none is ever lost."""
        self._days: dict[tuple[int, bool], Day] = {}
        self._names: dict[str, str] = {}
        self._unsafe: tuple[tuple[str, ...], dict[str, str]] = ((), {})
        self._profiles: dict[str, tuple[str, ...]] = {}

    def lines(self, talks: Iterable[Talk]) -> tuple[Line, ...]:
        """The lines of those of ``talks`` in which something was said."""
        made, found, names = self._lines, [], names_of(self._state.players)
        me = names.placeholder_of(self._state.me) if self._state.me in names.players else None
        for talk in talks:
            if talk not in made:
                made[talk] = self._line(talk, names, me) if talk.said else None
            if (line := made[talk]) is not None:
                found.append(line)
        return tuple(found)

    def days(self, request: Request, *, whispered: bool = False) -> tuple[Day, ...]:
        """List every day of which something is known, and today; ``whispered``: with the whispers heard."""
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
                for talked in [self._talked.get(number, _NO_TALKS)]
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
        """``me``: this seat's placeholder."""
        mine = talk.agent == self._state.me
        to_me = me is not None and not mine and me in names.mask(talk.text)
        setting, newer = self._state.setting, bool(self._state.phase)
        rule = setting.whisper.max_length if talk in self._state.whispers else setting.talk.max_length
        cut = not mine and fills_its_room(talk.text, talk.agent, self._state.players, rule, newer=newer)
        line = _LINES.get((talk, mine, to_me, cut))
        if line is None and (text := quote_talk(talk.text)):
            line = Line(talk.idx, talk.day, self.name(talk.agent), text, mine, to_me, cut)
            _LINES[talk, mine, to_me, cut] = line
        return line

    def profile(self) -> tuple[str, ...]:
        """The profile of this seat in lines as they are shown."""
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
        sizes = [self._talked.get(number, _NO_TALKS)[2] for number in known]
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
        died = state.died_on
        return tuple([name for name in state.players if died.get(name, number) >= number])

    def _told(self, number: int) -> Iterator[BriefStatement]:
        heard = [(talk.who, said) for talk in self._heard if talk.day == number for said in talk.statements]
        vote = {who: said.target for who, said in heard if said.kind == "vote"}
        for who, said in heard:
            taken_back = said.kind == "vote" and vote[who] != said.target
            if said.kind in _BRIEF_KINDS and said.target != who and not taken_back:
                yield BriefStatement(said.kind, self.name(who), self.name(said.target), said.role, said.result)


def _by_day(talks: Iterable[Talk]) -> dict[int, list[Talk]]:
    found: dict[int, list[Talk]] = {}
    for talk in talks:
        found.setdefault(talk.day, []).append(talk)
    return found


# --- From what a seat knows and plans to the variables of its templates ----------------------------------------------


LONGEST_THOUGHT = 500
"""Characters shown of the last private thought, and of what was left for the next talk."""
READING_SENTENCES = 2
"""Sentences shown of the model's own reading of the game: its last ones, which it is asked to conclude with."""
LONGEST_READING = 500
"""Characters shown of these."""
MOST_RANKED = 3
"""Names of the plan's order that a target prompt tells."""
MOST_ADDRESSED = 4
"""At most so many lines that name this seat are shown again at the end; all of them stand in the log."""


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """A request for a prompt, besides what the seat knows: what is to be answered, what is planned, and what is to be
    shown.

    Attributes:
        plan: what the player without a model would say or choose.
        choices: the legal names of a target request.
        sheet: the character's sheet; made by rules when there is none.
        news: talks, or for WHISPER whispers, that no prompt has shown yet; ``None``: none was shown.
        style: how the model is asked.
        advice: what the advised style shows of the strategy's thinking, and the guided style a few facts of.
        thought: the seat's last private thought; ``later``: what it left for its next talk; ``shortened``: what
            was heard of its last talk where words of it were left out. Advised style only.
        judged: whether estimates are asked for with every answer; ``estimate``: with this one; ``unjudged``: with all
            but this one.
        reads_first: whether the model is asked how it reads the game; ``own_reading``: its answer to that today.
    """

    request: Request
    plan: TalkPlan | TargetPlan | None
    persona: Persona
    choices: tuple[str, ...] = ()
    sheet: CharacterSheet | None = None
    news: Sequence[Talk] | None = None
    style: Style = Style.DIRECTED
    advice: Advice | None = None
    thought: str = ""
    later: str = ""
    shortened: str = ""
    judged: bool = True
    estimate: bool = False
    unjudged: bool = False
    reads_first: bool = False
    own_reading: str = ""


def build_view(state: SeatState, asked: PromptRequest, pack: Pack, transcript: Transcript | None = None) -> View:
    """Make the variables of the templates of ``pack`` for what is ``asked``.

    ``transcript`` holds what was made of this game's talks before. In TALK of the directed and the guided style a
    liar's view is the world it lives in public: the role of ``plan.pretend`` (a villager while it claims nothing), no
    partners, no whispers, no findings, no own attack. In the advised style the model knows who it is, whispers stand in
    the log, and what the profile does not tell of a manner is left to it.
    """
    request, plan, style, choices, advice = asked.request, asked.plan, asked.style, asked.choices, asked.advice
    talk = plan if isinstance(plan, TalkPlan) else TalkPlan()
    public, advised = request is Request.TALK, style is Style.ADVISED
    lived = _public_role(state, talk)
    role = lived if public and not advised else state.role
    secret = not public or role == state.role
    share = 1.0 if advised else pack.words.prompt.share
    new = asked.news if asked.news is not None else state.whispers if request is Request.WHISPER else state.talks
    transcript, others = transcript or Transcript(state), state.others
    days = transcript.days(request, whispered=advised)
    sheet = asked.sheet or make_character_sheet(pack.playbook, asked.persona, state.me)
    view = View(
        me=state.me,
        profile=transcript.profile(),
        manner=_own_manner(asked.persona, sheet, pack) if advised else _manner(asked.persona, sheet, pack),
        village=_role_counts(state),
        players=state.players,
        has_whispers=_has_whispers(state),
        usual=_usual(state, share),
        days=days,
        role=role,
        side=role_spec(role).side.value,
        public=public,
        partners=state.partners if advised or not public else (),
        findings=_findings(state) if secret else (),
        choices_made=_choices_made(state, secret),
        whispers=transcript.lines(state.whispers) if advised or not public else (),
        request=request.value,
        chat=bool(state.phase),
        day=state.day,
        alive=state.alive,
        others=others,
        dead=_deaths(state),
        addressed=tuple([line for line in transcript.lines(new) if line.to_me and line.day == state.day])[
            -MOST_ADDRESSED:
        ],
        silent=_silent(state, others),
        said_today=tuple([line for line in days[-1].lines if line.mine]),
        remaining=state.talks_after,
        acts=talk.acts,
        address=talk.address,
        vote=talk.vote,
        leaning=_leaning(plan, choices),
        choices=choices,
        limit=_limit(state, request, talk, share),
        lived=lived if advised and lived != state.role else "",
        advice=_quoted(advice) if style is not Style.DIRECTED and advice is not None else None,
        judged=asked.judged,
        thought=quote_talk(last_sentences(asked.thought, LONGEST_THOUGHT), LONGEST_THOUGHT) if advised else "",
        later=quote_talk(asked.later, LONGEST_THOUGHT) if advised else "",
        shortened=quote_talk(asked.shortened, LONGEST_THOUGHT) if advised else "",
        estimate=asked.estimate,
        unjudged=asked.unjudged,
        reads_first=asked.reads_first and advised,
        own_reading=_conclusion(asked.own_reading) if advised else "",
        guided=style is Style.GUIDED,
        variant=state.role,
        style=style,
    )
    unsafe = transcript.unsafe()
    return _renamed(view, unsafe) if unsafe else view


def _conclusion(reading: str) -> str:
    """What a model's own ``reading`` of the game came to, without the way there."""
    return quote_talk(closing_sentences(reading, READING_SENTENCES, LONGEST_READING), LONGEST_READING)


def _quoted(advice: Advice) -> Advice:
    """``advice`` with the model's own reasons, and what anybody said, in a form that cannot end their quotation."""
    grounds = tuple(replace(one, why=quote_talk(one.why, LONGEST_THOUGHT)) for one in advice.bonds.grounds)
    openings = tuple(quote_talk(one, LONGEST_THOUGHT) for one in advice.openings)
    rules = tuple(replace(one, text=quote_talk(one.text, LONGEST_THOUGHT)) for one in advice.bonds.rules)
    return replace(advice, bonds=replace(advice.bonds, grounds=grounds, rules=rules), openings=openings)


def _renamed(value: Any, unsafe: dict[str, str]) -> Any:
    """``value`` with names that could be taken for markup shown in a safe form: names come from the server too."""
    if isinstance(value, str):
        for name, shown in unsafe.items():
            value = value.replace(name, shown)
        return value
    if isinstance(value, tuple):
        return tuple(_renamed(item, unsafe) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _renamed(getattr(value, f.name), unsafe) for f in fields(value)})
    return value


def _public_role(state: SeatState, plan: TalkPlan) -> str:
    """The role the seat shows in public. Whoever is on the wolves' side is a villager until it claims something."""
    if plan.pretend:
        return plan.pretend
    return Role.VILLAGER.value if role_spec(state.role).side is Side.WEREWOLF else state.role


def character_prompt(pack: Pack, state: SeatState, persona: Persona, sheet: CharacterSheet, style: Style) -> str:
    """The question that completes ``sheet`` for prompts of ``style``. Raises PackError."""
    manner = (_own_manner if style is Style.ADVISED else _manner)(persona, sheet, pack)
    return pack.character_prompt(quote_name(state.me), quote_profile(state.profile), manner).user


def _manner(persona: Persona, sheet: CharacterSheet, pack: Pack) -> Manner:
    """How the persona of the LLM-free player speaks, so that a model and its stand-in sound like one person."""
    voice = pack.lines.voices.get(persona.voice)
    endings = tuple(dict.fromkeys(form for form in persona.endings.values() if form))
    polite = None if voice is None else voice.polite
    return Manner(persona.me, polite, endings, sheet.samples, sheet.temper, sheet.vocabulary, sheet.habits)


def _own_manner(persona: Persona, sheet: CharacterSheet, pack: Pack) -> Manner:
    """The same for a model that reads a profile itself: only what the profile settles or a model has put on the sheet;
    samples in everybody's words would take the character from it."""
    manner = _manner(persona, sheet, pack)
    manner = manner if persona.by_profile else replace(manner, polite=None, endings=())
    return manner if sheet.own else replace(manner, phrases=())


def _role_counts(state: SeatState) -> dict[str, int]:
    """The village's roles, known ones in the order of the table of roles."""
    counts = state.setting.role_num_map
    return {name: counts[name] for name in (*ROLES, *counts) if counts.get(name, 0) > 0}


def _has_whispers(state: SeatState) -> bool:
    return state.setting.whisper.max_count.per_agent > 0 and state.setting.role_num_map.get(Role.WEREWOLF, 0) > 1


def _findings(state: SeatState) -> tuple[OwnResult, ...]:
    judges = state.divinations or state.medium_results
    return tuple(OwnResult(judge.day, judge.target, judge.result) for judge in judges)


def _choices_made(state: SeatState, secret: bool) -> tuple[OwnChoice, ...]:
    return tuple(
        OwnChoice(day, request, target)
        for (day, request), target in state.chosen.items()
        if secret or request == Request.VOTE
    )


def _deaths(state: SeatState) -> tuple[Death, ...]:
    books = (("executed", state.executions), ("attacked", state.attacks))
    ends = {name: (day, how) for how, book in books for day, name in book.items()}
    return tuple([Death(name, *ends.get(name, (None, ""))) for name in state.dead])


def _silent(state: SeatState, others: Sequence[str]) -> tuple[str, ...]:
    if state.phase:
        return tuple([name for name in others if state.talks_left(name) == 0])
    over = {talk.agent for talk in state.today if talk.over or talk.text == "Over"}
    return tuple([name for name in others if name in over])


def _leaning(plan: TalkPlan | TargetPlan | None, choices: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(plan, TargetPlan):
        return ()
    ranked = dict.fromkeys((plan.name, *plan.ranking))
    return tuple(name for name in ranked if name in choices)[:MOST_RANKED]


def _limit(state: SeatState, request: Request, plan: TalkPlan, share: float) -> Limit:
    """The cap of the part of a talk that holds the words: after an anchor ``mention_length``, else ``base_length``."""
    rule = (state.setting.whisper if request is Request.WHISPER else state.setting.talk).max_length
    cap = max(0, (rule.mention_length if plan.address else rule.base_length) or rule.base_length or 0)
    if rule.per_agent and rule.per_agent > 0:
        # What exceeds the cap of one talk is taken from a store for the whole day; half of it is left for later talks.
        cap += max(0, state.remain_length or 0) // 2
    return _limit_of(cap, rule, share)


def _usual(state: SeatState, share: float) -> Limit:
    """The limit of a public talk that is said to nobody; the store does not count."""
    rule = state.setting.talk.max_length
    return _limit_of(max(0, rule.base_length or 0), rule, share)


def _limit_of(cap: int, rule: LengthRule, share: float) -> Limit:
    if rule.per_talk and rule.per_talk > 0:
        cap = min(cap, rule.per_talk) if cap > 0 else rule.per_talk
    if cap <= 0:
        return Limit()
    return Limit(max(1, int(cap * share)), cap, bool(rule.count_in_word), bool(rule.count_spaces))


# --- What one seat and its model say to each other in one game -------------------------------------------------------


class Conversation:
    """The conversation of one seat with its model in one game: the pack's own frame, or the words of a pack in the
    official sample's manner.

    ``heard`` and ``budget``: see :class:`Transcript`.
    """

    def __init__(self, pack: Pack, state: SeatState, heard: Sequence[TalkRecord] = (), budget: int = 0) -> None:
        self._pack, self._state = pack, state
        self._transcript = Transcript(state, heard, budget)
        self._official = OfficialConversation(pack.official, state) if pack.official is not None else None

    @property
    def official(self) -> bool:
        """Whether the pack's words are those of a config of the official sample."""
        return self._official is not None

    def hear(self, packet: Packet) -> None:
        """Take in a packet that the state has taken in already. Raises PackError where its template fails.

        Only a pack in the official sample's manner makes a message of it; in others prompts are made of the state.
        """
        if self._official is not None:
            self._official.hear(packet)

    def prompt(self, asked: PromptRequest) -> Prompt:
        """The prompt for what is ``asked``; no model is asked here. Raises PackError."""
        request, view = asked.request, build_view(self._state, asked, self._pack, self._transcript)
        prompt = self._pack.render(request, view)
        if self._official is None:
            return prompt
        if self._pack.verbatim and request in (Request.TALK, Request.WHISPER):
            return self._official.prompt(request, "", view.variables())
        # Their words first, ours last: which names are legal, and in a pack with a frame of its own what it says.
        task = "\n\n".join(section.text for section in prompt.sections if section.kind is SectionKind.TASK)
        return self._official.prompt(request, task, view.variables())

    def said(self, request: str, text: str) -> None:
        """Note that ``text`` went out as the answer to ``request``."""
        if self._official is not None:
            self._official.said(request, text)
