"""What sets two claims, two suspects or a night's choice apart: facts certain from the talk of the table. Pure.

A circumstance is told by who believes one seer and not another; a mark by who has it down to few players and picks one
of them. Nothing here weighs anything: the belief is older, and what is told only has to be true, and to differ between
the two. Where nothing differs, that is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from nlp_agent.belief.constants import FINAL
from nlp_agent.belief.facts import CASES, LOOKS, MARKS
from nlp_agent.planning.deduction import (
    all_enemies_claim,
    known_humans,
    own_or_trusted_seer,
    proven_liars,
    small_village,
    trusted_seer,
)
from nlp_agent.planning.situation import Situation
from nlp_agent.protocol import Role, Species
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import EXPLAINED
from nlp_agent.reading.statement import TalkRecord
from nlp_agent.text.anchor import without_anchor
from nlp_agent.text.finder import Phrase
from nlp_agent.text.names import names_of


@dataclass(frozen=True, slots=True)
class Mark:
    """A fact that sets one player apart. ``kind`` is one of :data:`~nlp_agent.belief.facts.CASES`, ``MARKS`` or
    ``LOOKS``; ``other`` is who else it is about; ``at``, of a circumstance, the place of the talk that made it true, -1
    where it was no talk."""

    kind: str
    other: str = ""
    at: int = -1


def case_names(marks: Sequence[Mark], form: str = "") -> tuple[str, ...]:
    """The names under which a pack words circumstances, in the form that fits who is spoken of: ``_rival``, who is not
    believed; ``_mine``, the same where this seat itself is the other one."""
    return tuple(f"case_{one.kind}{form}" for one in marks[:MOST_TOLD])


MOST_TOLD = 3
"""Of so many circumstances one is told: the first that nobody has told yet."""


# --- Two claims ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Claim:
    """How ``who`` came to claim: places among all talks of the claim and of the first result, -1 without; its results
    by player; who had called it a wolf before, and whether anybody had suspected it that day; ``vote``: announced today
    and where; ``asked``: why it looked, without an answer; ``silent``: whether nobody had said anything against anybody
    before it; ``before``: how many talks it had that day before it claimed."""

    who: str
    at: int = -1
    told: int = -1
    named_by: frozenset[str] = frozenset()
    pressed: bool = False
    vote: str = ""
    voted: int = -1
    asked: bool = False
    silent: bool = False
    before: int = 0


def _claim_of(who: str, situation: Situation) -> _Claim:
    ledger, day = situation.ledger, situation.state.day
    at = told = voted = -1
    claimed_on = ledger.claimed_on.get(who, 0)
    named: set[str] = set()
    pressed, silent, vote, before = False, True, "", 0
    for place, heard in enumerate(ledger.heard):
        mine = heard.who == who
        if at < 0 and mine and heard.role == Role.SEER:
            at = place
        before += mine and at < 0 and heard.day == claimed_on
        for one in heard.statements:
            accuses = one.kind in ("suspect", "vote", "result") and one.result != Species.HUMAN and not mine
            if at < 0 and heard.day > 0 and accuses:
                silent = False
                if one.target == who:
                    named |= {heard.who} if one.kind == "result" else set()
                    pressed = pressed or (one.kind != "result" and heard.day == claimed_on)
            if mine and one.kind == "result" and told < 0 <= at:
                told = place
            if mine and one.kind == "vote" and heard.day == day:
                vote, voted = one.target, place
    vote = vote if ledger.votes.get((day, who)) == vote else ""
    return _Claim(who, at, told, frozenset(named), pressed, vote, voted, _owes_why(who, ledger), silent, before)


def _owes_why(who: str, ledger: Ledger) -> bool:
    """Whether ``who`` was asked why it looked where it did, and has talked since without a word to the asker."""
    for ask in ledger.asks:
        if ask.target == who and ask.topic == "why_divine" and ask.who != who:
            later = [one for one in ledger.by(who) if (one.day, one.idx) > (ask.day, ask.idx)]
            if later and not any(ask.who in one.talk.text for one in later):
                return True
    return False


def circumstances(situation: Situation, seer: str, rival: str) -> list[Mark]:
    """What speaks for ``seer`` against ``rival``, of those who claim to be it, the weightiest first; nothing where
    all that differs speaks for ``rival``."""
    ours, theirs = _claim_of(seer, situation), _claim_of(rival, situation)
    found = {one.kind: one for one in _differing(situation, ours, theirs)}
    if not found and next(_differing(situation, theirs, ours), None) is None:
        return [Mark("alike")]
    return [found[kind] for kind in CASES if kind in found]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two claims to be the seer, ``ours`` believed and ``theirs`` not, and what each has told: by player, and of whom
    that it is a wolf."""

    situation: Situation
    ours: _Claim
    theirs: _Claim

    def told(self, claim: _Claim) -> dict[str, str]:
        return self.situation.ledger.told(claim.who)

    def black(self, claim: _Claim) -> list[str]:
        return self.situation.ledger.called(claim.who, Species.WEREWOLF)


def _differing(situation: Situation, ours: _Claim, theirs: _Claim) -> Iterator[Mark]:
    pair = _Pair(situation, ours, theirs)
    yield from _known_here(pair)
    yield from _of_three_claims(pair)
    yield from _under_pressure(pair)
    yield from _by_votes(pair)
    yield from _by_results(pair)
    yield from _by_order(pair)


def _known_here(pair: _Pair) -> Iterator[Mark]:
    """The wolf's choice, and what a seat knows of itself."""
    state, me = pair.situation.state, pair.situation.state.me
    night = next((day for day, victim in state.attacks.items() if victim == pair.ours.who), None)
    if night is not None and pair.theirs.who in state.alive:
        heard = pair.situation.ledger.heard
        yield Mark("bitten", at=next((at for at, one in enumerate(heard) if one.day > night), len(heard)))
    claimed = pair.situation.ledger.claimed_on.get(pair.theirs.who, state.day)
    bitten = {day: victim for day, victim in state.attacks.items() if day >= claimed and victim}
    if bitten and night is None and pair.ours.who not in state.alive and pair.theirs.who in state.alive:
        heard = pair.situation.ledger.heard
        yield Mark("unbitten", at=next((at for at, one in enumerate(heard) if one.day > max(bitten)), len(heard)))
    if _has_not_confessed(pair.situation, pair.theirs.who):
        yield Mark("still_claims")
    human = pair.situation.outer.colour == Species.HUMAN and pair.told(pair.ours).get(me) == Species.HUMAN
    if human and me not in pair.told(pair.theirs):
        yield Mark("right_on_me", at=pair.ours.told)


def _has_not_confessed(situation: Situation, name: str) -> bool:
    """Whether ``name``, who claims to be the seer, has talked in a final without a word that it is the possessed, who
    would win there together with the only wolf."""
    state, ledger = situation.state, situation.ledger
    if len(state.alive) > FINAL or not small_village(situation) or name not in state.alive:
        return False
    claimed = ledger.claims.get(name) == Role.SEER and ledger.claimed_on.get(name, state.day) < state.day
    return claimed and bool(ledger.count(state.day, name))


def _of_three_claims(pair: _Pair) -> Iterator[Mark]:
    """Marks where three claim, so that the wolf and the possessed are among them: the results of ``ours`` make the
    third one the possessed and so ``theirs`` the wolf, or both others call ``theirs`` a wolf."""
    situation, seer, rival = pair.situation, pair.ours.who, pair.theirs.who
    thirds = [one for one in situation.ledger.claimants[Role.SEER] if one not in (seer, rival, situation.state.me)]
    if not all_enemies_claim(situation) or situation.story.role == Role.SEER or len(thirds) != 1:
        return
    told = pair.told(pair.ours)
    if told.get(thirds[0]) == Species.HUMAN:
        yield Mark("solves", at=pair.ours.told)
    if told.get(rival) == situation.ledger.told(thirds[0]).get(rival) == Species.WEREWOLF:
        yield Mark("both_call", at=pair.ours.told)


def _under_pressure(pair: _Pair) -> Iterator[Mark]:
    """What the other had to fear when it claimed."""
    ours, theirs = pair.ours, pair.theirs
    black = pair.black(theirs)
    if ours.who in theirs.named_by:
        yield Mark("back" if ours.who in black else "named", at=theirs.at)
    elif theirs.pressed and not ours.pressed and not ours.named_by:
        yield Mark("pressed", at=theirs.at)
    elif theirs.at > ours.at >= 0 and black == [ours.who]:
        yield Mark("on_rival", at=theirs.told)


def _by_votes(pair: _Pair) -> Iterator[Mark]:
    """Votes announced that do not fit what was told."""
    situation, theirs = pair.situation, pair.theirs
    state, me, vote = situation.state, situation.state.me, pair.theirs.vote
    black = [name for name in pair.black(theirs) if name in state.alive]
    if vote and black and vote not in black:
        yield Mark("against_own", at=theirs.voted)
    if vote == me and me not in pair.told(theirs):
        yield Mark("votes_me", at=theirs.voted)
    called = theirs.who in pair.black(pair.ours) and pair.ours.who in state.alive
    if vote not in ("", pair.ours.who, me) and called and not black:
        yield Mark("votes_past", at=theirs.voted)
    elif vote not in ("", pair.ours.who, me) and not black and pair.ours.who in state.alive:
        # Of three who claim nobody can vote for both others, and who spares the other as well has nothing to say of it.
        two = len(situation.ledger.claimants[Role.SEER]) == 2
        if two and pair.ours.vote in ("", theirs.who):
            yield Mark("spares", at=theirs.voted)


def _by_results(pair: _Pair) -> Iterator[Mark]:
    """What was told, when, and whether the reason was."""
    ours, theirs = pair.ours, pair.theirs
    if theirs.at >= 0 and theirs.told < 0 <= ours.told:
        yield Mark("bare", at=theirs.at)
    elif theirs.told > theirs.at >= 0 and ours.told == ours.at:
        yield Mark("late_result", at=theirs.told)
    if theirs.asked and not ours.asked:
        yield Mark("no_why")
    if theirs.told > ours.told >= 0 and theirs.at > ours.at and pair.told(ours).items() & pair.told(theirs).items():
        yield Mark("copied", at=theirs.told)
    black, other = pair.black(ours), pair.black(theirs)
    contradicts = any(pair.told(theirs).get(name) == Species.HUMAN for name in black)
    if black and pair.told(theirs) and not other:
        # Whoever clears the very player whom the other seer calls a wolf has picked no safe result.
        if not contradicts:
            yield Mark("risk", at=max(ours.told, theirs.told))
        elif _may_hang(pair, black):
            yield Mark("tested", at=max(ours.told, theirs.told))
    if other and pair.told(ours) and not black and _may_hang(pair, other):
        yield Mark("harmless", at=theirs.told)
    if other and pair.told(ours) and not black and len(pair.told(theirs)) == 1:
        yield Mark("lucky", at=theirs.told)
    # Who only returns the other's black has picked no harder target.
    if theirs.who in black and ours.told > theirs.at >= 0 and theirs.who not in ours.named_by:
        yield Mark("head_on", at=ours.told)
    if theirs.who in ours.named_by and ours.told >= 0 and theirs.who not in black:
        yield Mark("had_to", at=ours.at)
    if ours.told >= 0 and theirs.told >= 0 and _explains(pair, ours) and not _explains(pair, theirs, 1):
        yield Mark("unexplained", at=theirs.told)


def _may_hang(pair: _Pair, called: Sequence[str]) -> bool:
    """Whether one of those ``called`` a wolf, who claims nothing, can be hanged today, and, where one wolf plays, a
    game that goes on shows tomorrow that the result was false."""
    state, seers = pair.situation.state, pair.situation.ledger.claimants[Role.SEER]
    tomorrow = state.wolves == 1 and len(state.alive) > FINAL
    return tomorrow and any(one in state.alive and one not in seers for one in called)


def _explains(pair: _Pair, claim: _Claim, least: int = EXPLAINED) -> bool:
    """Whether ``claim`` came with why that player was looked at, in ``least`` bytes or more: in the talk of its first
    result, or in a later one, see :func:`explained_later`."""
    first = pair.situation.ledger.heard[claim.told]
    told = pair.situation.ledger.reader.explains_result(first.talk.text, pair.situation.state.players, least)
    return told or explained_later(first, pair.situation.ledger)


def explained_later(first: TalkRecord, ledger: Ledger) -> bool:
    """Whether who has told a result in ``first`` has spoken of that player later that day, or to who asked for it, in
    a talk that neither claims, asks, accuses nor votes, nor only tells the result again: it has told why it looked
    there. What will follow if that player hangs, or what the result makes of a rival, is no reason for the look."""
    seen = {said.target for said in first.statements if said.kind == "result"}
    asks = [one for one in ledger.asks if (one.day, one.target, one.topic) == (first.day, first.who, "why_divine")]
    later = (one for one in ledger.by(first.who) if one.day == first.day and one.idx > first.idx)
    return any(
        {said.kind for said in one.statements}.isdisjoint(("claim", "ask", "vote", "suspect"))
        and ("result" not in {said.kind for said in one.statements} or _explains_again(one, ledger))
        and (
            _speaks_of_the_look(one, seen, ledger) or any(ask.who in one.talk.text for ask in asks if ask.idx < one.idx)
        )
        for one in later
    )


def _speaks_of_the_look(heard: TalkRecord, seen: set[str], ledger: Ledger) -> bool:
    """Whether ``heard`` says of one of those ``seen`` anything that depends on nothing and is about no rival."""
    text, seers = without_anchor(heard.talk.text), {*ledger.claimants[Role.SEER]}
    named = ledger.reader.named_for_certain(text, ledger.players)
    return not named.isdisjoint(seen) and named.isdisjoint(seers - seen - {heard.who})


def _explains_again(heard: TalkRecord, ledger: Ledger) -> bool:
    """Whether ``heard``, which tells a result once more, tells why: what follows from it for another who claims the
    same role is no reason for the look."""
    seen = {said.target for said in heard.statements if said.kind == "result"}
    return bool(seen - {*ledger.claimants[Role.SEER]}) and ledger.reader.explains_result(
        heard.talk.text, ledger.players
    )


def _by_order(pair: _Pair) -> Iterator[Mark]:
    """Who came first, or did not wait to object."""
    ours, theirs = pair.ours, pair.theirs
    if theirs.at > ours.at >= 0:
        yield Mark("first", at=theirs.at)
    elif ours.at > theirs.at >= 0 and not ours.named_by and not ours.pressed:
        between = pair.situation.ledger.heard[theirs.at + 1 : ours.at]
        if all(one.who != ours.who for one in between):
            yield Mark("at_once", at=ours.at)
        if _began_with_black(pair, theirs) and theirs.silent and not pair.black(ours):
            yield Mark("hasty", at=theirs.at)
    today = pair.situation.ledger.claimed_on.get(theirs.who) == pair.situation.state.day
    if today and theirs.at > ours.at >= 0 == ours.before < theirs.before:
        yield Mark("held_back", at=theirs.at)


def _began_with_black(pair: _Pair, claim: _Claim) -> bool:
    """Whether the talk in which ``claim`` was made called somebody a wolf by a result: a later one is no haste."""
    if claim.told != claim.at or claim.at < 0:
        return False
    told = pair.situation.ledger.heard[claim.at].statements
    return any(one.kind == "result" and one.result == Species.WEREWOLF for one in told)


def why_seer(situation: Situation, seer: str, since: int = -1) -> tuple[str, list[Mark]]:
    """The rival of ``seer`` that is told apart best, and by what; ``since``: only by what came after that place."""
    found: tuple[str, list[Mark]] = "", []
    for rival in reversed(situation.rivals(Role.SEER)):
        if rival == seer or (since < 0 and rival in situation.outer.liars):
            continue
        marks = [one for one in circumstances(situation, seer, rival) if since < 0 or one.at > since]
        if marks and (not found[1] or CASES.index(marks[0].kind) < CASES.index(found[1][0].kind)):
            found = rival, marks
    return found


def why_possessed(situation: Situation, liar: str, seer: str) -> tuple[str, ...]:
    """Why ``liar`` is rather the possessed than the werewolf, as who believes ``seer`` sees it: some of
    ``SIGNS_OF_THE_POSSESSED``, the weightiest first."""
    claim, other = _claim_of(liar, situation), _claim_of(seer, situation)
    state, ledger = situation.state, situation.ledger
    human = {*known_humans(situation), seer, *ledger.called(seer, Species.HUMAN)}
    human |= {state.me} if situation.outer.colour == Species.HUMAN else set()
    found = ["black"] if human.intersection(ledger.called(liar, Species.WEREWOLF)) and len(state.alive) > FINAL else []
    if claim.at >= 0 and not claim.named_by and not claim.pressed:
        found.append("counter" if 0 <= other.at < claim.at else "first")
    return tuple(found)


# --- One of few suspects ---------------------------------------------------------------------------------------------


def marks_of(situation: Situation, name: str, rest: Sequence[str]) -> list[Mark]:
    """What ``name`` did today and neither this seat nor any of ``rest``, the weightiest first; to have named nobody is
    made good by the one who names somebody now."""
    state, ledger = situation.state, situation.ledger
    theirs = {one.kind for other in rest for one in _marks(situation, other)}
    mine = {one.kind for one in _marks(situation, state.me)} - {"no_name"}
    found = {one.kind: one for one in _marks(situation, name) if one.kind not in theirs | mine}
    if all(one in ledger.claimants[Role.SEER] for one in rest):
        # Beside a seer it tells nothing of anybody to have no seer to stand by or against.
        found = {kind: one for kind, one in found.items() if kind not in ("easy_on", "no_side")}
    found |= {one.kind: one for one in _uncalled(situation, name, rest)}
    found |= {one.kind: one for one in _accusing(situation, name, rest)}
    # Of three somebody has to speak last, and has little to say; the dead said nothing today.
    if rest and name in state.alive and len(state.alive) > FINAL:
        found |= {one.kind: one for one in _talked_less(situation, name)}
    if "no_name" in found:
        found.pop("unpicked", None)  # That says it all.
    return [found[kind] for kind in MARKS if kind in found]


FAINT = ("late", "least")
"""Marks that tell little more than that somebody spoke: of few who are left it is rather said that nothing tells them
apart."""
SLIGHT = (*FAINT, "asks_none", "no_call")
"""Marks that tell too little to suspect anybody by them alone."""


def _uncalled(situation: Situation, name: str, rest: Sequence[str]) -> Iterator[Mark]:
    """A mark if each of ``rest`` has called for the seer this first day before anybody claimed, and ``name``, which had
    spoken by then, has not."""
    state, ledger = situation.state, situation.ledger
    if state.day != 1 or not rest or not ledger.claimants[Role.SEER]:
        return
    before = list(takewhile(lambda one: not one.role, (one for one in ledger.heard if one.day == 1)))
    if all(one.who != name for one in before):
        return
    called = {one.who for one in before if speaks_of_the_seer(one, ledger)}
    if name not in called and called.issuperset(rest):
        yield Mark("no_call", rest[0])


def _accusing(situation: Situation, name: str, rest: Sequence[str]) -> Iterator[Mark]:
    """Marks if each of ``rest`` has spoken against somebody today, and ``name``, which has talked twice, against
    nobody; or if ``name`` alone has spoken against another of them, whom the wolf among them has to see hanged."""
    ledger, day = situation.ledger, situation.state.day
    seers = ledger.claimants[Role.SEER]
    if not rest or name in seers or any(one in seers for one in rest) or len(situation.state.alive) <= FINAL:
        return  # In a final everybody has to speak against somebody.
    against = {one: _spoken_against(situation, one) for one in (name, *rest)}
    cleared = {one for seer in seers for one in ledger.called(seer, Species.HUMAN)}
    known = names_of(situation.state.players)
    own = [without_anchor(one.talk.text) for one in ledger.by(name) if one.day == day]
    # Who has spoken of another in words that are not understood may have named it.
    named = {who for text in own for who in known.players_in(text)} - {name, *seers, *cleared}
    if own[1:] and not against[name] and not named and all(against[one] for one in rest):
        yield Mark("unpicked", rest[0])
    others = [one for one in against[name] if one in rest]
    if others and all(against[one].isdisjoint((name, *rest)) for one in rest):
        yield Mark("on_other", others[0])


def _spoken_against(situation: Situation, name: str) -> set[str]:
    """The players against whom ``name`` has spoken, or announced its vote, today."""
    today = (one for one in situation.ledger.by(name) if one.day == situation.state.day)
    return {said.target for one in today for said in one.statements if said.kind in ("suspect", "vote", "agree")}


def speaks_of_the_seer(heard: TalkRecord, ledger: Ledger) -> bool:
    """Whether a talk has any word for the seer, whatever it says of it."""
    return Role.SEER in ledger.reader.roles_in(Phrase(heard.talk.text))


def _talked_less(situation: Situation, name: str) -> Iterator[Mark]:
    """Marks if ``name`` has talked less today than everybody else, or began after everybody else; this seat, which
    talks now, counts among them."""
    state, ledger = situation.state, situation.ledger
    counts = {one: ledger.count(state.day, one) + (one == state.me) for one in state.alive}
    if all(counts[name] < count for one, count in counts.items() if one != name):
        yield Mark("least")
    began = list(dict.fromkeys(one.who for one in ledger.heard if one.day == state.day))
    if state.day > 0 and set(began) >= set(state.alive) and began[-1] == name:
        yield Mark("late")


def _marks(situation: Situation, name: str) -> Iterator[Mark]:
    ledger, day = situation.ledger, situation.state.day
    today = [(place, one) for place, one in enumerate(ledger.heard) if one.day == day]
    own = [(place, one) for place, one in today if one.who == name]
    if day < 1 or not own:
        return
    liars = proven_liars(situation)
    stood = next((one for one in ledger.trusts if one.who == name and one.day == day and one.target in liars), None)
    if stood is not None:
        yield Mark("with_liar", stood.target)
    yield from _silence(situation, name, today)
    yield from _unanswered(situation, name, own)
    yield from _between_seers(situation, name, today)
    yield from _by_vote(situation, name, today)
    yield from _by_names(situation, name, today)
    yield from _on_nothing(situation, own)
    yield from _passed_over(situation, name, today)
    yield from _of_questions(situation, name, today)
    yield from _first_rope(situation, name, today)
    yield from _hit_back(situation, name, today)
    yield from _of_yesterday(situation, name)


def _between_seers(situation: Situation, name: str, today: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """What ``name``, who claims nothing, has to do with the seer whom this seat believes and with the other."""
    ledger, day, me = situation.ledger, situation.state.day, situation.state.me
    seers = ledger.claimants[Role.SEER]
    seer = own_or_trusted_seer(situation)
    if name in seers or seer not in (*seers, me):
        return
    yield from _on_cleared(situation, name, seer)
    if seer not in seers or len(seers) < 2:
        return
    vote = ledger.votes.get((day, name), "")
    if vote == seer != me:
        yield Mark("votes_seer", seer)
    told = {one: ledger.told(one) for one in seers}
    callers = [one for one in seers if one not in (seer, me, vote) and told[one].get(vote) == Species.WEREWOLF]
    if callers and vote not in (seer, me, situation.promise):
        yield Mark("votes_with", callers[0])
    clears = [one for one in seers if told[one].get(name) == Species.HUMAN]
    liar = next((one for one in clears if one != seer), "")
    if liar and seer not in clears:
        yield Mark("cleared", liar)
    claims: dict[str, int] = {}  # Who repeats a claim brings nothing that has to be answered.
    for place, one in today:
        if one.role == Role.SEER and one.who in seers:
            claims.setdefault(one.who, place)
    since = [one for place, one in today if one.who == name and claims and place > max(claims.values())]
    if since and len(claims) > 1 and not any(one in heard.talk.text for heard in since for one in seers):
        yield Mark("no_side")
    # Who is called a wolf answers that, and need not accuse in return.
    calls = [one for one in seers if told[one].get(name) == Species.WEREWOLF]
    other = next((one for one in seers if one not in (seer, me, *calls) and one in situation.state.alive), "")
    against = any(_speaks_against(heard, other) for _, heard in today if heard.who == name)
    if since and other and not against and not any(_doubts(heard, other) for heard in since):
        yield Mark("easy_on", other)


def _on_cleared(situation: Situation, name: str, seer: str) -> Iterator[Mark]:
    """A mark if ``name`` has suspected today, or announced a vote for, another whom ``seer`` has seen to be human."""
    state, ledger = situation.state, situation.ledger
    cleared = set(ledger.called(seer, Species.HUMAN)) - {state.me, *ledger.claimants[Role.SEER]}
    against = [said.target for said in ledger.suspicions if (said.who, said.day) == (name, state.day)]
    hit = [one for one in (*against, ledger.votes.get((state.day, name), "")) if one in cleared]
    if hit:
        yield Mark("on_cleared", hit[0])


def _doubts(heard: TalkRecord, name: str) -> bool:
    """Whether ``heard`` speaks of ``name`` without a word for it: "I take her for the madman" is no peace either."""
    return name in heard.talk.text and all((one.kind, one.target) != ("trust", name) for one in heard.statements)


def _speaks_against(heard: TalkRecord, name: str) -> bool:
    return any(one.kind in ("vote", "suspect") and one.target == name for one in heard.statements)


def _of_yesterday(situation: Situation, name: str) -> Iterator[Mark]:
    """Marks for the vote of ``name`` on the day before, where this seat has voted for somebody else: it did not fall on
    the false seer for whom this seat voted, or it fell on the seer that this seat believes, on the one for whom a false
    seer voted as well, on this seat, or on a human who was hanged and is no seer that this seat disbelieves."""
    state = situation.state
    cast = state.cast(state.day - 1)
    vote, mine = cast.get(name, ""), cast.get(state.me, "")
    seer = trusted_seer(situation)
    if vote in ("", mine):
        return
    if liar := spared_liar(situation, name):
        yield Mark("spared", liar)
    if vote == seer:
        yield Mark("voted_seer", vote)
    if liar := voted_with(situation, name):
        yield Mark("voted_with", liar)
    if vote == state.me:
        yield Mark("voted_me")
    sees = situation.story.role == Role.SEER
    disbelieved = (sees or bool(seer)) and vote in situation.rivals(Role.SEER) and vote != seer
    hanged = vote == state.executions.get(state.day - 1) and situation.outer.known.get(vote) == Species.HUMAN
    if hanged and not disbelieved:
        yield Mark("hit_human", vote)


def spared_liar(situation: Situation, name: str) -> str:
    """The seer whom this seat does not believe and has voted for yesterday, where ``name``, who is not that seer, has
    voted for somebody else; or ``""``."""
    cast, seer = situation.state.cast(situation.state.day - 1), trusted_seer(situation)
    liar = cast.get(situation.state.me, "")
    false = seer and liar in situation.rivals(Role.SEER) and liar not in (seer, name)
    return liar if false and cast.get(name, liar) != liar else ""


def voted_with(situation: Situation, name: str) -> str:
    """The seer whom this seat does not believe and who voted yesterday for the same player as ``name``, or ``""``."""
    state = situation.state
    cast = state.cast(state.day - 1)
    seer = trusted_seer(situation)
    others = [one for one in situation.rivals(Role.SEER) if one not in (seer, name)]
    alike = [one for one in others if seer and cast.get(one, "") == cast.get(name)]
    return alike[0] if alike and cast.get(state.me) != cast[alike[0]] else ""


def _by_vote(situation: Situation, name: str, today: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """When, why and for whom ``name`` has announced a vote."""
    state, ledger = situation.state, situation.ledger
    own = [(place, one) for place, one in today if one.who == name]
    votes = [(place, said.target) for place, one in own for said in one.statements if said.kind == "vote"]
    if not votes:
        return
    place, target = votes[0]
    first = _first_result(today)
    if state.day == 1 and 0 <= place < first:
        yield Mark("early_vote", target)
    if len({one for _, one in votes}) > 1:
        yield Mark("moved", target)
    led = [
        one.who for where, one in today if where < place and one.who not in (name, state.me) and _votes_for(one, target)
    ]
    if led and target != state.me and ledger.claims.get(led[0]) != Role.SEER:
        yield Mark("followed", led[0])
    text = next(one.talk.text for where, one in own if where == votes[-1][0])
    if ledger.reader.only_votes(text, state.players):
        yield Mark("bare_vote")
    if votes[-1][1] == state.me:
        yield Mark("on_me")


def _by_names(situation: Situation, name: str, today: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """Whom ``name`` has named besides, or that it has named nobody."""
    state, ledger = situation.state, situation.ledger
    own = [(place, one) for place, one in today if one.who == name]
    suspects = [(place, said.target) for place, one in own for said in one.statements if said.kind == "suspect"]
    first = _first_result(today)
    if any(target == state.me for _, target in suspects):
        yield Mark("after_me")
    early = [target for place, target in suspects if place < first]
    if state.day == 1 and early:
        yield Mark("early_name", early[0])
    opinions = ("vote", "suspect", "result", "agree", "trust")
    names = [said for _, one in own for said in one.statements if said.kind in opinions]
    # Who has spoken of another in words that are not understood may have named it.
    known = names_of(state.players)
    spoken_of = {who for _, one in own for who in known.players_in(without_anchor(one.talk.text))} - {name}
    if len(own) > 1 and not names and not spoken_of and name not in ledger.claims:
        yield Mark("no_name")


def _on_nothing(situation: Situation, own: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """Against whom a player has spoken on a feeling, or only because somebody had to be named."""
    ledger, players = situation.ledger, situation.state.players
    for _, one in own:
        named = [said.target for said in one.statements if said.kind in ("suspect", "vote")]
        if not named or ledger.told(named[0]).get(one.who) == Species.WEREWOLF:
            continue  # To be called a wolf is a ground.
        if ledger.reader.reproach(one.talk.text, players) == "hunch":
            yield Mark("on_nothing", named[0])
            return


def _passed_over(situation: Situation, name: str, today: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """A mark if ``name`` has talked twice since the only seer told whom it has cleared, without a word on either."""
    seers = situation.ledger.claimants[Role.SEER]
    if len(seers) != 1 or seers[0] != own_or_trusted_seer(situation) or name == seers[0]:
        return
    told = [(place, said) for place, one in today if one.who == seers[0] for said in one.statements]
    white = [(place, said.target) for place, said in told if (said.kind, said.result) == ("result", Species.HUMAN)]
    if not white or name == white[0][1]:
        return
    since = [one.talk.text for place, one in today if one.who == name and place > white[0][0]]
    if since[1:] and not any(one in text for text in since for one in (seers[0], white[0][1])):
        yield Mark("passed_over", seers[0])


def _of_questions(situation: Situation, name: str, today: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """Marks if ``name`` was asked for a suspect today and has answered without one, or has asked nobody anything."""
    ledger, day = situation.ledger, situation.state.day
    own = [one for _, one in today if one.who == name]
    if name in _called_wolves(ledger):
        return  # Who is called a wolf answers that.
    for ask in ledger.asks:
        if (ask.day, ask.target, ask.topic) != (day, name, "suspect") or ask.who in (name, situation.state.me):
            continue
        since = [one for one in own if one.idx > ask.idx]
        named = any(said.kind in ("vote", "suspect", "agree", "result") for one in since for said in one.statements)
        if not named and any(ask.who in one.talk.text for one in since):
            yield Mark("no_pick", ask.who)
            break
    asks = any((one.who, one.day) == (name, day) for one in ledger.asks)
    if own[1:] and not asks and name not in ledger.claims:
        yield Mark("asks_none")


def _first_rope(situation: Situation, name: str, today: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """A mark if ``name`` has announced the first vote of today, for somebody who claims nothing and whom no result
    calls a wolf."""
    ledger = situation.ledger
    votes = [(one.who, said.target) for _, one in today for said in one.statements if said.kind == "vote"]
    if not votes or len(situation.state.alive) <= FINAL:
        return  # Of three somebody has to begin.
    voter, target = votes[0]
    if voter == name and target not in ledger.claims and target not in _called_wolves(ledger):
        yield Mark("first_rope", target)


def _called_wolves(ledger: Ledger) -> set[str]:
    """All whom any result that was told calls a wolf."""
    return {told.target for results in ledger.results.values() for told in results if told.result != Species.HUMAN}


def _hit_back(situation: Situation, name: str, today: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """A mark if the only one whom ``name`` has spoken against today spoke against it before, and claims nothing."""
    against = [
        (place, one.who, said.target)
        for place, one in today
        for said in one.statements
        if said.kind in ("suspect", "vote")
    ]
    mine = [(place, target) for place, who, target in against if who == name]
    others = {who for place, who, target in against if target == name and mine and place < mine[0][0]}
    if mine and len({target for _, target in mine}) == 1 and mine[0][1] in others - {*situation.ledger.claims}:
        yield Mark("hit_back", mine[0][1])


def _first_result(today: Sequence[tuple[int, TalkRecord]]) -> int:
    """The place of today's first talk with a result, -1 without."""
    return next((where for where, one in today if any(said.kind == "result" for said in one.statements)), -1)


def _votes_for(heard: TalkRecord, name: str) -> bool:
    return any((one.kind, one.target) == ("vote", name) for one in heard.statements)


def _silence(situation: Situation, name: str, today: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """A mark if ``name`` has talked since somebody was called a wolf and has spoken neither of that player nor of who
    did so, nor asked about a seer or what somebody was looked at for."""
    ledger = situation.ledger
    asked = any(
        (one.who, one.day) == (name, situation.state.day) and one.topic in ("why_divine", "believe")
        for one in ledger.asks
    )
    for place, heard in today:
        black = next((s.target for s in heard.statements if (s.kind, s.result) == ("result", Species.WEREWOLF)), "")
        if not black or name in (heard.who, black) or heard.role != Role.SEER:
            continue
        if black == situation.state.me and situation.outer.colour == Species.HUMAN:
            return  # Who was called a wolf falsely reproaches nobody with leaving that alone.
        since = [one for where, one in today if where > place and one.who == name]
        spoke = asked or any(speaks_of_the_seer(one, ledger) for one in since)
        if since and not spoke and not any(black in one.talk.text or heard.who in one.talk.text for one in since):
            yield Mark("silent_on", heard.who)
        return


def _unanswered(situation: Situation, name: str, own: Sequence[tuple[int, TalkRecord]]) -> Iterator[Mark]:
    """A mark if ``name`` was asked something today and has talked since without a word to who asked or on anybody."""
    for ask in situation.ledger.asks:
        if ask.day != situation.state.day or ask.target != name or ask.who in (name, situation.state.me):
            continue
        since = [one for _, one in own if one.idx > ask.idx]
        opinions = ("suspect", "vote", "trust", "agree", "claim", "result")
        spoke = any(ask.who in one.talk.text or any(s.kind in opinions for s in one.statements) for one in since)
        if since and not spoke:
            yield Mark("no_answer", ask.who)
            return


# --- Why somebody was looked at --------------------------------------------------------------------------------------


def why_looked(situation: Situation, name: str, night: int) -> list[Mark]:
    """By what stood on the day before the night ``night``: why ``name`` may have been looked at, the weightiest first;
    never empty."""
    state, ledger = situation.state, situation.ledger
    found: list[Mark] = []
    if night > 0:
        fell = state.executions.get(night, "")
        cast = state.cast(night)
        lied = fell in situation.rivals(Role.SEER)  # Nobody who lives as the seer mourns who claimed to be it.
        human = situation.outer.known.get(fell) == Species.HUMAN and not lied
        if fell and fell != name and cast.get(name) == fell and human:
            found.append(Mark("voted", fell))
        doubted = any((one.who, one.target, one.day) == (state.me, name, night) for one in ledger.suspicions)
        if doubted or cast.get(state.me) == name:
            found.append(Mark("doubted"))
        if other := _left_beside(situation, name, night):
            found.append(Mark("left", other))
    talks = [one for one in ledger.heard if one.day == night]
    others = [one for one in state.players if one not in (name, state.me)]
    calls = {one: [t.who for t in talks if one in t.talk.text and t.who != one] for one in state.players}
    by_most = all(len(set(calls[name])) > len(set(calls[one])) for one in others)
    oftenest = all(len(calls[name]) > len(calls[one]) for one in others)
    if len(set(calls[name])) >= 2 and by_most and oftenest:
        found.append(Mark("named"))
    callers = {t.who: t.idx for t in talks if name in t.talk.text and t.who not in (name, state.me)}
    own = [t for t in talks if t.who == name]
    answered = any(who in t.talk.text for t in own for who in callers)
    if callers and own and not answered and any(t.idx > min(callers.values()) for t in own):
        found.append(Mark("unanswered", min(callers, key=callers.__getitem__)))
    if talks and not calls[name] and night == 0:
        found.append(Mark("unnamed"))
    pair = {name: state.me, state.me: name}
    # Who only answers has not sought anybody out.
    if next((t.who for t in talks if t.who in pair and pair[t.who] in t.talk.text), "") == name:
        found.append(Mark("to_me"))
    if night == 0 and talks and name in (talks[0].who, _last_to_begin(talks)):
        found.append(Mark("first_word" if name == talks[0].who else "last_word"))
    said = Counter(talk.who for talk in talks)
    if night == 0 and said[name] < min(said[one] for one in (*others, state.me)):
        found.append(Mark("quiet"))
    asked = [one for one in ledger.asks if one.day == night]
    if night == 0 and asked and asked[0].who == name and asked[0].target != state.me:
        found.append(Mark("asked", asked[0].target))
    return sorted(found, key=lambda one: LOOKS.index(one.kind)) or [Mark("blind")]


def _left_beside(situation: Situation, name: str, night: int) -> str:
    """Who alone beside ``name`` could still be the wolf in the night ``night``, by the looks of this seat before it and
    since the game had gone on, or ``""``."""
    state = situation.state
    seen = {one.target: one.result for one in situation.story.history(state) if one.day < night}
    gone = {who for day, who in state.executions.items() if day <= night}
    gone |= {who for day, who in state.attacks.items() if day < night}
    left = [one for one in state.players if one != state.me and one not in gone and seen.get(one) != Species.HUMAN]
    lone = small_village(situation) and Species.WEREWOLF not in seen.values()
    return next((one for one in left if one != name), "") if lone and name in left and len(left) == 2 else ""


def _last_to_begin(talks: Sequence[TalkRecord]) -> str:
    """Who spoke for the first time after everybody else had."""
    return list(dict.fromkeys(talk.who for talk in talks))[-1]
