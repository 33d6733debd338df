"""How much facts and a model's judgement count when :mod:`nlp_agent.belief.fusion` makes them one.

Villages with one wolf and with more -> (share of their weight that facts keep, weight of the model's log-odds).

Fitted on 171 judgements of games of 7 contests.
Fit again: nlp-agent evaluate DIR --judgements FILE --fit nlp_agent/belief/fitted_fusion.py
"""

FUSIONS: dict[str, tuple[float, float]] = {
    "one_wolf": (1.0, 0.75),
    "more_wolves": (0.125, 1.5),
}
