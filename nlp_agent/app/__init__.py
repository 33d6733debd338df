"""The program around the parts: its config, how parts are put together, and the command line.

:mod:`nlp_agent.app.config` has every key a user may set, :mod:`nlp_agent.app.wiring` builds models, seats and tables
from it, :mod:`nlp_agent.app.cli` has a file for each command. Begin with :mod:`nlp_agent.app.wiring.team`, which makes
the seats of one config.
"""
