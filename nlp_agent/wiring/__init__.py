"""The only place that builds real parts: endpoints, packs, seats, sessions and tables, and runs them together."""

from nlp_agent.wiring.away import run_seats
from nlp_agent.wiring.crew import Crew, build_model, endpoint_config
from nlp_agent.wiring.home import PlayOptions, ServeOptions, play_games, serve_table

__all__ = [
    "Crew",
    "PlayOptions",
    "ServeOptions",
    "build_model",
    "endpoint_config",
    "play_games",
    "run_seats",
    "serve_table",
]
