"""A player for the AIWolf Contest (Natural Language Division), and a table to sit at.

Each folder is a room with one job; its ``__init__`` says what for and where to begin. To see how a packet becomes a
reply, read ``seat/turn.py`` from top to bottom: it names the other rooms in the order in which they are needed. To
change one thing, look it up in the index of ``docs/en/inside.md`` ("To change ..., open ...").

From :mod:`nlp_agent.protocol` to :mod:`nlp_agent.voice` code is pure: no files, clock, chance or network of its own.
:mod:`nlp_agent.app` puts all parts together; ``app/cli`` has a file for each command. Beside the rooms stand three
modules that all may use: ``deadline`` (a moment by which something must be done), ``errors`` (all that can go wrong for
a user, with what to do about it) and ``yamlfile`` (YAML files read strictly).
"""

__version__ = "2.11.0"
