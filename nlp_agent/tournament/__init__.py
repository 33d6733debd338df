"""Contestants on the same deals: who is better, how sure that is, and what it costs.

Begin with :mod:`nlp_agent.tournament.run`. ``plan`` says what is played, ``deals`` by whom in which seat, ``workers``
and ``playing`` play it, ``rows`` and ``store`` keep it, ``standings`` and ``scoreboard`` tell what came of it.
"""
