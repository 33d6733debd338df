"""One seat: a packet goes in, at most one legal reply comes out, in time."""

from nlp_agent.player.decision import Decision, How, SeatStats
from nlp_agent.player.pacing import Pace
from nlp_agent.player.seat import Seat
from nlp_agent.player.timing import Timing

__all__ = ["Decision", "How", "Pace", "Seat", "SeatStats", "Timing"]
