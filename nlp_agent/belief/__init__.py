"""Who is a wolf: facts seen in public, fitted odds for them, and the exact posterior over all assignments of roles.

Begin with :mod:`nlp_agent.belief.assessment` (what a seat thinks of everybody, and why). Below it: ``facts`` cuts
what happened into facts, ``odds`` says how likely each role is to do each, ``posterior`` weighs every possible world
exactly, and ``seat_posterior`` asks it as one seat. ``fusion`` adds a model's opinion. The numbers stand in
``constants`` (chosen) and in ``fitted`` and ``fitted_fusion`` (written by the fit).
"""
