"""The local table: a referee without I/O, the servers around it, and games without sockets.

Begin with :mod:`nlp_agent.arena.engine`, the rules of a whole game. ``village`` has their figures, ``events`` is what
happens, ``views`` tells each seat its part of it, ``server`` and ``guests`` hold the connections, ``logs`` writes the
organisers' formats. The classic servers' rules are in ``classic_game`` and ``classic_server``.
"""
