"""The figures under every summary of a game: how well words match each other and what was done.

Begin with ``measure`` in :mod:`nlp_agent.app.measures.words`; ``patterns`` finds what a talk says, apart from the
reader that seats use, so that a mistake of that reader is seen.
"""
