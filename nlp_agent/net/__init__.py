"""The WebSocket session: stamps packets with their deadline and is the only place that sends."""

from nlp_agent.net.gate import Gate
from nlp_agent.net.player import GameOutcome, Player
from nlp_agent.net.session import Session
from nlp_agent.net.stop import Stop

__all__ = ["GameOutcome", "Gate", "Player", "Session", "Stop"]
