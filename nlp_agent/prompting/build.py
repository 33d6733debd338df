"""From what a seat knows and plans to the variables of its templates."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from nlp_agent.game import ROLES, SeatState, Side, role_spec
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting.pack import Pack
from nlp_agent.prompting.quote import quote_name, quote_profile, quote_talk
from nlp_agent.prompting.view import Ballot, Choice, Day, Death, Finding, Limit, Line, Manner, View
from nlp_agent.protocol import Request, Role, Talk, TalkSetting
from nlp_agent.text.names import names_of
from nlp_agent.voice.persona import Persona
from nlp_agent.voice.sheet import Sheet, make_sheet

_EVENING = frozenset({Request.DAILY_FINISH, Request.VOTE, Request.DIVINE, Request.GUARD, Request.ATTACK})
RANKED = 3
"""Names of the plan's order that a target prompt tells."""
SHOWN = 4
"""At most so many lines that name this seat are shown again at the end; all of them stand in the log."""


def build_view(
    state: SeatState,
    request: Request,
    *,
    plan: TalkPlan | TargetPlan | None,
    persona: Persona,
    choices: tuple[str, ...] = (),
    pack: Pack,
    sheet: Sheet | None = None,
    why: str = "",
) -> View:
    """The view for one request. ``choices`` are the legal names of a target request; ``sheet`` is made by rules when
    there is none; ``why`` is what moved the judgement, in TALK the one shown in public.

    In TALK a liar's view is the world it lives in public: the role of ``plan.pretend`` (a villager while it claims
    nothing), no partners, no whispers, no findings, no own attack.
    """
    talk = plan if isinstance(plan, TalkPlan) else TalkPlan()
    public = request is Request.TALK
    role = _lived_role(state, talk) if public else state.role
    secret = not public or role == state.role
    new = state.new_whispers if request is Request.WHISPER else state.new_talks
    days = _days(state, request)
    view = View(
        me=state.me,
        profile=quote_profile(state.profile),
        manner=_manner(persona, sheet or make_sheet(pack.playbook, persona, state.me), pack),
        village=_village(state),
        players=state.players,
        has_whispers=_has_whispers(state),
        days=days,
        role=role,
        side=role_spec(role).side.value,
        public=public,
        partners=() if public else state.partners,
        findings=_findings(state) if secret else (),
        choices_made=_choices_made(state, secret),
        whispers=() if public else _lines(state.whispers, state),
        request=request.value,
        chat=bool(state.phase),
        day=state.day,
        alive=state.alive,
        others=state.others,
        dead=_deaths(state),
        first_new=next((talk.idx for talk in new if talk.day == state.day and talk.said), None),
        addressed=tuple(line for line in _lines(new, state) if line.to_me and line.day == state.day)[-SHOWN:],
        silent=_silent(state),
        said_today=tuple(line for line in days[-1].lines if line.mine),
        remaining=state.talks_after,
        acts=talk.acts,
        address=talk.address,
        vote=talk.vote,
        why=why,
        leaning=_leaning(plan, choices),
        choices=choices,
        limit=_limit(state, request, talk, pack.words.prompt.share),
        variant=state.role,
    )
    odd = {name: quote_name(name) for name in state.players if quote_name(name) != name}
    return _renamed(view, odd) if odd else view


def _renamed(value: Any, odd: dict[str, str]) -> Any:
    """``value`` with names that could be taken for markup shown in a safe form: names come from the server too."""
    if isinstance(value, str):
        for name, shown in odd.items():
            value = value.replace(name, shown)
        return value
    if isinstance(value, tuple):
        return tuple(_renamed(item, odd) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _renamed(getattr(value, f.name), odd) for f in fields(value)})
    return value


def _lived_role(state: SeatState, plan: TalkPlan) -> str:
    """The role the seat shows in public. Whoever is on the wolves' side is a villager until it claims something."""
    if plan.pretend:
        return plan.pretend
    return Role.VILLAGER.value if role_spec(state.role).side is Side.WEREWOLF else state.role


def character_prompt(pack: Pack, state: SeatState, persona: Persona, sheet: Sheet) -> str:
    """The question that completes ``sheet``. Raises PackError."""
    manner = _manner(persona, sheet, pack)
    return pack.character_prompt(quote_name(state.me), quote_profile(state.profile), manner).user


def _manner(persona: Persona, sheet: Sheet, pack: Pack) -> Manner:
    """How the persona of the LLM-free player speaks, so that a model and its stand-in sound like one person."""
    voice = pack.lines.voices.get(persona.voice)
    endings = tuple(dict.fromkeys(form for form in persona.endings.values() if form))
    polite = None if voice is None else voice.polite
    return Manner(persona.me, polite, endings, sheet.samples, sheet.temper, sheet.vocabulary, sheet.habits)


def _village(state: SeatState) -> dict[str, int]:
    """The village's roles, known ones in the order of the table of roles."""
    counts = state.setting.role_num_map
    ordered = [name for name in ROLES if name in counts] + [name for name in counts if name not in ROLES]
    return {name: counts[name] for name in ordered if counts[name] > 0}


def _has_whispers(state: SeatState) -> bool:
    return state.setting.whisper.max_count.per_agent > 0 and state.setting.role_num_map.get(Role.WEREWOLF, 0) > 1


def _days(state: SeatState, request: Request) -> tuple[Day, ...]:
    """Every day of which something is known, and today."""
    talked: dict[int, list[Talk]] = {}
    for talk in state.talks:
        talked.setdefault(talk.day, []).append(talk)
    numbers = set(talked) | set(state.executions) | set(state.votes) | {day + 1 for day in state.attacks} | {state.day}
    known = sorted(number for number in numbers if number <= state.day)
    return tuple(_day(state, number, request, talked.get(number, [])) for number in known)


def _day(state: SeatState, number: int, request: Request, talks: list[Talk]) -> Day:
    passed = number < state.day
    # Wolves whisper before the first talk and again after it, so a whisper alone does not tell that the talk is over.
    closed = passed or request in _EVENING or (request is Request.WHISPER and bool(talks))
    return Day(
        number=number,
        attacked=state.attacks.get(number - 1, ""),
        nights=number >= 2 or number - 1 in state.attacks,
        lines=_lines(talks, state),
        closed=closed,
        executed=state.executions.get(number, "") if closed else "",
        passed=passed,
        votes=tuple(Ballot(vote.agent, vote.target) for vote in state.votes.get(number, ())) if passed else (),
    )


def _lines(talks: list[Talk], state: SeatState) -> tuple[Line, ...]:
    me, players = state.me, state.players
    lines = (_line(talk.idx, talk.day, talk.agent, talk.text, me, players) for talk in talks if talk.said)
    return tuple(line for line in lines if line is not None)


@lru_cache(maxsize=2048)  # every prompt shows all talks again
def _line(idx: int, day: int, speaker: str, words: str, me: str, players: tuple[str, ...]) -> Line | None:
    text = quote_talk(words)
    if not text:
        return None
    mine = speaker == me
    return Line(idx, day, quote_name(speaker), text, mine, not mine and me in names_of(players).players_in(words))


def _findings(state: SeatState) -> tuple[Finding, ...]:
    judges = state.divinations or state.medium_results
    return tuple(Finding(judge.day, judge.target, judge.result) for judge in judges)


def _choices_made(state: SeatState, secret: bool) -> tuple[Choice, ...]:
    return tuple(
        Choice(day, request, target)
        for (day, request), target in state.chosen.items()
        if secret or request == Request.VOTE
    )


def _deaths(state: SeatState) -> tuple[Death, ...]:
    told = {name: (day, "executed") for day, name in state.executions.items()}
    told |= {name: (day, "attacked") for day, name in state.attacks.items()}
    return tuple(Death(name, *told.get(name, (None, ""))) for name in state.dead)


def _silent(state: SeatState) -> tuple[str, ...]:
    if state.phase:
        return tuple(name for name in state.others if state.talks_left(name) == 0)
    over = {talk.agent for talk in state.today if talk.over or talk.text == "Over"}
    return tuple(name for name in state.others if name in over)


def _leaning(plan: TalkPlan | TargetPlan | None, choices: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(plan, TargetPlan):
        return ()
    ranked = dict.fromkeys((plan.name, *plan.ranking))
    return tuple(name for name in ranked if name in choices)[:RANKED]


def _limit(state: SeatState, request: Request, plan: TalkPlan, share: float) -> Limit:
    """The cap of the part of a talk that holds the words: after an anchor ``mention_length``, else ``base_length``."""
    setting: TalkSetting = state.setting.whisper if request is Request.WHISPER else state.setting.talk
    rule = setting.max_length
    cap = max(0, (rule.mention_length if plan.address else rule.base_length) or rule.base_length or 0)
    if rule.per_agent and rule.per_agent > 0:
        # What exceeds the cap of one talk is taken from a store for the whole day; half of it is left for later talks.
        cap += max(0, state.remain_length or 0) // 2
    if rule.per_talk and rule.per_talk > 0:
        cap = min(cap, rule.per_talk) if cap > 0 else rule.per_talk
    if cap <= 0:
        return Limit()
    return Limit(max(1, int(cap * share)), cap, bool(rule.count_in_word), bool(rule.count_spaces))
