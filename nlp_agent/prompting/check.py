"""Every role × request × village × day rendered once, so that no template fails for the first time in a match."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nlp_agent.errors import PackError
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.game.village import VILLAGES
from nlp_agent.mind.claims import read_talk
from nlp_agent.mind.plan import TalkPlan, TargetPlan
from nlp_agent.prompting.build import build_view
from nlp_agent.prompting.pack import Pack, load_pack
from nlp_agent.prompting.sample import Size, sample_persona, sample_state, sample_talk_plan, sample_target_plan
from nlp_agent.protocol import TARGET_REQUESTS, Request, Role

NEW_ROLE = "STRANGER"
"""A role no pack knows: villages with other roles exist, and must not stop a match."""
CUSTOM: Mapping[str, int] = {Role.VILLAGER: 3, Role.WEREWOLF: 3, Role.MEDIUM: 1, Role.POSSESSED: 2, NEW_ROLE: 2}
"""A village of no contest: no seer, two possessed, and the new role."""
LENGTH = 60_000
"""Characters; a prompt longer than this cannot be meant."""


def check_pack(
    pack: Pack, villages: tuple[Size, ...] = (*VILLAGES, CUSTOM), days: tuple[int, ...] = (0, 1, 2)
) -> list[PackError]:
    """All faults found by rendering and reading, each told once, with file and line. Empty: the pack is sound."""
    faults: dict[str, PackError] = {str(fault): fault for fault in _reading(pack)}
    for village in villages:
        for role in (*Role, NEW_ROLE):
            for day in days:
                for request in _requests(role):
                    for fault in _render(pack, village, str(role), day, request):
                        faults.setdefault(str(fault), fault)
    return list(faults.values())


def check_folder(name: str) -> list[PackError]:
    """All faults of the pack of that name or in that folder, those that keep it from being loaded included."""
    try:
        return check_pack(load_pack(name))
    except PackError as error:
        return [error, *error.others]


def _reading(pack: Pack) -> Iterator[PackError]:
    """Whether the patterns that read talk are regular expressions at all."""
    sample = pack.words.sample
    try:
        for text in (*sample.talks, ""):
            read_talk(pack.language.reading, text, sample.names)
    except re.error as error:
        hint = f"{error} in the pattern {error.pattern!r:.200}"
        yield PackError(f"not a regular expression: {hint}", file=str(pack.folder / "reading.yml"))


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


def _render(pack: Pack, village: Size, role: str, day: int, request: Request) -> Iterator[PackError]:
    state = sample_state(pack, village, role, day, request)
    for plan in _plans(pack, state, request):
        choices = legal_targets(state, request) if request in TARGET_REQUESTS else ()
        view = build_view(state, request, plan=plan, persona=sample_persona(pack, state), choices=choices, pack=pack)
        try:
            prompt = pack.render(request, view)
        except PackError:
            yield from pack.faults(request, view)
            continue
        where = str(pack.folder)
        if not prompt.system or not prompt.user:
            yield PackError(f"{request} for {role} renders to nothing", file=where)
        if len(prompt.system) + len(prompt.user) > LENGTH:
            yield PackError(f"{request} for {role} renders to more than {LENGTH} characters", file=where)


def _plans(pack: Pack, state: SeatState, request: Request) -> Iterator[TalkPlan | TargetPlan | None]:
    yield None
    if request in TARGET_REQUESTS:
        yield sample_target_plan(legal_targets(state, request))
    else:
        yield sample_talk_plan(pack, state)
        yield sample_talk_plan(pack, state, pretend=Role.SEER)
