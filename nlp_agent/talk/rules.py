"""How a language is written and spoken at the table: data from a language pack's ``pack.yml``, section ``speech``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True)
class SpeechRules:
    """Source of the limits: regulations (read-aloud talk, no half-width comma) and what trimming must respect.

    Every word list is compared without regard to case. The defaults suit a language written like English;
    an empty word list only switches the habit it feeds off.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    spaced: bool = True
    """Words are separated by spaces. Decides how text is shortened, joined and matched."""
    terminals: str = ".!?"
    """Marks that end a sentence; foreign ones (``。``, ``!``) are turned into these, in this order: stop, cry, question."""
    clause_marks: str = ""
    """Marks that may stand between clauses (``、``)."""
    punctuation: str = ".!?'"
    """Every mark that may be sent. Whatever is neither a letter, a mark, a digit, a space nor one of these is dropped."""
    full_stop: str = "."
    """Put at the end of a sentence that has no terminal."""
    comma: str = "rewrite"
    """``"rewrite"`` turns commas into connected prose; any other text replaces them."""
    conjunctions: tuple[str, ...] = ()
    """Words before which a comma is dropped and before which a long sentence may be cut."""
    subordinators: tuple[str, ...] = ()
    """Words that open a clause which cannot stand alone (``if``): the comma after such a clause is never a full stop."""
    subjects: tuple[str, ...] = ()
    """Words that open a new statement (``I``, ``we``, ``that's``): a comma before one of them becomes a full stop."""
    list_word: str = ""
    """What joins the members of a list when commas are rewritten (``and``)."""
    dangling: tuple[str, ...] = ()
    """Words (in a language without spaces: word endings) that must not end a shortened sentence."""
    honorifics: tuple[str, ...] = ()
    """What may stand before or after a name (``さん``, ``Mr.``); ignored when a name is looked up."""
    particles: tuple[str, ...] = ()
    """What, right after a name, shows that the name is part of the sentence and not a call (``は``, ``'s``)."""
    spoken: dict[str, str] = field(default_factory=dict)
    """Symbols and the words they are read as."""
    laughter: tuple[str, ...] = ()
    """Regular expressions of written laughter, dropped. Only for what is certain not to be a word."""
    refusals: tuple[str, ...] = ()
    """Regular expressions; a name right before or after one of them is not what the speaker wants (``not {name}``)."""

    def __hash__(self) -> int:
        # Rules serve as cache keys on every talk, so hashing must be cheap; equality still compares everything.
        return hash((self.punctuation, self.full_stop, self.comma, len(self.dangling)))
