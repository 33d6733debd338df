"""What one seat may still say in a phase, and what its replies cost it; pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nlp_agent.arena.events import Fault
from nlp_agent.protocol import TalkSetting


@dataclass(slots=True)
class Budget:
    """What one seat has left in a talk phase."""

    count: int
    length: int | None
    skips: int
    over: bool = False

    @classmethod
    def of(cls, setting: TalkSetting) -> Budget:
        length = setting.max_length.per_agent
        # Configurations write "no limit" as a negative number.
        unlimited = length is None or length < 0
        return cls(setting.max_count.per_agent, None if unlimited else length, setting.max_skip)

    @property
    def may_speak(self) -> bool:
        return not self.over and self.count > 0 and (self.length is None or self.length > 0)


def talk_faults(reply: str, kept: str, *, over: bool) -> Iterable[Fault]:
    """The slips in a ``reply`` of which the others receive ``kept``; ``over``: it ended the seat's day."""
    if over:
        if reply in ("Skip", "ForceSkip"):
            yield Fault.SKIP_BECAME_OVER
        elif reply != "Over":
            yield Fault.EMPTY
        return
    # The server puts spaces around a mention; only what is more than white space has been lost.
    if "".join(kept.split()) != "".join(reply.split()) and reply not in ("Skip", "ForceSkip"):
        yield Fault.TRIMMED
    if "," in reply:
        yield Fault.COMMA
