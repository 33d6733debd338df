"""How much facts and a model's judgement count when :mod:`nlp_agent.belief.fusion` makes them one.

Villages with one wolf and with more -> (share of their weight that facts keep, weight of the model's log-odds).

Fitted on 171 judgements of games of 7 contests.
Fit again: python -m tests.fit fusion DIR FILE --write nlp_agent/belief/fitted_fusion.py
"""

FUSIONS: dict[str, tuple[float, float]] = {
    "one_wolf": (1.0, 0.75),
    "more_wolves": (0.125, 1.5),
}
MARGIN = 0.3
"""A model is asked about its vote once more where the fused P(wolf) of somebody else is higher by more than this: the
largest margin with the most hits in contests left out (0.661; 6 votes changed).
Key llm.margin."""
