"""``python -m nlp_agent`` is ``nlp-agent``."""

from nlp_agent.app.cli.app import main

main()
