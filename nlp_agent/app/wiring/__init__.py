"""The only place that builds real parts (endpoints, packs, seats, sessions, tables) and runs them together.

Begin with :mod:`nlp_agent.app.wiring.team`, which makes the seats of one config. ``models`` builds the model,
``running`` plays at a server, ``tables`` at a table of this process, ``web_tables`` at one with pages in the browser.
"""

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
