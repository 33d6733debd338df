"""The usual division of the time for a reply, for seats that are tested."""

from nlp_agent.app.config import DeadlineConfig
from nlp_agent.app.wiring.timing import timing_of

TIMING = timing_of(DeadlineConfig())
