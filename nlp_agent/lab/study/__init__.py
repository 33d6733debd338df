"""Studying play: game logs, fitting and measures, duels; used by the command line, never by a game."""
