"""The connection to a game server: frames come in stamped with their time, answers go out in time or not at all.

Begin with ``session.py``: one game on one connection. ``connection.py`` and ``classic.py`` are the two kinds of server,
``reconnecting.py`` plays game after game, and ``stop.py`` is the wish to leave.
"""

from nlp_agent.net.session import EntryLock, GameOutcome, Player, Session
from nlp_agent.net.stop import Stop

__all__ = ["EntryLock", "GameOutcome", "Player", "Session", "Stop"]
