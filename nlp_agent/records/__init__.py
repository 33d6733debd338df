"""What is left of games: journals, logs and summaries, written and read again."""
