"""From what a seat knows and plans to the variables of its templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from nlp_agent.game import ROLES, SeatState, Side, role_spec
from nlp_agent.planning.advice import Advice
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting.pack import Pack
from nlp_agent.prompting.prompt import Style
from nlp_agent.prompting.quote import quote_name, quote_profile, quote_talk
from nlp_agent.prompting.transcript import Transcript
from nlp_agent.prompting.view import Death, Limit, Manner, OwnChoice, OwnResult, View
from nlp_agent.protocol import LengthRule, Request, Role, Talk
from nlp_agent.voice.persona import Persona
from nlp_agent.voice.sheet import Sheet, make_sheet

THOUGHT = 200
"""Characters shown of the last private thought."""
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
    transcript: Transcript | None = None,
    news: Sequence[Talk] | None = None,
    style: Style = Style.DIRECTED,
    advice: Advice | None = None,
    thought: str = "",
    judged: bool = True,
) -> View:
    """The view for one request. ``choices`` are the legal names of a target request; ``sheet`` is made by rules when
    there is none. ``transcript`` holds what was made of this game's talks before. ``news``: talks, or for WHISPER
    whispers, that no prompt has shown yet; ``None``: none was shown.

    In TALK of the directed style a liar's view is the world it lives in public: the role of ``plan.pretend`` (a
    villager while it claims nothing), no partners, no whispers, no findings, no own attack. In the advised style the
    model knows who it is, whispers stand in the log, and what the profile does not tell of a manner is left to it;
    ``advice`` and ``thought``, the seat's last private one, belong to that style, and ``judged``: whether estimates
    are asked for.
    """
    talk = plan if isinstance(plan, TalkPlan) else TalkPlan()
    public, advised = request is Request.TALK, style is Style.ADVISED
    lived = _lived_role(state, talk)
    role = lived if public and not advised else state.role
    secret = not public or role == state.role
    share = 1.0 if advised else pack.words.prompt.share
    new = news if news is not None else state.whispers if request is Request.WHISPER else state.talks
    transcript, others = transcript or Transcript(state), state.others
    days = transcript.days(request, whispered=advised)
    sheet = sheet or make_sheet(pack.playbook, persona, state.me)
    view = View(
        me=state.me,
        profile=transcript.profile(),
        manner=_own_manner(persona, sheet, pack) if advised else _manner(persona, sheet, pack),
        village=_village(state),
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
        addressed=tuple([line for line in transcript.lines(new) if line.to_me and line.day == state.day])[-SHOWN:],
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
        advice=_quoted(advice) if advised and advice is not None else None,
        judged=judged,
        thought=quote_talk(thought, THOUGHT) if advised else "",
        variant=state.role,
        style=style,
    )
    unsafe = transcript.unsafe()
    return _renamed(view, unsafe) if unsafe else view


def _quoted(advice: Advice) -> Advice:
    """``advice`` with the model's own reasons in a form that cannot end their quotation."""
    grounds = tuple(replace(one, why=quote_talk(one.why, THOUGHT)) for one in advice.bonds.grounds)
    return replace(advice, bonds=replace(advice.bonds, grounds=grounds))


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


def _lived_role(state: SeatState, plan: TalkPlan) -> str:
    """The role the seat shows in public. Whoever is on the wolves' side is a villager until it claims something."""
    if plan.pretend:
        return plan.pretend
    return Role.VILLAGER.value if role_spec(state.role).side is Side.WEREWOLF else state.role


def character_prompt(pack: Pack, state: SeatState, persona: Persona, sheet: Sheet, style: Style) -> str:
    """The question that completes ``sheet`` for prompts of ``style``. Raises PackError."""
    manner = (_own_manner if style is Style.ADVISED else _manner)(persona, sheet, pack)
    return pack.character_prompt(quote_name(state.me), quote_profile(state.profile), manner).user


def _manner(persona: Persona, sheet: Sheet, pack: Pack) -> Manner:
    """How the persona of the LLM-free player speaks, so that a model and its stand-in sound like one person."""
    voice = pack.lines.voices.get(persona.voice)
    endings = tuple(dict.fromkeys(form for form in persona.endings.values() if form))
    polite = None if voice is None else voice.polite
    return Manner(persona.me, polite, endings, sheet.samples, sheet.temper, sheet.vocabulary, sheet.habits)


def _own_manner(persona: Persona, sheet: Sheet, pack: Pack) -> Manner:
    """The same for a model that reads a profile itself: only what the profile settles or a model has put on the sheet;
    samples in everybody's words would take the character from it."""
    manner = _manner(persona, sheet, pack)
    manner = manner if persona.by_profile else replace(manner, polite=None, endings=())
    return manner if sheet.own else replace(manner, phrases=())


def _village(state: SeatState) -> dict[str, int]:
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
    told = {name: (day, how) for how, book in books for day, name in book.items()}
    return tuple([Death(name, *told.get(name, (None, ""))) for name in state.dead])


def _silent(state: SeatState, others: Sequence[str]) -> tuple[str, ...]:
    if state.phase:
        return tuple([name for name in others if state.talks_left(name) == 0])
    over = {talk.agent for talk in state.today if talk.over or talk.text == "Over"}
    return tuple([name for name in others if name in over])


def _leaning(plan: TalkPlan | TargetPlan | None, choices: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(plan, TargetPlan):
        return ()
    ranked = dict.fromkeys((plan.name, *plan.ranking))
    return tuple(name for name in ranked if name in choices)[:RANKED]


def _limit(state: SeatState, request: Request, plan: TalkPlan, share: float) -> Limit:
    """The cap of the part of a talk that holds the words: after an anchor ``mention_length``, else ``base_length``."""
    rule = (state.setting.whisper if request is Request.WHISPER else state.setting.talk).max_length
    cap = max(0, (rule.mention_length if plan.address else rule.base_length) or rule.base_length or 0)
    if rule.per_agent and rule.per_agent > 0:
        # What exceeds the cap of one talk is taken from a store for the whole day; half of it is left for later talks.
        cap += max(0, state.remain_length or 0) // 2
    return _asked(cap, rule, share)


def _usual(state: SeatState, share: float) -> Limit:
    """The limit of a public talk that is said to nobody; the store does not count."""
    rule = state.setting.talk.max_length
    return _asked(max(0, rule.base_length or 0), rule, share)


def _asked(cap: int, rule: LengthRule, share: float) -> Limit:
    if rule.per_talk and rule.per_talk > 0:
        cap = min(cap, rule.per_talk) if cap > 0 else rule.per_talk
    if cap <= 0:
        return Limit()
    return Limit(max(1, int(cap * share)), cap, bool(rule.count_in_word), bool(rule.count_spaces))
