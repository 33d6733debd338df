"""What a language pack says about its language, as data: sections ``speech`` and ``words`` of ``pack.yml``.

:class:`SpeechRules` is how the language is written and spoken at the table, one commented field a key; :class:`Words`
what it calls roles, results and reasons. A key that is no field here is refused when the pack is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import regex

# --- How a language is written and spoken at the table ---------------------------------------------------------------


def one_of(words: Iterable[str]) -> str:
    """A pattern for any of ``words``, the longest first; one that never matches where there are none."""
    return "|".join(map(regex.escape, sorted(words, key=len, reverse=True))) or r"(?!)"


class Strict:
    """The base of classes into which a pack's YAML is read: a key that is no field is refused."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}


@dataclass(frozen=True)
class SpeechRules(Strict):
    """The rules by which texts of a language are cleaned, shortened and compared.

    Source of the limits: regulations (read-aloud talk, no half-width comma); the rest is what language needs. Every
    word list is compared without regard to case. The defaults suit a language written like English; an empty list only
    switches off the habit it feeds.
    """

    spaced: bool = True
    """Words are separated by spaces. Decides how text is shortened, joined and matched."""
    terminals: str = ".!?"
    """Marks that end a sentence, in the order stop, cry, question; those of other scripts are turned into them."""
    clause_marks: str = ""
    """Marks that may stand between clauses (``、``); the first one replaces dashes and dots of hesitation."""
    joints: str = ""
    """Marks that may join two statements in one sentence (``;:``), the one that a comma splice gets first. Without any
    a full stop parts them."""
    punctuation: str = ".!?'"
    """Every other mark that may be sent. What is no letter, digit, space or mark of the language is dropped."""
    full_stop: str = "."
    """Put at the end of a sentence that has no terminal."""
    comma: str = "rewrite"
    """``"rewrite"`` turns half-width commas into connected prose; any other text replaces them."""
    conjunctions: tuple[str, ...] = ()
    """Words before which a comma only marks a pause, and before which a long sentence may be cut."""
    subordinators: tuple[str, ...] = ()
    """What marks a clause that cannot stand alone: its first word (``if``), or without spaces its end (``なら``)."""
    subjects: tuple[str, ...] = ()
    """Words that may be the subject of a statement, or stand right before it (``we``, ``that's``, ``why``)."""
    openers: tuple[str, ...] = ()
    """Words that may open a statement without being one (``well``, ``yes``)."""
    breaks: tuple[str, ...] = ()
    """With what somebody gives a statement up (``never mind``): three dots before it are sent where they part it."""
    address_words: tuple[str, ...] = ()
    """Words that call somebody, alone or beside a name (``my dears``), or that a comma only sets off (``maybe``)."""
    takers: tuple[str, ...] = ()
    """Words that could take a name behind them as their object (``trust``, ``would``): a call there needs its mark."""
    denial: str = ""
    """The word that sets what is not against what is (``human, not a wolf``)."""
    contrast: str = ""
    """What joins the second to a denial (``not luck, work``)."""
    answers: tuple[str, ...] = ()
    """Words that are a statement of their own at the head of one (``true``, ``agreed``)."""
    tags: tuple[str, ...] = ()
    """Statements that only go along with one (``I say``)."""
    questions: tuple[str, ...] = ()
    """Words that ask (``who``); behind a statement they begin a list of what it means."""
    articles: tuple[str, ...] = ()
    """Words that begin what only says more of something (``a villager``)."""
    determiners: tuple[str, ...] = ()
    """Words that begin a subject and could run on from a name called before them (``every``)."""
    replies: tuple[str, ...] = ()
    """Words that answer a question and stand alone before a statement (``No. I am a villager.``)."""
    sounds: tuple[str, ...] = ()
    """Sounds and greetings that stand alone before whatever follows (``Hm. Never mind.``)."""
    pointers: tuple[str, ...] = ()
    """How a statement begins whose first word is otherwise a conjunction (``that is``)."""
    introductions: tuple[str, ...] = ()
    """How somebody says who speaks, with ``{name}``; what follows without a subject belongs to it (``{name} here``)."""
    range_word: str = "to"
    """What stands for the dash between two numbers."""
    colon_word: str = "is"
    """What stands for a colon before a name (``my suspect: Ken``)."""
    phrase_model: str = "ja"
    """Without spaces between words: whose phrases BudouX finds when a sentence is cut (ja, zh-hans, zh-hant, th)."""
    labels: tuple[str, ...] = ()
    """What models of this language like to put before a talk (``Reply:``), as regular expressions."""
    list_word: str = "and"
    """What joins the members of a list when commas are rewritten."""
    list_words: tuple[str, ...] = ()
    """Other words that join the last member of a list (``or``)."""
    dangling: tuple[str, ...] = ()
    """Words (without spaces: endings) that must not end a shortened sentence."""
    shorter: dict[str, str] = field(default_factory=dict)
    """Regular expressions of what can be put more shortly, and how, the least missed first (``really ``, ``do not``):
    for words of a model that are a little too long."""
    sentence_end: str = ""
    """Regular expression of how a sentence may end when particles were taken off it (verbs, not nouns)."""
    clause_break: str = ""
    """Regular expression of a place where a clause has ended, without a mark, before what joins the next one to it."""
    unfinished: str = ""
    """Regular expression of an ending without which what is left is no word any more."""
    self_words: tuple[str, ...] = ()
    """Words with which somebody begins to speak of oneself (``I``); behind another's name and a colon no call."""
    saying_verbs: tuple[str, ...] = ()
    """What stands between a speaker's name and words told as that player's (``Ida says: ...``)."""
    honorifics: tuple[str, ...] = ()
    """What may stand before or after a name (``さん``, ``Mr.``); ignored when a name is looked up."""
    particles: tuple[str, ...] = ()
    """What, right after a name, shows that the name is part of the sentence and no call (``は``, ``'s``)."""
    spoken: dict[str, str] = field(default_factory=dict)
    """Symbols and the words they are read as; spaces around the words are wanted where words are spaced."""
    laughter: tuple[str, ...] = ()
    """Regular expressions of written laughter, dropped. Only for what is certain not to be a word."""
    refusals: tuple[str, ...] = ()
    """Regular expressions with ``{name}``: that player is named but not wanted (``not {name}``)."""
    verdicts: tuple[str, ...] = ()
    """Regular expressions with ``{name}``: that player is the one chosen (``vote for {name}``)."""

    @property
    def inner_marks(self) -> str:
        """Marks that stand inside a sentence and end none."""
        return self.clause_marks + self.joints


# --- What a pack calls things ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ReasonTexts(Strict):
    """The wordings by which reasons are told outside of character. ``against`` and ``clears``: whole sentences with
    ``{name}`` and ``{facts}``; ``facts``: kind of fact (:mod:`nlp_agent.belief.facts`, and ``known``) -> what happened,
    with ``{who}`` and ``{about}``; ``join`` stands between two of them.
    """

    against: str = ""
    clears: str = ""
    join: str = " "
    facts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Words(Strict):
    """The names of things in a language. ``roles``: wire name -> spoken name; ``results``: HUMAN and WEREWOLF -> spoken
    name. ``why`` words what moved the posterior.
    """

    roles: dict[str, str] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)
    why: ReasonTexts = field(default_factory=ReasonTexts)

    def role(self, role: str) -> str:
        """The language's word for a role; its wire name in small letters where there is none."""
        return self.roles.get(role, role.lower())

    def result(self, result: str) -> str:
        """The language's word for a result; its wire name in small letters where there is none."""
        return self.results.get(result, result.lower())
