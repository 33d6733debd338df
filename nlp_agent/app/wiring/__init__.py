"""The only place that builds real parts: endpoints, packs, seats, sessions and tables, and runs them together."""

from nlp_agent.app.wiring.models import build_model, endpoint_configs
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.app.wiring.tables import TableOptions, play_games, serve_table
from nlp_agent.app.wiring.team import Team

__all__ = [
    "TableOptions",
    "Team",
    "build_model",
    "endpoint_configs",
    "play_games",
    "run_seats",
    "serve_table",
]
