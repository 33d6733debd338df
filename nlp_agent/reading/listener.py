"""Hearing one talk, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nlp_agent.protocol import Role
from nlp_agent.reading.patterns import Patterns
from nlp_agent.reading.statement import Statement
from nlp_agent.text.finder import Phrase
from nlp_agent.text.names import NAME, Names

ANCHOR = re.compile(rf"[^\w{NAME[1:-1]}]*@ ?({NAME})")
_ENDS = " .。．!！…~〜ー"
"""What may close a statement; patterns that want its end see it without."""
_SIGN = re.compile(NAME)
_COMMA = re.compile("[:;,—–、，]")
_CALL = re.compile(rf"{NAME} ?;")
_SHORTEST_QUESTION = 3
"""Code points that are no question yet, such as "Eh?"."""


class Listener:
    """Hears the sentences of one talk in order: who is spoken to and who is spoken of carries over."""

    def __init__(self, patterns: Patterns, names: Names) -> None:
        self._patterns = patterns
        self._names = names
        self._called: list[str] = []
        self._anchored = False
        self.tells = False
        """The speaker has said that the results told are its own."""
        self._before = Phrase("")
        self._last = ""
        """The sign of the player named last: whom a pronoun means."""
        self._checked: list[str] = []
        """Players the speaker has just said to have looked at, without the outcome."""

    @property
    def addressee(self) -> str:
        """Who is spoken to; of several called in one breath the first."""
        return next(iter(self._called), "")

    @addressee.setter
    def addressee(self, who: str) -> None:
        self._called = [who] * bool(who)

    def hear(self, sentence: Phrase) -> list[Statement]:
        if match := ANCHOR.match(sentence):
            called = self._patterns.vocatives.search(Phrase(sentence[match.end() :].lstrip()))
            # "@Ann Ben; who lied?" answers Ann and asks Ben.
            turned = self._who(called) if called and _COMMA.search(called[0]) else []
            begins = called is not None and (called.start() == 0 or len(turned) > 1)
            self._called = (begins and turned) or self._names.named(match[0])[:1]
            self._anchored = True
        elif (match := self._patterns.vocatives.search(sentence)) and not self._mentioned(match):
            self._called = self._who(match)
        meant = self._resolved(sentence)
        if self._patterns.question.search(sentence):
            found = [*self._questions(sentence)] if len(sentence) > _SHORTEST_QUESTION else []
        else:
            found = [*self._statements(Phrase(meant.rstrip(_ENDS)))]
        self._before = sentence
        return found

    def _mentioned(self, vocative: re.Match[str]) -> bool:
        """Whether the name only ends what is said to somebody else: "@Ann to me it was Ben." speaks of Ben, and so does
        "Ann; why did you look at Ben?"."""
        ends = vocative.start() > 0 and not _COMMA.search(vocative[0])
        return ends and (self._anchored or _CALL.fullmatch(self._before) is not None)

    def _resolved(self, sentence: Phrase) -> str:
        """``sentence`` with each pronoun replaced by the sign of the player named last before it."""
        parts: list[str] = []
        place = 0
        for match in self._patterns.pronouns.finditer(sentence):
            parts.append(sentence[place : match.start()])
            self._remember(parts[-1])
            parts.append(self._last or match[0])
            place = match.end()
        self._remember(sentence[place:])
        return "".join(parts) + sentence[place:]

    def _remember(self, text: str) -> None:
        if names := re.findall(NAME, text):
            self._last = names[-1]

    def _clauses(self, sentence: Phrase, *, hedged: bool) -> list[Phrase]:
        """The parts of ``sentence`` that say something certain; ``hedged``: it does not where it has no parts."""
        found = [clause for clause in self._patterns.clause.split(sentence) if clause is not None]
        if len(found) == 1:
            return [sentence] * (not hedged)
        return [clause for clause in map(Phrase, found) if not self._patterns.hedges.search(clause)]

    def _who(self, match: re.Match[str]) -> list[str]:
        return [who for group in match.groupdict().values() if group for who in self._names.named(group)]

    # --- questions ---------------------------------------------------------------------------------------------

    def _questions(self, sentence: Phrase) -> Iterator[Statement]:
        """What is asked of each player called."""
        asks = self._patterns.asks
        topic = next((t for t, p in asks if p.search(sentence)), "any")
        if topic in ("any", "why") and self._before:
            # "You voted for Ken. Why?": what is asked stands in the sentence before.
            topic = next((t for t, p in asks if p.search(self._before)), topic)
        if self._patterns.everybody.search(sentence):
            yield Statement("ask", topic=topic, to=self.addressee)
            return
        called = self._called
        if several := self._patterns.several.search(sentence):
            # "Ken and Ann is either of you seer?", "I doubt Ken or Ann. Is either of you seer?"
            before = (sentence[: several.start()], self._before)
            named = (self._names.named(ANCHOR.sub("", said, count=1)) for said in before)
            called = next((both for both in named if len(both) > 1), called)
        yield from (Statement("ask", target=who, topic=topic, to=who) for who in called)
        if not called:
            names = self._names.named(sentence) if topic in ("any", "role", "why", "why_vote", "result") else []
            yield Statement("ask", target=next(iter(names), ""), topic=topic)

    # --- what is stated ----------------------------------------------------------------------------------------

    def _statements(self, sentence: Phrase) -> Iterator[Statement]:
        patterns = self._patterns
        if not patterns.stating.may_match(sentence):
            self._checked = []
            return
        named, seldom = bool(_SIGN.search(sentence)), patterns.seldom.may_match(sentence)
        either = patterns.either.finditer(sentence) if named and seldom else ()
        pairs = [who for match in either if len(who := self._who(match)) == 2]
        yield from (Statement("either", target=one, to=other) for one, other in pairs)
        unsettled = {name for pair in pairs for name in pair}
        sure = patterns.sure(sentence)
        hedged = sure is not sentence
        certain = [said for said in self._certain(sure) if said.target not in unsettled] if sure else []
        yield from certain
        if named and seldom and not hedged:
            yield from self._asked_of_others(sentence)
        clauses = self._clauses(sentence, hedged=hedged)
        yield from self._moves(sentence, clauses, seldom=seldom)
        if named or self.addressee:
            settled = {said.target for said in certain if said.kind == "result"}
            yield from self._opinions(clauses, settled | unsettled)
        for kind, pattern in patterns.replies if seldom else ():
            if match := pattern.search(sentence):
                whom = next(iter(self._who(match)), "") or self.addressee
                yield from (Statement(kind, target=name) for name in [whom] if name)
                break

    def _opinions(self, clauses: list[Phrase], settled: set[str]) -> Iterator[Statement]:
        """Suspicion and trust; whoever's colour the sentence tells is left out: that says more."""
        patterns = self._patterns
        for clause in clauses:
            for kind, pattern in patterns.opinions:
                if match := pattern.search(clause):
                    for who in self._who(match) or [self.addressee] * bool(self.addressee):
                        if who not in settled:
                            yield Statement(kind, target=who)

    def _certain(self, sentence: Phrase) -> Iterator[Statement]:
        """Claims and results: what a condition or a denial in the sentence would undo."""
        patterns = self._patterns
        if not patterns.certain.may_match(sentence):
            self._checked = []
            return
        self.tells = self.tells or bool(patterns.tells.search(sentence))
        if match := patterns.unclaims.search(sentence):
            rest = Phrase(sentence[match.end() :])  # "I take back my claim: I am the seer" slides to another.
            new = [Statement("claim", role=role) for role, p in patterns.claims if p.search(rest)]
            about = Phrase(match[0]) if new else sentence
            yield Statement("unclaim", role=next((r for r, p in patterns.roles if p.search(about)), ""))
            yield from new
            return
        claims = patterns.any_role.search(sentence) and patterns.any_claim.search(sentence)
        if claims and not patterns.borrowed.search(sentence):
            yield from (Statement("claim", role=role) for role, p in patterns.claims if p.search(sentence))
        found = [*self._results(sentence)]
        found = [replace(said, role=Role.SEER) if said.target in self._checked else said for said in found]
        if not found and self._checked:
            for _, result, pattern in patterns.outcomes:
                if pattern.search(sentence):
                    found = [Statement("result", who, Role.SEER, result) for who in self._checked]
                    break
        if self.addressee and all(said.target != self.addressee for said in found):
            fits = ((role, result) for role, result, pattern in patterns.self_results if pattern.search(sentence))
            found += [Statement("result", self.addressee, role, result) for role, result in fits][:1]
        yield from found
        match = patterns.checks.search(sentence)
        self._checked = (self._who(match) or [self.addressee] * bool(self.addressee)) if match and not found else []
        for kind, pattern in patterns.deeds:
            if match := pattern.search(sentence):
                yield from (Statement(kind, target=who) for who in self._who(match)[:1])

    def _results(self, sentence: Phrase) -> Iterator[Statement]:
        told: set[str] = set()
        present = {result for result, pattern in self._patterns.colours if pattern.search(sentence)}
        reported = bool(present) and bool(self._patterns.reports.search(sentence))
        for role, result, pattern in self._patterns.results:
            if result not in present or (reported and not role):
                continue
            for match in pattern.finditer(sentence):
                for who in self._who(match):
                    if who not in told:  # The most telling form stands first.
                        told.add(who)
                        yield Statement("result", who, role, result)

    def _asked_of_others(self, sentence: Phrase) -> Iterator[Statement]:
        for topic, pattern in self._patterns.demands:
            if match := pattern.search(sentence):
                names = self._names.named(sentence)
                for who in self._who(match)[-1:]:  # Whoever is to do it may be named first.
                    to = self.addressee if self.addressee != who else ""
                    to = to or (names[0] if names[0] != who else "")
                    yield Statement("demand", target=who, topic=topic, to=to)
        for topic, pattern in self._patterns.nights:
            if match := pattern.search(sentence):
                for who in self._who(match)[:1]:
                    yield Statement("night", target=who, topic=topic)

    def _moves(self, sentence: Phrase, clauses: list[Phrase], *, seldom: bool) -> Iterator[Statement]:
        """Announced votes, votes taken back, proposals of prey."""
        patterns = self._patterns
        if seldom and (match := patterns.switches.search(sentence)) and not patterns.hedges.search(sentence):
            yield Statement("retract")
            yield Statement("vote", target=self._who(match)[-1])
            return
        if seldom and (match := patterns.retracts.search(sentence)):
            yield Statement("retract")
            # "I withdraw my vote for Ken" names the old vote; a new one stands behind a comma at least.
            rest = Phrase("".join(_COMMA.split(sentence[match.end() :], maxsplit=1)[1:]))
            clauses = self._clauses(rest, hedged=patterns.hedges.search(rest) is not None)
        for clause in clauses:
            for kind, pattern in patterns.moves:
                match = pattern.search(clause)
                if match and not (kind == "vote" and patterns.unsure.search(clause)) and (who := self._meant(match)):
                    yield Statement(kind, target=who)

    def _meant(self, match: re.Match[str]) -> str:
        """Whom a move is about: the player named in it, whoever is spoken to, or whoever was named last."""
        named = next(iter(self._who(match)), "") or self.addressee
        return named or next(iter(self._names.named(self._last)), "")
