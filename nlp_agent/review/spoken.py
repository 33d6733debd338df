"""Who spoke against a player, called for its execution, and announced its own vote: what a talk says plainly.

The reader of talk finds most of it. In a review nobody may be called the first if somebody before may have said the
same in words that were not understood. So a talk that names the player beside a word of doubt, and is not understood,
is "open". Each part of a talk that names a single player is looked at alone. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
_CLAUSE = re.compile("(?<=[、,，;；])|(?<=けど)")


@dataclass(frozen=True, slots=True)
class Said:
    """What the ``part`` of a talk says of a player; ``quote``: the talk from that sentence on."""

    what: str
    part: str
    quote: str


class Ear:
    """Hears what the players ``names`` say plainly, by the ``plain`` patterns of a language's pack; of a pack that has
    none, by what its reader says alone.
    """

    def __init__(self, reader: TalkReader, names: Sequence[str]) -> None:
        self._reader, self._players = reader, tuple(sorted(names))
        self._names = names_of(self._players)
        plain = reader.rules.plain
        self._calls, self._bare = plain.get("calls", ()), not plain
        self._found = {
            key: re.compile("|".join(f"(?:{one})" for one in plain.get(key, ())) or "(?!)", re.IGNORECASE)
            for key in ("doubts", "ballots", "blames", "casts", "open")
        }
        titles = "|".join(reader.rules.after_name)
        self._title = f"(?:{titles})?" if titles else ""
        self._called: dict[str, re.Pattern[str]] = {}

    def _is(self, key: str, text: str) -> bool:
        return self._found[key].search(text) is not None

    def _call(self, who: str) -> re.Pattern[str]:
        """What calls for the execution of ``who``."""
        if who not in self._called:
            name = f"@?\\s*{re.escape(who)}\\s*{self._title}"
            calls = "|".join(f"(?:{one.replace('{name}', name)})" for one in self._calls)
            self._called[who] = re.compile(calls or "(?!)", re.IGNORECASE)
        return self._called[who]

    def _parts(self, sentence: str) -> Iterator[str]:
        """``sentence``, or its clauses where it names several."""
        if len(self._names.players_in(sentence)) > 1:
            yield from _CLAUSE.split(sentence)
        else:
            yield sentence

    def against(self, talk: TalkRecord, who: str) -> Iterator[Said]:
        """What ``talk`` says against ``who``, in order; nothing where it does not, or speaks well of it."""
        text, about, before = " ".join(talk.talk.text.split()), frozenset[str](), ""
        for sentence in sentences_of(text):
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
        return said.what == OPEN and self._is("ballots", said.part)

    def announced(self, talks: Sequence[TalkRecord]) -> dict[tuple[int, str], str]:
        """The vote that each player announced last on a day: (day, who) -> for whom.

        Nothing where it took that back, or spoke of a vote afterwards in words that were not understood.
        """
        found: dict[tuple[int, str], str] = {}
        for talk in talks:
            about = ""
            for sentence in sentences_of(" ".join(talk.talk.text.split())):
                for part in self._parts(sentence):
                    self._hear(part, about, talk, found)
                named = self._names.players_in(sentence) - {talk.who}
                about = next(iter(named)) if len(named) == 1 else "" if named else about
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
        plain = self._bare or (self._is("casts", part) and not self._is("open", part))
        if plain and target and votes <= {target}:
            found[one] = target
        elif (named or votes) and found.get(one) not in (None, target):
            found[one] = ""


def _calls(said: Statement) -> bool:
    return said.kind == "vote" or (said.kind == "demand" and said.topic == "vote")


Announced = Mapping[tuple[int, str], str]
"""(day, who) -> for whom a vote was announced last."""
