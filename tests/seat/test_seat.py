"""A seat: the legal answer is there before any model is asked, and a model can only improve on it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from nlp_agent.deadline import Arrival, Deadline
from nlp_agent.errors import LlmError, PackError
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.llm.model import Question
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.strategy import Standard
from nlp_agent.planning.talk_plan import TalkContext
from nlp_agent.prompting import Pack, detect_language, load_pack
from nlp_agent.protocol import OVER, TALK_REQUESTS, Packet, Request, Talk, parse_packet
from nlp_agent.seat import Decision, How, Seat, Timing
from nlp_agent.text import heard_as
from nlp_agent.text.count import server_keeps
from tests.captures import CAPTURES, frames
from tests.net.server import packet
from tests.scripted_model import Delay, ScriptedModel
from tests.timing import TIMING


class Notes:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def write(self, event: str, row: Mapping[str, Any]) -> None:
        self.rows.append({"event": event, **row})


@cache
def pack(name: str) -> Pack:
    return load_pack(name)


def _pack_for(state: SeatState) -> Pack:
    return pack(detect_language(state.profile, state.players))


def _seat(model: ScriptedModel | None = None, seed: int = 1, timing: Timing | None = None) -> tuple[Seat, Notes]:
    notes = Notes()
    seat = Seat(choose_pack=_pack_for, model=model, timing=timing or TIMING, seed=seed, record=notes)
    return seat, notes


async def _ask(seat: Seat, raw: str | Packet) -> Decision:
    heard = parse_packet(raw) if isinstance(raw, str) else raw
    seat.hear(heard)
    last = seat.timing.last_moment(Arrival.now(), seat.state.setting.timeout.action)
    decision = await seat.answer(heard, last)
    seat.delivered(decision, last)
    return decision


def _answer(model: ScriptedModel | None, *packets: str, timing: Timing | None = None) -> tuple[Decision, Seat, Notes]:
    """The decision on the last of ``packets``."""
    seat, notes = _seat(model, timing=timing)

    async def main() -> Decision:
        for raw in packets[:-1]:
            seat.hear(parse_packet(raw))
        return await _ask(seat, packets[-1])

    return asyncio.run(main()), seat, notes


def _legal(seat: Seat, decision: Decision) -> bool:
    state = seat.state
    request = Request(decision.request)
    if request not in TALK_REQUESTS:
        return decision.text in legal_targets(state, request)
    if decision.text == OVER:
        return True
    rule = state.setting.talk if request is Request.TALK else state.setting.whisper
    kept = server_keeps(decision.text, state.me, state.players, rule.max_length, state.remain_length)
    return kept.text == heard_as(decision.text, state.me, state.players) and "," not in decision.text


START = (packet("INITIALIZE", day=0), packet("DAILY_INITIALIZE", day=1))


@pytest.mark.parametrize("name", CAPTURES)
def test_recorded_questions_get_legal_answers_without_model(name: str) -> None:
    """Every question of a recorded game gets a legal answer without a model.

    Whatever the others said and did in a real game, from every seat of it.
    """
    seats: dict[str, Seat] = {}

    async def main() -> None:
        for number, frame in enumerate(frames(name)):
            heard = parse_packet(frame.raw) if frame.direction == "in" else None
            if heard is None or heard.kind is Request.NAME:
                continue
            seat = seats.setdefault(frame.agent, _seat(seed=len(seats))[0])
            if heard.needs_reply:
                decision = await _ask(seat, heard)
                assert decision.how is How.STRATEGY
                assert _legal(seat, decision), (number, decision)
            else:
                seat.hear(heard)

    asyncio.run(main())
    assert all(seat.stats.crashes == 0 for seat in seats.values())


def test_own_words_are_made_while_the_model_thinks() -> None:
    """They are those of a player without a model, and ready before it has said anything."""
    alone, _, _ = _answer(None, *START, packet("TALK", day=1))

    async def main() -> Decision:
        async def worded() -> None:
            while turn.decision.text == OVER:  # noqa: ASYNC110 - a turn tells nobody of its words
                await asyncio.sleep(0.001)

        seat, _ = _seat(ScriptedModel([Delay(worded, LlmError("gone", kind="server"))]))
        for raw in (*START, packet("TALK", day=1)):
            seat.hear(parse_packet(raw))
        turn = seat.begin(Request.TALK)
        return await asyncio.wait_for(turn.answer(seat.timing.thinking(Deadline.after(50.0), 60_000)), 20)

    decision = asyncio.run(main())
    assert decision.how is How.FALLBACK
    assert decision.text == alone.text != OVER


def test_models_words_are_made_legal_first() -> None:
    """What the model says is made legal before it goes out.

    Markup, commas, an emoji and a stray Over never reach the table.
    """
    model = ScriptedModel(["**Mia:** Well, I trust Ida, but Leo worries me! 😀 Over"])
    decision, seat, _ = _answer(model, *START, packet("TALK"))
    assert decision.how is How.LLM
    assert decision.text == "Well I trust Ida but Leo worries me!"
    assert _legal(seat, decision)


@pytest.mark.parametrize("answer", ["...", "Over", "😀😀", '{"talk": ""}', "<think>Hm."])
def test_answer_with_nothing_left_is_retried(answer: str) -> None:
    """An answer that leaves nothing to say is asked again.

    The second answer is taken, and the journal tells why there was one.
    """
    decision, _, notes = _answer(ScriptedModel([answer, "I trust Ida."]), *START, packet("TALK"))
    assert (decision.how, decision.text) == (How.RETRY, "I trust Ida.")
    assert notes.rows[-1]["problems"]


@pytest.mark.parametrize(
    "reactions",
    [
        [LlmError("busy", kind="rate")],
        ["...", "..."],
        [ValueError("a fault of our own")],
        [],
    ],
)
@pytest.mark.parametrize("request_", ["TALK", "VOTE", "DIVINE"])
def test_failing_model_costs_quality_only(reactions: Sequence[Any], request_: str) -> None:
    """A model that fails costs the answer its quality only.

    The ready-made answer goes out, legal as ever.
    """
    start = (packet("INITIALIZE", day=0, role="SEER"), packet("DAILY_INITIALIZE", role="SEER"))
    decision, seat, notes = _answer(ScriptedModel(reactions), *start, packet(request_, role="SEER"))
    assert decision.how in (How.FALLBACK, How.SETTLED)
    assert _legal(seat, decision)
    assert decision.how is How.SETTLED or notes.rows[-1]["problems"]


def test_hanging_model_is_given_up_in_time() -> None:
    """A model that hangs is given up in time.

    With a time limit of a tenth of a second the fallback still goes out.
    """
    model = ScriptedModel([Delay(asyncio.Event().wait, "never")])
    start = (packet("INITIALIZE", day=0, action_ms=100), packet("DAILY_INITIALIZE", action_ms=100))
    decision, seat, notes = _answer(model, *start, packet("TALK"))
    assert decision.how is How.FALLBACK
    assert _legal(seat, decision)
    assert any("timeout" in problem for problem in notes.rows[-1]["problems"])


@pytest.mark.parametrize("answer", ["{}", " @{}. ", '{{"target": "{}"}}', "I vote for {}-san.", "wide"])
def test_a_target_goes_out_as_the_bare_name(answer: str) -> None:
    """However the model decorates it."""
    wide = {ord("!") + n: 0xFF01 + n for n in range(94)}

    def decorated(ask: Question) -> str:
        name = ask.choices[-1]
        return name.upper().translate(wide) if answer == "wide" else answer.format(name)

    model = ScriptedModel(decorated)
    decision, _, _ = _answer(model, *START, packet("VOTE"))
    assert (decision.how, decision.text) == (How.LLM, model.asks[0].choices[-1])


@pytest.mark.parametrize("answer", ["Mia", "Nobody", "Leo or Ida", ""])
def test_illegal_target_is_retried_then_replaced(answer: str) -> None:
    """A target that cannot be chosen is asked again, and then decided by the plan.

    Oneself, a stranger, two at once and nothing are no targets.
    """
    decision, seat, _ = _answer(ScriptedModel([answer, answer]), *START, packet("VOTE"))
    assert decision.how is How.FALLBACK
    assert _legal(seat, decision)


def test_model_may_only_break_plan_ties() -> None:
    """The model may only break the ties of the plan.

    It is offered living others that the plan holds for as good as its first; any other name is not taken.
    """
    model = ScriptedModel(lambda ask: next(n for n in ("Leo", "Ida", "Sam", "Eva") if n not in ask.choices))
    decision, _, _ = _answer(model, *START, packet("VOTE"))
    assert isinstance(decision.plan, TargetPlan)
    assert set(model.asks[0].choices) == set(decision.plan.close) < {"Leo", "Ida", "Sam", "Eva"}
    assert (decision.how, decision.text) == (How.FALLBACK, decision.plan.name)


def test_packets_that_need_no_reply_cost_no_call() -> None:
    """Only a question is worth asking a model."""
    model = ScriptedModel(lambda _: "Hello.")
    seat, _ = _seat(model)
    for request in ("INITIALIZE", "DAILY_INITIALIZE", "DAILY_FINISH", "FINISH"):
        seat.hear(parse_packet(packet(request)))
    assert model.asks == []


def test_a_sentence_said_before_is_not_said_again() -> None:
    """A near repetition is asked for once more."""
    said = Talk(idx=0, day=1, agent="Mia", text="I really trust Ida the most today.")
    model = ScriptedModel(["I really trust Ida the most today!", "Leo has been very quiet so far."])
    raw = packet("TALK", talk_history=[said.model_dump()])
    decision, _, _ = _answer(model, *START, raw)
    assert (decision.how, decision.text) == (How.RETRY, "Leo has been very quiet so far.")


def test_a_broken_pack_still_leaves_a_legal_answer() -> None:
    """Our own fault is counted and its traceback kept; the game goes on."""

    def broken(_: SeatState) -> Pack:
        raise PackError("gone")

    notes = Notes()
    seat = Seat(choose_pack=broken, model=None, timing=TIMING, seed=1, record=notes)

    async def main() -> list[Decision]:
        for raw in START:
            seat.hear(parse_packet(raw))
        return [await _ask(seat, packet("TALK")), await _ask(seat, packet("VOTE"))]

    talk, vote = asyncio.run(main())
    assert (talk.how, talk.text) == (How.RESCUE, OVER)
    assert vote.text in ("Leo", "Ida", "Sam", "Eva")
    assert seat.stats.crashes > 0
    assert any("PackError: gone" in row.get("traceback", "") for row in notes.rows)


def test_the_journal_row_explains_the_decision() -> None:
    """Prompt, raw answer, what was sent, why and how long: all in one place."""
    _, _, notes = _answer(ScriptedModel(["Well, good morning!"]), *START, packet("TALK"))
    row = notes.rows[-1]
    assert row["event"] == "decision"
    assert row["raw"] == "Well, good morning!"
    assert row["sent"] == "Well good morning!"
    assert "Mia" in row["system"]
    assert row["usage"]["calls"] == 1
    assert {"request", "day", "how", "why", "posterior", "plan", "changes", "user", "ms", "left_s"} <= set(row)


def test_a_cancelled_thought_leaves_nothing_behind() -> None:
    """NAME in mid thought ends the task; the next question is answered as ever."""
    asked = asyncio.Event()

    async def never() -> None:
        asked.set()
        await asyncio.Event().wait()

    model = ScriptedModel([Delay(never, "never"), "I trust Ida."])

    async def main() -> str:
        seat, _ = _seat(model)
        for raw in START:
            seat.hear(parse_packet(raw))
        heard = parse_packet(packet("TALK"))
        seat.hear(heard)
        thought = asyncio.create_task(seat.answer(heard, Deadline.after(10.0)))
        await asyncio.wait_for(asked.wait(), 5)
        thought.cancel()
        await asyncio.gather(thought, return_exceptions=True)
        return (await _ask(seat, packet("TALK"))).text

    assert asyncio.run(main()) == "I trust Ida."


def test_prompt_only_grows_at_its_end() -> None:
    """The prompt only grows at its end, so that endpoints can cache it.

    The system message stays the same, and the log in the user message is append-only.
    """
    talks = ["Good morning to you.", "Ida has been quiet.", "Let us decide soon."]
    model = ScriptedModel(talks)

    async def main() -> list[Question]:
        seat, _ = _seat(model)
        for raw in START:
            seat.hear(parse_packet(raw))
        log: list[dict[str, Any]] = []
        for turn in range(3):
            for name in ("Leo", "Ida", "Sam", "Eva"):
                said = Talk(idx=len(log), day=1, turn=turn, agent=name, text=f"{name} speaks in turn {turn}.")
                log.append(said.model_dump(exclude_none=True))
            await _ask(seat, packet("TALK", talk_history=log[-4:]))
        return model.asks

    first, second, third = asyncio.run(main())
    assert first.messages[0] == second.messages[0] == third.messages[0]
    for spoken, earlier, later in ((4, first, second), (8, second, third)):
        old, new = earlier.messages[1].content, later.messages[1].content
        common = next(k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
        assert old[:common].count("speaks in turn") == spoken


class Announces(Standard):
    """Wants to vote for nobody in particular, but announces Eva."""

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        return TalkPlan((SpeechAct("vote", target="Eva"),), vote="Eva")


@pytest.mark.parametrize(
    ("words", "binds"),
    [
        ("My name on the slip tonight is Eva and that is that.", True),
        ("Who would put Eva on the slip tonight?", False),
        ("There is so much to think about tonight.", False),
    ],
)
def test_what_was_planned_and_named_binds(words: str, binds: bool) -> None:
    """What the plan ordered and the words name binds.

    A model announces a vote in words that no pattern reads: it is kept. What it left out binds nobody.
    """
    notes = Notes()
    model = ScriptedModel([words, LlmError("gone", kind="server")])
    seat = Seat(choose_pack=_pack_for, model=model, timing=TIMING, seed=1, record=notes, strategy=Announces)

    async def main() -> tuple[Decision, Decision]:
        for raw in START:
            seat.hear(parse_packet(raw))
        talk = await _ask(seat, packet("TALK"))
        told = Talk(idx=0, day=1, agent="Mia", text=talk.text)
        return talk, await _ask(seat, packet("VOTE", talk_history=[told.model_dump()]))

    talk, vote = asyncio.run(main())
    assert talk.text == words
    assert isinstance(vote.plan, TargetPlan)
    assert vote.plan.firm is binds
    assert (vote.text == "Eva") >= binds
