"""What one seat knows, the rules of a village, and whom a request may name; pure."""

from nlp_agent.game.state import SeatState
from nlp_agent.game.targets import legal_targets
from nlp_agent.game.village import ROLES, Side, role_spec

__all__ = ["ROLES", "SeatState", "Side", "legal_targets", "role_spec"]
