"""The wolves' night: agree on who lies how, and on one target."""

from __future__ import annotations

from collections.abc import Set
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


def lying_partners(state: SeatState, ledger: Ledger) -> set[str]:
    """Partners who whispered that they will pretend to be the seer before this seat said so itself."""
    pretenders = (w.who for w in ledger.whispers if ledger.reader.pretended(w.reading) == Role.SEER)
    return set(takewhile(lambda name: name != state.me, pretenders))


def plan_whisper(scene: Scene, done: Set[str], prey: str) -> TalkPlan:
    """What to whisper; ``prey`` is whom this seat would attack, ``done`` holds the keys of what was said."""
    state = scene.state
    partner = next((name for name in state.partners if name in state.alive), "")
    wishes: list[tuple[SpeechAct, str]] = []
    if state.day == 0:
        wishes.append((SpeechAct("pretend", role=scene.story.role, to=partner), "who lies how"))
        if any(whisper.who != state.me for whisper in scene.ledger.whispers):
            wishes.append((SpeechAct("encourage", to=partner), "settle in"))
    elif scene.prey:
        wishes.append((SpeechAct("attack", target=scene.prey, topic="agree", to=partner), "agree on the target"))
    elif prey:
        topic = "seer" if scene.ledger.claims.get(prey) == Role.SEER else "human"
        wishes.append((SpeechAct("attack", target=prey, topic=topic, to=partner), f"propose {prey}"))
    for act, why in wishes:
        if not done & set(act.keys(state.day)):
            return TalkPlan((act,), why=why)
    return TalkPlan(over=True, why="all is agreed")
