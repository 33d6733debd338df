"""One seat: a packet goes in, at most one legal reply comes out, in time."""

from nlp_agent.seat.advised import AnswerStyle
from nlp_agent.seat.decision import Decision, How, JournalWriter, SeatStats
from nlp_agent.seat.groupchat import Pace
from nlp_agent.seat.review import allowance
from nlp_agent.seat.seat import Seat
from nlp_agent.seat.timing import Timing
from nlp_agent.seat.turn import Turn

__all__ = [
    "AnswerStyle",
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
