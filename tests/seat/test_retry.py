"""An answer that cannot be used: the model is told why, so that even one that never changes its mind finds others."""

from __future__ import annotations

import asyncio
import time

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.llm.model import Question
from nlp_agent.prompting import Check, Pack, Problem, Prompt, load_pack
from nlp_agent.protocol import Request, Role, Species, parse_packet
from nlp_agent.seat import Decision, How, Seat
from tests.net.server import packet
from tests.scripted_model import ScriptedModel
from tests.timing import TIMING


class Stubborn:
    """A model at temperature 0: the same prompt brings the same answer. What the prompt finds fault with goes."""

    def __init__(self, *answers: str) -> None:
        self._answers = answers

    def __call__(self, ask: Question) -> str:
        read = ask.messages[-1].content
        return next((answer for answer in self._answers if f"“{answer}" not in read), self._answers[-1])


class Nowhere:
    def write(self, event: str, row: object) -> None: ...


def decided(model: ScriptedModel, request: str, role: str = "VILLAGER", *history: str) -> Decision:
    """What Mia's seat decides, who has said ``history`` before."""
    english = load_pack("en")
    seat = Seat(choose_pack=lambda _: english, model=model, timing=TIMING, seed=1, record=Nowhere())
    said = [
        {"idx": idx, "day": 1, "turn": 0, "agent": name, "text": text}
        for idx, (name, text) in enumerate([("Leo", "Good morning."), *(("Mia", text) for text in history)])
    ]
    raws = (
        packet("INITIALIZE", day=0, role=role),
        packet("DAILY_INITIALIZE", role=role),
        packet(request, role=role, talk_history=said),
    )
    *before, asked = map(parse_packet, raws)

    async def main() -> Decision:
        for heard in (*before, asked):
            seat.hear(heard)
        return await seat.answer(asked, Deadline.after(50.0, time.monotonic))

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("wrong", "fact", "history"),
    [
        ("I am the medium.", "does not claim to be the medium", ()),
        ("As an AI language model I think Leo is fine.", "talks like that", ()),
        ("Leo was killed last night.", "Leo is alive", ()),
        ("I'll vote for Leo today.", "vote for Leo", ()),
        ("I would trust Ida with my life.", "has said that already", ("I would trust Ida with my life!",)),
    ],
)
def test_second_attempt_names_sentence_and_fact(wrong: str, fact: str, history: tuple[str, ...]) -> None:
    """A model that answers the same to the same prompt says something else, because the prompt is another."""
    model = ScriptedModel(Stubborn(wrong, "I would like to hear more from Leo."))
    decision = decided(model, "TALK", "VILLAGER", *history)
    assert (decision.how, decision.text) == (How.RETRY, "I would like to hear more from Leo.")
    first, second = (ask.messages[-1].content for ask in model.asks)
    assert second.startswith(first)
    assert fact in second.removeprefix(first)
    assert decision.retry == second.removeprefix(first).strip()
    assert decision.user == first


def test_only_the_sentence_at_fault_is_shown() -> None:
    """What else was said in the answer may be said again."""
    model = ScriptedModel(["I like the way Ida asks. I am the medium.", "I like the way Ida asks."])
    decision = decided(model, "TALK")
    assert decision.text == "I like the way Ida asks."
    assert "“I am the medium.”" in decision.retry


def test_invalid_target_is_answered_with_names() -> None:
    """An answer that is no target is told the names before the model is asked once more."""
    model = ScriptedModel(lambda ask: "Nobody" if "was not one of" not in ask.messages[-1].content else ask.choices[-1])
    decision = decided(model, "VOTE")
    assert (decision.how, decision.text) == (How.RETRY, model.asks[0].choices[-1])
    assert all(name in decision.retry for name in decision.choices)


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_every_check_is_worded_in_every_language(language: str) -> None:
    """Nothing is left open; the words quoted cannot end their quotation, and the note itself may be told to nobody."""
    pack = load_pack(language)
    for check in Check:
        _is_worded(pack, check)


def _is_worded(pack: Pack, check: Check) -> None:
    names = pack.words.sample.names
    said = 'Well “then”. 「そう」"no"'
    problem = Problem(check, "why", said=said, name=names[0], role=Role.SEER, result=Species.HUMAN)
    prompt = pack.retry_prompt(Prompt(()), problem, names[1], names)
    (section,) = prompt.sections
    assert section.kind.protected
    told = {Check.NAME: names[2], Check.ROLE: pack.language.words.role(Role.SEER), Check.DEATH: names[0]}
    assert told.get(check, "") in section.text
    assert "{" not in section.text
    assert "“then”" not in section.text
    assert "「そう」" not in section.text


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_secrets_are_not_told_to_explain_a_refusal(language: str) -> None:
    """Why a word about partners or whispers is refused would itself give them away."""
    pack = load_pack(language)
    names = pack.words.sample.names
    for check in (Check.WHISPER, Check.PACK, Check.PARTNER):
        problem = Problem(check, f"names a partner: {names[0]}", said="Hm.", name=names[0])
        assert names[0] not in pack.retry_prompt(Prompt(()), problem, names[1], names).user


def test_wolf_is_asked_publicly_without_secrets() -> None:
    """A wolf is asked again in public without being told what it is.

    The note goes into the public prompt, which holds no secret.
    """
    model = ScriptedModel(Stubborn("We werewolves will win.", "I trust Ida for now."))
    decision = decided(model, str(Request.TALK), Role.WEREWOLF)
    assert decision.text == "I trust Ida for now."
    assert "in front of everybody" in decision.retry
