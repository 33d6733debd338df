"""``python -m nlp_agent`` is ``nlp-agent``."""

from nlp_agent.app.cli.app import main

if __name__ == "__main__":
    main()
