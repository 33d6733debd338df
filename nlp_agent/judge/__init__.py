"""Models rank the players of recorded games by the contest's criteria, and how far such verdicts can be trusted.

Begin with :mod:`nlp_agent.judge.judging`, which is what the command does. ``games`` finds the games, ``transcript``
hides who is who, ``pack`` has the prompts, ``asking`` asks one model, ``run`` all of them and writes the tables.
"""
