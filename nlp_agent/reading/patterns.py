"""The patterns of a language pack, filled in and compiled once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nlp_agent.protocol import Role, Species
from nlp_agent.reading.finder import Finder
from nlp_agent.reading.rules import ReadingRules
from nlp_agent.text.names import NAME


@dataclass(frozen=True)
class Patterns:
    """:class:`~nlp_agent.reading.rules.ReadingRules` ready to be looked for; pairs carry what a match means."""

    sentence: re.Pattern[str]
    clause: Finder
    titles: Finder
    called: re.Pattern[str]
    vocatives: Finder
    quotes: Finder
    pronouns: Finder
    any_role: Finder
    colours: tuple[tuple[str, Finder], ...]
    any_claim: Finder
    claims: tuple[tuple[str, Finder], ...]
    unclaims: Finder
    selves: Finder
    roles: tuple[tuple[str, Finder], ...]
    results: tuple[tuple[str, str, Finder], ...]
    self_results: tuple[tuple[str, str, Finder], ...]
    checks: Finder
    outcomes: tuple[tuple[str, Finder], ...]
    tells: Finder
    retracts: Finder
    switches: Finder
    moves: tuple[tuple[str, Finder], ...]
    demands: tuple[tuple[str, Finder], ...]
    nights: tuple[tuple[str, Finder], ...]
    deeds: tuple[tuple[str, Finder], ...]
    opinions: tuple[tuple[str, Finder], ...]
    replies: tuple[tuple[str, Finder], ...]
    either: Finder
    asks: tuple[tuple[str, Finder], ...]
    question: Finder
    hedges: Finder
    reports: Finder
    unsure: Finder


def _any(patterns: tuple[str, ...]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)"


@lru_cache(maxsize=16)
def compiled(rules: ReadingRules) -> Patterns:
    """Raises re.error for a pattern that is no regular expression."""
    every_role = f"(?:{_any(tuple(word for words in rules.roles.values() for word in words))})"
    colours = {
        Species.WEREWOLF.value: f"(?:{_any(rules.black)})",
        Species.HUMAN.value: f"(?:{_any(rules.white)})",
    }
    several = f"(?P<NAME>{NAME}(?:(?:{_any(rules.between)})+{NAME})*)"

    def build(patterns: tuple[str, ...], role: str = every_role, colour: str = "") -> Finder:
        def filled(text: str) -> str:
            text = text.replace("{role}", role).replace("{names}", several)
            text = text.replace("{sign}", NAME[1:-1]).replace("{name}", f"(?P<NAME>{NAME})").replace("{colour}", colour)
            return text.replace("{black}", colours["WEREWOLF"]).replace("{white}", colours["HUMAN"])

        return Finder(tuple(map(filled, patterns)))

    return Patterns(
        sentence=re.compile(rules.sentence),
        clause=build((rules.clause,)),
        titles=build((*rules.before_name, *rules.after_name)),
        called=re.compile(f"(?:{_any(rules.before_name)})*({NAME})(?:{_any(rules.after_name)})?", re.IGNORECASE),
        vocatives=build(rules.vocatives),
        quotes=build(rules.quotes),
        pronouns=build(rules.pronouns),
        any_role=build((every_role,)),
        colours=tuple((result, build((words,))) for result, words in colours.items()),
        any_claim=build(rules.claims),
        claims=tuple((role, build(rules.claims, f"(?:{_any(words)})")) for role, words in rules.roles.items()),
        unclaims=build(rules.unclaims),
        selves=build(rules.selves),
        roles=tuple((role, build(words)) for role, words in rules.roles.items()),
        results=tuple(
            (role, result, build(patterns, colour=words))
            for role, patterns in ((Role.SEER, rules.seen), (Role.MEDIUM, rules.sensed), ("", rules.results))
            for result, words in colours.items()
        ),
        self_results=tuple(
            (role, result, build(patterns, colour=words))
            for role, patterns in ((Role.SEER, rules.seen_you), ("", rules.self_results))
            for result, words in colours.items()
        ),
        checks=build(rules.checks),
        outcomes=tuple((r, build(rules.outcomes, colour=words)) for r, words in colours.items()),
        tells=build(rules.tells),
        retracts=build(rules.retracts),
        switches=build(rules.switches),
        moves=(("vote", build(rules.votes)), ("attack", build(rules.attacks))),
        demands=tuple((topic, build(patterns)) for topic, patterns in rules.demands.items()),
        nights=tuple((topic, build(patterns)) for topic, patterns in rules.nights.items()),
        deeds=(("guarded", build(rules.guarded)), ("voted", build(rules.voted))),
        opinions=(("suspect", build(rules.suspects)), ("trust", build(rules.trusts))),
        replies=(("disagree", build(rules.disagrees)), ("agree", build(rules.agrees))),
        either=build(rules.either),
        asks=tuple((topic, build(patterns)) for topic, patterns in rules.asks.items()),
        question=build(rules.question),
        hedges=build(rules.hedges),
        reports=build(rules.reports),
        unsure=build(rules.unsure),
    )
