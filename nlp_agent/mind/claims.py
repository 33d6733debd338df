"""Reading talk into statements, and the ledger of who said what.

Reading is by the pack's patterns alone: a talk is cut into sentences, every player's name becomes one private-use
character, and each sentence is matched. The same talk is read by every seat of a process, so readings are cached.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from nlp_agent.mind.language import ReadingRules
from nlp_agent.protocol import Role, Species, Talk

_FIRST = 0xE000
_NAME = "[\ue000-\uf8ff]"


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said.

    Kinds: claim (``role``), result (``target``, ``result``), vote, suspect, trust, attack (``target``), retract,
    address (an anchor at the start), and ask (``topic``; ``target`` is who shall answer, ``""`` for everybody).
    """

    kind: str
    target: str = ""
    role: str = ""
    result: str = ""
    topic: str = ""


@dataclass(frozen=True)
class _Patterns:
    sentence: re.Pattern[str]
    clause: re.Pattern[str]
    any_claim: re.Pattern[str]
    claims: tuple[tuple[str, re.Pattern[str]], ...]
    results: tuple[tuple[str, re.Pattern[str]], ...]
    self_results: tuple[tuple[str, re.Pattern[str]], ...]
    retracts: re.Pattern[str]
    moves: tuple[tuple[str, re.Pattern[str]], ...]
    opinions: tuple[tuple[str, re.Pattern[str]], ...]
    asks: tuple[tuple[str, re.Pattern[str]], ...]
    question: re.Pattern[str]
    hedges: re.Pattern[str]


def _any(patterns: tuple[str, ...]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)"


@lru_cache(maxsize=16)
def _compiled(rules: ReadingRules) -> _Patterns:
    every_role = f"(?:{_any(tuple(word for words in rules.roles.values() for word in words))})"
    colours = {
        Species.WEREWOLF.value: f"(?:{_any(rules.black)})",
        Species.HUMAN.value: f"(?:{_any(rules.white)})",
    }

    def build(patterns: tuple[str, ...], role: str = every_role, colour: str = "") -> re.Pattern[str]:
        text = _any(patterns).replace("{role}", role).replace("{name}", f"(?P<NAME>{_NAME})")
        text = text.replace("{colour}", colour)
        text = text.replace("{black}", colours["WEREWOLF"]).replace("{white}", colours["HUMAN"])
        return re.compile(_numbered(text), re.IGNORECASE)

    return _Patterns(
        sentence=re.compile(rules.sentence),
        clause=re.compile(rules.clause, re.IGNORECASE),
        any_claim=build(rules.claims),
        claims=tuple((role, build(rules.claims, f"(?:{_any(words)})")) for role, words in rules.roles.items()),
        results=tuple((result, build(rules.results, colour=words)) for result, words in colours.items()),
        self_results=tuple((r, build(rules.self_results, colour=words)) for r, words in colours.items()),
        retracts=build(rules.retracts),
        moves=(("vote", build(rules.votes)), ("attack", build(rules.attacks))),
        opinions=(("suspect", build(rules.suspects)), ("trust", build(rules.trusts))),
        asks=tuple((topic, build(patterns)) for topic, patterns in rules.asks.items()),
        question=build(rules.question),
        hedges=build(rules.hedges),
    )


def _numbered(text: str) -> str:
    """Give each occurrence of the group NAME a name of its own, as the regular expressions demand."""
    parts = text.split("(?P<NAME>")
    return parts[0] + "".join(f"(?P<n{i}>{part}" for i, part in enumerate(parts[1:]))


@lru_cache(maxsize=1024)
def read_talk(rules: ReadingRules, text: str, players: tuple[str, ...]) -> tuple[Statement, ...]:
    """What ``text`` says, in the order said. ``players`` are the village's names."""
    # The server puts spaces around a mention: what was sent and what is heard are the same talk.
    return _read(rules, " ".join(text.split()), players)


@lru_cache(maxsize=1024)
def _read(rules: ReadingRules, text: str, players: tuple[str, ...]) -> tuple[Statement, ...]:
    patterns = _compiled(rules)
    masked, addressee = _mask(text, players)
    found = [Statement("address", target=addressee)] if masked.lstrip().startswith("@") and addressee else []
    before = ""
    for raw in _sentences(patterns.sentence, masked):
        if sentence := raw.strip():
            found.extend(_read_sentence(patterns, sentence, before, players, addressee))
            before = sentence
    return tuple(dict.fromkeys(found))


def mask_names(text: str, players: tuple[str, ...]) -> str:
    """``text`` with every name replaced by one and the same sign: the shape of a line, whoever it speaks of."""
    masked, _ = _mask(text, players)
    return re.sub(_NAME, "\ue000", masked)


def _mask(text: str, players: tuple[str, ...]) -> tuple[str, str]:
    masked = text
    for name in sorted(players, key=len, reverse=True):
        masked = masked.replace(name, chr(_FIRST + players.index(name)))
    at = re.search(f"@({_NAME})", masked)
    addressee = players[ord(at.group(1)) - _FIRST] if at else ""
    return masked, addressee


def _sentences(pattern: re.Pattern[str], text: str) -> list[str]:
    """Cut after each sentence mark and keep the mark: a question mark matters."""
    cuts = [0, *(match.end() for match in pattern.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(cuts)]


def _who(match: re.Match[str], players: tuple[str, ...]) -> str:
    for value in match.groups():
        if value and len(value) == 1 and _FIRST <= ord(value) < _FIRST + len(players):
            return players[ord(value) - _FIRST]
    return ""


def _read_sentence(
    patterns: _Patterns, sentence: str, before: str, players: tuple[str, ...], addressee: str
) -> list[Statement]:
    found: list[Statement] = []
    if patterns.question.search(sentence):
        topic = next((t for t, p in patterns.asks if p.search(sentence)), "any")
        if topic in ("any", "why"):
            # "You voted for Ken. Why?": what is asked stands in the sentence before.
            topic = next((t for t, p in patterns.asks if p.search(before)), topic) if before else topic
        names = [players[ord(c) - _FIRST] for c in re.findall(_NAME, sentence) if ord(c) - _FIRST < len(players)]
        to = addressee or (names[0] if names and topic in ("any", "role", "why_vote") else "")
        found.append(Statement("ask", target=to, topic=topic))
        return found
    if not patterns.hedges.search(sentence):
        found.extend(_certain(patterns, sentence, players, addressee))
    found.extend(_moves(patterns, sentence, players, addressee))
    for clause in patterns.clause.split(sentence):
        for kind, pattern in patterns.opinions:
            if (match := pattern.search(clause)) and (who := _who(match, players) or addressee):
                found.append(Statement(kind, target=who))
    return found


def _certain(patterns: _Patterns, sentence: str, players: tuple[str, ...], addressee: str) -> list[Statement]:
    """Claims and results: what a condition or a denial in the sentence would undo."""
    found: list[Statement] = []
    if patterns.any_claim.search(sentence):
        found.extend(Statement("claim", role=role) for role, p in patterns.claims if p.search(sentence))
    for result, pattern in patterns.results:
        found.extend(
            Statement("result", target=who, result=result)
            for match in pattern.finditer(sentence)
            if (who := _who(match, players))
        )
    if addressee and not any(s.kind == "result" for s in found):
        found.extend(
            Statement("result", target=addressee, result=result)
            for result, pattern in patterns.self_results
            if pattern.search(sentence)
        )
    return found


def _moves(patterns: _Patterns, sentence: str, players: tuple[str, ...], addressee: str) -> list[Statement]:
    """Announced votes, votes taken back, proposals of prey."""
    if patterns.retracts.search(sentence):
        # "I withdraw my vote for Ken" names the old vote; the new one has a sentence of its own.
        return [Statement("retract")]
    found: list[Statement] = []
    for clause in patterns.clause.split(sentence):
        if patterns.hedges.search(clause):
            continue
        for kind, pattern in patterns.moves:
            if (match := pattern.search(clause)) and (who := _who(match, players) or addressee):
                found.append(Statement(kind, target=who))
    return found


@dataclass(frozen=True, slots=True)
class Result:
    """``day`` is the day on which it was told; the night before is ``day - 1`` unless more were told at once."""

    target: str
    result: str
    day: int


@dataclass(frozen=True, slots=True)
class Said:
    """Who said something about whom, and when."""

    day: int
    idx: int
    who: str
    target: str
    topic: str = ""


@dataclass(slots=True)
class Ledger:
    """What everybody has said in public so far.

    ``claims``: player -> the role claimed last; ``claimed_on``: player -> the day of that; ``results``:
    claimant -> results told; ``votes``: (day, player) -> the vote announced last; ``liars``: player -> why their
    own words contradict each other.
    """

    claims: dict[str, str] = field(default_factory=dict)
    claimed_on: dict[str, int] = field(default_factory=dict)
    results: dict[str, list[Result]] = field(default_factory=dict)
    votes: dict[tuple[int, str], str] = field(default_factory=dict)
    suspicions: list[Said] = field(default_factory=list)
    trusts: list[Said] = field(default_factory=list)
    asks: list[Said] = field(default_factory=list)
    addresses: list[Said] = field(default_factory=list)
    counts: dict[tuple[int, str], int] = field(default_factory=dict)
    liars: dict[str, str] = field(default_factory=dict)

    def claimants(self, role: str) -> list[str]:
        """In the order in which they claimed."""
        return [name for name, claimed in self.claims.items() if claimed == role]

    def add(self, talk: Talk, statements: tuple[Statement, ...]) -> None:
        who = talk.agent
        self.counts[(talk.day, who)] = self.counts.get((talk.day, who), 0) + 1
        for said in statements:
            if said.kind == "claim":
                self._claim(talk.day, who, said.role)
        for said in statements:
            entry = Said(talk.day, talk.idx, who, said.target, said.topic)
            if said.kind == "result":
                self._result(talk.day, who, said)
            elif said.kind == "retract":
                self.votes.pop((talk.day, who), None)
            elif said.kind == "suspect" and said.target != who:
                self.suspicions.append(entry)
            elif said.kind == "trust" and said.target != who:
                self.trusts.append(entry)
            elif said.kind == "ask":
                self.asks.append(entry)
            elif said.kind == "address":
                self.addresses.append(entry)
        for said in statements:
            if said.kind == "vote" and said.target != who:
                self.votes[(talk.day, who)] = said.target

    def _claim(self, day: int, who: str, role: str) -> None:
        before = self.claims.get(who)
        # A madman's open confession on the last day is no slip; every other change of a power role is.
        if before in _POWER and role in _POWER and before != role:
            self.liars.setdefault(who, "two_roles")
        if before not in _POWER or role in (*_POWER, Role.POSSESSED, Role.WEREWOLF):
            if before == role:
                return  # Saying it again must not cost the place in the order of claims.
            self.claims.pop(who, None)
            self.claims[who] = role
            self.claimed_on[who] = day

    def _result(self, day: int, who: str, said: Statement) -> None:
        if self.claims.get(who) not in (Role.SEER, Role.MEDIUM) or said.target == who:
            if said.result == Species.WEREWOLF and said.target != who:
                self.suspicions.append(Said(day, -1, who, said.target))
            return
        told = self.results.setdefault(who, [])
        for known in told:
            if known.target == said.target:
                if known.result != said.result:
                    self.liars.setdefault(who, "changed_result")
                return
        told.append(Result(said.target, said.result, day))


_POWER = (Role.SEER, Role.MEDIUM, Role.BODYGUARD)
