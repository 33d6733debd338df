"""What one seat knows, the roles and villages there are, and whom a request may name. Pure.

Begin with :class:`SeatState` in :mod:`nlp_agent.game.state`, which is built from packets alone. A new role is a row of
:data:`ROLES` in :mod:`nlp_agent.game.roles`; ``targets`` lists the legal names of a request.
"""

from nlp_agent.game.roles import ROLES, WOLF_SIDE, Side, role_spec
from nlp_agent.game.state import SeatState
from nlp_agent.game.targets import legal_targets

__all__ = ["ROLES", "WOLF_SIDE", "SeatState", "Side", "legal_targets", "role_spec"]
