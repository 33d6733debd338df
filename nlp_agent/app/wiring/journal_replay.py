"""A played game again from a seat's journal: the seat as it was at any request, and the prompt it had or would have
had.

The journal holds every packet, the seat's seed and what it sent; everything else follows from these, so a prompt
can be made again with other templates than those it was played with. :func:`prompt_view` shows one, or that of a
made-up village.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlp_agent.app.config import DeadlineConfig
from nlp_agent.app.config_file import find_config
from nlp_agent.app.wiring.strategies import load_strategy
from nlp_agent.deadline import Deadline
from nlp_agent.errors import ConfigError, ProtocolError, did_you_mean
from nlp_agent.game import ROLES, SeatState, legal_targets
from nlp_agent.game.roles import VILLAGES
from nlp_agent.llm.response import estimate_tokens
from nlp_agent.planning.advice import Advice
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.strategy import Strategy
from nlp_agent.prompting import (
    Pack,
    Prompt,
    PromptRequest,
    Section,
    SectionKind,
    Style,
    build_view,
    character_prompt,
    load_pack,
)
from nlp_agent.prompting.sample_village import sample_acts, sample_persona, sample_state
from nlp_agent.prompting.view import Limit
from nlp_agent.protocol import TALK_REQUESTS, TARGET_REQUESTS, Packet, Request, parse_packet
from nlp_agent.records import journal
from nlp_agent.records.decisions import RecordedDecision, Row, split_cached
from nlp_agent.seat import Decision, How, Seat, Turn
from nlp_agent.seat.guided import guided_facts
from nlp_agent.seat.setup import OwnReading
from nlp_agent.voice.character_sheet import CharacterSheet, make_character_sheet

# --- Moments of a game that was played -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """The seat as it was when ``moment`` came, its turn with the ready answer, the prompt, and the one before."""

    moment: RecordedDecision
    seat: Seat
    pack: Pack
    turn: Turn
    prompt: Prompt
    before: Prompt | None

    @property
    def ready(self) -> Decision:
        """The answer that was ready without a model."""
        return self.turn.decision


def journal_rows(file: Path) -> list[Row]:
    """The rows of a journal; a line cut short by a crash is left out. Raises ConfigError when it is none."""
    try:
        rows: list[Row] = [row for row in journal.read_rows(file) if "event" in row]
    except OSError as error:
        raise ConfigError(f"cannot be read as a journal: {error}", file=str(file)) from error
    if not any(row["event"] == "packet" for row in rows):
        hint = "a journal is a <seat>.jsonl in a game's folder under records/"
        raise ConfigError(f"no packets are in it; {hint}", file=str(file))
    return rows


def answered_requests(rows: list[Row]) -> list[RecordedDecision]:
    """List every request that this seat answered, in order; they are counted from 1."""
    decisions = (row for row in rows if row["event"] == "decision")
    return [RecordedDecision(number, "", row) for number, row in enumerate(decisions, start=1)]


def replay_turn(rows: list[Row], number: int, pack: Pack | None = None, style: Style | None = None) -> ReplayedTurn:
    """The moment ``number`` again, with the pack and in the style it was played with or others.

    Raises ConfigError when there is no such moment, or its journal does not tell what is needed.
    """
    requests = answered_requests(rows)
    if not 1 <= number <= len(requests):
        known = f"{len(requests)} requests (1 to {len(requests)})" if requests else "no request yet"
        raise ConfigError(f"there is no moment {number}: this seat answered {known}")
    chosen = pack or load_pack(pack_of_journal(rows))
    seat = seat_again(rows, chosen)
    decisions = [row for row in rows if row["event"] == "decision"]
    # Whoever played without a model would have been shown every prompt.
    shown = [any("user" in row for row in decisions) <= ("user" in row) for row in decisions]
    last = max((at for at in range(number - 1) if shown[at]), default=-1)
    before: Prompt | None = None
    for at, (moment, turn) in enumerate(zip(requests, replay_answers(rows, seat, style), strict=False)):
        if turn is None and moment.number == number:
            raise ConfigError(f"moment {number} has no prompt: in the group chat this seat just fell silent")
        if turn is not None and (at == last or moment.number == number):
            try:
                prompt = turn.prompt()
            except LookupError:
                raise ConfigError("the journal does not hold the game's beginning") from None
            if moment.number == number:
                return ReplayedTurn(moment, seat, chosen, turn, prompt, before)
            before = prompt
        if turn is not None and shown[at]:
            if turn.decision.request in TALK_REQUESTS:
                turn.decision.talks_shown = turn.setup.planner.ledger.counts()
            turn.style.advice()  # what was offered once is not offered again, and chances are compared with the last
    raise ConfigError(f"moment {number} cannot be reached: packets are missing in the journal")


def seat_again(rows: list[Row], pack: Pack) -> Seat:
    """A seat without a model, of the seed and the strategy of the journal's."""
    return Seat(
        choose_pack=lambda _: pack,
        model=None,
        timing=DeadlineConfig().timing(),
        seed=int(_seat_value(rows, "seed", 0)),
        record=journal.NoJournal(),
        strategy=_strategy(str(_seat_value(rows, "strategy", ""))),
        prompt_budget=int(_seat_value(rows, "prompt_budget", 0)),
    )


def _strategy(spec: str) -> Callable[[], Strategy]:
    """What the journal was played with, where that is shipped or the user's own config names it as well.

    Raises ConfigError for any other: to read somebody's journal must not run the code that it names.
    """
    if not spec or spec.startswith("nlp_agent."):
        return load_strategy(spec)
    config = find_config()
    if config.strategy != spec:
        hint = f"a journal may not say what is run here: if it is yours, put strategy: {spec} into config/config.yml"
        raise ConfigError(f"it was played with a strategy of its own, {spec}; {hint}")
    return load_strategy(spec, source=config.source)


def replay_answers(rows: list[Row], seat: Seat, style: Style | None = None) -> Iterator[Turn | None]:
    """Let the seat hear the packets; stop with its turn at each that it answered, and wherever it began a talk of a
    group chat. None is yielded for an Over in a group chat that was sent without a turn. ``style``: how a model is
    asked, in place of how it was.
    """
    decisions = [row for row in rows if row["event"] == "decision"]
    asked: Packet | None = None
    turn: Turn | None = None
    heard = done = 0
    for row in rows:
        if row["event"] == "packet":
            try:
                packet = parse_packet(row.get("raw", ""))
            except ProtocolError:
                continue
            seat.hear(packet)
            heard += 1
            if packet.needs_reply and packet.kind is not Request.NAME:
                asked = packet
        elif row["event"] == "character" and isinstance(sheet := row.get("sheet"), dict):
            seat.show_sheet(_sheet(sheet))
        elif row["event"] == "decision":
            quiet = turn is None and bool(seat.state.phase)
            seat.show_style(style or _style(row))
            if turn is None and not quiet and asked is not None:
                yield (turn := _prepared(seat.begin(Request(asked.request)), row))
            elif quiet:
                yield None
            if turn is not None or quiet:
                seat.delivered(_as_sent(row, turn), Deadline.after(0.0))
            turn, done = None, done + 1
        # A talk of a group chat was begun some time before it went out.
        begun = decisions[done].get("chat") if turn is None and done < len(decisions) else None
        if begun and begun["packets"] <= heard:
            request = Request(decisions[done]["request"])
            seat.show_style(style or _style(decisions[done]))
            again = seat.begin(request, left=begun["left"], closing=bool(begun["closing"]))
            yield (turn := _prepared(again, decisions[done]))


def _prepared(turn: Turn, row: Row) -> Turn:
    """Give ``turn`` the words of the player without a model, and what the model of ``row`` read of the game first."""
    turn.setup.own_reading = OwnReading(turn.state.day, str(row.get("own_reading", "")))
    turn.own_words()
    return turn


def _as_sent(row: Row, turn: Turn | None) -> Decision:
    value = row.get("how", "")
    how = How(value) if value in list(How) else How.RESCUE  # of another version, or damaged
    sent = Decision(row.get("request", ""), row.get("day", 0), row.get("sent", ""), how)
    sent.raw, sent.style = str(row.get("raw", "")), _style(row)
    if turn is not None:
        model = sent.how in (How.LLM, How.RETRY)
        sent.plan = turn.style.plan_behind(sent.raw, sent.text) if model else turn.decision.plan
        sent.talks_shown = turn.decision.talks_shown
    return sent


def _style(row: Row) -> Style:
    value = row.get("style")
    return Style(value) if value in list(Style) else Style.DIRECTED


def _sheet(row: Row) -> CharacterSheet:
    """The sheet as a model completed it."""
    temper, vocabulary = (str(row.get(key, "")) for key in ("temper", "vocabulary"))
    habits, samples = (tuple(map(str, row.get(key, ()))) for key in ("habits", "samples"))
    return CharacterSheet(temper, vocabulary, habits, samples, bool(row.get("own")))


def _seat_value(rows: list[Row], key: str, otherwise: Any) -> Any:
    """What the journal's beginning tells of the seat."""
    return next((row[key] for row in rows if row["event"] == "seat" and row.get(key)), otherwise)


def pack_of_journal(rows: list[Row]) -> str:
    """The pack with which a journal's game was played. Raises ConfigError where the journal does not name it."""
    folder = str(_seat_value(rows, "pack", ""))
    if not folder:
        raise ConfigError("the journal does not say which prompts it was played with: name some with --pack")
    # A journal may come from another machine: a pack of the same name will do.
    return folder if Path(folder).is_dir() else Path(folder).name


def shared_prefix(before: Sequence[tuple[str, str]], messages: Sequence[tuple[str, str]]) -> int:
    """Count the characters of ``messages`` (speaker, words) with which the prompt before began too: what an endpoint
    can cache.
    """
    shared = 0
    for (speaker, text), (other, longer) in zip(before, messages, strict=False):
        if speaker != other:
            break
        same = _common(text, longer)
        shared += same
        if same < max(len(text), len(longer)):
            break
    return shared


def _common(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# --- Prompts to look at ----------------------------------------------------------------------------------------------


PHASES = ("talk", "whisper", "vote", "divine", "guard", "attack")
BACKGROUND = ("reading", "character")
"""What a model is asked between a seat's answers; each has a template of its name, which a pack may lack."""


@dataclass(frozen=True, slots=True)
class PromptView:
    """A prompt with what is worth knowing of it.

    ``title`` says whose moment it is. ``cached``: characters at the start that the seat's prompt before had too; None
    when it is the first one. ``style``: how a model is asked so, ``""`` where that makes no difference.
    """

    title: str
    pack: str
    prompt: Prompt
    cached: int | None
    limit: Limit
    choices: tuple[str, ...]
    style: str = ""

    @property
    def parts(self) -> list[tuple[str, str, str]]:
        """Each message as who speaks, what of it is cached, and what is not."""
        return split_cached(self.prompt.messages, self.cached or 0)

    @property
    def tokens(self) -> int:
        """The number of tokens of the prompt, estimated."""
        return sum(estimate_tokens(text) for _, text in self.prompt.messages)

    @property
    def cached_tokens(self) -> int:
        """Estimated tokens that an endpoint has already seen in the prompt before."""
        return sum(estimate_tokens(known) for _, known, _ in self.parts)


@dataclass(frozen=True, slots=True)
class PromptChoice:
    """The moment whose prompt is to be seen: number ``at`` of the journal ``game``, or else a made-up one. ``style``
    None: as it was played, and advised in a game without a model or a made-up one.
    """

    role: str = "VILLAGER"
    phase: str = "talk"
    players: int | None = None
    day: int = 1
    game: Path | None = None
    at: int | None = None
    style: Style | None = None


def prompt_view(wish: PromptChoice, name: str | None) -> PromptView:
    """Make the prompt of the wished moment as the pack ``name`` puts it (None: the one it was played with, or en).

    Raises PackError, or ConfigError for a wish that cannot be fulfilled.
    """
    if wish.game is not None and wish.at is not None:
        return _of_game(wish.game, wish.at, load_pack(name) if name else None, wish.style)
    pack = load_pack(name or "en")
    return _of_background(wish, pack) if wish.phase.lower() in BACKGROUND else _of_sample(wish, pack)


def _of_game(file: Path, at: int, pack: Pack | None, style: Style | None) -> PromptView:
    rows = journal_rows(file)
    if style is None and not any("user" in row for row in rows):
        style = Style.ADVISED
    again = replay_turn(rows, at, pack, style)
    state, moment = again.seat.state, again.moment
    title = f"{state.me} ({state.role}), day {moment.day}, {moment.request}: moment {at} of {file.name}"
    cached = shared_prefix(again.before.messages, again.prompt.messages) if again.before else None
    plan = again.ready.plan
    choices = again.ready.choices
    limit = _limit(state, moment.request, plan, again.pack, again.ready.style)
    return PromptView(title, again.pack.name, again.prompt, cached, limit, choices, again.ready.style)


def _of_sample(wish: PromptChoice, pack: Pack) -> PromptView:
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
    return PromptView(title, pack.name, prompt, cached, _limit(state, request, plan, pack, style), choices, style)


def _of_background(wish: PromptChoice, pack: Pack) -> PromptView:
    role, template = _role(wish.role, pack), f"{wish.phase.lower()}.jinja"
    if not pack.has(template):
        raise ConfigError(f"the pack {pack.name} has no {template}, so no model is asked for it")
    players = wish.players or min(VILLAGES)
    state = sample_state(pack, players, role, wish.day, Request.TALK)
    if template == "reading.jinja":
        prompt = pack.reading_prompt([(talk.agent, talk.text) for talk in state.talks if talk.said], state.players)
    else:
        persona = sample_persona(pack, state)
        sheet = make_character_sheet(pack.playbook, persona, state.me)
        style = wish.style or Style.ADVISED
        prompt = Prompt((Section(SectionKind.TASK, character_prompt(pack, state, persona, sheet, style)),))
    title = f"{state.me} ({role}), day {wish.day}, {wish.phase.lower()}: between two answers in a village of {players}"
    return PromptView(title, pack.name, prompt, None, Limit(), ())


def _advice(planner: Planner, state: SeatState, plan: TalkPlan | TargetPlan | None, style: Style) -> Advice | None:
    """What a model asked in ``style`` is shown beside the talk."""
    if style is Style.GUIDED:
        return guided_facts(planner, state, plan)
    return planner.advice(plan) if style is Style.ADVISED else None


def _render(
    pack: Pack, state: SeatState, request: Request, plan: TalkPlan | TargetPlan, choices: tuple[str, ...], style: Style
) -> Prompt:
    planner = Planner(state, pack.reading, 0, why=pack.words.words.why)
    planner.observe()
    advice, persona = _advice(planner, state, plan, style), sample_persona(pack, state)
    view = build_view(
        state,
        PromptRequest(request, plan=plan, persona=persona, choices=choices, style=style, advice=advice),
        pack=pack,
    )
    return pack.render(request, view)


def _limit(
    state: SeatState, request: str, plan: TalkPlan | TargetPlan | None, pack: Pack, style: Style = Style.DIRECTED
) -> Limit:
    view = build_view(
        state, PromptRequest(Request(request), plan=plan, persona=sample_persona(pack, state), style=style), pack=pack
    )
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
