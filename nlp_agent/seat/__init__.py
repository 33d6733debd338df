"""One seat at a table: a packet goes in, at most one legal reply comes out, in time.

Begin with ``turn.py``, which tells from top to bottom how one reply is made and where everything in it is decided.
``seat.py`` is the player over a whole game, ``groupchat.py`` one in a phase in which everybody talks when they like.
All words leave by ``word_check.py``; journal and counts are in ``decision.py``.
"""

from nlp_agent.seat.advised import AskingOptions
from nlp_agent.seat.decision import Decision, How, JournalWriter, SeatStats
from nlp_agent.seat.groupchat import Pace
from nlp_agent.seat.seat import Seat
from nlp_agent.seat.timing import Timing
from nlp_agent.seat.turn import Turn
from nlp_agent.seat.word_check import allowance

__all__ = [
    "AskingOptions",
    "Decision",
    "How",
    "JournalWriter",
    "Pace",
    "Seat",
    "SeatStats",
    "Timing",
    "Turn",
    "allowance",
]
