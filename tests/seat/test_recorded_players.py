"""Two players of recorded games, a strong model's talks once more: their words go out as written, and what they
announce is cast.

Behind orders ケイスケ announced サヨリ in its last word on a vote and was made to vote for another; Greta, the
possessed, was held back until the true seer had spoken, and the check put the plan's words in place of its own.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.llm.model import Question
from nlp_agent.prompting import Pack, Style, load_pack
from nlp_agent.protocol import Info, LengthRule, MaxCount, Packet, Request, Setting, Talk, TalkSetting
from nlp_agent.records.game_reader import RecordedGame, read_game_log
from nlp_agent.seat import AskingOptions, Decision, How, Seat
from tests.scripted_model import ScriptedModel
from tests.timing import TIMING

DATA = Path(__file__).parents[1] / "data/strong_model"


class Nowhere:
    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


def told(words: str, *, vote: str = "", claim: str = "", results: tuple[tuple[str, str], ...] = ()) -> str:
    """A talk as a model declares it."""
    rows = [{"target": target, "result": result} for target, result in results]
    answer = {"thought": "", "wolf": {}, "vote": vote, "to": "", "claim": claim, "results": rows, "words": words}
    return json.dumps(answer, ensure_ascii=False)


def played(log: str, me: str, language: str, cap: int, talks: list[str], vote: str) -> list[Decision]:
    """The seat of ``me`` hears the game as it was, says ``talks`` on day 1, and is then asked for its vote, for which
    its model would name ``vote``."""
    game = read_game_log((DATA / log).read_text(encoding="utf-8"), log)
    assert game is not None
    pack, said = load_pack(language), iter(talks)

    def answer(ask: Question) -> str:
        return next(said) if ask.purpose == "TALK" else json.dumps({"thought": "", "wolf": {}, "choice": vote})

    def choose(_: object) -> Pack:
        return pack

    seat = Seat(
        choose_pack=choose,
        model=ScriptedModel(answer),
        timing=TIMING,
        seed=1,
        record=Nowhere(),
        asking=AskingOptions(Style.ADVISED),
    )

    async def main() -> list[Decision]:
        decided = []
        for packet in _packets(game, me, cap, len(talks)):
            seat.hear(packet)
            if packet.request in (Request.TALK, Request.VOTE):
                deadline = Deadline.after(50.0, time.monotonic)
                decided.append(await seat.answer(packet, deadline))
                seat.delivered(decided[-1], deadline)
        return decided

    return asyncio.run(main())


def _packets(game: RecordedGame, me: str, cap: int, count: int) -> Iterator[Packet]:
    """What ``me`` hears up to the vote of day 1; in place of its own talks it is asked for them."""
    names = tuple(sorted(game.names))
    rule = LengthRule(count_in_word=False, count_spaces=False, base_length=cap, mention_length=cap)
    limits = TalkSetting(max_count=MaxCount(per_agent=4, per_day=20), max_length=rule)
    setting = Setting(agent_count=len(names), vote_visibility=True, talk=limits, role_num_map=game.role_num_map)
    alive, roles = dict.fromkeys(names, "ALIVE"), {me: game.roles[me]}
    profile = "性別: 男性" if cap < 100 else "gender: female"
    yield Packet(
        request="INITIALIZE", info=Info(agent=me, profile=profile, role_map=roles, status_map=alive), setting=setting
    )
    for day in game.days[:2]:
        info = Info(agent=me, day=day.day, role_map=roles, status_map=alive)
        yield Packet(request="DAILY_INITIALIZE", info=info, setting=setting)
        new: list[Talk] = []
        asked = 0
        for talk in day.talks:
            if talk.agent == me and talk.said and day.day == 1 and asked < count:
                info = Info(agent=me, day=1, remain_count=count - asked)
                yield Packet(request="TALK", info=info, talk_history=tuple(new))
                new, asked = [], asked + 1
            else:
                new.append(talk)
    yield Packet(request="TALK", info=Info(agent=me, day=1), talk_history=tuple(new)).model_copy(
        update={"request": "DAILY_FINISH"}
    )
    yield Packet(request="VOTE", info=Info(agent=me, day=1))


def test_what_was_announced_last_is_cast() -> None:
    """The last vote that ケイスケ told is the one that counts, whatever its model would name when the vote comes."""
    talks = [
        told("@ノドカ 私は人狼ではありません。検算の一言だけが理由では、根拠が薄すぎます。", vote="ウララ"),
        told("本物は一人で、私を黒とした方は偽です。イワオさんを信じ、今日はウララさんに投票します。", vote="ウララ"),
        told("イワオさんの指摘で測り直しました。黒出しに触れないサヨリさんに、今日は投票します。", vote="サヨリ"),
        told("逃げ足ではありません。ノドカさんが狼の仮説も、まだ検証から外せないんです。", vote="サヨリ"),
    ]
    *spoken, vote = played("g2.log", "ケイスケ", "ja", 50, talks, "ウララ")
    assert [decision.how for decision in spoken] == [How.LLM] * 4
    assert [decision.text for decision in spoken] == [json.loads(talk)["words"] for talk in talks]
    assert vote.text == "サヨリ"


def test_unspoken_intent_takes_nothing_back() -> None:
    """An intent that is not spoken takes nothing back.

    To declare another vote without a word of it changes no promise: it has to be taken back aloud.
    """
    talks = [
        told("黒出しに触れないサヨリさんに、今日は投票します。", vote="サヨリ"),
        told("逃げ足ではありません。検算の一言だけが理由では、根拠が薄すぎます。", vote="ウララ"),
    ]
    assert played("g2.log", "ケイスケ", "ja", 50, talks, "ウララ")[-1].text == "サヨリ"


GRETA = (
    "I am the seer and Jasper sings false. Barnaby is a werewolf and gets my vote. "
    "Dmitri I yielded to Barnaby's own point.",
    "@Barnaby I waited to hear who would sing false and you are still a werewolf. "
    "Nikolai finds you on both lists so vote with me dear.",
    "@Dmitri Scold my slow entry if you like dear but hold to Barnaby with Nikolai and me. "
    "Jasper fights hardest for that very wolf.",
)


@pytest.mark.parametrize("first", [False, True], ids=["in the second talk", "in the first"])
def test_possessed_claims_freely_in_own_words(first: bool) -> None:
    """A possessed claims when it likes, in its own words.

    Its lie is its own: nothing holds it back, nothing stands in place of what it said, and its vote follows.
    """
    greeting = "Good morning my dears. Silence hides a wolf so let nobody sit out the first verse."
    claim = told(GRETA[0], vote="Barnaby", claim="SEER", results=(("Barnaby", "WEREWOLF"),))
    rest = [told(words, vote="Barnaby") for words in GRETA[1:]]
    talks = [claim, *rest] if first else [told(greeting, vote="Nikolai"), claim, *rest]
    *spoken, vote = played("g3.log", "Greta", "en", 125, talks, "Jasper")
    assert [decision.how for decision in spoken] == [How.LLM] * len(talks)
    assert [decision.text for decision in spoken] == [json.loads(talk)["words"] for talk in talks]
    assert vote.text == "Barnaby"


def test_mended_comma_keeps_an_address_in_its_sentence() -> None:
    """A comma is mended, and never cuts an address from its sentence.

    "I am the seer, my dears." stays one sentence.
    """
    words = "I am the seer, my dears. Barnaby is a werewolf, and he gets my vote."
    talk = told(words, vote="Barnaby", claim="SEER", results=(("Barnaby", "WEREWOLF"),))
    said, vote = played("g3.log", "Greta", "en", 125, [talk], "Jasper")
    assert said.text == "I am the seer my dears. Barnaby is a werewolf and he gets my vote."
    assert vote.text == "Barnaby"
