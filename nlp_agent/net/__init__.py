"""The WebSocket session: stamps packets with their deadline and is the only place that sends."""

from nlp_agent.net.gate import Gate
from nlp_agent.net.session import GameOutcome, Player, Session
from nlp_agent.net.stop import Stop

__all__ = ["GameOutcome", "Gate", "Player", "Session", "Stop"]
