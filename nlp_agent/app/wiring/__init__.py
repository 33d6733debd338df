"""The only place that builds real parts: endpoints, packs, seats, sessions and tables, and runs them together."""

from nlp_agent.app.wiring.away import run_seats
from nlp_agent.app.wiring.crew import Crew
from nlp_agent.app.wiring.home import TableOptions, play_games, serve_table
from nlp_agent.app.wiring.models import build_model, endpoint_configs

__all__ = [
    "Crew",
    "TableOptions",
    "build_model",
    "endpoint_configs",
    "play_games",
    "run_seats",
    "serve_table",
]
