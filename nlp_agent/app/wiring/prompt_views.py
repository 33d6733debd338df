"""Prompts to look at: of a made-up village, or of a moment of a played game, with any pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nlp_agent.app.wiring.moments import journal_rows, replay, shared_prefix
from nlp_agent.errors import ConfigError, did_you_mean
from nlp_agent.game import ROLES, SeatState, legal_targets
from nlp_agent.game.village import VILLAGES
from nlp_agent.llm.reading import estimate_tokens
from nlp_agent.planning.mind import Mind
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting import Kind, Pack, Prompt, Section, Style, build_view, character_prompt, load_pack
from nlp_agent.prompting.sample import sample_acts, sample_persona, sample_state
from nlp_agent.prompting.view import Limit
from nlp_agent.protocol import TARGET_REQUESTS, Request
from nlp_agent.records.decision_text import cut
from nlp_agent.voice.sheet import make_sheet

PHASES = ("talk", "whisper", "vote", "divine", "guard", "attack")
BACKGROUND = ("reading", "character")
"""What a model is asked between a seat's answers; each has a template of its name, which a pack may lack."""


@dataclass(frozen=True, slots=True)
class PromptView:
    """A prompt with what is worth knowing of it.

    ``title`` says whose moment it is. ``cached``: characters at the start that the seat's prompt before had too; None
    when it is the first one.
    """

    title: str
    pack: str
    prompt: Prompt
    cached: int | None
    limit: Limit
    choices: tuple[str, ...]

    @property
    def parts(self) -> list[tuple[str, str, str]]:
        """Each message as who speaks, what of it is cached, and what is not."""
        return cut(self.prompt.messages, self.cached or 0)

    @property
    def tokens(self) -> int:
        """Estimated."""
        return sum(estimate_tokens(text) for _, text in self.prompt.messages)

    @property
    def cached_tokens(self) -> int:
        return sum(estimate_tokens(known) for _, known, _ in self.parts)


@dataclass(frozen=True, slots=True)
class Wish:
    """Which moment is to be seen: number ``at`` of the journal ``game``, or else a made-up one. ``style`` None: as it
    was played, and advised in a made-up game."""

    role: str = "VILLAGER"
    phase: str = "talk"
    players: int | None = None
    day: int = 1
    game: Path | None = None
    at: int | None = None
    style: Style | None = None


def prompt_view(wish: Wish, name: str | None) -> PromptView:
    """The wished moment as the pack ``name`` puts it (None: the one it was played with, or en).

    Raises PackError, or ConfigError for a wish that cannot be fulfilled.
    """
    if wish.game is not None and wish.at is not None:
        return _of_game(wish.game, wish.at, load_pack(name) if name else None, wish.style)
    pack = load_pack(name or "en")
    return _of_background(wish, pack) if wish.phase.lower() in BACKGROUND else _of_sample(wish, pack)


def _of_game(file: Path, at: int, pack: Pack | None, style: Style | None) -> PromptView:
    again = replay(journal_rows(file), at, pack, style)
    state, moment = again.seat.state, again.moment
    title = f"{state.me} ({state.role}), day {moment.day}, {moment.request}: moment {at} of {file.name}"
    cached = shared_prefix(again.before.messages, again.prompt.messages) if again.before else None
    plan = again.ready.plan
    choices = again.ready.choices
    limit = _limit(state, moment.request, plan, again.pack, again.ready.style)
    return PromptView(title, again.pack.name, again.prompt, cached, limit, choices)


def _of_sample(wish: Wish, pack: Pack) -> PromptView:
    role, request, style = _role(wish.role, pack), _request(wish.phase), wish.style or Style.ADVISED
    players = wish.players or next((n for n in VILLAGES if VILLAGES[n].get(role, 1) and _fits(n, request)), 13)
    state = sample_state(pack, players, role, wish.day, request)
    plan: TalkPlan | TargetPlan = sample_acts(pack, state, request)
    choices: tuple[str, ...] = ()
    if request in TARGET_REQUESTS:
        choices = legal_targets(state, request)
        plan = TargetPlan(choices[0], choices)
    prompt = _render(pack, state, request, plan, choices, style)
    cached = None
    if wish.day > 0:
        # The seat's prompt before: its last one of the day before.
        earlier = sample_state(pack, players, role, wish.day - 1, Request.TALK)
        before = _render(pack, earlier, Request.TALK, sample_acts(pack, earlier, Request.TALK), (), style)
        cached = shared_prefix(before.messages, prompt.messages)
    title = f"{state.me} ({role}), day {wish.day}, {request}: a made-up village of {players}"
    return PromptView(title, pack.name, prompt, cached, _limit(state, request, plan, pack, style), choices)


def _of_background(wish: Wish, pack: Pack) -> PromptView:
    role, template = _role(wish.role, pack), f"{wish.phase.lower()}.jinja"
    if not pack.has(template):
        raise ConfigError(f"the pack {pack.name} has no {template}, so no model is asked for it")
    players = wish.players or min(VILLAGES)
    state = sample_state(pack, players, role, wish.day, Request.TALK)
    if template == "reading.jinja":
        prompt = pack.reading_prompt([(talk.agent, talk.text) for talk in state.talks if talk.said], state.players)
    else:
        persona = sample_persona(pack, state)
        sheet = make_sheet(pack.playbook, persona, state.me)
        style = wish.style or Style.ADVISED
        prompt = Prompt((Section(Kind.TASK, character_prompt(pack, state, persona, sheet, style)),))
    title = f"{state.me} ({role}), day {wish.day}, {wish.phase.lower()}: between two answers in a village of {players}"
    return PromptView(title, pack.name, prompt, None, Limit(), ())


def _render(
    pack: Pack, state: SeatState, request: Request, plan: TalkPlan | TargetPlan, choices: tuple[str, ...], style: Style
) -> Prompt:
    mind = Mind(state, pack.reading, 0, why=pack.words.words.why)
    mind.observe()
    advice, persona = mind.advice(plan) if style is Style.ADVISED else None, sample_persona(pack, state)
    view = build_view(
        state, request, plan=plan, persona=persona, choices=choices, pack=pack, style=style, advice=advice
    )
    return pack.render(request, view)


def _limit(
    state: SeatState, request: str, plan: TalkPlan | TargetPlan | None, pack: Pack, style: Style = Style.DIRECTED
) -> Limit:
    view = build_view(state, Request(request), plan=plan, persona=sample_persona(pack, state), pack=pack, style=style)
    return view.limit if request not in TARGET_REQUESTS else Limit()


def _fits(players: int, request: Request) -> bool:
    """Whether the village of that size whispers, where a whisper is wanted."""
    return request is not Request.WHISPER or VILLAGES[players].get("WEREWOLF", 0) > 1


def _role(wanted: str, pack: Pack) -> str:
    role = wanted.upper()
    known: Mapping[str, object] = {**dict.fromkeys(file.parent.name for file in pack.files("roles/*/*.jinja")), **ROLES}
    if role not in known:
        raise ConfigError(f"there is no role {wanted!r} and no folder roles/{role}; {did_you_mean(role, known)}")
    return role


def _request(phase: str) -> Request:
    if phase.lower() not in PHASES:
        raise ConfigError(f"there is no phase {phase!r}; {did_you_mean(phase.lower(), (*PHASES, *BACKGROUND))}")
    return Request(phase.upper())
