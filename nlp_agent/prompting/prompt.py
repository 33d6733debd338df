"""What is sent to a model: sections that know what they hold, and the messages made of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Literal

Speaker = Literal["system", "user", "assistant"]
ChatMessage = tuple[Speaker, str]
"""A message: who speaks, and the words."""


class Style(StrEnum):
    """The style in which a model is asked. A pack's templates of the advised style stand in its folder ``advised``,
    those of the guided one in ``guided``.
    """

    ADVISED = "advised"
    """Facts, arithmetic and advice; the choice and the words are the model's, which answers with JSON."""
    GUIDED = "guided"
    """For models of middle size: the plan says what is claimed and told, the model thinks first, finds the words and
    chooses between three players at most, one decision a question; it answers with a short JSON form."""
    DIRECTED = "directed"
    """What to say is told act by act; for models that cannot think."""


class SectionKind(StrEnum):
    """The kind of what a section of a prompt holds. Templates say it with ``{% section log %} … {% endsection %}``."""

    RULES = "rules"
    """The rules of the village, which everybody knows."""
    LOG = "log"
    """What everybody heard and saw."""
    SAID = "said"
    """A talk of this seat: the model's own answer of before."""
    NOW = "now"
    """What everybody can see at this moment: who is alive, who asked this seat."""
    KNOWN = "known"
    """What only this seat knows and may tell where its plan says so: its results and choices."""
    SPEECH = "speech"
    """How to talk, and whom to believe."""
    CHARACTER = "character"
    """Who this seat is as a person."""
    ROLE = "role"
    """The role, what it means, partners and whispers."""
    TASK = "task"
    """What is asked for now."""

    @property
    def protected(self) -> bool:
        """Whether nobody else may read the words of such a section."""
        return self not in _QUOTABLE


_QUOTABLE = frozenset({SectionKind.RULES, SectionKind.LOG, SectionKind.SAID, SectionKind.NOW, SectionKind.KNOWN})


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a prompt: what kind it is, its words, and who speaks them."""

    kind: SectionKind
    text: str
    by: Speaker = "user"


@dataclass(frozen=True)
class Prompt:
    """A prompt: sections in the order in which the model reads them, a system message that hardly ever changes within a
    game, the talk so far, which only grows, and last what is asked now, which is not remembered. Neighbours of one
    speaker are one message; this seat's own talks are the model's.
    """

    sections: tuple[Section, ...]

    @cached_property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The messages of the prompt, each (speaker, text); sections of the same speaker in a row are one."""
        spoken = groupby(self.sections, key=attrgetter("by"))
        return tuple([(by, "\n\n".join(map(attrgetter("text"), sections))) for by, sections in spoken])

    @property
    def system(self) -> str:
        """The system message, ``""`` where there is none."""
        by, text = self.messages[0] if self.messages else ("", "")
        return text if by == "system" else ""

    @property
    def turns(self) -> tuple[ChatMessage, ...]:
        """The messages between the system message and the last one."""
        return self.messages[bool(self.system) : -1]

    @property
    def user(self) -> str:
        """The last message, which asks."""
        by, text = self.messages[-1] if self.messages else ("", "")
        return text if by == "user" else ""

    @property
    def protected(self) -> tuple[str, ...]:
        """Texts that nobody else may read, whatever headings a pack gives them."""
        return tuple([section.text for section in self.sections if section.kind not in _QUOTABLE])
