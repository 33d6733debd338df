"""A seat without sockets that is nothing but a mind and the exit for words: for studying many games quickly."""

from __future__ import annotations

from nlp_agent.game import SeatState, legal_targets
from nlp_agent.planning.mind import Mind
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Pack
from nlp_agent.protocol import OVER, TALK_REQUESTS, TARGET_REQUESTS, Packet, Request
from nlp_agent.text import Allowance, make_utterance
from nlp_agent.voice.own_words import OwnWords


class Talker:
    """A decider for :func:`nlp_agent.arena.local.play_without_sockets`."""

    def __init__(self, pack: Pack, seed: int) -> None:
        self.state = SeatState()
        self.mind: Mind | None = None
        self._pack, self._seed = pack, seed

    def __call__(self, packet: Packet) -> str | None:
        self.state.apply(packet)
        if self.mind is None and self.state.role:
            self.mind = Mind(self.state, self._pack.reading, self._seed)
            self._own = OwnWords(self.state, self._pack.playbook, self.mind.ledger, self._seed)
        mind, request = self.mind, packet.kind
        if mind is None or request is None:
            return None
        mind.observe()
        if request in TALK_REQUESTS:
            plan = self._own.with_reasons(mind.plan_talk(request))
            reply = self._words(request, plan)
            mind.sent(request, reply, plan)
        elif request in TARGET_REQUESTS:
            reply = mind.plan_target(request, legal_targets(self.state, request)).name
            self.state.chose(request, reply)
        else:
            return None
        return reply

    def _words(self, request: Request, plan: TalkPlan) -> str:
        if plan.over:
            return OVER
        rule = self.state.setting.talk if request is Request.TALK else self.state.setting.whisper
        length = rule.max_length
        allowed = Allowance(self.state.me, self.state.players, self.state.alive, length, self.state.remain_length)
        words = make_utterance(self._own.say(plan, request, length), allowed, self._pack.language)
        return words.text if words else OVER
