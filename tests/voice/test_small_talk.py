"""The first evening: a talk takes up what another has said, a question is answered, and nobody shares a frame."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import chain

import pytest

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.protocol import LengthRule, Request, Role
from nlp_agent.text.count import length_of
from nlp_agent.text.names import names_of
from nlp_agent.voice.frames import frame_of
from nlp_agent.voice.linebook import every_option
from nlp_agent.voice.lines import Occasion, SaidBefore, Speaker
from nlp_agent.voice.persona import make_persona
from tests.bench.repeated_sentences import lines_of, shared_frames
from tests.planning.test_true_reasons import LENGTH, NAMES, seat
from tests.selfplay import pack, played
from tests.voice.test_lines import CAPS

LANGUAGES = ("en", "ja", "zh")
SOUP = {"en": "I'm Ben and I made soup.", "ja": "Benだよ。煮物を作りすぎちゃってねえ。", "zh": "我是Ben，锅里还有汤。"}
SLEPT = {"en": "@Ann Did you sleep at all?", "ja": "@Ann 昨夜は眠れましたか？", "zh": "@Ann 昨夜睡得好吗？"}


def _said(language: str, act: SpeechAct, *heard: tuple[str, str]) -> str:
    _, words = seat(Role.VILLAGER, *heard, day=0, language=language)
    return words.say(TalkPlan((act,), address=act.to), Request.TALK, LENGTH)


def every_choice(line: str) -> Iterator[str]:
    """``line`` in all ways in which its choices can be taken."""
    if (found := re.search(r"\(([^()]*)\)", line)) is None:
        yield line
        return
    for one in found[1].split("/"):
        yield from every_choice(line[: found.start()] + one + line[found.end() :])


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_talk_takes_up_what_was_said(language: str) -> None:
    """Who hears somebody speak of food speaks of that, not of a voice or a face that nobody can perceive."""
    _, words = seat(Role.VILLAGER, ("Ben", SOUP[language]), ("Cyd", "Cyd."), day=0, language=language)
    text = words.say(TalkPlan((SpeechAct("chat"),)), Request.TALK, LENGTH)
    lines = [option for line in pack(language).lines.small_talk["food"].chat for option in every_choice(line)]
    assert text in {words._speaker.fill(line, {"greeter": words._call("Ben")}) for line in lines}


@pytest.mark.parametrize("language", LANGUAGES)
def test_question_of_the_first_evening_is_answered(language: str) -> None:
    """Who is asked how the night was tells it; it does not put the question off."""
    act = SpeechAct("answer", to="Ben", topic="early")
    text = _said(language, act, ("Ben", SLEPT[language])).removeprefix("@Ben ")
    late = {option for line in pack(language).lines.acts["answer_early"] for option in every_option(line)}
    assert text
    assert text not in late
    assert not any(word in text for word in ("tomorrow", "明日", "明天"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_talk_fits(language: str) -> None:
    """Each line of small talk fits the contest's cap, in every choice, and has no comma of the contest."""
    for key, one in pack(language).lines.small_talk.items():
        for line in (*one.chat, *one.answer):
            speaker = Speaker(pack(language).playbook, make_persona(pack(language).lines, "", "Ann"))
            for option in every_option(line):
                name = "リョウスケさん" if language == "ja" else "Rosalind"
                text = speaker.fill(option, {"greeter": name, "other": name})
                assert text, (key, option)
                assert "," not in text
                assert length_of(text, LengthRule()) <= CAPS[language], (key, text)


def test_line_of_another_is_left_to_it() -> None:
    """A line that somebody else has said in this game, with other words in its choices, is not said again while there
    is another one."""
    speaker = Speaker(pack("en").playbook, make_persona(pack("en").lines, "A kind nurse.", "Ann"))
    act = SpeechAct("greet")
    for seed in range(30):
        rng, memory = random.Random(seed), SaidBefore()
        slots = {"me": "Ann"}
        first = speaker.say([(act, slots)], Occasion(LENGTH, names_of(NAMES), memory, random.Random(seed)))
        memory = SaidBefore(others=first.casefold(), ever=frozenset({first}))
        again = speaker.say([(act, slots)], Occasion(LENGTH, names_of(NAMES), memory, rng))
        frames = [frame for line in lines_of("en") if (frame := frame_of(line))]
        assert not any(frame.found_in(first.casefold()) and frame.found_in(again.casefold()) for frame in frames)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_nobody_opens_with_the_frame_of_another(language: str) -> None:
    """On the first evening no two players of one game say the same line, names and choices aside."""
    frames = [frame for line in lines_of(language) if (frame := frame_of(line)) is not None]
    for seed in range(1, 5):
        assert shared_frames(played(language, 5, seed), frames, range(1)) == []


@pytest.mark.parametrize(
    ("line", "said", "same"),
    [
        ("Good day friends {me} here and let's (wait/talk).", "good day friends ann here and let's talk.", True),
        ("Good day friends {me} here and let's (wait/talk).", "good day friends ann here and let's vote.", False),
        ("(Well/So). I lit a candle for {name} tonight. {Reason}.", "i lit a candle for ben tonight.", True),
    ],
)
def test_frame_leaves_names_and_choices_open(line: str, said: str, same: bool) -> None:
    """A frame is found whatever stands in the slots and whichever choice is taken."""
    frame = frame_of(line)
    assert frame is not None
    assert bool(frame.found_in(said)) == same


def test_line_with_few_words_is_no_frame() -> None:
    """What anybody would say in these words is no frame."""
    assert frame_of("I suspect {name}. {Reason}.") is None
    assert frame_of("No.") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_tells_the_same_twice(language: str) -> None:
    """Whom two players ask how the night was tells it to the first."""
    asks = (("Ben", SLEPT[language]), ("Ann", "@Ben ..."), ("Cyd", SLEPT[language]))
    _, words = seat(Role.VILLAGER, *asks, day=0, language=language)
    act = SpeechAct("answer", to="Cyd", topic="early")
    text = words.say(TalkPlan((act,), address="Cyd"), Request.TALK, LENGTH).removeprefix("@Cyd ")
    told = pack(language).lines.small_talk["asked_sleep"].answer
    assert text
    assert text not in {words._speaker.fill(option, {}) for line in told for option in every_choice(line)}
    assert "Ben" in text


@pytest.mark.parametrize(
    ("language", "hungry"), [("en", "I'm Ben and I am hungry."), ("ja", "Benだよ。お腹すいたね。")]
)
def test_nobody_asks_what_another_has_asked(language: str, hungry: str) -> None:
    """Whom another has asked something on the first evening is asked something else."""
    ask = {"en": "Have you eaten anything Ben?", "ja": "Ben、飯は食べたかな？"}[language]
    for seed in range(20):
        _, words = seat(Role.VILLAGER, ("Ben", hungry), ("Cyd", ask), day=0, language=language)
        text = words.say(TalkPlan((SpeechAct("chat"),)), Request.TALK, LENGTH, draw=seed)
        assert set(words._speaker.questions(ask)).isdisjoint(words._speaker.questions(text)), text


@pytest.mark.parametrize("asks", ["好きな食べ物はありますか？", "犬派？猫派？", "海と山、どっちが好き？", "朝は強い？"])
def test_each_question_has_its_own_answer(asks: str) -> None:
    """Whoever is asked for a food names no dog, and asks nothing back."""
    _, words = seat(Role.VILLAGER, ("Ben", f"@Ann {asks}"), day=0, language="ja")
    assert len(words._speaker.questions(asks)) == 1
    text = _said("ja", SpeechAct("answer", to="Ben", topic="early"), ("Ben", f"@Ann {asks}"))
    assert "？" not in text
    assert ("犬" in text) <= ("犬" in asks)


@pytest.mark.parametrize("asks", ["狼の見分け方を一つ挙げるなら？", "狼も嘘は嫌いだと言うだろう。どう見分けるの？"])
def test_asked_for_signs_of_a_wolf_names_some(asks: str) -> None:
    """Whoever is asked how a wolf is told tells what to look at, not whether it has seen one or has ever lied."""
    _, words = seat(Role.VILLAGER, ("Ben", f"@Ann {asks}"), day=0, language="ja")
    assert words._speaker.questions(asks) == ["asked_tell"]
    text = _said("ja", SpeechAct("answer", to="Ben", topic="early"), ("Ben", f"@Ann {asks}"))
    assert "一度" not in text
    assert "小さな嘘" not in text


def test_whatever_is_asked_on_the_first_evening_has_an_answer() -> None:
    """Each question of the Japanese small talk is one that the pack can answer to the point."""
    book = pack("ja").lines
    own = [*(one.lines for one in book.voices.values()), *(one.lines for one in book.habits.values())]
    lines = [line for one in book.small_talk.values() for line in one.chat]
    lines += [line for chats in (book.acts, *own) for line in chats.get("chat", ())]
    speaker = Speaker(pack("ja").playbook, make_persona(book, "", "Ann"))
    said = {speaker.in_voice(option) for line in lines for option in every_choice(line)}
    assert [text for text in said if "？" in text and not speaker.questions(text)] == []


def test_whatever_the_first_evening_asks_has_an_answer() -> None:
    """Each question that a line of the first evening asks comes to an answer of its own, in every choice; none is left
    to an answer that fits anything."""
    book = pack("en").lines
    lines = [*book.acts["chat"], *chain.from_iterable(one.chat for one in book.small_talk.values())]
    lines += chain.from_iterable(manner.lines.get("chat", ()) for manner in book.manners)
    speaker = Speaker(pack("en").playbook, make_persona(book, "", "Ann"))
    asked = {text for line in lines for text in every_choice(line.replace("{greeter}", "Ben")) if "?" in text}
    assert [text for text in asked if not speaker.questions(text)] == []


def test_halves_of_a_question_fit() -> None:
    """Who asks how somebody slept does not go on as if it had asked about fear."""
    (line,) = pack("en").lines.habits["apologies"].lines["chat"]
    assert not [text for text in every_choice(line) if "sleep" in text and "I am and" in text]
    assert not [text for text in every_choice(line) if "nervous" in text and "I didn't" in text]
