"""What a small model writes instead of talk is told apart from talk; what people say here passes."""

from __future__ import annotations

from functools import cache

import pytest

from nlp_agent.prompting import Pack, load_pack
from tests.text.speech import ENGLISH, JAPANESE

EN = ("Imogen", "Keziah", "Lorcan", "Ottilie", "Percival")
JA = ("アズサ", "ハヤテ", "サヨリ", "エイキチ", "シンヤ")

RUBBISH = [
    "001. On the moon. What a great night. I am so happy.",
    "You are Imogen the villager. You win with the village. You have no power but your ears.",
    "What to do now. Here is the last part. What to do next. In a way that no one will remember. What to do next.",
    "That's just the first 100 characters of my thoughts.",
    "You are the villager.",
    "I am pleased that I have the opportunity to share with the village. What you are. You are the villager.",
    "Your turn. You've just been told something. So you go to your home and tell someone.",
    "The one you were sent to. You are welcome welcome. The one you were sent to.",
    "Um. You're not sure but I will not make a lie. You're not sure but I will not make a lie.",
    "12 50. 13 16. 14 03. 15 19. 16 12. 17 23. 18 39.",
    "Spreading to the next player. Spreading to the next player.",
    "The players is Imogen Keziah Lorcan Ottilie Percival.",
    "Day 1. The players gather in the market and eat bread.",
    "Lorem ipsum dolor sit amet consectetur.",
    "The following text is about a village and its people.",
    "Ich habe mich heute zum Marktplatz begeben und Brot gekauft Lorcan.",
    "Here it is. Here it is.",
    "I will vote for him I will vote for him.",
    "We all go there now. So we all go there now. Then we all go there now.",
    "Moon bread village candle river stone house lantern forest night wind.",
    "Wolfenschaftlichkeitlosungen is what Keziah said.",
]
TALK = [
    "Hello everyone! Nice to meet you all.",
    "Good morning. I'm Ottilie and I bake bread.",
    "That makes no sense. Why would a seer wait?",
    "I agree.",
    "Keziah why did you vote for Lorcan?",
    "I'm not a wolf. I was asleep all night.",
    "So you are the seer I have to believe.",
    "Fair enough.",
    "That is odd.",
    "Two seers and one of them lies. I think it's Percival.",
    "1 of us is lying and my guess is Imogen.",
    "If Lorcan is the seer then Ottilie is human. If Keziah is the seer then nobody is cleared.",
    "You keep changing your story and I don't trust it.",
    "Who else has been this quiet since yesterday?",
    "Poor Percival! I really thought the wolves would come for me.",
    "I'll follow the majority today even though my gut says no.",
    "Fine. Vote me out and see what you get.",
    "We cannot afford another mistake. Five separate theories are a gift to the wolves.",
    "7 players are left. Hanging somebody for being shy makes little sense.",
    "Awesome.",
    "It wasn't me. It wasn't me. Believe me.",
    "Could we discuss what to do next?",
    "Then Imogen Keziah Lorcan Ottilie: whose words troubled you?",
    "I still doubt Imogen Keziah Lorcan Ottilie and Percival.",
    "A false human costs a wolf nothing and a false human costs a villager his life.",
    "To Keziah a false human costs a word. To Lorcan a false human costs a game.",
    "A false human costs liars nothing: false wolves hang liars tomorrow.",
    "A false human costs villages trust and false wolves cost lives.",
    "False human costs less: false wolf costs seers everything.",
    "Keziah tell us tomorrow whom you looked at; your role is vital to us.",
]
BABBLE = [
    "100文字以内で短く。",
    "りんごりんごりんごりんごりんごりんご。",
    "12345。",
    "出力：はい。",
    "ラララララララララララ。",
]
HANASHI = [
    "おはようございます。みなさん、よろしくお願いします。",
    "ハヤテさんの占い結果には納得できません。",
    "私は人狼ではありません。信じてください。",
    "昨日から黙っている人が気になりますね。",
    "2人の占い師のうち、どちらかは偽物だ。",
    "サヨリに投票するよ。理由は一貫性のなさだ。",
    "今日は手加減なしで聞くから、覚悟しておいてね。",
    "ハヤテさん、あなたの役職は何だと思いますか？",
    "占い師が嘘なら狼は得をする。占い師が嘘なら村は損をする。",
    "4COって誰のこと？出たのはまだ2人だよ。",
]


@cache
def pack(lang: str) -> Pack:
    return load_pack(lang)


def _why(lang: str, text: str) -> str:
    players = EN if lang == "en" else JA
    return pack(lang).language.village(players).look(text).implausible


@pytest.mark.parametrize(("lang", "text"), [("en", t) for t in RUBBISH] + [("ja", t) for t in BABBLE])
def test_rubbish_is_no_talk(lang: str, text: str) -> None:
    """Loops, numbering, instructions, and no sentences of the language."""
    assert _why(lang, text)


@pytest.mark.parametrize(("lang", "text"), [("en", t) for t in TALK] + [("ja", t) for t in HANASHI])
def test_talk_is_talk(lang: str, text: str) -> None:
    """Short or long, plain or clever."""
    assert _why(lang, text) == ""


def test_a_pack_without_rules_still_sees_loops() -> None:
    """A third language needs no data for that."""
    assert JAPANESE.village(()).look("一二三四五六七八一二三四五六七八").implausible
    assert ENGLISH.village(()).look("안녕하세요 여러분").implausible == ""


PROMPT = """You play Werewolf.
# The game so far
1. Keziah: “I cannot sleep when the moon is out.”
# Your role
You have no power but your ears. Lorcan is a werewolf.
Think before you speak. Who gains by it? What do you want to reach and what is your next step?
"""


@pytest.mark.parametrize(
    ("text", "echo"),
    [
        ("I think so. You have no power but your ears.", True),
        ("Your role.", True),
        ("The game so far. Hm.", True),
        ("I cannot sleep when the moon is out.", False),
        ("Lorcan is a werewolf.", False),
        ("You have no power but your ears and they lie.", False),
        ("If one names a wolf that seer lied. Who gains by it?", False),
        ("Who gains by it.", True),
        ("What do you want to reach and what is your next step?", True),
    ],
)
def test_prompt_sentences_are_not_own_words(text: str, echo: bool) -> None:
    """A sentence of the prompt is not one's own.

    Headings and whole sentences count; what is quoted there, what names a player, and a short question may be said.
    """
    village = ENGLISH.village(EN)
    assert bool(village.look(text).echoes(village.prompt_lines(PROMPT))) == echo
