"""What is sent to a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Turn = tuple[Literal["user", "assistant"], str]


@dataclass(frozen=True, slots=True)
class Prompt:
    """``system`` never changes within a game; ``user`` grows at its end, apart from its last sections.

    ``turns`` stand between the two where a pack keeps a conversation.
    """

    system: str
    user: str
    turns: tuple[Turn, ...] = ()
