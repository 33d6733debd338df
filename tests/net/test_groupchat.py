"""Group chat on real sockets: everything is heard at once, and nothing goes out that the phase does not allow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.llm.model import Question
from nlp_agent.net import EntryLock, Session
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.protocol import OVER, Request, parse_packet
from nlp_agent.seat import Decision, How, Pace, Seat
from tests.net.server import FINISH, NAME, PLAYERS, SETTING, Guest, packet, server
from tests.net.test_session import Notes
from tests.scripted_model import Delay, ScriptedModel
from tests.still_clock import run_still
from tests.timing import TIMING

QUICK = Pace(speed=200.0)
DURATION_MS = 20_000


@cache
def english() -> Pack:
    return load_pack("en")


def new_seat(model: ScriptedModel | None = None, notes: Notes | None = None, seed: int = 1) -> Seat:
    return Seat(choose_pack=lambda _: english(), model=model, timing=TIMING, seed=seed, record=notes or Notes())


def begin(role: str = "VILLAGER", duration: int | None = DURATION_MS, **more: Any) -> str:
    talk = {**SETTING["talk"], "duration": duration}
    return packet("INITIALIZE", day=0, role=role, setting={**SETTING, "talk": talk, **more})


class Village:
    """The server's side of one phase."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.idx = 0
        self.heard: list[str] = []

    async def open(self, role: str = "VILLAGER", day: int = 1, **more: Any) -> None:
        await self.guest.ask(NAME)
        await self.guest.say(begin(role, **more))
        await self.guest.say(packet("DAILY_INITIALIZE", day=day, role=role, setting=json.loads(begin(role))["setting"]))
        await self.guest.say(packet("TALK_PHASE_START", day=day, role=role))

    async def broadcast(self, who: str, text: str, day: int = 1, *, info: bool = True) -> None:
        talk = {"idx": self.idx, "day": day, "turn": 0, "agent": who, "text": text, "over": text == OVER}
        self.idx += 1
        raw = json.loads(packet("TALK_BROADCAST", day=day, new_talk=talk))
        if not info:
            del raw["info"]
        await self.guest.say(json.dumps(raw))

    async def hear(self) -> str:
        """The next talk of the seat, given back to it as the real server does."""
        async with asyncio.timeout(8):
            text = await self.guest.hear()
        self.heard.append(text)
        await self.broadcast("Mia", text)
        return text

    async def until_over(self) -> list[str]:
        while not self.heard or self.heard[-1] != OVER:
            await self.hear()
        return self.heard

    async def finish(self) -> list[str]:
        """End the game; whatever the seat has sent unasked."""
        await self.guest.say(packet("DAILY_FINISH"))
        await self.guest.say(FINISH)
        return await self.guest.nothing_more()


def play(
    script: Callable[[Village], Awaitable[None]], seat: Seat, *, pace: Pace = QUICK, notes: Notes | None = None
) -> None:
    async def guest(guest: Guest) -> None:
        async with asyncio.timeout(10):
            await script(Village(guest))

    async def main() -> None:
        async with server(guest) as url, asyncio.timeout(15):
            clock = asyncio.get_running_loop().time
            session = Session(url, "team1", seat, notes or Notes(), clock=clock, entry=EntryLock(), pace=pace)
            assert (await session.play()).finished

    run_still(main())


def test_silent_village_hears_few_words() -> None:
    """A silent village hears a few words and is then left in peace.

    Nobody else speaks: a first word, the vote, and Over, never two without cause.
    """
    seat = new_seat()

    async def script(village: Village) -> None:
        await village.open()
        said = await village.until_over()
        assert said[-1] == OVER
        assert 2 <= len(said) <= 3
        assert await village.finish() == []

    play(script, seat)
    assert seat.stats.talks in (1, 2)
    assert seat.stats.dropped == seat.stats.crashes == 0


def test_result_comes_first_and_question_is_answered() -> None:
    """A result is told first and a question is answered.

    The seer opens with claim and result; whoever asks gets a talk addressed to it.
    """
    seat = new_seat()

    async def script(village: Village) -> None:
        judge = {"day": 0, "agent": "Mia", "target": "Leo", "result": "WEREWOLF"}
        await village.guest.ask(NAME)
        await village.guest.say(begin("SEER"))
        raw = json.loads(packet("DAILY_INITIALIZE", role="SEER", setting=json.loads(begin())["setting"]))
        raw["info"]["divine_result"] = judge
        await village.guest.say(json.dumps(raw))
        await village.guest.say(packet("TALK_PHASE_START", role="SEER"))
        first = await village.hear()
        assert "seer" in first
        assert "Leo" in first
        await village.broadcast("Ida", "@Mia Why did you divine Leo of all people?")
        assert (await village.hear()).startswith("@Ida")
        await village.finish()

    play(script, seat)


def test_words_that_change_the_question_end_the_thought() -> None:
    """The model is asked anew when a result falls in, and what it had thought before is never sent."""
    thinking = asyncio.Event()

    async def never() -> None:
        thinking.set()
        await asyncio.Event().wait()

    model = ScriptedModel([Delay(never, "Something outdated."), "Then I want to hear Leo."])
    seat = new_seat(model)

    async def script(village: Village) -> None:
        await village.open()
        await thinking.wait()
        await village.broadcast("Ida", "Good morning everyone.")
        await village.broadcast("Sam", "I am the seer and I divined Leo: Leo is a werewolf.")
        assert await village.hear() == "Then I want to hear Leo."
        await village.guest.say(packet("TALK_PHASE_END"))
        await village.finish()

    play(script, seat, pace=replace(QUICK, typing=1e9))
    assert len(model.asks) == 2
    shown = model.asks[1].messages[-1].content
    assert "divined Leo" in shown
    assert seat.stats.by_how == {How.LLM: 1}


def test_small_talk_does_not_disturb_a_thought() -> None:
    """Only what concerns the question is worth beginning anew."""
    thinking, go_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        thinking.set()
        await go_on.wait()

    model = ScriptedModel([Delay(wait, "A calm thought.")])
    seat = new_seat(model)

    async def script(village: Village) -> None:
        await village.open()
        await thinking.wait()
        await village.broadcast("Ida", "Good morning everyone.")
        go_on.set()
        assert await village.hear() == "A calm thought."
        await village.guest.say(packet("TALK_PHASE_END"))
        await village.finish()

    play(script, seat)
    assert len(model.asks) == 1


def test_words_just_said_are_not_repeated() -> None:
    """What somebody has just said is not said again.

    While ours is being typed the same words come from another: a different thought is made.
    """
    typing = asyncio.Event()

    def says(_: Question) -> str:
        asyncio.get_running_loop().call_soon(typing.set)
        return "I trust Ida." if typing.is_set() else "Good morning everyone and well met."

    seat = new_seat(ScriptedModel(says))

    async def script(village: Village) -> None:
        await village.open()
        await typing.wait()
        await village.broadcast("Ida", "Good morning everyone and well met!")
        assert await village.hear() == "I trust Ida."
        await village.guest.say(packet("TALK_PHASE_END"))
        await village.finish()

    play(script, seat, pace=replace(QUICK, typing=1.0, typing_most=60.0))


def test_chat_prompt_names_who_is_done() -> None:
    """The prompt of a chat says that it is one and names who is done.

    A model knows that anybody may write at any moment, and whom it need not ask any more.
    """
    model = ScriptedModel(lambda _: "Well then.")
    seat = new_seat(model)

    async def script(village: Village) -> None:
        await village.open()
        await village.broadcast("Ida", OVER)
        await village.broadcast("Leo", "@Mia Who are you?")
        await village.hear()
        await village.guest.say(packet("TALK_PHASE_END"))
        await village.finish()

    play(script, seat)
    prompt = model.asks[0].messages[-1].content
    assert "whenever they like" in prompt
    assert "do not ask them: Ida." in prompt


def test_thought_after_the_end_is_never_said() -> None:
    """What is thought after the end of a phase is never said.

    The phase ends in mid thought, which is given up before anything else is asked; the vote is answered as ever.

    A talk sent in between would be taken for the vote, and every later answer for that of the question before.
    """
    thinking, given_up = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        thinking.set()
        try:
            await asyncio.Event().wait()
        finally:
            given_up.set()

    seat = new_seat(ScriptedModel(lambda ask: Delay(wait, "Too late.") if not ask.choices else ask.choices[0]))

    async def script(village: Village) -> None:
        await village.open()
        await thinking.wait()
        await village.guest.say(packet("TALK_PHASE_END"))
        await given_up.wait()
        assert await village.guest.ask(packet("VOTE")) in PLAYERS
        assert await village.finish() == []

    play(script, seat)
    assert seat.stats.talks == seat.stats.dropped == 0


def test_lost_phase_end_ends_with_next_question() -> None:
    """A phase whose end is lost ends with the next question.

    One answer to the vote, and nothing else.
    """
    seat = new_seat()

    async def script(village: Village) -> None:
        await village.open()
        await village.hear()
        assert await village.guest.ask(packet("VOTE")) in PLAYERS
        await village.broadcast("Leo", "@Mia Are you there?")
        assert await village.finish() == []

    play(script, seat)


def test_endless_phase_hears_only_its_limit() -> None:
    """A phase that never ends hears no more talks than it allows.

    Four frames at most, whatever is said to the seat; then silence.
    """
    seat = new_seat()

    async def script(village: Village) -> None:
        await village.open()
        texts = ["@Mia Who are you?", "@Mia I suspect you.", "@Mia Whom do you suspect?", "@Mia I vote for you."]
        for number in range(4):
            await village.broadcast("Leo", texts[number])
            if await village.hear() == OVER:
                break
        for number in range(20):
            await village.broadcast("Sam", f"@Mia What do you say about number {number}?")
        assert await village.finish() == []

    play(script, seat)
    assert seat.stats.talks <= 4


def test_early_build_without_phase_info_is_played() -> None:
    """An early build without info in its phases is played.

    Neither info nor counts: the limit of the setting holds.
    """
    seat = new_seat()

    async def script(village: Village) -> None:
        await village.guest.ask(NAME)
        await village.guest.say(begin(duration=None))
        await village.guest.say(packet("DAILY_INITIALIZE", setting=SETTING))
        await village.guest.say('{"request": "TALK_PHASE_START"}')
        await village.broadcast("Leo", "@Mia Who are you?", info=False)
        assert (await village.hear()).startswith("@Leo")
        await village.guest.say('{"request": "TALK_PHASE_END"}')
        assert await village.finish() == []

    play(script, seat)
    assert seat.stats.crashes == 0


def test_repeated_day_is_not_taken_for_news() -> None:
    """DAILY_FINISH repeats all talks; none is counted twice."""
    seat = new_seat()

    async def script(village: Village) -> None:
        await village.open()
        await village.broadcast("Leo", "Good morning.")
        text = await village.hear()
        await village.guest.say(packet("TALK_PHASE_END"))
        repeat = [
            {"idx": 0, "day": 1, "agent": "Leo", "text": "Good morning."},
            {"idx": 1, "day": 1, "agent": "Mia", "text": text},
        ]
        await village.guest.say(packet("DAILY_FINISH", talk_history=repeat))
        await village.finish()

    play(script, seat)
    assert [talk.agent for talk in seat.state.talks] == ["Leo", "Mia"]


def test_internal_fault_costs_only_a_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in this program's own code costs a talk and not the game.

    The chat fails once; it goes on with one talk less, and the fault is counted.
    """
    monkeypatch.setattr("nlp_agent.net.session.AFTER_CRASH", 0.01)
    seat = new_seat()
    failures = iter([ValueError("a fault of our own")])
    begin_turn = seat.begin

    def once(*args: Any, **more: Any) -> Any:
        for failure in failures:
            raise failure
        return begin_turn(*args, **more)

    monkeypatch.setattr(seat, "begin", once)

    async def script(village: Village) -> None:
        await village.open()
        await village.broadcast("Leo", "@Mia Who are you?")
        assert await village.hear()
        await village.finish()

    play(script, seat)
    assert seat.stats.crashes == 1


def test_chatterboxes_that_flood_leave_the_seat_its_words() -> None:
    """Three others use up all their talks at once; ours are still said, in its own time."""
    seat = new_seat()

    async def script(village: Village) -> None:
        await village.open()
        for number in range(4):
            for who in ("Leo", "Ida", "Sam"):
                await village.broadcast(
                    who, f"I suspect {'Ida' if who == 'Leo' else 'Leo'} and that is number {number}."
                )
        said = await village.until_over()
        assert len(said) >= 2
        await village.finish()

    play(script, seat)
    assert seat.stats.talks >= 1


def test_wolves_whisper_in_a_phase_of_their_own() -> None:
    """They settle who lies how, hear each other, and leave."""
    seat = new_seat()
    whisper = {
        "max_count": {"per_agent": 4, "per_day": 12},
        "max_length": {"base_length": 125},
        "duration": DURATION_MS,
    }

    async def script(village: Village) -> None:
        await village.guest.ask(NAME)
        raw = json.loads(begin("WEREWOLF", whisper=whisper))
        raw["info"]["role_map"]["Leo"] = "WEREWOLF"
        await village.guest.say(json.dumps(raw))
        raw = json.loads(packet("WHISPER_PHASE_START", day=0, role="WEREWOLF"))
        await village.guest.say(json.dumps(raw))
        async with asyncio.timeout(5):
            assert await village.guest.hear() != OVER
        talk = {"idx": 0, "day": 0, "agent": "Leo", "text": "I will lie low."}
        await village.guest.say(packet("WHISPER_BROADCAST", day=0, role="WEREWOLF", new_whisper=talk))
        async with asyncio.timeout(5):
            while await village.guest.hear() != OVER:
                pass
        await village.guest.say(packet("WHISPER_PHASE_END", day=0, role="WEREWOLF"))
        assert await village.finish() == []

    play(script, seat)
    assert seat.stats.crashes == 0


def test_damaged_end_of_phase_still_ends_it() -> None:
    """A damaged end of a phase ends it all the same.

    The packet cannot be read, but what it was to say can: nothing is said until the next question.
    """
    seat = new_seat()

    async def script(village: Village) -> None:
        await village.open()
        await village.hear()
        await village.guest.say(packet("TALK_PHASE_END")[:-20])
        await village.broadcast("Leo", "@Mia Are you there?")
        with pytest.raises(TimeoutError):  # far more than this seat takes for an answer
            async with asyncio.timeout(0.2):
                await village.guest.hear()
        assert await village.guest.ask(packet("VOTE")) in PLAYERS
        assert await village.finish() == []

    play(script, seat)


@pytest.mark.parametrize("moments", range(8))
def test_thought_ending_with_the_phase_is_reported(moments: int) -> None:
    """A thought that ends as the phase does is told.

    Said, or told as unsaid, and once: whatever it cost has happened.
    """
    notes = Notes()
    composed = asyncio.Event()

    def says(_: Question) -> str:
        composed.set()
        return "I would like to hear from Leo first."

    seat = new_seat(ScriptedModel(says), notes)

    async def main() -> Decision | None:
        for raw in (begin(), packet("DAILY_INITIALIZE"), packet("TALK_PHASE_START")):
            seat.hear(parse_packet(raw))
        chat = seat.join(Request.TALK, Deadline.after(20.0), Pace(opening=(0.0, 0.0), typing=1e9))
        talking = asyncio.create_task(chat.next(4))
        await composed.wait()
        for _ in range(moments):
            await asyncio.sleep(0)
        talking.cancel()
        try:
            return (await talking)[0]
        except asyncio.CancelledError:
            return None

    said = asyncio.run(main())
    assert [event for event, _ in notes.rows if event == "unsaid"] == ["unsaid"] * (said is None)
