"""When a talk is there: ``python -m tests.bench.first_words [--rate 60] [--delay 0.5] [--players 5 9 13]``.

A model that thinks answers a talk with JSON. A pretend endpoint streams such answers, token by token, with the words
last as they are asked for and with the words first, and the seat's own client reads them. ``words``: seconds until the
talk is whole; ``plan``: until the judgement, the vote and all other fields are known too, which is when it is sent.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import regex

from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.deadline import Deadline
from nlp_agent.llm.endpoint import EndpointConfig, EndpointModel
from nlp_agent.llm.loopback import HttpReply, Loopback, Wait, saying
from nlp_agent.llm.model import Message, Question
from nlp_agent.llm.response import estimate_tokens
from nlp_agent.protocol import Request
from nlp_agent.records.summary import percentile
from nlp_agent.seat.model_answer import answer_schema, words_end
from tests.bench.quick_games import THOUGHT

ANSWERS = 40
LAST, FIRST = "last", "first"
_SENTENCES = (
    "I have heard too little from some of us so far.",
    "Who of you has a reason and not only a feeling?",
    "I would like to know why that vote was cast.",
    "One of the claims must be false and I want to know which.",
    "Quiet people worry me more than loud ones today.",
    "Let us go through the results one after the other.",
    "I said what I know and I stand by every word of it.",
    "Somebody here changes sides whenever the wind turns.",
    "We have little time so name the one you would execute.",
    "My eyes are on whoever follows the others too quickly.",
)
SPOKEN = {
    "en": (THOUGHT, list(map(" ".join, pairwise(_SENTENCES)))),
    "ja": (
        "二人が占い師を名乗ったから一人は嘘つき。先に名乗った方が本物なら、人狼は静かな二人のどちらか。まず後の人に理由を聞く。",
        [
            "対抗が出るのが遅かったですね。なぜ私の後まで待っていたのか、先に聞かせてください。",
            "二人とも同じ人を占った結果です。どちらが本物でも、残りは静かな二人だと思います。",
            "その票の理由がまだ分かりません。私は今日、黒を出された人に投票するつもりです。",
        ],
    ),
}
"""Language -> a thought and talks about as long as the contest's caps allow."""
TOKEN = regex.compile(r"\s*(?:\p{Han}|\p{Hiragana}{1,2}|\p{Katakana}{1,2}|[\w']{1,5}|[^\w\s]{1,2})|\s+")
"""About what a model writes at once."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds from the question, one entry an answer. ``tokens``: estimated, of the answers."""

    words: tuple[float, ...]
    plan: tuple[float, ...]
    tokens: tuple[int, ...]


def answers(language: str, players: int, order: str) -> Iterator[str]:
    """Answers to TALK of a village of ``players``, always the same ones."""
    rng = random.Random(f"{language}|{players}")
    thought, talks = SPOKEN[language]
    others = [f"Player{number}" for number in range(1, players)]
    for _ in range(ANSWERS):
        said = {"words": rng.choice(talks)}
        to = rng.choice(others)
        meant: dict[str, Any] = {"thought": thought, "wolf": {name: round(rng.random(), 2) for name in others}}
        meant |= {"vote": to, "to": rng.choice(("", to)), "claim": "", "results": []}
        yield json.dumps(said | meant if order == FIRST else meant | said, ensure_ascii=False)


async def _timed(language: str, players: int, order: str, rate: float, delay: float) -> Times:
    waiting = answers(language, players, order)

    def behave(request: dict[str, Any]) -> HttpReply:
        pieces: list[str | Wait] = [lambda: asyncio.sleep(delay)]
        for token in TOKEN.findall(next(waiting)):
            pieces += [token, lambda: asyncio.sleep(1.0 / rate)]
        return saying(request, pieces)

    words, plan, tokens = [], [], []
    loop = asyncio.get_running_loop()
    others = [f"Player{number}" for number in range(1, players)]
    form = answer_schema(Request.TALK, others, ("VILLAGER", "SEER", "WEREWOLF"), ())
    async with Loopback(behave) as endpoint:
        model = EndpointModel(
            EndpointConfig(base_url=endpoint.base_url, model="loopback", api_key="none", headless_thinking=False)
        )
        for _ in range(ANSWERS):
            ends: list[float] = []

            def watch(text: str, ends: list[float] = ends) -> bool:
                if words_end(text):
                    ends.append(loop.time())
                return False  # all of it is waited for

            begun = loop.time()
            ask = Question((Message("user", "Your talk."),), "TALK", schema=form, enough=watch)
            answer = await model.ask(ask, Deadline.after(50.0, loop.time))
            words.append(ends[0] - begun)
            plan.append(loop.time() - begun)
            tokens.append(estimate_tokens(answer.text))
        await model.aclose()
    return Times(tuple(words), tuple(plan), tuple(tokens))


def first_words(language: str, players: int, order: str, rate: float, delay: float) -> Times:
    """With a clock that is not waited for; see the module."""
    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        return runner.run(_timed(language, players, order, rate, delay))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.first_words", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[5, 9, 13])
    parser.add_argument("--rate", type=float, default=60.0, help="tokens a second")
    parser.add_argument("--delay", type=float, default=0.5, help="seconds before the first token")
    options = parser.parse_args(arguments)
    sys.stdout.write("lang  players  words  tokens  words p50  words p90  plan p50  plan p90\n")
    for language in SPOKEN:
        for players in options.players:
            for order in (LAST, FIRST):
                times = first_words(language, players, order, options.rate, options.delay)
                marks = [percentile(seconds, share) for seconds in (times.words, times.plan) for share in (0.5, 0.9)]
                told = "  ".join(f"{mark:>8.2f}" for mark in marks)
                tokens = statistics.median(times.tokens)
                sys.stdout.write(f"{language:<4}  {players:>7}  {order:<5}  {tokens:>6.0f}   {told}\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
