"""What in the talk led to each execution, as far as it was understood: who spoke first against the executed, with the
words, which results had been told of it, and who announced a vote for it afterwards.

The reader of talk finds most of what speaks against a player. In a review nobody may be called the first if somebody
before may have said the same in words that were not understood. So a talk that names the player beside a word of doubt,
and is not understood, is "open". Each part of a talk that names a single player is looked at alone. What may have been
cut at the table's length limit says nothing certain. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.protocol import POWER, Role, Species
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement, TalkRecord
from nlp_agent.records.game_reader import Step
from nlp_agent.review.course import Course
from nlp_agent.text.names import names_of
from nlp_agent.text.sentences import sentences_of
from nlp_agent.web.village_view import PublishedResult, VillageView

# --- Who spoke against a player, called for its execution, and announced a vote --------------------------------------

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
    """What a part of a talk says of a player; ``quote``: the talk from that sentence on."""

    what: str
    quote: str


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

    def _filled(self, patterns: Sequence[str], who: str) -> re.Pattern[str]:
        """What calls for the execution of ``who``, or announces a vote for it."""
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
                yield Said(OPEN, "")
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
                    yield Said(what, text[max(0, text.find(begins.strip())) :])
            before = sentence

    def _of(self, part: str, who: str, speaker: str) -> str:
        named = self._names.players_in(part) - {speaker}
        if who not in named:
            return ""
        said = [one for one in self._reader.read(part, self._players).statements if one.target == who]
        if any(one.kind == "result" and one.result == Species.WEREWOLF for one in said):
            return BLAME if len(named) == 1 else OPEN
        if len(named) == 1 and not self._is("open", part):
            if any(_calls(one) for one in said) or self._filled(self._calls, who).search(part):
                return VOTE
            if any(one.kind == "suspect" for one in said) or self._is("blames", part):
                return BLAME
        loud = any(one.kind in ("suspect", "vote", "demand", "either") for one in said) or self._is("doubts", part)
        return OPEN if loud else ""

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


# --- What led to each execution --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """A talk against a player: ``quote`` begins with the sentence that says so, ``""`` if it may not be the first."""

    step: int
    who: str
    quote: str


@dataclass(frozen=True, slots=True)
class Cause:
    """What led to the execution of ``fell``.

    ``results``: (who told it, the result) of all that had been told of the player by the vote. ``rivals``: who else
    had claimed the same power, ``cleared`` those of them who were told to be human by a medium. ``suspected``: the
    first talk of the day against it, ``proposed`` the first that announced or asked for a vote; one talk may be both.
    The first of these is told where nobody else had named the player that day, the second where nobody had spoken
    against it, in whatever words. ``joined``: who announced a vote for it after ``proposed`` and cast it, in order;
    only where all who cast one are known. ``unnamed``: nobody else named it that day. ``own``: the talk of the day in
    which the executed itself announced a vote for ``own_target``, who had claimed a power.
    """

    day: int
    fell: str
    results: tuple[tuple[str, PublishedResult], ...] = ()
    rivals: tuple[str, ...] = ()
    suspected: Word | None = None
    proposed: Word | None = None
    joined: tuple[str, ...] = ()
    unnamed: bool = False
    cleared: tuple[str, ...] = ()
    own: Word | None = None
    own_target: str = ""


def quoted(text: str, reader: TalkReader, names: Sequence[str], says: Callable[[Statement], bool]) -> str:
    """``text`` from the first sentence on that alone says what ``says`` looks for; all of it where none does alone."""
    text, players = " ".join(text.split()), tuple(sorted(names))
    for sentence in sentences_of(text):
        if any(says(said) for said in reader.read(sentence, players).statements):
            return text[max(0, text.find(sentence.strip())) :]
    return text


def causes_of(course: Course, ear: Ear, announced: Announced) -> Iterator[Cause]:
    """Yield what led to each execution, day by day; ``announced``: the votes that ``ear`` heard announced."""
    for poll in course.polls:
        if poll.day in course.executed:
            yield _cause(course, poll, course.executed[poll.day], ear, announced)


def _cause(course: Course, poll: Step, fell: str, ear: Ear, announced: Announced) -> Cause:
    village = course.village
    today = {number: talk for number, talk in course.talks_before(poll).items() if talk.who != fell}
    against = {number: own for number, talk in today.items() if (own := tuple(ear.against(talk, fell)))}
    named = {number: talk.who for number, talk in today.items() if number in against or ear.may_name(talk, fell)}
    suspected = _first(against, today, named, lambda said: said.what != OPEN)
    # A suspicion before it hides no call for a vote where the first of them is told.
    loud = {
        number: today[number].who
        for number, own in against.items()
        if suspected is None or any(said.what != BLAME for said in own)
    }
    proposed = _first(against, today, loud, lambda said: said.what == VOTE)
    if proposed is not None and announced.get((poll.day, proposed.who), fell) != fell:
        proposed = None
    calls = {today[n].who: n for n, own in reversed(against.items()) if any(said.what == VOTE for said in own)}
    plain = [who for who in calls if poll.votes.get(who) == fell and announced.get((poll.day, who)) == fell]
    cast = {who for who, target in poll.votes.items() if target == fell} - {fell}
    if proposed is not None:
        plain = [who for who in plain if who != proposed.who and calls[who] > proposed.step]
        cast.discard(proposed.who)
    if set(plain) != cast:
        plain = []
    names, rivals = names_of(tuple(sorted(course.game.names))), tuple(_rivals(village, poll, fell))
    return Cause(
        poll.day,
        fell,
        tuple(sorted(_results(village, poll, fell), key=lambda one: one[1].step)),
        rivals,
        suspected,
        proposed,
        tuple(sorted(plain, key=calls.__getitem__)),
        bool(today) and not any(fell in names.players_in(talk.talk.text) for talk in today.values()),
        tuple(rival for rival in rivals if _cleared(village, poll, rival)),
        *_own_call(course, poll, fell, ear),
    )


def _own_call(course: Course, poll: Step, fell: str, ear: Ear) -> tuple[Word | None, str]:
    """The first talk of the day in which ``fell`` called for the execution of somebody of the village with a power that
    was claimed by the vote.
    """
    roles = course.game.roles
    claimed = [
        name
        for name, player in course.village.players.items()
        if name != fell and roles[name] in POWER and player.holds(roles[name], poll.number)
    ]
    for number, talk in course.talks_before(poll).items():
        if talk.who == fell:
            for name in claimed:
                said = next((one for one in ear.against(talk, name) if one.what == VOTE), None)
                if said is not None:
                    return Word(number, fell, said.quote), name
    return None, ""


def _first(
    against: Mapping[int, Sequence[Said]],
    today: Mapping[int, TalkRecord],
    before: Mapping[int, str],
    plain: Callable[[Said], bool],
) -> Word | None:
    """The first talk that says something ``plain``; None where one of another player, of those ``before``, was earlier,
    and without its words where the speaker itself may have said so in an earlier one.
    """
    for number, own in against.items():
        who = today[number].who
        found = next((said for said in own if plain(said)), None)
        if found is not None:
            earlier = {other for step, other in before.items() if step < number}
            return Word(number, who, "" if earlier else found.quote) if earlier <= {who} else None
    return None


def _results(village: VillageView, poll: Step, fell: str) -> Iterator[tuple[str, PublishedResult]]:
    for who, player in village.players.items():
        yield from ((who, told) for told in player.told(poll.number) if told.target == fell)


def _cleared(village: VillageView, poll: Step, who: str) -> bool:
    """Whether a medium had told that ``who`` is human."""
    return any(Role.MEDIUM in player.claimed() for player in village.tellers(who, Species.HUMAN, poll.number))


def _rivals(village: VillageView, poll: Step, fell: str) -> Iterator[str]:
    """Who else had claimed the power that ``fell`` claimed last."""
    own = [role for role in village.players[fell].claimed(poll.number) if role in POWER]
    for who, player in village.players.items() if own else ():
        if who != fell and player.holds(own[-1], poll.number):
            yield who
