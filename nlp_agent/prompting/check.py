"""Every role × request × village × day rendered once, so that no template fails for the first time in a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import product

from nlp_agent.belief.facts import SPOKEN, WORDED
from nlp_agent.errors import PackError
from nlp_agent.game import ROLES, SeatState, legal_targets
from nlp_agent.game.village import VILLAGES
from nlp_agent.planning.advice import Advice
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting.build import build_view, character_prompt
from nlp_agent.prompting.official import OfficialConversation, OfficialPrompts
from nlp_agent.prompting.pack import Pack, load_pack
from nlp_agent.prompting.problem import Check, Problem
from nlp_agent.prompting.prompt import Prompt, Style
from nlp_agent.prompting.sample import (
    Size,
    asked,
    sample_advice,
    sample_packets,
    sample_persona,
    sample_state,
    sample_talk_plan,
)
from nlp_agent.prompting.sayings import broken_registers, unsaid_lines
from nlp_agent.prompting.transcript import Transcript
from nlp_agent.prompting.unused import unused_files
from nlp_agent.prompting.view import View
from nlp_agent.prompting.wording import empty_slots, strangers, unsayable, unworded
from nlp_agent.protocol import TARGET_REQUESTS, Packet, Request, Role, Species
from nlp_agent.voice.sheet import make_sheet

NEW_ROLE = "STRANGER"
"""A role no pack knows: villages with other roles exist, and must not stop a match."""
CUSTOM: Mapping[str, int] = {Role.VILLAGER: 3, Role.WEREWOLF: 3, Role.MEDIUM: 1, Role.POSSESSED: 2, NEW_ROLE: 2}
"""A village of no contest: no seer, two possessed, and the new role."""
_ALL: tuple[Size, ...] = (*VILLAGES, CUSTOM)
_DAYS = (0, 1, 2)
LENGTH = 60_000
"""Characters; a prompt longer than this cannot be meant."""


def check_pack(pack: Pack, villages: tuple[Size, ...] = _ALL, days: tuple[int, ...] = _DAYS) -> list[PackError]:
    """All faults found by rendering and reading, each told once, with file and line. Empty: the pack is sound."""
    faults: dict[str, PackError] = {}
    for fault in _found(pack, villages, days):
        faults.setdefault(str(fault), fault)
    return list(faults.values())


def _found(pack: Pack, villages: tuple[Size, ...], days: tuple[int, ...]) -> Iterator[PackError]:
    for look in (_reading, _acts, unsaid_lines, unused_files, Pack.unseen):
        yield from look(pack)
    for village in villages:
        yield from _village(pack, village, days)


def refresh(pack: Pack) -> PackError | None:
    """Take in a pack's changed files if they are sound; see :meth:`Pack.refresh`."""
    return pack.refresh(lambda fresh: next(_found(fresh, (min(VILLAGES),), _DAYS), None))


def check_folder(
    name: str, official: OfficialPrompts | None = None, villages: tuple[Size, ...] = _ALL
) -> list[PackError]:
    """All faults of the pack of that name or in that folder, those that keep it from being loaded included.

    ``official``: see :func:`load_pack`.
    """
    try:
        return check_pack(load_pack(name, official=official), villages)
    except PackError as error:
        return [error, *error.others]


def remarks(pack: Pack) -> list[PackError]:
    """What could be better in a pack that can be played with."""
    return list(broken_registers(pack))


def _reading(pack: Pack) -> Iterator[PackError]:
    """Whether the questions between a seat's answers can be asked, and the patterns that read talk be compiled."""
    sample = pack.words.sample
    name, names = sample.names[0], sample.names
    if pack.has("reading.jinja"):
        yield from _faults(lambda: pack.reading_prompt([(name, text) for text in sample.talks], names))
    if pack.has("character.jinja"):
        state = sample_state(pack, min(VILLAGES), Role.VILLAGER, 0, Request.TALK)
        persona = sample_persona(pack, state)
        sheet = make_sheet(pack.playbook, persona, state.me)
        for style in Style:
            yield from _faults(partial(character_prompt, pack, state, persona, sheet, style))
    for check in Check:
        told = Problem(check, "", said=sample.talks[0], name=name, role=Role.SEER, result=Species.HUMAN)
        for style in Style:
            yield from _faults(partial(pack.retry_prompt, Prompt(()), told, names[1], names, style))
    try:
        for text in (*sample.talks, ""):
            pack.reading.read(text, names)
    except re.error as error:
        hint = f"{error} in the pattern {error.pattern!r:.200}"
        yield PackError(f"not a regular expression: {hint}", file=str(pack.folder / "reading.yml"))


def _faults(render: Callable[[], object]) -> Iterator[PackError]:
    try:
        render()
    except PackError as fault:
        yield fault


def _acts(pack: Pack) -> Iterator[PackError]:
    """Whether every act of the plan has its words, and all words an act."""
    lines, prompts = str(pack.find("lines.yml")), str(pack.find("pack.yml"))
    books = {"acts": pack.lines.acts}
    books |= {f"voices.{name}.lines": voice.lines for name, voice in pack.lines.voices.items()}
    books |= {f"habits.{name}.lines": habit.lines for name, habit in pack.lines.habits.items()}
    for where, book in books.items():
        yield from (PackError(fault, file=lines) for fault in strangers(book, where))
    for act in unworded(pack.lines.acts):
        yield PackError(f"acts.{act} is missing: the plan says such a thing", file=lines)
    yield from (PackError(fault, file=lines) for fault in unsayable(pack.lines))
    acts = pack.words.prompt.acts
    for act in unworded(acts):
        yield PackError(f"prompt.acts.{act} is missing: the plan says such a thing", file=prompts)
    yield from (PackError(fault, file=prompts) for fault in (*strangers(acts, "prompt.acts"), *empty_slots(pack.words)))


def _requests(role: str) -> Iterator[Request]:
    yield Request.TALK
    yield Request.VOTE
    wolves = (Request.WHISPER, Request.ATTACK)
    night: dict[str, tuple[Request, ...]] = {
        Role.SEER: (Request.DIVINE,),
        Role.BODYGUARD: (Request.GUARD,),
        Role.WEREWOLF: wolves,
        # A village's own rules may give any night action to a role that is new to us.
        NEW_ROLE: (Request.DIVINE, Request.GUARD, *wolves),
    }
    yield from night.get(role, ())


def _village(pack: Pack, village: Size, days: tuple[int, ...]) -> Iterator[PackError]:
    seat = sample_state(pack, village, Role.VILLAGER, 0, Request.TALK)
    persona = sample_persona(pack, seat)
    sheet = make_sheet(pack.playbook, persona, seat.me)
    for role, day in product((*Role, NEW_ROLE), days):
        heard = tuple(sample_packets(pack, village, role, day))
        for request in _requests(role):
            if pack.official is not None:
                yield from _converse(pack.official, heard, request)
            state = asked(heard, request)
            view = partial(build_view, state, request, persona=persona, sheet=sheet, pack=pack)
            yield from _faults_of(pack, state, request, partial(view, transcript=Transcript(state)))


def _faults_of(pack: Pack, state: SeatState, request: Request, view: Callable[..., View]) -> Iterator[PackError]:
    """What fails in the prompts for ``request``, with each kind of plan and in both styles."""
    choices = legal_targets(state, request) if request in TARGET_REQUESTS else ()
    everything = sample_advice(state, pack.words.sample.reason)
    styles = ((Style.DIRECTED, None), (Style.ADVISED, everything), (Style.ADVISED, Advice()))
    for plan, (style, advice) in product(_plans(pack, state, request), styles):
        yield from _render(pack, request, view(plan=plan, choices=choices, style=style, advice=advice))


def _render(pack: Pack, request: Request, view: View) -> Iterator[PackError]:
    try:
        prompt = pack.render(request, view)
    except PackError:
        yield from pack.faults(request, view)
        return
    where = str(pack.folder)
    if not prompt.system or not prompt.user:
        yield PackError(f"{request} for {view.variant} renders to nothing", file=where)
    if sum(len(text) for _, text in prompt.messages) > LENGTH:
        yield PackError(f"{request} for {view.variant} renders to more than {LENGTH} characters", file=where)


def _converse(prompts: OfficialPrompts, packets: Iterable[Packet], request: Request) -> Iterator[PackError]:
    """A conversation in the manner of the official sample, up to ``request``."""
    state = SeatState()
    conversation = OfficialConversation(prompts, state)
    heard = list(packets)
    for packet in (*heard, Packet(request=Request.DAILY_FINISH, info=heard[-1].info)):
        state.apply(packet)
        yield from _faults(partial(conversation.hear, packet))
    try:
        prompt = conversation.ask(request, "", {})
    except PackError as error:
        yield error
    else:
        if not prompt.user:
            yield PackError(f"chat: {request} for {state.role} renders to nothing", file=request.lower())


def _plans(pack: Pack, state: SeatState, request: Request) -> Iterator[TalkPlan | TargetPlan | None]:
    yield None
    if request in TARGET_REQUESTS:
        choices = legal_targets(state, request)
        yield TargetPlan(choices[0], choices)
    else:
        yield sample_talk_plan(pack, state)
        yield sample_talk_plan(pack, state, pretend=Role.SEER)


_TEMPLATES = ("system", "talk", "whisper", "vote", "divine", "guard", "attack")


def gaps(pack: Pack) -> list[str]:
    """What of a whole language pack is not there, one line each; what is there may still be faulty."""
    words, lines, reading = pack.words, pack.lines, pack.reading.rules
    lacking = [f"template {name}.jinja" for name in _TEMPLATES if not pack.has(f"{name}.jinja")]
    lacking += [f"words.roles.{role} in pack.yml" for role in ROLES if role not in words.words.roles]
    lacking += [f"words.results.{result} in pack.yml" for result in Species if result not in words.words.results]
    lacking += [] if len(words.sample.names) >= max(VILLAGES) else [f"sample.names in pack.yml: {max(VILLAGES)} names"]
    lacking += [] if lines.voices else ["voices in lines.yml"]
    lacking += [f"acts.{act} in lines.yml" for act in unworded(lines.acts)]
    lacking += [f"prompt.acts.{act} in pack.yml" for act in unworded(words.prompt.acts)]
    reasons = ("hunch", "good_feeling", "why_vote", "why_divine", *SPOKEN)
    lacking += [f"reasons.{reason} in lines.yml" for reason in reasons if not lines.reasons.get(reason)]
    lacking += [f"words.why.facts.{kind} in pack.yml" for kind in WORDED if kind not in words.words.why.facts]
    lacking += [f"{key} in reading.yml" for key in _READ if not getattr(reading, key, True)]
    return lacking


_READ = ("roles", "black", "white", "claims", "results", "votes", "suspects", "trusts", "asks", "question")
