"""The wolves' night: agree on who lies how, and on one target."""

from __future__ import annotations

from itertools import takewhile

from nlp_agent.game import SeatState
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.scene import Scene
from nlp_agent.protocol import Role
from nlp_agent.reading.ledger import Ledger


def agreed_prey(state: SeatState, ledger: Ledger) -> str:
    """The first legal target proposed in tonight's whispers, or ``""``."""
    if state.role != Role.WEREWOLF or state.day < 1:
        return ""
    tonight = [whisper for whisper in ledger.whispers if whisper.day == state.day]
    proposed = (said.target for whisper in tonight for said in whisper.reading.of("attack"))
    return next((name for name in proposed if name in state.others and name not in state.partners), "")


def lying_partners(state: SeatState, ledger: Ledger) -> frozenset[str]:
    """Partners who whispered that they will pretend to be the seer before this seat said so itself."""
    if state.role != Role.WEREWOLF:
        return frozenset()
    pretenders = [w.who for w in ledger.whispers if ledger.reader.pretended(w.talk.text, state.players) == Role.SEER]
    return frozenset(takewhile(lambda name: name != state.me, pretenders))


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
