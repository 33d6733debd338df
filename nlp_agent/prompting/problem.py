"""What can be wrong with words on their way out: for the journal, and for the model that is asked once more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Check(StrEnum):
    """The checks that words must pass before they go out; ``retry.jinja`` words each for the model that wrote them."""

    LONG = "long"
    """Longer than the table takes, so that something it tells would be lost; ``over`` says by how much."""
    EMPTY = "empty"
    """Nothing that can be said was left of them."""
    NAME = "name"
    """Not exactly one of the legal names."""
    REPEAT = "repeat"
    """This seat has said so before."""
    COPY = "copy"
    """Somebody else has said so before."""
    SELF = "self"
    """The speaker as somebody else: under another name, or as one whom it suspects."""
    UNSPEAKABLE = "unspeakable"
    """Addresses, code, another language, a machine's words."""
    PROMPT = "prompt"
    """A quotation of the prompt."""
    ORDER = "order"
    """What somebody's talk orders models to say."""
    NOISE = "noise"
    """Loops, leftovers, no sentence."""
    WHISPER = "whisper"
    ROLE = "role"
    """A role that the plan does not claim."""
    PACK = "pack"
    """A werewolf speaking for all of them."""
    PARTNER = "partner"
    KNOWLEDGE = "knowledge"
    """What only somebody with a role knows that is not claimed, or that a claim is a lie."""
    WITHHELD = "withheld"
    """A claim without the result that was to come with it."""
    RESULT = "result"
    """A result that nobody has told."""
    OPPOSITE = "opposite"
    """The opposite of a false result that this seat has told: only the claim to ``role`` can be taken back, and all
    with it."""
    VISION = "vision"
    """A divination by somebody who claims no such gift."""
    VOTE = "vote"
    """A vote that the plan does not announce."""
    TURNED = "turned"
    """Another vote than the one announced, and no word why; ``name``: for whom that one was."""
    DEATH = "death"
    """Somebody who lives is called dead."""
    STRANGER = "stranger"
    """A name that nobody here has."""
    ODDS = "odds"
    """A choice that facts and estimates together speak clearly against; ``said`` holds the shares of both names."""


RESULT_CASES = ("found", "unseen", "attacked", "enough", "nights", "")
"""Why a result may not be told: the own one says the opposite; nothing was learned of that player; it was attacked, so
it is no werewolf; all werewolves have been named; every night has its result; or it was neither told nor learned."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason why words must not go out: ``why`` is a phrase for the journal.

    ``text`` are the words and ``said`` the sentence of them that is at fault, all of them when no single one is.
    ``name``, ``role`` and ``result`` are what the check found in them, where it found such a thing. ``stays`` and
    ``moves`` are the votes announced today, each with its count, with this seat's for the name that it chose, and for
    the one that the odds prefer; empty where nobody else has announced any. ``case`` says of a refused result which
    reason there is (:data:`RESULT_CASES`), and ``claimed`` of a refused role that a false claim to another one still
    stands.
    """

    check: Check
    why: str
    text: str = ""
    said: str = ""
    name: str = ""
    role: str = ""
    result: str = ""
    case: str = ""
    over: int = 0
    stays: tuple[tuple[str, int], ...] = ()
    moves: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return f"{self.why}: {self.text}" if self.text else self.why
