"""Contestants on the same deals: who is better, how sure that is, and what it costs."""
