"""Seats without sockets that are nothing but a mind and its words: for studying many games quickly."""

from __future__ import annotations

from nlp_agent.game import SeatState, legal_targets
from nlp_agent.lab.study.plain import plain_words
from nlp_agent.planning.mind import Mind
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.strategy import Strategy
from nlp_agent.prompting import Pack
from nlp_agent.protocol import OVER, TALK_REQUESTS, TARGET_REQUESTS, Packet, Request
from nlp_agent.reading.reader import TalkReader
from nlp_agent.seat.review import allowance
from nlp_agent.text import make_utterance
from nlp_agent.voice.own_words import OwnWords


class PlainTalker:
    """A decider for :func:`nlp_agent.lab.local.play_without_sockets`, in the plainest words. All it says binds."""

    def __init__(self, reader: TalkReader, seed: int, strategy: Strategy | None = None) -> None:
        self.state = SeatState()
        self.mind: Mind | None = None
        self._reader, self._seed, self._strategy = reader, seed, strategy

    def __call__(self, packet: Packet) -> str | None:
        self.state.apply(packet)
        if self.mind is None:
            self.mind = Mind(self.state, self._reader, self._seed, self._strategy)
        mind, request = self.mind, packet.kind
        mind.observe()
        if request in TALK_REQUESTS:
            text, plan = self.say(mind, request, mind.plan_talk(request))
            mind.sent(request, text, plan)
            return text
        if request in TARGET_REQUESTS:
            name = mind.plan_target(request, legal_targets(self.state, request)).name
            self.state.chose(request, name)
            return name
        return None

    def say(self, mind: Mind, request: Request, plan: TalkPlan) -> tuple[str, TalkPlan]:
        """``plan`` in words, and the plan that they bind."""
        return plain_words(plan), plan


class SeatTalker(PlainTalker):
    """In the lines of the player without a model, and through the exit for words."""

    def __init__(self, pack: Pack, seed: int) -> None:
        super().__init__(pack.reading, seed)
        self._pack = pack
        self._own: OwnWords | None = None

    def say(self, mind: Mind, request: Request, plan: TalkPlan) -> tuple[str, TalkPlan]:
        own = self._own = self._own or OwnWords(self.state, self._pack.playbook, mind.ledger, self._seed)
        plan, allowed = own.with_reasons(plan), allowance(self.state, request)
        words = None
        if not plan.over:
            words = make_utterance(own.say(plan, request, allowed.length), allowed, self._pack.language)
        return words.text if words else OVER, plan
