"""Lines and reading of the shipped packs fit together."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain

import pytest

from nlp_agent.planning.acts import CLEARED, SpeechAct
from nlp_agent.protocol import LengthRule
from nlp_agent.reading.statement import Statement, shapes
from nlp_agent.text import Allowance, make_utterance
from nlp_agent.text.count import length_of
from nlp_agent.text.names import names_of
from nlp_agent.voice.linebook import Voice, WordSwaps, every_option, shortest
from nlp_agent.voice.lines import Occasion, SaidBefore, Speaker, introduces_alike
from nlp_agent.voice.persona import Persona, make_persona
from tests.selfplay import pack

CAPS = {"en": 125, "ja": 50, "zh": 50}
NAMES = {
    "en": ("Anselm", "Bram", "Corin", "Hollis", "Juno"),
    "ja": ("アカネ", "タイガ", "ハルト", "フミカ", "リョウスケ"),
    "zh": ("沈墨", "秦岚", "韩铁山", "苏小禾", "顾远舟"),
}
LANGUAGES = ("en", "ja", "zh")


def _voices(language: str) -> list[tuple[str, Voice]]:
    return list(pack(language).lines.voices.items())


def _speakers(language: str, name: str, voice: Voice) -> list[Speaker]:
    """One for every first person, with every form of every ending used at least once."""
    firsts = sorted({first for firsts in voice.me.values() for first in firsts})
    return [
        Speaker(
            pack(language).playbook,
            Persona(voice=name, me=me, endings={t: forms[turn % len(forms)] for t, forms in voice.endings.items()}),
        )
        for turn, me in enumerate(firsts * 2)
    ]


def _with_habits(language: str) -> Iterator[tuple[str, Speaker]]:
    """A speaker in a plain voice for every habit, and what the habit adds: (act, line)."""
    book = pack(language).lines
    voice = book.voices[book.default_voice]
    me = next(iter(voice.me.values()))[0]
    endings = {token: forms[0] for token, forms in voice.endings.items()}
    for habit in book.habits:
        persona = Persona(voice=book.default_voice, me=me, endings=endings, habits=(habit,))
        yield habit, Speaker(pack(language).playbook, persona)


def _speaker(language: str, name: str, voice: Voice) -> Speaker:
    return _speakers(language, name, voice)[0]


def _slots(language: str, reason: str) -> dict[str, str]:
    me, name, to, rival, dead = NAMES[language]
    words = pack(language).language.words
    return {
        **{"me": me, "name": name, "to": to, "rival": rival, "dead": dead, "greeter": rival, "partner": to},
        **{"old": dead, "count": "3", "role": words.role("SEER"), "role_result": words.result("HUMAN")},
        **{"other": to, "led": rival, "rest": dead, "reason": reason, "deed": reason, "case": reason},
    }


@cache
def _rendered(language: str) -> tuple[tuple[str, str], ...]:
    """(act, finished line) for every voice and line of a pack, each once."""
    return tuple(dict.fromkeys(_filled(language)))


def _spelled_out(lines: Iterable[str]) -> Iterator[str]:
    """Each of ``lines`` with every one of its options."""
    return chain.from_iterable(map(every_option, lines))


def _filled(language: str) -> Iterator[tuple[str, str]]:
    book = pack(language).lines
    rng = random.Random(1)

    def hunch(speaker: Speaker) -> str:
        return next(speaker.reasons("hunch", {"name": NAMES[language][1]}, rng))

    for name, voice in _voices(language):
        for speaker in _speakers(language, name, voice):
            for act in {*book.acts, *voice.lines}:
                for line in _spelled_out((*book.acts.get(act, ()), *voice.lines.get(act, ()))):
                    text = speaker.fill(line, _slots(language, hunch(speaker)))
                    assert text is not None, f"{name}, {act}: a slot without value in {line}"
                    yield act, text
    for habit, speaker in _with_habits(language):
        for act, lines in book.habits[habit].lines.items():
            for line in _spelled_out(lines):
                text = speaker.fill(line, _slots(language, hunch(speaker)))
                assert text is not None, f"{habit}, {act}: a slot without value in {line}"
                yield act, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_fits_and_is_sent_as_written(language: str) -> None:
    """Each line of a pack, in each voice, fits the contest's cap and needs no cleaning: no comma, no odd sign."""
    names, length = NAMES[language], LengthRule(base_length=CAPS[language], mention_length=CAPS[language])
    allowed = Allowance(names[0], names, names, length)
    for act, text in _rendered(language):
        assert "," not in text
        assert length_of(text, LengthRule()) <= CAPS[language], f"{act}: {text}"
        made = make_utterance(text, allowed, pack(language).language)
        assert made is not None, text
        assert made.text == text, act


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_counts_as_noise_or_order(language: str) -> None:
    """No line is taken for noise, for an order, or for a machine's words.

    The filters that look at models' answers let pass whatever the pack itself would say.
    """
    village = pack(language).language.village(NAMES[language])
    for act, text in _rendered(language):
        assert village.look(text).implausible == "", f"{act}: {text}"
        assert village.look(text).unspeakable == "", f"{act}: {text}"
        assert not village.look(text).is_injection, f"{act}: {text}"


def test_unspeakable_line_is_in_no_voice() -> None:
    """A line that nobody would say is in no voice.

    Whoever and whatever fills its slots; the voice goes on without it.
    """
    speaker = _speaker("en", *_voices("en")[0])
    assert speaker.fill("I trust {name}.", {"name": "Bram"}) == "I trust Bram."
    assert speaker.fill("As an AI language model I trust {name}.", {"name": "Bram"}) is None
    assert speaker.fill("{name} に聞いて。", {"name": "Bram"}) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_openers_and_tails_say_nothing_certain(language: str) -> None:
    """What decorates a talk is never read as a claim, a result, a vote or a suspicion."""
    speakers = [_speaker(language, name, voice) for name, voice in _voices(language)]
    for speaker in (*speakers, *(speaker for _, speaker in _with_habits(language))):
        for line in (*speaker.openers.lines, *speaker.barbed_tails.lines):
            text = speaker.fill(line, {}) or ""
            assert text
            kinds = {s.kind for s in pack(language).reading.read(text, NAMES[language]).statements}
            assert kinds <= {"ask"}, text


def test_no_remark_is_added_to_another() -> None:
    """A line that begins or ends with a short remark of its own gets no opener or tail there."""
    name, voice = _voices("en")[0]
    speaker, act = _speaker("en", name, voice), SpeechAct("vote", target="Bram")
    assert speaker._remarks("I vote for Bram. Whine all you like.", act, -1)
    assert speaker._remarks("No time to lose. I vote for Bram.", act, 0)
    assert not speaker._remarks("I vote for Bram.", act, -1)
    assert not speaker._remarks("Bram never said why. So I vote for Bram.", act, -1)


def _expected(act: str, language: str) -> Statement | None:
    name = NAMES[language][1]
    parts = act.split("_")
    if parts[0] == "claim":
        return Statement("claim", role=next(part for part in parts if part in ("SEER", "MEDIUM", "BODYGUARD")))
    if act == "confess":
        return Statement("claim", role="POSSESSED")
    if parts[0] == "result":
        return Statement("result", target=name, result=parts[2])
    if parts[0] in ("vote", "retract"):
        return Statement("vote", target=name)
    return Statement("attack", target=name) if parts[0] == "attack" else None


@pytest.mark.parametrize("language", LANGUAGES)
def test_commitments_are_read_as_they_are_meant(language: str) -> None:
    """Claims, results, announced votes and proposals of prey are understood; no other line commits by accident."""
    reading = pack(language).reading
    for act, text in _rendered(language):
        anchor = f"@{NAMES[language][1]} " if act.endswith("_you") else ""
        said = reading.read(anchor + text, NAMES[language]).statements
        expected = _expected(act, language)
        if expected is not None and expected.kind == "claim":
            # Whoever a claim is told to, it is one.
            assert expected in reading.read(f"@{NAMES[language][2]} {text}", NAMES[language]).statements, text
        if expected is not None:
            # Whether the words claim the gift as well is the reader's affair.
            assert expected in [replace(s, role="") if s.kind == "result" else s for s in said], f"{act}: {text}"
            assert len([s for s in said if s.kind == expected.kind]) == 1, text
        kinds = {s.kind for s in said}
        assert "vote" not in kinds or act.startswith(("vote", "retract")), f"{act}: {text}"
        assert "claim" not in kinds or act.startswith(("claim", "confess", "answer_role", "ally")), f"{act}: {text}"
        assert "result" not in kinds or act.startswith(("result", "answer_result", "rival_")), f"{act}: {text}"
        assert ("retract" in kinds) == act.startswith("retract"), f"{act}: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_are_read_with_their_topic(language: str) -> None:
    """A question of the pack is understood as the question it is, so that minds can answer each other."""
    reading = pack(language).reading
    for act, text in _rendered(language):
        if act.startswith("ask_"):
            topics = {s.topic for s in reading.read(f"@{NAMES[language][2]} {text}", NAMES[language]).statements}
            assert act.removeprefix("ask_") in topics, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_do_not_turn_opinions_into_results(language: str) -> None:
    """Whatever reason is put into a suspicion or a vote, it is not heard as a claim, a result or another vote.

    Every reason meets every third line, and the reasons of a kind together meet them all.
    """
    book, reading = pack(language).lines, pack(language).reading
    me, name, other, rest, led = NAMES[language][:5]
    of_habits = [pair for habit in book.habits.values() for pair in habit.reasons.items()]
    # Japanese endings change how a sentence is read; elsewhere one voice tells as much as three.
    for voice_name, voice in _voices(language)[: 3 if language == "ja" else 1]:
        speaker = _speaker(language, voice_name, voice)
        for key, phrases in (*book.reasons.items(), *voice.reasons.items(), *of_habits):
            for turn, phrase in enumerate(_spelled_out(phrases)):
                slots = {"name": name, "other": other, "rest": rest, "led": led, "day": "1", "when": "then", "me": me}
                case = speaker.fill(shortest(book.reasons["mark_bare_vote"][turn % 2]), slots) or ""
                slots["case"] = case
                reason = speaker.fill(phrase, slots)
                assert reason is not None, key
                for line in book.acts["suspect"][turn % 3 :: 3]:
                    text = speaker.fill(shortest(line), _slots(language, reason)) or ""
                    kinds = [s.kind for s in reading.read(text, NAMES[language]).statements]
                    assert "result" not in kinds, text
                    assert "vote" not in kinds, text
                    assert "claim" not in kinds, text
                for line in book.acts["vote"][turn % 3 :: 3]:
                    text = speaker.fill(shortest(line), _slots(language, reason)) or ""
                    votes = [s.target for s in reading.read(text, NAMES[language]).statements if s.kind == "vote"]
                    assert votes == [name], text


def test_no_reason_sounds_like_a_confession() -> None:
    """Japanese leaves the subject out: what a seer did is put so that it does not sound as if done to the speaker."""
    reasons = pack("ja").lines.reasons
    passive = ("言われた", "告げられた", "見抜かれた", "受けている", "疑われた")
    quoted = [line for key in ("seer_black_by", "seer_white_by", "suspects_by") for line in reasons[key]]
    assert [line for line in quoted if any(word in line for word in passive) and "気づいた" not in line] == []


def test_no_reason_ends_where_nothing_may_follow() -> None:
    """Japanese: what is said behind a reason ("ので", "んだから") cannot stand behind "だ" of a noun."""
    book = pack("ja").lines
    told = [book.reasons, *(manner.reasons for manner in book.manners)]
    reasons = [line for said in told for lines in said.values() for line in lines]
    assert [line for line in reasons if line.endswith(("からだ", "はずだ", "だけだ", "無事だ", "黒だ", "しだ"))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_undecided_between_seers_promises_no_vote(language: str) -> None:
    """Who cannot tell the seers apart promises no vote.

    The vote that follows may be for one of them.
    """
    promises = ("outside", "別の所", "外面")
    assert [x for x in pack(language).lines.acts["rivals_open"] if any(word in x for word in promises)] == []


@pytest.mark.parametrize(
    ("language", "profile", "voice", "me"),
    [
        ("ja", "性格: 引退した大工。昔話が好き。\n年齢: 72\n性別: 男性", "elder", "わし"),
        ("ja", "年齢: 31\n性格: 短気で口が悪い漁師。\n性別: 男性", "rough", "俺"),
        ("ja", "年齢: 52\n性別: 男性\n性格: 古風な剣術師範で礼儀にうるさい。", "samurai", "拙者"),
        ("ja", "年齢: 12\n性別: 男性\n性格: 少年。ぼくは名探偵だと言い張る。", "bright", "ぼく"),
        ("en", "gender: female\npersonality: Shy and nervous in front of others.\nage: 19", "shy", "I"),
        ("en", "age: 71\npersonality: A retired weaver full of stories.\ngender: female", "folksy", "I"),
    ],
)
def test_a_voice_follows_the_profile(language: str, profile: str, voice: str, me: str) -> None:
    """Age, gender and words of the character decide how it speaks, in whatever order the profile tells them."""
    book = pack(language).lines
    for seed in "abc":
        persona = make_persona(book, profile, seed)
        assert (persona.voice, persona.me) == (voice, me)


def test_a_persona_without_profile_speaks() -> None:
    """A missing or meaningless profile still gives a usable voice."""
    for language in LANGUAGES:
        persona = make_persona(pack(language).lines, "", "x")
        assert persona.voice
        assert persona.me


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{name}に投票する。{reason}からだ。", "ハルトが本物なら二択だ。タイガに投票する。ずっと黙っていたからだ。"),
        ("よし。{reason}からタイガに入れる。", "よし。ハルトが本物なら二択だ。ずっと黙っていたからタイガに入れる。"),
        ("聞くなら言う。{reason}からだ。", "聞くなら言う。ハルトが本物なら二択だ。ずっと黙っていたからだ。"),
        ("タイガに入れる。", "タイガに入れる。"),
    ],
)
def test_a_reason_of_two_sentences_is_told_in_two(line: str, said: str) -> None:
    """What leads up to a reason is a sentence of its own, in front of the one that names the player."""
    speaker = _speaker("ja", "cool", pack("ja").lines.voices["cool"])
    reason = "ハルトが本物なら二択だ。ずっと黙っていた"
    assert speaker.argued(line, {"name": "タイガ", "reason": reason}) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_joins_a_vote_that_it_does_not_mean(language: str) -> None:
    """An own line that is no vote joins none, whoever voted before: "Ann then." would."""
    players, reader = NAMES[language], pack(language).reading
    for act, text in _rendered(language):
        if act not in ("attack_agree", "agree"):
            reading = reader.read(text, players)
            assert reading.of("vote") or not reading.joins, f"{act}: {text}"


def test_end_of_a_reason_is_told_where_all_is_too_long() -> None:
    """Who speaks first in a talk with little room tells the last sentence of its reason and does not fall silent."""
    speaker = _speaker("ja", "cool", pack("ja").lines.voices["cool"])
    reason = "ハルトさんが本物の占い師なら残りは二人だけになってしまう。ずっと黙っていた"
    act = SpeechAct("suspect", target="タイガ", proof=("silent",), reason=reason, brief=reason)
    slots = {"name": "タイガさん", "reason": reason, "brief": reason, "short": reason}
    moment = Occasion(LengthRule(base_length=40), names_of(("ハルト", "タイガ")), SaidBefore(), random.Random(1))
    said = speaker.say([(act, slots)], moment)
    assert "タイガさん" in said
    assert "ずっと黙っていた" in said


def test_a_reason_of_two_sentences_begins_each_with_a_capital() -> None:
    """English: the sentence in front and the one behind begin as sentences do, what follows a "because" does not."""
    speaker = _speaker("en", "plain", pack("en").lines.voices["plain"])
    slots = {"name": "Cyd", "reason": "if Ann is the seer it's Cyd or Ben. nobody else waited so long"}
    told = "If Ann is the seer it's Cyd or Ben."
    assert speaker.argued("I vote for {name} because {reason}.", slots) == (
        f"{told} I vote for Cyd because nobody else waited so long."
    )
    assert speaker.argued("{Reason}. So I vote for {name}.", slots) == (
        f"{told} Nobody else waited so long. So I vote for Cyd."
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_seer_knows_whom_it_has_seen(language: str) -> None:
    """Who has looked says so, instead of trusting what it knows."""
    reading = pack(language).reading
    for line in _spelled_out(pack(language).lines.acts[SpeechAct("trust", target="Cyd", proof=CLEARED).names()[0]]):
        text = _speaker(language, *_voices(language)[0]).fill(line, {"name": NAMES[language][1]}) or ""
        assert Statement("trust", target=NAMES[language][1]) in reading.read(text, NAMES[language]).statements, text


def test_swapped_words_are_whole_and_no_slots() -> None:
    """A voice's own words replace whole words alone, and never the name of a slot.

    In a script without spaces a word may stand anywhere.
    """
    swaps = WordSwaps({"I'm": "I am", "name": "title", "俺": "拙者"})
    assert swaps.in_line("I'm {name} by name and HI'm is none: 俺だ") == "I am {name} by title and HI'm is none: 拙者だ"
    assert WordSwaps({}).in_line("I'm {name}.") == "I'm {name}."


def test_second_sentence_of_a_reason_begins_small() -> None:
    """What a reason says behind a full stop may follow "because", and so begins with a small letter."""
    book = pack("en").lines
    voices, habits = book.voices.values(), book.habits.values()
    reasons = [book.reasons, *(one.reasons for one in voices), *(one.reasons for one in habits)]
    lines = [line for one in reasons for told in one.values() for line in told]
    assert [line for line in lines if re.search(r"\. (?!I\b)[A-Z]", line)] == []


def test_reason_in_full_words_keeps_its_meaning() -> None:
    """Who contracts nothing does not turn whose something is into who is something."""
    book = pack("en").lines
    speaker = _speaker("en", "formal", book.voices["formal"])
    keys = [key for key in book.reasons if key.startswith("case_harmless")]
    said = [speaker.in_voice(line) for key in keys for line in book.reasons[key]]
    assert [line for line in said if "body is" in line] == []


def test_nobody_introduces_itself_as_another_did() -> None:
    """Who says its name after another does not put it between the same two words."""
    names = names_of(("Ann", "Ben", "Cyd"))
    heard = [*shapes("Hello hello I'm Ben and I dance when I'm nervous!", names)]
    moment = Occasion(LengthRule(), names, SaidBefore(heard=heard), random.Random(1))
    assert introduces_alike("I'm Ann and I keep my word.", moment)
    assert not introduces_alike("My name's Ann and I keep my word.", moment)
    for seed in range(20):
        speaker = Speaker(pack("en").playbook, make_persona(pack("en").lines, "", f"Ann{seed}"))
        drawn = replace(moment, rng=random.Random(seed))
        text = speaker.say([(SpeechAct("greet"), {"me": "Ann"})], drawn)
        assert "I'm Ann and" not in text
