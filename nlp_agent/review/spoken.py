"""Who spoke against a player, called for its execution, and announced its own vote: what a talk says plainly.

The reader of talk finds most of it. In a review nobody may be called the first if somebody before may have said the
same in words that were not understood. So a talk that names the player beside a word of doubt, and is not understood,
is "open". Each part of a talk that names a single player is looked at alone. What may have been cut at the table's
length limit says nothing certain. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.protocol import Species
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement, TalkRecord
from nlp_agent.text.names import names_of
from nlp_agent.text.sentences import sentences_of

VOTE, BLAME, OPEN = "vote", "suspect", "open"
"""What a part of a talk says of a player: a call for its execution, a suspicion, or words that were not understood."""
LEAD = 60
"""Characters of a sentence against a player with the one before it, up to which both are quoted."""
LEAST_CUT, LONG = 25, 0.5
"""A talk without a closing mark may be cut from so many characters on, and so much of the longest talk of its game."""
_CLAUSE = re.compile("(?<=[、,，;；])|(?<=けど)")
_OVER = re.compile(r"\s+O(?:v(?:er?)?)?$")
"""Some players end each talk so, as far as the limit lets them."""
_CLOSED = re.compile(r"[。．.！!？?…♪♡☆★〜～~」』”\"'）)*\]]\s*$")


@dataclass(frozen=True, slots=True)
class Said:
    """What the ``part`` of a talk says of a player; ``quote``: the talk from that sentence on; ``cut``: it may have
    said more.
    """

    what: str
    part: str
    quote: str
    cut: bool = False


class Ear:
    """Hears what the players ``names`` say plainly, by the ``plain`` patterns of a language's pack; of a pack that has
    none, by what its reader says alone. By all ``talks`` of a game it is known which of them may be cut.
    """

    def __init__(self, reader: TalkReader, names: Sequence[str], talks: Iterable[TalkRecord] = ()) -> None:
        self._reader, self._players = reader, tuple(sorted(names))
        self._longest = max((len(plain_words(talk)) for talk in talks), default=0)
        self._names = names_of(self._players)
        plain = reader.rules.plain
        self._calls, self._aims, self._bare = plain.get("calls", ()), plain.get("aims", ()), not plain
        self._found = {
            key: re.compile("|".join(f"(?:{one})" for one in plain.get(key, ())) or "(?!)", re.IGNORECASE)
            for key in ("doubts", "ballots", "blames", "casts", "open")
        }
        titles = "|".join(reader.rules.after_name)
        self._title = f"(?:{titles})?" if titles else ""
        self._called: dict[object, re.Pattern[str]] = {}

    def cut(self, talk: TalkRecord) -> bool:
        """Whether ``talk`` may have been cut: it is long and ends without any mark."""
        words = plain_words(talk)
        long = len(words) >= max(LEAST_CUT, LONG * self._longest)
        return self._longest > 0 and long and not _CLOSED.search(words)

    def may_name(self, talk: TalkRecord, who: str) -> bool:
        """Whether ``talk`` names ``who``, or ends within the name."""
        words = plain_words(talk)
        begun = (who[:n] for n in range(1, len(who)))
        torn = self.cut(talk) and any(words.endswith(f"@{part}" if len(part) < 3 else part) for part in begun)
        return who in self._names.players_in(words) or torn or (self.cut(talk) and words.endswith("@"))

    def _is(self, key: str, text: str) -> bool:
        return self._found[key].search(text) is not None

    def _call(self, who: str) -> re.Pattern[str]:
        """What calls for the execution of ``who``."""
        return self._filled(self._calls, who)

    def _filled(self, patterns: Sequence[str], who: str) -> re.Pattern[str]:
        key = (who, patterns is self._aims)
        if key not in self._called:
            name = f"@?\\s*{re.escape(who)}\\s*{self._title}"
            found = "|".join(f"(?:{one.replace('{name}', name)})" for one in patterns)
            self._called[key] = re.compile(found or "(?!)", re.IGNORECASE)
        return self._called[key]

    def _parts(self, sentence: str) -> Iterator[str]:
        """``sentence``, or its clauses where it names several."""
        if len(self._names.players_in(sentence)) > 1:
            yield from _CLAUSE.split(sentence)
        else:
            yield sentence

    def against(self, talk: TalkRecord, who: str) -> Iterator[Said]:
        """What ``talk`` says against ``who``, in order; nothing where it does not, or speaks well of it."""
        text, about, before = plain_words(talk), frozenset[str](), ""
        sentences, cut = sentences_of(text), self.cut(talk)
        for place, sentence in enumerate(sentences):
            last = cut and place == len(sentences) - 1
            if last and (about == {who} or self.may_name(talk, who)):
                yield Said(OPEN, sentence, "", cut=True)
                return
            named = frozenset(self._names.players_in(sentence)) - {talk.who}
            about = named or about
            for part in self._parts(sentence):
                if not named and about == {who}:
                    what = OPEN if self._is("doubts", part) else ""
                else:
                    what = self._of(part, who, talk.who)
                if what:
                    begins = before if 0 < len(before) + len(sentence) <= LEAD and before else sentence
                    yield Said(what, part, text[max(0, text.find(begins.strip())) :])
            before = sentence

    def _of(self, part: str, who: str, speaker: str) -> str:
        named = self._names.players_in(part) - {speaker}
        if who not in named:
            return ""
        said = [one for one in self._reader.read(part, self._players).statements if one.target == who]
        if any(one.kind == "result" and one.result == Species.WEREWOLF for one in said):
            return BLAME if len(named) == 1 else OPEN
        if len(named) == 1 and not self._is("open", part):
            if any(_calls(one) for one in said) or self._call(who).search(part):
                return VOTE
            if any(one.kind == "suspect" for one in said) or self._is("blames", part):
                return BLAME
        loud = any(one.kind in ("suspect", "vote", "demand", "either") for one in said) or self._is("doubts", part)
        return OPEN if loud else ""

    def may_vote(self, said: Said) -> bool:
        """Whether words that were not understood may have been about a vote."""
        return said.what == OPEN and (said.cut or self._is("ballots", said.part))

    def announced(self, talks: Sequence[TalkRecord]) -> dict[tuple[int, str], str]:
        """The vote that each player announced last on a day: (day, who) -> for whom.

        Nothing where it took that back, or spoke of a vote afterwards in words that were not understood or are cut.
        """
        found: dict[tuple[int, str], str] = {}
        for talk in talks:
            about, one = "", (talk.day, talk.who)
            sentences, cut = sentences_of(plain_words(talk)), self.cut(talk)
            for place, sentence in enumerate(sentences):
                if cut and place == len(sentences) - 1:
                    if self._is("ballots", sentence) and one in found:
                        found[one] = ""
                    break
                for part in self._parts(sentence):
                    self._hear(part, about, talk, found)
                named = self._names.players_in(sentence) - {talk.who}
                # Who is only called at the beginning need not be whom the next sentence is about.
                called = sentence.lstrip().startswith(("@", ">>"))
                about = "" if called else next(iter(named)) if len(named) == 1 else "" if named else about
        return {one: target for one, target in found.items() if target}

    def _hear(self, part: str, about: str, talk: TalkRecord, found: dict[tuple[int, str], str]) -> None:
        one, named = (talk.day, talk.who), self._names.players_in(part) - {talk.who}
        statements = self._reader.read(part, self._players).statements
        if any(said.kind == "retract" for said in statements):
            found[one] = ""
        votes = {said.target for said in statements if said.kind == "vote"}
        if not votes if self._bare else not self._is("ballots", part):
            return
        target = next(iter(named)) if len(named) == 1 else about if not named else ""
        if not named and not votes:
            target = self._meant_by_you(part, talk) or target
        plain = self._bare or (self._is("casts", part) and not self._is("open", part))
        if plain and named and target and not self._bare:
            plain = self._filled(self._aims, target).search(part) is not None
        if plain and target and votes <= {target}:
            found[one] = target
        elif (named or votes) and found.get(one) not in (None, target):
            found[one] = ""

    def _meant_by_you(self, part: str, talk: TalkRecord) -> str:
        """The player called in front of ``talk``, where ``part`` announces a vote for it as "you", or ``""``."""
        called = next((said.target for said in talk.reading.statements if said.kind == "address"), "")
        heard = self._reader.read(f"@{called} {part}", self._players).statements if called else ()
        return called if any(said.kind == "vote" and said.target == called for said in heard) else ""


def plain_words(talk: TalkRecord) -> str:
    """The words of ``talk`` with single blanks, without the "Over" with which some players end each."""
    return _OVER.sub("", " ".join(talk.talk.text.split()))


def _calls(said: Statement) -> bool:
    return said.kind == "vote" or (said.kind == "demand" and said.topic == "vote")


Announced = Mapping[tuple[int, str], str]
"""(day, who) -> for whom a vote was announced last."""
