"""Who is a wolf: facts seen in public, fitted odds for them, and the exact posterior over all assignments of roles.

Begin with :mod:`nlp_agent.belief.assessment` (what a seat thinks of everybody, and why). Below it: ``facts`` cuts
what happened into facts, ``odds`` says how likely each role is to do each, ``posterior`` weighs every possible world
exactly, ``seat_posterior`` asks it as one seat, and ``mixture`` does so for strangers and for players like ours at
once. ``fusion`` adds a model's opinion. The numbers stand in ``constants`` (chosen) and in ``fitted``, ``fitted_own``
and ``fitted_fusion`` (written by the fit).
"""
