"""``python -m nlp_agent`` is ``nlp-agent``."""

from nlp_agent.app.loading import loading


def main() -> None:
    """Load the command line, and run a command."""
    with loading():
        from nlp_agent.app.cli.app import main as command  # noqa: PLC0415 - most of what is loaded
    command()


if __name__ == "__main__":
    main()
