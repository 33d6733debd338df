"""Reading talk into statements.

By the pack's patterns alone: every player's name becomes one private-use character, a talk is cut into sentences, and
each sentence is matched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Protocol
from weakref import WeakValueDictionary

from nlp_agent.protocol import Role, Talk
from nlp_agent.reading.listener import _SIGN, ANCHOR, Listener
from nlp_agent.reading.patterns import Patterns
from nlp_agent.reading.rules import ReadingRules
from nlp_agent.reading.statement import Heard
from nlp_agent.reading.statement import Reading, Statement
from nlp_agent.text.finder import Phrase
from nlp_agent.text.names import NAME, Names, names_of

_SPEECH = {"’": "'", "‘": "'", "“": '"', "”": '"', ">>": "@", "＠": "@"}
_CLAUSE = frozenset("、，,；;")
_CLAUSES = re.compile("[、，,；;：:]")
_LAST = re.compile(r"\b\w+\Z")
_TWICE = re.compile(rf"({NAME})\1")
_BESIDE = re.compile(f" ?(@?{NAME}) ?")
_REASON = 15
"""Bytes from which what stands beside a vote may be a reason: three short words, or five signs that are words."""
_INLINE = re.compile(rf"([^\s。．！？!?、])@({NAME})")


class TalksBefore(Protocol):
    """What was said before a talk, and who plays."""

    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def heard(self) -> Sequence[Heard]: ...
    @property
    def whispers(self) -> Sequence[Heard]: ...


class TalkReader:
    """Reads talk by the patterns of one pack, which are compiled when they are first needed.

    All seats of a process hear the same talks: a reading is shared as long as somebody holds it, and gone after that.
    Any method raises re.error where a pattern is no regular expression.
    """

    def __init__(self, rules: ReadingRules) -> None:
        self.rules = rules
        self._held: WeakValueDictionary[tuple[str, tuple[str, ...]], Reading] = WeakValueDictionary()

    def __reduce__(self) -> tuple[type[TalkReader], tuple[ReadingRules]]:
        """Another process compiles its own patterns and holds its own readings."""
        return TalkReader, (self.rules,)

    @cached_property
    def _patterns(self) -> Patterns:
        return Patterns(self.rules)

    def compiling(self) -> Iterator[None]:
        """Compile, group by group, what no talk has needed yet."""
        for finder in self._patterns.finders():
            finder.compile()
            yield

    def read(self, text: str, players: tuple[str, ...]) -> Reading:
        """What ``text`` says. ``players`` are the village's names."""
        # The server puts spaces around a mention: what was sent and what is heard are the same talk.
        plain = " ".join(text.split())
        reading = self._held.get((plain, players))
        if reading is None:
            reading = self._held[plain, players] = self._heard(plain, names_of(players))
        return reading

    def heard(self, talk: Talk, book: TalksBefore) -> Reading:
        """What ``talk`` says to whoever knows ``book``."""
        return self.read(talk.text, book.players)

    def _heard(self, text: str, names: Names) -> Reading:
        masked = self._masked(self._mended(text), names)
        listener = Listener(self._patterns, names)
        found: list[Statement] = []
        if masked.lstrip().startswith("@") and (match := ANCHOR.match(masked)):
            found += [Statement("address", target=who) for who in names.named(match[0])]
        elif match := re.search(f"@({NAME})", masked):
            listener.addressee = next(iter(names.named(match[0])), "")
        for sentence in self._sentences(masked):
            found += listener.hear(sentence)
        if listener.tells:
            found = [replace(s, role=Role.SEER) if s.kind == "result" and not s.role else s for s in found]
        return Reading(text, names, tuple(dict.fromkeys(found)))

    def _mended(self, text: str) -> str:
        """``text`` with its last word whole where the server's cap has cut it."""
        last = _LAST.search(text) if self.rules.torn else None
        if last is None:
            return text
        begun = last[0].casefold()
        whole = (word for word, least in self.rules.torn.items() if len(begun) >= least and word.startswith(begun))
        return text[: last.start()] + next(whole, last[0])

    def pretended(self, whisper: Reading) -> str:
        """The role that a whisper says its speaker claims or will claim, or ``""``."""
        claimed, text = (said.role for said in whisper.of("claim")), Phrase(whisper.text)
        return next(claimed, "") or next((r for r, pattern in self._patterns.pretends if pattern.search(text)), "")

    def roles_in(self, text: Phrase) -> list[str]:
        """The roles for which ``text`` holds any word."""
        return [role for role, pattern in self._patterns.roles if pattern.search(text)]

    def supposes(self, form: str, start: int, end: int) -> bool:
        """Whether what stands at ``start``..``end`` of a masked text is no claim: a condition (in languages that put it
        behind), or a sentence that makes it another's words or a joke."""
        marks = self._patterns.sentence
        first = max((mark.end() for mark in marks.finditer(form[:start])), default=0)
        last = mark.start() if (mark := marks.search(form, end)) else len(form)
        close = end if self.rules.spaced else next((n for n in range(end, last) if form[n] in _CLAUSE), last)
        said, sentence = Phrase(form[start:close]), Phrase(form[first:last])
        return bool(self._patterns.hedges.search(said) or self._patterns.borrowed.search(sentence))

    def may_tell(self, text: str, players: tuple[str, ...]) -> bool:
        """Whether there is anything that ``text`` could bear out, see :meth:`bears_out`."""
        names = names_of(players)
        return bool(names.players_in(text)) or bool(self.roles_in(Phrase(self._masked(text, names))))

    def bears_out(self, text: str, players: tuple[str, ...], said: Statement) -> bool:
        """Whether ``text`` may say ``said``: its own words stand in sentences that neither ask nor suppose.

        A player must be named there (of a vote see also :meth:`votes_for`); a claim needs a word of the role beside
        a first person in a clause without anybody's name, a result a word of the colour; for both, no report. Words
        that are marked as another player's do not count.
        """
        patterns, names = self._patterns, names_of(players)
        certain = said.kind in ("claim", "result")
        stated = [s for s in self._stated(text, names) if not (certain and patterns.reports.search(s))]
        if said.kind == "claim":
            own = (Phrase(one[match.end() :]) if (match := ANCHOR.match(one)) else one for one in stated)
            pieces = [Phrase(piece) for one in own for piece in (one, *_CLAUSES.split(one))]
            words = [piece for piece in pieces if not _SIGN.search(piece) and patterns.selves.search(piece)]
            return any(role == said.role and pattern.search(s) for role, pattern in patterns.roles for s in words)
        if said.kind == "result" and not any(
            colour == said.result and pattern.search(s) for colour, pattern in patterns.colours for s in stated
        ):
            return False
        if any(said.target in names.named(sentence) for sentence in stated):
            return True
        return said.kind == "vote" and self._votes_for(said.target, text, stated, names)

    def votes_for(self, text: str, players: tuple[str, ...], who: str) -> bool:
        """Whether ``text`` tells of a vote for ``who`` in whatever words: a sentence that neither asks nor supposes
        speaks of the speaker's vote, and of ``who``; or of nobody where ``who`` is named elsewhere in the talk, and of
        the speaker where the language has to say so.
        """
        names = names_of(players)
        return self._votes_for(who, text, self._stated(text, names), names)

    def _votes_for(self, who: str, text: str, stated: Sequence[Phrase], names: Names) -> bool:
        """``stated``: what ``text`` says for certain."""
        patterns = self._patterns
        votes = [s for s in stated if patterns.ballots.search(s) and not patterns.unsure.search(s)]
        if not votes or who not in names.players_in(text):
            return False
        own = [s for s in votes if not self.rules.spaced or patterns.selves.search(s)]
        return any(who in names.named(s) or (s in own and not names.named(s)) for s in votes)

    def only_votes(self, text: str, players: tuple[str, ...]) -> bool:
        """Whether nothing in ``text`` is more than a vote announced or taken back, and so no reason for it."""
        patterns, parts = self._patterns, self._sentences(self._masked(" ".join(text.split()), names_of(players)))
        votes = (dict(patterns.moves)["vote"], patterns.retracts, patterns.switches)
        for part in parts:
            clauses = map(Phrase, filter(None, patterns.clause.split(part)))
            beside = [one for one in clauses if not any(vote.search(one) for vote in votes)]
            if any(len(one.encode()) >= _REASON for one in beside):
                return False
        return True

    def _stated(self, text: str, names: Names) -> list[Phrase]:
        """What the sentences of ``text`` that ask nothing say for certain."""
        patterns, sentences = self._patterns, self._sentences(self._masked(" ".join(text.split()), names))
        return [sure for s in sentences if not patterns.question.search(s) and (sure := patterns.sure(s))]

    def _masked(self, text: str, names: Names) -> str:
        """``text`` with signs for the names, without titles and the words of other people."""
        for written, plain in _SPEECH.items():
            text = text.replace(written, plain)
        patterns = self._patterns
        # A name said twice over, as some write a call, is one.
        masked = _TWICE.sub(r"\1", names.mask(text))
        if not self.rules.spaced:
            # Without blanks between words those beside a name come from the server, and a mention in mid-sentence is
            # no anchor.
            masked = _INLINE.sub(r"\1\2", _BESIDE.sub(r"\1", masked))
        if patterns.titles.may_match(Phrase(masked)):
            masked = patterns.called.sub(r"\1", masked)
        return patterns.quotes.sub(" ", Phrase(masked))

    def _sentences(self, text: str) -> list[Phrase]:
        """Cut after each sentence mark and keep the mark: a question mark matters."""
        cuts = [0, *[match.end() for match in self._patterns.sentence.finditer(text)], len(text)]
        return [Phrase(part) for a, b in pairwise(cuts) if (part := text[a:b].strip())]
