"""The wolves' night: agree on who lies how, and on one target."""

from __future__ import annotations

import re

from nlp_agent.game import SeatState
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.scene import Scene
from nlp_agent.protocol import Role
from nlp_agent.reading.ledger import read_talk
from nlp_agent.reading.rules import ReadingRules


def agreed_prey(state: SeatState, rules: ReadingRules) -> str:
    """The first legal target proposed in tonight's whispers, or ``""``."""
    if state.role != Role.WEREWOLF or state.day < 1:
        return ""
    for whisper in state.whispers:
        if whisper.day != state.day or not whisper.said:
            continue
        for said in read_talk(rules, whisper.text, state.players):
            if said.kind == "attack" and said.target in state.others and said.target not in state.partners:
                return said.target
    return ""


def lying_partners(state: SeatState, rules: ReadingRules) -> frozenset[str]:
    """Partners who whispered that they will pretend to be the seer before this seat said so itself."""
    found: set[str] = set()
    if state.role != Role.WEREWOLF:
        return frozenset()
    for whisper in state.whispers:
        if whisper.said and _pretends(rules, whisper.text, state.players) == Role.SEER:
            if whisper.agent == state.me:
                break
            found.add(whisper.agent)
    return frozenset(found)


def _pretends(rules: ReadingRules, text: str, players: tuple[str, ...]) -> str:
    """The role that ``text`` says its speaker will claim, or ``""``."""
    if claimed := next((s.role for s in read_talk(rules, text, players) if s.kind == "claim"), ""):
        return claimed
    for role, words in rules.roles.items():
        named = "|".join(f"(?:{word})" for word in words)
        if any(re.search(p.replace("{role}", f"(?:{named})"), text, re.IGNORECASE) for p in rules.pretends):
            return role
    return ""


def plan_whisper(scene: Scene, done: frozenset[str], prey: str) -> TalkPlan:
    """What to whisper; ``prey`` is whom this seat would attack."""
    state = scene.state
    partner = next((name for name in state.partners if name in state.alive), "")
    if state.day > 0:
        return _proposal(scene, done, partner, prey)
    greeted = any(w.agent != state.me and w.said for w in state.whispers)
    if "w:pretend" not in done:
        act = SpeechAct("pretend", role=scene.story.role, to=partner)
        return TalkPlan((act,), why="who lies how", keys=("w:pretend",))
    if "w:encourage" not in done and greeted:
        return TalkPlan((SpeechAct("encourage", to=partner),), why="settle in", keys=("w:encourage",))
    return TalkPlan(over=True, why="all is agreed")


def _proposal(scene: Scene, done: frozenset[str], partner: str, target: str) -> TalkPlan:
    key = f"w:attack:{scene.state.day}"
    if key in done or not (scene.prey or target):
        return TalkPlan(over=True, why="all is agreed")
    if scene.prey:
        act = SpeechAct("attack", target=scene.prey, topic="agree", to=partner)
        return TalkPlan((act,), why="agree on the target", keys=(key,))
    topic = "seer" if scene.ledger.claims.get(target) == Role.SEER else "human"
    act = SpeechAct("attack", target=target, topic=topic, to=partner)
    return TalkPlan((act,), why=f"propose {target}", keys=(key,))
