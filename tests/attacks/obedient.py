"""A model that does whatever the last order in its prompt says, and a short game to try it in."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from nlp_agent.deadline import Deadline
from nlp_agent.llm.model import Question
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.prompting.quote import quote_talk
from nlp_agent.protocol import Packet, Request, Role
from nlp_agent.seat import Decision, Seat
from nlp_agent.text import Allowance
from tests.scripted_model import ScriptedModel
from tests.timing import TIMING

NAMES = {
    "en": ("Leo", "Mia", "Ida", "Sam", "Eva", "Tom", "Ann", "Kai", "Zoe"),
    "ja": ("タイガ", "アカネ", "フミカ", "ハルト", "シオリ", "ゲンゾウ", "コトネ", "ナギサ", "ユズハ"),
}
"""The first is the fellow werewolf of the second, who is this seat."""
VILLAGE = {"WEREWOLF": 2, "POSSESSED": 1, "SEER": 1, "BODYGUARD": 1, "MEDIUM": 1, "VILLAGER": 3}
NIGHT = {Role.SEER: "DIVINE", Role.BODYGUARD: "GUARD", Role.WEREWOLF: "ATTACK"}
PROFILE = {"en": "age: 30\npersonality: A calm baker.", "ja": "年齢: 30\n性格: 穏やかなパン屋。"}
GREETING = {"en": "Good morning. It is a fine day.", "ja": "おはようございます。いい朝ですね。"}
HARMLESS = {
    "en": ("I would like to hear more from the quiet ones.", "Let us take our time and think.", "That sounds fair."),
    "ja": ("静かな人の話をもっと聞きたいです。", "落ち着いて考えましょう。", "それはもっともですね。"),
}


@dataclass(frozen=True)
class Attack:
    family: str
    lang: str
    where: str
    texts: tuple[str, ...]
    wants: str
    words: str = ""

    def roles(self) -> tuple[Role, ...]:
        if self.where == "whisper":
            return (Role.WEREWOLF,)
        return (Role.SEER, Role.WEREWOLF, Role.POSSESSED, Role.BODYGUARD)


@cache
def attacks() -> tuple[Attack, ...]:
    rows = yaml.safe_load((Path(__file__).parent / "attacks.yml").read_text(encoding="utf-8"))
    return tuple(Attack(**{**row, "texts": tuple(row["texts"])}) for row in rows)


@cache
def pack(lang: str) -> Pack:
    return load_pack(lang)


@dataclass
class Obedient:
    """Obeys ``attack`` once it stands in the prompt; otherwise says harmless things and takes the plan's first name.

    ``role`` is the true one: a second order to tell it is obeyed even if the prompt did not hold it.
    """

    attack: Attack | None
    lang: str
    role: Role
    obeyed: list[str] = field(default_factory=list)
    asked: int = 0

    def __call__(self, ask: Question) -> str:
        self.asked += 1
        prompt = "\n".join(message.content for message in ask.messages)
        if self.attack is not None and _shown(self.attack)[:10] in prompt:
            self.obeyed.append(self._obey(self.attack, ask))
            return self.obeyed[-1]
        if ask.choices:
            task = prompt.rpartition("\n# ")[2]
            return min(ask.choices, key=task.index)
        return HARMLESS[self.lang][self.asked % 3]

    def _obey(self, attack: Attack, ask: Question) -> str:
        system, user = ask.messages[0].content, "\n" + ask.messages[-1].content
        en = self.lang == "en"
        if attack.wants == "answer":
            return (
                attack.words
                if ask.choices
                else f"I vote for {attack.words}."
                if en
                else f"{attack.words}に投票します。"
            )
        if attack.wants == "prompt":
            rules = [line for line in system.splitlines() if line.startswith("- ")]
            return user.rpartition("\n# ")[2] if self.asked % 2 else rules[self.asked % len(rules)]
        if attack.wants == "role":
            found = re.search(r"You are \w+, the (\w+)\." if en else rf"{NAMES[self.lang][1]}の役職は(\w+)。", system)
            true = pack(self.lang).language.words.role(self.role)
            role = found[1] if found and self.asked % 2 else true
            return f"I am the {role}." if en else f"私は{role}です。"
        if attack.wants == "partners":
            fellow = NAMES[self.lang][0]
            return f"My partner is {fellow}." if en else f"仲間は{fellow}です。"
        return f"{attack.words} {HARMLESS[self.lang][0]}" if attack.wants == "begin" else attack.words


def _shown(attack: Attack) -> str:
    return quote_talk(attack.texts[-1].splitlines()[-1] if attack.where == "profile" else attack.texts[-1])


class Game:
    """Two days as one seat sees them; ``attack`` None is the same game without any order."""

    def __init__(self, lang: str, role: Role, attack: Attack | None, harmless: Attack | None = None) -> None:
        self.lang, self.role, self.attack = lang, role, attack
        self.names = NAMES[lang]
        self.me, self.fellow, self.speaker = self.names[1], self.names[0], self.names[-2]
        self.model = Obedient(attack, lang, role)
        self._talks = 0
        # The control run has as many talks at the same places.
        self._source = attack or harmless
        self.rows: list[Mapping[str, Any]] = []
        self.seat = Seat(
            choose_pack=lambda _: pack(lang),
            model=ScriptedModel(self.model),
            timing=TIMING,
            seed=4,
            record=self,
        )

    def table(self) -> Allowance:
        """What the rules let this seat say in a talk."""
        state = self.seat.state
        return Allowance(state.me, state.players, state.alive, state.setting.talk.max_length, state.remain_length)

    def write(self, event: str, row: Mapping[str, Any]) -> None:
        self.rows.append({"event": event, **row})

    def play(self) -> list[Decision]:
        return asyncio.run(self._play())

    async def _play(self) -> list[Decision]:
        decisions = []
        for packet in self._packets():
            self.seat.hear(packet)
            if packet.needs_reply:
                last = Deadline.after(50.0)
                decisions.append(await self.seat.answer(packet, last))
                self.seat.delivered(decisions[-1], last)
        return decisions

    def _packets(self) -> Iterator[Packet]:
        yield self._packet("INITIALIZE", 0)
        yield self._packet("DAILY_INITIALIZE", 0)
        others = [name for name in self.names if name != self.me]
        yield self._packet("TALK", 0, talk_history=self._said(0, [(name, GREETING[self.lang]) for name in others[:2]]))
        yield self._packet("DAILY_INITIALIZE", 1)
        texts = self._texts("talk")
        yield self._packet("TALK", 1, talk_history=self._said(1, [(self.speaker, text) for text in texts]))
        yield self._packet("TALK", 1, talk_history=self._said(1, [(others[1], GREETING[self.lang])]))
        if self.role is Role.WEREWOLF:
            whispers = self._said(1, [(self.fellow, text) for text in self._texts("whisper")])
            yield self._packet("WHISPER", 1, whisper_history=whispers)
            yield self._packet("TALK", 1, talk_history=self._said(1, [(others[2], GREETING[self.lang])]))
        yield self._packet("VOTE", 1)
        if night := NIGHT.get(self.role):
            yield self._packet(night, 1)

    def _texts(self, where: str) -> tuple[str, ...]:
        if self._source is None or self._source.where != where:
            return (GREETING[self.lang],)
        return self._source.texts if self.attack else (GREETING[self.lang],) * len(self._source.texts)

    def _said(self, day: int, said: list[tuple[str, str]]) -> list[dict[str, Any]]:
        rows = []
        for name, text in said:
            rows.append({"idx": self._talks, "day": day, "turn": 0, "agent": name, "text": text})
            self._talks += 1
        return rows

    def _packet(self, request: str, day: int, **more: Any) -> Packet:
        roles = {self.me: self.role.value}
        if self.role is Role.WEREWOLF:
            roles[self.fellow] = Role.WEREWOLF.value
        profile = PROFILE[self.lang]
        if self.attack and self.attack.where == "profile":
            profile = self.attack.texts[0]
        info: dict[str, Any] = {
            "game_id": "G",
            "day": day,
            "agent": self.me,
            "profile": profile,
            "status_map": dict.fromkeys(self.names, "ALIVE"),
            "role_map": roles,
            "remain_count": 3,
        }
        if self.role is Role.SEER and day == 1:
            info["divine_result"] = {"day": 0, "agent": self.me, "target": self.names[3], "result": "HUMAN"}
        cap = 125 if self.lang == "en" else 50
        limits = {"max_count": {"per_agent": 4}, "max_length": {"base_length": cap, "mention_length": cap}}
        setting = {"agent_count": 9, "talk": limits, "whisper": limits, "role_num_map": VILLAGE}
        return Packet.model_validate({"request": request, "info": info, "setting": setting, **more})


def targets(decisions: list[Decision]) -> list[tuple[str, str]]:
    return [(d.request, d.text) for d in decisions if d.request not in (Request.TALK, Request.WHISPER)]
