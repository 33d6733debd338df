"""Strategies to copy and change; see docs/en/strategy.md."""
