"""The WebSocket session: stamps packets with their deadline and is the only place that sends."""

from nlp_agent.net.session import EntryLock, GameOutcome, Player, Session
from nlp_agent.net.stop import Stop

__all__ = ["EntryLock", "GameOutcome", "Player", "Session", "Stop"]
