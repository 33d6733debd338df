"""One seat: a packet goes in, at most one legal reply comes out, in time."""

from nlp_agent.seat.advised import AnswerStyle
from nlp_agent.seat.decision import Decision, How
from nlp_agent.seat.log import Recorder, SeatStats
from nlp_agent.seat.pacing import Pace
from nlp_agent.seat.review import allowance
from nlp_agent.seat.seat import Seat
from nlp_agent.seat.timing import Timing
from nlp_agent.seat.turn import Turn

__all__ = ["AnswerStyle", "Decision", "How", "Pace", "Recorder", "Seat", "SeatStats", "Timing", "Turn", "allowance"]
