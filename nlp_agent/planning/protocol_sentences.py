"""Planning where only the AIWolf Protocol is spoken: acts of speech as its sentences, and the strategy within what
they can say.

An act without a row in the table of sentences cannot be said there, and plans for such a table have none. What was
stated once is not stated again. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import chain

from nlp_agent.game import ROLES, SeatState
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan, TargetPlan, keys_once_said
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.strategy import Standard, Strategy
from nlp_agent.planning.talk_plan import TalkContext, answer_to
from nlp_agent.protocol import JUDGES, Request, Role, Species
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol_language import (
    ANY,
    Action,
    Agreement,
    Compound,
    Directed,
    Finding,
    FindingVerb,
    Guess,
    ReplyVerb,
    Sentence,
    write,
)
from nlp_agent.reading.statement import TalkRecord

# --- What was stated once in the AIWolf Protocol, and so is not stated again -----------------------------------------


def statement_key(sentence: Sentence, day: int) -> str:
    """The key under which it is kept that ``sentence`` was stated on ``day``: claims and results for good, all else for
    that day. No other reason or date makes anything new of it."""
    while isinstance(sentence, Compound) and sentence.verb in ("BECAUSE", "DAY"):
        sentence = sentence.parts[-1]
    lasting = isinstance(sentence, Finding) or (isinstance(sentence, Guess) and sentence.verb == "COMINGOUT")
    return f"stated|{'' if lasting else day}|{write(sentence)}"


def parts_of(sentence: Sentence) -> tuple[Sentence, ...]:
    """The sentences that ``sentence`` states at once: the parts of a plain AND, or itself."""
    if isinstance(sentence, Compound) and sentence.verb == "AND" and sentence.subject is None:
        return sentence.parts
    return (sentence,)


# --- Acts of speech as sentences of the AIWolf Protocol --------------------------------------------------------------


WOLF, MAD = Role.WEREWOLF.value, Role.POSSESSED.value
_GIFTS: dict[str, FindingVerb] = {Role.SEER.value: "DIVINED", Role.MEDIUM.value: "IDENTIFIED"}


class SentenceWriter:
    """Writes for one seat; what its talks answer to is looked up in ``ledger``."""

    def __init__(self, state: SeatState, ledger: Ledger) -> None:
        self._state, self._ledger = state, ledger

    def of_plan(self, acts: Sequence[SpeechAct]) -> Sentence | None:
        """Write what is new of ``acts`` as one sentence, ``None`` where that is nothing."""
        parts = tuple(self._news(acts))
        return Compound("AND", parts) if len(parts) > 1 else next(iter(parts), None)

    def keys(self, acts: Sequence[SpeechAct]) -> tuple[str, ...]:
        """The keys that are kept of ``acts`` once :meth:`of_plan` was said; none where all of it was said before."""
        return tuple(statement_key(part, self._state.day) for part in self._news(acts))

    def _news(self, acts: Sequence[SpeechAct]) -> Iterator[Sentence]:
        found = [part for act in acts if (made := self.of(act)) is not None for part in parts_of(made)]
        return (part for part in dict.fromkeys(found) if statement_key(part, self._state.day) not in self._ledger.keys)

    def of(self, act: SpeechAct) -> Sentence | None:
        """Write ``act`` as a sentence, its reason in front of it if it has one; ``None`` where the protocol has no
        words for it.
        """
        made = _writer_of(act)
        if made is None or (found := made(self, act)) is None:
            return None
        reason = self._reason(act) if act.variant.reasoned and act.proof else None
        return found if reason is None else Compound("BECAUSE", (reason, found))

    # --- parts -------------------------------------------------------------------------------------------------

    def _number(self, name: str) -> int:
        return self._state.players.index(name) + 1 if name in self._state.players else ANY

    def _guess(self, name: str, role: str) -> Sentence | None:
        number = self._number(name)
        return Guess("ESTIMATE", number, role) if number else None

    def _own_claim(self, role: str) -> Sentence:
        return Guess("COMINGOUT", self._number(self._state.me), role)

    def _their_claim(self, name: str, role: str) -> Sentence:
        number = self._number(name)
        return Guess("COMINGOUT", number, role, number)

    def _told(self, who: str, about: str, *, whispered: bool = False) -> TalkRecord | None:
        """What ``who`` said last, today, that concerns ``about``."""
        book = self._ledger.whispers if whispered else self._ledger.talks.get((self._state.day, who), ())
        return next(
            (h for h in reversed(book) if h.who == who and any(about in (s.target, s.to) for s in h.statements)), None
        )

    def _reply(self, verb: ReplyVerb, who: str, about: str) -> Sentence | None:
        heard = self._told(who, about)
        return Agreement(verb, "TALK", heard.day, heard.idx) if heard is not None else None

    # --- acts --------------------------------------------------------------------------------------------------

    def claim(self, act: SpeechAct) -> Sentence:
        """Write that this seat claims ``act.role``."""
        return self._own_claim(act.role)

    def result(self, act: SpeechAct) -> Sentence:
        """Write a result, dated to the day on which it was received, as everybody does."""
        found = Finding(_GIFTS[act.role], self._number(act.target), act.result)
        return found if act.day is None else Compound("DAY", (found,), act.day + 1)

    def rival(self, act: SpeechAct) -> Sentence | None:
        """Write that another claimant of this seat's role must be a werewolf or possessed; with a topic, which
        of them.
        """
        if act.topic:
            return self._guess(act.target, WOLF if act.topic == Species.WEREWOLF else MAD)
        role = self._ledger.claim(self._state.me) or Role.SEER.value
        both = Compound("AND", (self._own_claim(role), self._their_claim(act.target, role)))
        return Compound("BECAUSE", (both, self._false(act.target)))

    def _false(self, name: str) -> Sentence:
        number = self._number(name)
        return Compound("XOR", (Guess("ESTIMATE", number, WOLF), Guess("ESTIMATE", number, MAD)))

    def believe(self, act: SpeechAct) -> Sentence | None:
        """Write that ``act.target`` is thought to be the true seer."""
        return self._guess(act.target, Role.SEER.value)

    def react(self, act: SpeechAct) -> Sentence | None:
        """Write what this seat makes of somebody's claim or result: which role it thinks true, or that it agrees or
        disagrees.
        """
        if act.topic == "confession":
            return self._guess(act.target, MAD)
        if act.topic == "bodyguard":
            return self._guess(act.target, Role.BODYGUARD.value)
        if act.topic == "doubt_bodyguard":
            return self._guess(act.target, WOLF)
        return self._reply("DISAGREE" if act.topic.startswith(("doubt", "false")) else "AGREE", act.to, act.target)

    def suspect(self, act: SpeechAct) -> Sentence | None:
        """Write that ``act.target`` is thought to be a werewolf."""
        return self._guess(act.target, WOLF)

    def agree(self, act: SpeechAct) -> Sentence | None:
        """Write that this seat agrees with the last talk of ``act.to`` about the target; without such a talk, that it
        suspects it.
        """
        return self._reply("AGREE", act.to, act.target) or self.suspect(act)

    def trust(self, act: SpeechAct) -> Sentence | None:
        """Write that ``act.target`` is thought to have the role it claims, or to be a villager."""
        claimed = self._ledger.claims.get(act.target, "")
        return self._guess(act.target, Role.VILLAGER.value if claimed in (WOLF, MAD, "") else claimed)

    def vote(self, act: SpeechAct) -> Sentence:
        """Write that this seat will vote for ``act.target``, and asks everybody to do so."""
        wish = Action("VOTE", self._number(act.target))
        return Compound("AND", (wish, Directed("REQUEST", ANY, wish)))

    def retract(self, act: SpeechAct) -> Sentence:
        """Write that this seat does not vote for the player it announced, but for ``act.target``."""
        old = self._ledger.promise(self._state.me, self._state.day)
        new = Action("VOTE", self._number(act.target))
        return Compound("AND", (Compound("NOT", (Action("VOTE", self._number(old)),)), new)) if old else new

    def ask(self, act: SpeechAct) -> Sentence:
        """Write a question to ``act.to``: whom it believes or suspects, or why it suspects, voted for or divined the
        target.
        """
        about = self._number(act.target)
        wanted: dict[str, Sentence] = {
            "believe": Guess("ESTIMATE", ANY, Role.SEER.value),
            "suspect": Guess("ESTIMATE", ANY, WOLF),
            "why": Guess("ESTIMATE", about, WOLF),
            "why_vote": Action("VOTED", about),
            "why_divine": Finding("DIVINED", about, "ANY"),
        }
        return Directed("INQUIRE", self._number(act.to), wanted[act.topic])

    def answer(self, act: SpeechAct) -> Sentence | None:
        """Write the answer to a question of the kind that ``act.topic`` names."""
        target = self._number(act.target)
        made: dict[str, Callable[[], Sentence | None]] = {
            "role": lambda: self._own_claim(act.role),
            "vote": lambda: Action("VOTE", target),
            "believe": lambda: self.believe(act),
            "result": lambda: Finding(self._gift(), target, act.result),
            "why_divine": lambda: Finding(self._gift(), target, act.result) if act.result else None,
            "why_vote": lambda: self._past_vote(act.target),
            "why_vote_you": lambda: self._past_vote(act.to),
            "suspect": lambda: self.suspect(act),
            "why_you": lambda: self.suspect(act),
        }
        return made[act.topic]()

    def _gift(self) -> FindingVerb:
        return _GIFTS.get(self._ledger.claim(self._state.me), "DIVINED")

    def _past_vote(self, name: str) -> Sentence:
        return Compound("DAY", (Action("VOTED", self._number(name)),), self._state.day - 1)

    def reply(self, act: SpeechAct) -> Sentence | None:
        """Write that a wish of ``act.to`` is not shared; no other reply has words in the protocol, and gives None."""
        heard = self._ledger.talks.get((self._state.day, act.to), ()) if act.topic == "doubt" else ()
        wish = next((h for h in reversed(heard) if any(said.kind == "demand" for said in h.statements)), None)
        return Agreement("DISAGREE", "TALK", wish.day, wish.idx) if wish is not None else None

    def defend(self, act: SpeechAct) -> Sentence:
        """Write that this seat is no werewolf, and that it disagrees with what ``act.to`` said of it."""
        denied = Compound("NOT", (Guess("ESTIMATE", self._number(self._state.me), WOLF),))
        against = self._reply("DISAGREE", act.to, self._state.me)
        return denied if against is None else Compound("AND", (against, denied))

    def deny(self, act: SpeechAct) -> Sentence:
        """Write that this seat is no werewolf, so that ``act.target``, who said so, must be a werewolf or possessed."""
        denied = Compound("NOT", (Guess("ESTIMATE", self._number(self._state.me), WOLF),))
        return Compound("BECAUSE", (denied, self._false(act.target)))

    def side(self, act: SpeechAct) -> Sentence:
        """Write that this seat sides openly with the wolves: which role it has, and whom it votes for if it tells."""
        claim = self._own_claim(act.role)
        return Compound("AND", (claim, Action("VOTE", self._number(act.target)))) if act.target else claim

    def pretend(self, act: SpeechAct) -> Sentence:
        """Write, as a whisper, which role this seat will claim."""
        return self._own_claim(act.role)

    def attack(self, act: SpeechAct) -> Sentence:
        """Write, as a whisper, whom to attack."""
        return Action("ATTACK", self._number(act.target))

    def executed(self, act: SpeechAct) -> Sentence | None:
        """Write that this seat had voted for the executed; None where it had not."""
        day = self._state.day - 1
        mine = self._state.cast(day).get(self._state.me) == act.target
        return self._past_vote(act.target) if mine else None

    # --- reasons -----------------------------------------------------------------------------------------------

    def _reason(self, act: SpeechAct) -> Sentence | None:
        """The fact behind ``act``, where the language has a word for it."""
        kind = act.proof[-1]
        base = kind.removesuffix("_by")
        if base in ("own_black", "own_white"):
            species = Species.WEREWOLF if base == "own_black" else Species.HUMAN
            verb = _GIFTS.get(self._ledger.claim(self._state.me) or self._state.role)
            return Finding(verb, self._number(act.target), species.value) if verb else None
        who, about = (act.other, act.target) if kind.endswith("_by") else (act.target, act.other)
        doer, done = self._number(who), self._number(about)
        return _deed(base, doer, done, act.day) or _word(base, doer, done)


def _deed(base: str, doer: int, done: int, day: int | None) -> Sentence | None:
    """What was done on ``day``: a vote, or a death in the night."""
    if day is not None and base in ("voted", "felled") and done:
        return Compound("DAY", (Action("VOTED", done, doer),), day)
    if day is not None and base in ("attacked", "claimant_attacked"):
        return Compound("DAY", (Action("ATTACKED", doer, ANY),), day)
    return Action("VOTE", done, doer) if base == "announced" and done else None


def _word(base: str, doer: int, done: int) -> Sentence | None:
    """What somebody said."""
    found: Sentence | None = None
    if base in _FOUND and done:
        role, species = _FOUND[base]
        found = Finding(_GIFTS[role], done, species.value, doer)
    elif base in ("suspects", "trusts") and done:
        found = Guess("ESTIMATE", done, WOLF if base == "suspects" else Role.VILLAGER.value, doer)
    elif base == "seer_rivals" and done:
        found = Compound("AND", tuple(Guess("COMINGOUT", n, Role.SEER.value, n) for n in (doer, done)))
    elif (role := base.partition("_claim")[0].upper()) in ROLES and doer:
        found = Guess("COMINGOUT", doer, role, doer)
    return found


_FOUND = {
    f"{role.lower()}_{colour}": (role.value, species)
    for role in JUDGES
    for colour, species in (("black", Species.WEREWOLF), ("white", Species.HUMAN))
}
_WRITERS: dict[str, Callable[[SentenceWriter, SpeechAct], Sentence | None]] = {
    "claim": SentenceWriter.claim,
    "result": SentenceWriter.result,
    "rival": SentenceWriter.rival,
    "heard": SentenceWriter.believe,
    "rivals_lean": SentenceWriter.believe,
    "rivals_turned": SentenceWriter.believe,
    "rivals_proven": SentenceWriter.believe,
    "react": SentenceWriter.react,
    "suspect": SentenceWriter.suspect,
    "agree": SentenceWriter.agree,
    "trust": SentenceWriter.trust,
    "vote": SentenceWriter.vote,
    "retract": SentenceWriter.retract,
    "ask": SentenceWriter.ask,
    "answer": SentenceWriter.answer,
    "reply_doubt": SentenceWriter.reply,
    "reply_still": SentenceWriter.reply,
    "reply_compared": SentenceWriter.reply,
    "defend": SentenceWriter.defend,
    "deny": SentenceWriter.deny,
    "confess": SentenceWriter.side,
    "ally": SentenceWriter.side,
    "pretend": SentenceWriter.pretend,
    "attack": SentenceWriter.attack,
    "executed_regret": SentenceWriter.executed,
    "executed_unsure": SentenceWriter.executed,
}
"""How an act is written as a sentence, by its kind, or by kind and topic."""
_WORDLESS = {
    f"answer_{topic}"
    for topic in ("no_result", "undecided", "unexplained", "early", "masked", "between", "between_you", "waiting")
}


def _writer_of(act: SpeechAct) -> Callable[[SentenceWriter, SpeechAct], Sentence | None] | None:
    special = f"{act.kind}_{act.topic}"
    return None if special in _WORDLESS else _WRITERS.get(special, _WRITERS.get(act.kind))


def sayable(act: SpeechAct) -> bool:
    """Whether the language has a word for ``act``."""
    return _writer_of(act) is not None


# --- The strategy at a table that speaks the AIWolf Protocol ---------------------------------------------------------


_TRIES = 6
"""Plans that are made for one talk, as long as all of each was said before."""
_BESIDE = frozenset({"vote", "retract", "suspect", "trust", "ask", "listen", "heard", "rivals", "rival", "executed"})
"""What an answer to somebody can stand before."""


class ProtocolContext(TalkContext):
    """A context for planning where only what can be said in the AIWolf Protocol is worth a thought. To listen is a
    Skip, and one must be left.
    """

    def fresh(self, act: SpeechAct) -> bool:
        """Tell whether ``act`` can be said in the protocol and is not spent; to listen costs a Skip, of which more than
        one must be left.
        """
        if act.kind == "listen":
            return (self.situation.state.remain_skip or 0) > 1
        return sayable(act) and TalkContext.fresh(self, act)


class ProtocolStrategy:
    """A strategy for a table that speaks the AIWolf Protocol: it lets ``strategy`` plan what can be said there and is
    new, and answers wishes and questions, those to anybody included.
    """

    def __init__(self, strategy: Strategy | None = None) -> None:
        self._strategy = strategy or Standard()

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        """Plan a talk by the given strategy, again as long as its plan says only what was said before, a few times at
        most.
        """
        given = {field.name: getattr(context, field.name) for field in fields(TalkContext)}
        own, stale = ProtocolContext(**given), frozenset[str]()
        sentences = SentenceWriter(context.situation.state, context.situation.ledger)
        for _ in range(_TRIES):
            plan = _with_answer(self._strategy.plan_talk(own), own)
            if plan.over:
                return plan
            keys = sentences.keys(plan.acts)
            if keys or any(act.kind == "listen" for act in plan.acts):
                return replace(plan, keys=(*plan.keys, *keys, *stale))
            stale |= frozenset(keys_once_said(plan, context.day))
            own = replace(own, done=own.done | stale)
        return TalkPlan(over=True, vote=plan.vote, pretend=plan.pretend, why="all was said before")

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        """Let the given strategy choose whom to name."""
        return self._strategy.choose(situation, request, legal)


def _with_answer(plan: TalkPlan, context: TalkContext) -> TalkPlan:
    """``plan``, and before what can be said beside it, or in place of nothing, an answer that this seat owes."""
    if any(act.kind not in _BESIDE for act in plan.acts):
        return plan
    act, key = next(chain(_answers(context), _opinions(context)), (None, ""))
    if act is None:
        return plan
    return replace(plan, acts=(act, *plan.acts), over=False, keys=(*plan.keys, key), why=plan.why or "was asked")


def _answers(context: TalkContext) -> Iterator[tuple[SpeechAct, str]]:
    """Yield answers to the demands of today that were made of this seat, by name or as one of all: agreed to or not.
    What several want of everybody is answered once."""
    mine = context.situation.promise or context.vote
    for (day, who), talks in context.situation.ledger.talks.items():
        for heard in talks if day == context.day and who in context.situation.state.others else ():
            for said in heard.statements:
                open_to_all = not said.to and said.topic == "vote" and said.target != context.me
                key = f"answered demand|{day}/{said.target if open_to_all else heard.idx}"
                if said.kind == "demand" and (open_to_all or said.to == context.me) and context.new(key):
                    agreed = said.topic == "vote" and said.target == mine
                    yield (
                        SpeechAct("agree", target=said.target, to=who)
                        if agreed
                        else SpeechAct("reply", to=who, topic="doubt"),
                        key,
                    )


def _opinions(context: TalkContext) -> Iterator[tuple[SpeechAct, str]]:
    """Yield answers to questions of today to everybody; who has claimed nothing does not show a role for that."""
    for ask in reversed(context.situation.ledger.asks):
        key = f"answered all|{ask.day}/{ask.idx}"
        asked = ask.day == context.day and not ask.target and ask.who in context.situation.state.others
        if asked and context.new(key) and (context.claimed or ask.topic != "role"):
            act = answer_to(context, ask)
            if sayable(act):
                yield act, key
