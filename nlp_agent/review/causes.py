"""What in the talk led to each execution, as far as the one reader of talk has read it: who named the executed first,
with the words, which results had been told of it, and who announced a vote for it afterwards. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.protocol import POWER, Role, Species
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement, TalkRecord
from nlp_agent.records.game_reader import RecordedGame, Step, StepKind
from nlp_agent.text.names import names_of
from nlp_agent.text.sentences import sentences_of
from nlp_agent.web.village_view import PublishedResult, VillageView

Heard = Mapping[int, TalkRecord]
"""The number of a step -> its talk as it was read."""


LEAD = 100
"""Characters of a sentence against a player with the one before it, up to which both are quoted."""


@dataclass(frozen=True, slots=True)
class Word:
    """A talk against a player: ``kind`` is "vote", "demand" (of a vote), "suspect", "result" (told or repeated), or
    "named" where only the name was read.
    """

    step: int
    who: str
    kind: str
    quote: str


@dataclass(frozen=True, slots=True)
class Cause:
    """What led to the execution of ``fell``.

    ``results``: (who told it, the result) of all that had been told of the player by the vote. ``rivals``: who else had
    claimed the same power. Of those who voted for it, ``suspected`` is the first talk of the day against it, and
    ``proposed`` the first that announced or asked for a vote; one talk may be both. ``joined``: who announced a vote
    for it after that, in order. ``named``: where neither was read, the last talk of one of them that named it.
    ``unnamed``: nobody else named it that day. ``cleared``: rivals who were told to be human by a medium.
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
    named: Word | None = None


def heard_of(steps: Sequence[Step], names: Sequence[str], heard: Iterable[TalkRecord]) -> dict[int, TalkRecord]:
    """The talks ``heard`` by the number of their step; both are in the order in which they were said."""
    talks = (step for step in steps if step.kind is StepKind.TALK and step.talk is not None and step.talk.said)
    return {step.number: talk for step, talk in zip((t for t in talks if t.who in names), heard, strict=True)}


def quoted(
    text: str, reader: TalkReader, names: Sequence[str], says: Callable[[Statement], bool], lead: int = 0
) -> str:
    """``text`` from the first sentence on that alone says what ``says`` looks for; all of it where none does alone.

    The sentence before it, which may hold the reason, stands in front if both have at most ``lead`` characters.
    """
    text, players, before = " ".join(text.split()), tuple(sorted(names)), ""
    for sentence in sentences_of(text):
        if any(says(said) for said in reader.read(sentence, players).statements):
            begins = before if 0 < len(before) + len(sentence) <= lead and before else sentence
            return text[max(0, text.find(begins.strip())) :]
        before = sentence
    return text


def causes_of(
    game: RecordedGame, steps: Sequence[Step], village: VillageView, heard: Heard, reader: TalkReader
) -> Iterator[Cause]:
    """Yield what led to each execution, day by day."""
    fell = {step.day: step.target for step in steps if step.kind is StepKind.EXECUTE and step.target}
    for poll in steps:
        if poll.kind is StepKind.VOTE and poll.day in fell:
            yield _cause(game, poll, fell[poll.day], village, heard, reader)


def _cause(game: RecordedGame, poll: Step, fell: str, village: VillageView, heard: Heard, reader: TalkReader) -> Cause:
    today = {n: talk for n, talk in heard.items() if talk.day == poll.day and n < poll.number and talk.who != fell}
    against = [(n, talk, said) for n, talk in today.items() for said in talk.statements if _against(said, fell)]

    def word(kinds: Sequence[str]) -> Word | None:
        own = ((n, t, said) for n, t, said in against if poll.votes.get(t.who) == fell and said.kind in kinds)
        first = next(own, None)
        if first is None:
            return None
        number, talk, said = first
        return Word(number, talk.who, said.kind, quoted(talk.talk.text, reader, game.names, said.__eq__, LEAD))

    proposed = word(("vote", "demand"))
    announced: dict[str, int] = {}
    for number, talk, said in against:
        if said.kind == "vote":
            announced.setdefault(talk.who, number)
    joined = [
        who
        for who, number in sorted(announced.items(), key=lambda one: one[1])
        if poll.votes.get(who) == fell and (proposed is None or (who != proposed.who and number > proposed.step))
    ]
    names, rivals = names_of(tuple(sorted(game.names))), tuple(_rivals(village, poll, fell))
    suspected, named = word(("vote", "demand", "suspect", "result")), None
    for number, talk in today.items() if suspected is None else ():
        sentences = sentences_of(" ".join(talk.talk.text.split()))
        spoken = [place for place, one in enumerate(sentences) if fell in names.players_in(one)]
        if spoken and poll.votes.get(talk.who) == fell:
            named = Word(number, talk.who, "named", "".join(sentences[spoken[0] :]).strip())
    return Cause(
        poll.day,
        fell,
        tuple(sorted(_results(village, poll, fell), key=lambda one: one[1].step)),
        rivals,
        suspected,
        proposed,
        tuple(joined),
        bool(today) and not any(fell in names.players_in(talk.talk.text) for talk in today.values()),
        tuple(rival for rival in rivals if _cleared(village, poll, rival)),
        named,
    )


def _against(said: Statement, who: str) -> bool:
    if said.target != who:
        return False
    return (
        said.kind in ("vote", "suspect")
        or (said.kind == "demand" and said.topic == "vote")
        or (said.kind == "result" and said.result == Species.WEREWOLF)
    )


def _results(village: VillageView, poll: Step, fell: str) -> Iterator[tuple[str, PublishedResult]]:
    for who, player in village.players.items():
        yield from ((who, told) for told in player.results if told.target == fell and told.step < poll.number)


def _cleared(village: VillageView, poll: Step, who: str) -> bool:
    """Whether a medium had told that ``who`` is human."""
    return any(
        told.target == who and told.result == Species.HUMAN and told.step < poll.number
        for player in village.players.values()
        if any(claim.role == Role.MEDIUM for claim in player.claims)
        for told in player.results
    )


def _rivals(village: VillageView, poll: Step, fell: str) -> Iterator[str]:
    """Who else had claimed the power that ``fell`` claimed last."""
    own = [claim.role for claim in village.players[fell].claims if claim.step < poll.number and claim.role in POWER]
    for who, player in village.players.items() if own else ():
        if who != fell and any(claim.role == own[-1] and claim.step < poll.number for claim in player.claims):
            yield who


def plainly_announced(game: RecordedGame, heard: Heard) -> dict[tuple[int, str], str]:
    """The vote that each player announced last on a day, and alone, in a talk that names nobody else: (day, who)."""
    names = names_of(tuple(sorted(game.names)))
    found: dict[tuple[int, str], set[str]] = {}
    for talk in heard.values():
        if votes := {said.target for said in talk.statements if said.kind == "vote"}:
            others = names.players_in(talk.talk.text) - votes
            found.setdefault((talk.day, talk.who), set()).update(votes, others)
    return {one: next(iter(targets)) for one, targets in found.items() if len(targets) == 1}


def confessions(game: RecordedGame, village: VillageView) -> dict[str, int]:
    """Who of the wolves' side said that it is a werewolf or the possessed, as it was, and the step of that."""
    found: dict[str, int] = {}
    for name, player in village.players.items():
        for claim in player.claims:
            if claim.role in (Role.WEREWOLF, Role.POSSESSED) and claim.role == game.roles[name]:
                found.setdefault(name, claim.step)
    return found
