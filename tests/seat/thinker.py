"""A double of a model that thinks: it answers in the form asked for, and what it says follows from rules and chance.

It knows nothing of its role. It announces votes, changes its mind, asks, claims, invents results and gives secrets
away, so that whatever goes out clean has been made clean.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "vote": "That settles it and so my vote goes to {a} today.",
        "odd": "The name on my slip tonight is {a} and that is that.",
        "ask": "{a}, what did you make of {b} just now?",
        "claim": "I am the seer. {a} is {colour}.",
        "secret": "Between us I am a werewolf and {a} is my partner. We should look at {b}.",
        "muse": "Number {n} on my list of worries is how little {a} gave us.",
        "thought": "{a} gains most if {b} goes, and has said little that could be checked.",
        "HUMAN": "human",
        "WEREWOLF": "a werewolf",
    },
    "ja": {
        "vote": "今日は{a}さんに投票します。",
        "odd": "今日の私の一票は{a}さんのものです。",
        "ask": "{a}さんは{b}さんの話をどう聞きましたか？",
        "claim": "私が占い師です。{a}さんは{colour}でした。",
        "secret": "実は私は人狼で{a}さんは仲間です。{b}さんを見ましょう。",
        "muse": "気になることの{n}番目は{a}さんの話です。",
        "thought": "{b}さんが消えて一番得をするのは{a}さんだ。確かめられる話もしていない。",
        "HUMAN": "人間",
        "WEREWOLF": "人狼",
    },
    "zh": {
        "vote": "我今天投票给{a}。",
        "odd": "我今天的票是{a}的。",
        "ask": "{a}，你怎么看{b}刚才的话？",
        "claim": "我是预言家。{a}是{colour}。",
        "secret": "其实我是狼人，{a}是我的同伴。我们看看{b}。",
        "muse": "我在意的第{n}件事是{a}说得太少。",
        "thought": "{b}出局对{a}最有利，而且{a}没说过能查证的话。",
        "HUMAN": "好人",
        "WEREWOLF": "狼人",
    },
}

MORE: Mapping[str, tuple[str, ...]] = {
    "en": ("Nobody has shown me anything better.", "We should not split tonight.", "Tell me where that goes wrong.",
           "It took me all morning to see it.", "I may change my mind by evening."),
    "ja": ("ほかに良い案は聞いていません。", "今夜は票を割りたくないですね。", "違うと思うなら教えてください。",
           "朝からずっと考えました。"),
    "zh": ("我没有听到更好的想法。", "今晚我们不要分散。", "不同意的话请告诉我。", "我想了整整一个早上。"),
}  # fmt: skip
"""What may follow, so that it does not say the same all day."""


@dataclass
class Thinker:
    """``secrets``: how often it gives itself away. ``asked`` counts the questions."""

    language: str
    secrets: float = 0.1
    asked: int = 0

    def answer(self, schema: Mapping[str, Any], prompt: str) -> str:
        self.asked += 1
        rng = Random(f"{self.language}|{self.asked}")
        parts = schema["properties"]
        others = list(parts["wolf"]["properties"]) if "wolf" in parts else [n for n in _names(parts) if n]
        wolf = {name: round(rng.random(), 2) for name in others}
        if "choice" in parts:
            choice = rng.choice(parts["choice"]["enum"])
            return _told({"thought": "Hm.", "wolf": wolf, "choice": choice})
        a, b = rng.sample(others, 2) if len(others) > 1 else (others * 2)[:2]
        kinds = ("vote", "odd", "ask", "muse", "muse", "claim")
        kind = "secret" if rng.random() < self.secrets else rng.choice(kinds)
        colour = rng.choice(("HUMAN", "WEREWOLF"))
        words = WORDS[self.language]
        said = words[kind].format(a=a, b=b, n=rng.randint(2, 99), colour=words[colour])
        said += "" if kind in ("claim", "secret") else " " * (self.language == "en") + rng.choice(MORE[self.language])
        if "vote" not in parts:
            return _told({"thought": "Hm.", "target": a, "words": said})
        return _told(
            {
                "thought": words["thought"].format(a=a, b=b),
                "wolf": wolf,
                "vote": a if kind in ("vote", "odd") else max(wolf, key=lambda name: wolf[name]),
                "to": a if kind == "ask" else "",
                "claim": "SEER" if kind == "claim" else "",
                "results": [{"target": a, "result": colour}] if kind == "claim" else [],
                "words": said,
            }
        )


def _names(parts: Mapping[str, Any]) -> list[str]:
    return next((list(part["enum"]) for part in parts.values() if "enum" in part), [])


def _told(answer: Mapping[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False)


Answering = Callable[[Mapping[str, Any], str], str]
