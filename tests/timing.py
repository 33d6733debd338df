"""The usual division of the time for a reply, for seats that are tested."""

from nlp_agent.app.config import DeadlineConfig

TIMING = DeadlineConfig().timing()
