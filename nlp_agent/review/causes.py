"""What in the talk led to each execution, as far as it was understood: who spoke first against the executed, with the
words, which results had been told of it, and who announced a vote for it afterwards. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.protocol import POWER, Role, Species
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement, TalkRecord
from nlp_agent.records.game_reader import RecordedGame, Step, StepKind
from nlp_agent.review.plan import executions
from nlp_agent.review.spoken import OPEN, VOTE, Announced, Ear, Said
from nlp_agent.text.names import names_of
from nlp_agent.text.sentences import sentences_of
from nlp_agent.web.village_view import PublishedResult, VillageView

Heard = Mapping[int, TalkRecord]
"""The number of a step -> its talk as it was read."""


@dataclass(frozen=True, slots=True)
class Word:
    """A talk against a player: ``quote`` begins with the sentence that says so, ``""`` if it may not be the first."""

    step: int
    who: str
    quote: str


@dataclass(frozen=True, slots=True)
class Cause:
    """What led to the execution of ``fell``.

    ``results``: (who told it, the result) of all that had been told of the player by the vote. ``rivals``: who else had
    claimed the same power, ``cleared`` those of them who were told to be human by a medium. ``suspected``: the first
    talk of the day against it, ``proposed`` the first that announced or asked for a vote; one talk may be both. Neither
    is told where somebody may have said so before in words that were not understood. ``joined``: who announced a vote
    for it after that and cast it, in order. ``unnamed``: nobody else named it that day.
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


def heard_of(steps: Sequence[Step], names: Sequence[str], heard: Iterable[TalkRecord]) -> dict[int, TalkRecord]:
    """The talks ``heard`` by the number of their step; both are in the order in which they were said."""
    talks = (step for step in steps if step.kind is StepKind.TALK and step.talk is not None and step.talk.said)
    return {step.number: talk for step, talk in zip((t for t in talks if t.who in names), heard, strict=True)}


def quoted(text: str, reader: TalkReader, names: Sequence[str], says: Callable[[Statement], bool]) -> str:
    """``text`` from the first sentence on that alone says what ``says`` looks for; all of it where none does alone."""
    text, players = " ".join(text.split()), tuple(sorted(names))
    for sentence in sentences_of(text):
        if any(says(said) for said in reader.read(sentence, players).statements):
            return text[max(0, text.find(sentence.strip())) :]
    return text


def causes_of(
    game: RecordedGame, steps: Sequence[Step], village: VillageView, heard: Heard, ear: Ear
) -> Iterator[Cause]:
    """Yield what led to each execution, day by day."""
    fell = executions(steps)
    announced = ear.announced([*heard.values()])
    for poll in steps:
        if poll.kind is StepKind.VOTE and poll.day in fell:
            yield _cause(game, poll, fell[poll.day], village, heard, ear, announced)


def _cause(
    game: RecordedGame,
    poll: Step,
    fell: str,
    village: VillageView,
    heard: Heard,
    ear: Ear,
    announced: Announced,
) -> Cause:
    today = {n: talk for n, talk in heard.items() if talk.day == poll.day and n < poll.number and talk.who != fell}
    against = {number: own for number, talk in today.items() if (own := tuple(ear.against(talk, fell)))}
    proposed = _first(against, today, lambda said: said.what == VOTE, ear.may_vote)
    calls = {today[n].who: n for n, own in reversed(against.items()) if any(said.what == VOTE for said in own)}
    plain = [who for who in calls if poll.votes.get(who) == fell and announced.get((poll.day, who)) == fell]
    if proposed is not None:
        plain = [who for who in plain if who != proposed.who and calls[who] > proposed.step]
    names, rivals = names_of(tuple(sorted(game.names))), tuple(_rivals(village, poll, fell))
    return Cause(
        poll.day,
        fell,
        tuple(sorted(_results(village, poll, fell), key=lambda one: one[1].step)),
        rivals,
        _first(against, today, lambda said: said.what != OPEN, lambda said: said.what == OPEN),
        proposed,
        tuple(sorted(plain, key=calls.__getitem__)),
        bool(today) and not any(fell in names.players_in(talk.talk.text) for talk in today.values()),
        tuple(rival for rival in rivals if _cleared(village, poll, rival)),
    )


def _first(
    against: Mapping[int, Sequence[Said]],
    today: Heard,
    plain: Callable[[Said], bool],
    unclear: Callable[[Said], bool],
) -> Word | None:
    """The first talk that says something ``plain``; None where somebody else may have said so before, and without its
    words where the speaker itself may have.
    """
    before = set[str]()
    for number, own in against.items():
        who = today[number].who
        found = next((said for said in own if plain(said)), None)
        if found is not None:
            return Word(number, who, "" if before else found.quote) if before <= {who} else None
        if any(unclear(said) for said in own):
            before.add(who)
    return None


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


def confessions(game: RecordedGame, village: VillageView) -> dict[str, int]:
    """Who of the wolves' side said that it is a werewolf or the possessed, as it was, and the step of that."""
    found: dict[str, int] = {}
    for name, player in village.players.items():
        for claim in player.claims:
            if claim.role in (Role.WEREWOLF, Role.POSSESSED) and claim.role == game.roles[name]:
                found.setdefault(name, claim.step)
    return found
