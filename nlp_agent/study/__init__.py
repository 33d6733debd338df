"""Measuring how we play, without any model: what the commands evaluate and duel do.

Each command has a module of its name; begin with that. ``logs`` reads game logs as a study wants them, ``statistics``
has the intervals that tournaments, judges and reports use too, ``opponents`` and ``talker`` are the players of a duel.
"""
