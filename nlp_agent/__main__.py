"""``python -m nlp_agent`` is ``nlp-agent``."""

from nlp_agent.cli.app import main

main()
