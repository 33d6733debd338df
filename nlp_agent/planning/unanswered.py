"""Who has been asked or charged today and has not replied. Pure.

A name alone is no question, and one to everybody asks nobody in particular. What could be a reply counts as one: to a
question whatever states something, to whomever; to a charge what names its maker or takes up a word it has brought into
the game. A reminder that is wrong makes its reader say things twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nlp_agent.planning.advice import Charge, Waiting
from nlp_agent.planning.scene import Scene
from nlp_agent.protocol import Role, Species, Talk
from nlp_agent.reading.spoken import Heard
from nlp_agent.text.names import names_of

_CHARGES = ("result", "vote", "suspect", "ask")
_RESULTS = (Role.SEER, Role.MEDIUM)
_STATED = re.compile(r"\w[.!。！…]|[^\s.!?。！？…]$")
"""A sentence that does not end as a question."""
_QUESTION = re.compile(r"[^.!?。！？]*[?？]")
_WORD = re.compile("[A-Za-zÀ-ɏ']{4,}|(?=([一-鿿]{2}))|[ァ-ヶー]{2,}")


def charges(scene: Scene) -> Iterator[Charge]:
    """Those of this seat, the newest of each player; a result counts more than a vote, that more than suspicion, that
    more than a question where several came in one breath."""
    state, ledger, me = scene.state, scene.ledger, scene.state.me
    if any(sent.day == state.day and not sent.whispered for sent in ledger.sending):
        return  # an own talk is on its way, and what it answers is not known before it comes back
    found: dict[str, tuple[Heard, str]] = {}
    for heard in ledger.heard:
        if heard.day != state.day or heard.who not in state.others:
            continue
        for said in heard.statements:
            kind = said.kind
            if said.target == me and kind in _CHARGES and said.result != Species.HUMAN:
                if kind == "ask" and not _asks(scene, heard, me):
                    continue
                if kind == "result" and ledger.claim(heard.who) not in _RESULTS:
                    kind = "suspect"  # who has no results to tell says what it thinks
                old = found.get(heard.who)
                kind = min(kind, old[1], key=_CHARGES.index) if old and old[0] is heard else kind
                found[heard.who] = (heard, kind)
    for who, (heard, kind) in found.items():
        if not _replied(scene, me, heard) and not (kind == "ask" and _states(scene, me, heard, alone=True)):
            yield Charge(who, kind)


def waiting(scene: Scene) -> Iterator[Waiting]:
    """Who has let a question put to it pass in its next talk, the newest question first."""
    state, seen = scene.state, set[tuple[str, str]]()
    for heard in reversed(scene.ledger.heard):
        if heard.day != state.day or heard.who not in state.alive:
            continue
        for said in heard.statements:
            pair = (heard.who, said.target)
            if said.kind != "ask" or said.to != said.target or said.target not in state.others or pair in seen:
                continue
            if not _asks(scene, heard, said.target):
                continue
            seen.add(pair)
            since = any(talk.said for talk in _since(scene, said.target, heard))
            if said.target == heard.who or not since or _states(scene, said.target, heard):
                continue
            if not _replied(scene, said.target, heard):
                yield Waiting(*pair)


def _asks(scene: Scene, heard: Heard, who: str) -> bool:
    """Whether a question in ``heard`` names ``who`` or nobody: one that names another may well be put to that one."""
    named = names_of(scene.state.players).players_in
    anchor, _, rest = heard.talk.text.partition(" ")
    words = rest if anchor.startswith("@") else heard.talk.text
    questions = [named(one) for one in _QUESTION.findall(words)]
    return not questions or any(who in names or not names for names in questions)


def _since(scene: Scene, who: str, heard: Heard) -> list[Talk]:
    """What came from ``who`` today after ``heard``, Over and Skip among it."""
    return [talk for talk in scene.state.today if talk.agent == who and talk.idx > heard.idx]


def _replied(scene: Scene, who: str, heard: Heard) -> bool:
    """Whether ``who`` has named the speaker of ``heard`` since, or taken up a word that was new in it."""
    state, names = scene.state, names_of(scene.state.players)
    since = [talk.text for talk in _since(scene, who, heard)]
    if any(heard.who in names.players_in(text) for text in since):
        return True
    before = (talk.text for talk in state.talks if (talk.day, talk.idx) < (heard.day, heard.idx))
    words = [names.mask(text) for text in (heard.talk.text, *since)]
    brought = _words(words[0]).difference(*(_words(names.mask(text)) for text in before))
    return any(brought & _words(text) for text in words[1:])


def _states(scene: Scene, who: str, heard: Heard, *, alone: bool = False) -> bool:
    """Whether ``who`` has said anything since ``heard`` that is no question; ``alone``: and names nobody."""
    since = [talk.text for talk in _since(scene, who, heard) if talk.said]
    named = names_of(scene.state.players).players_in
    return any(_STATED.search(text) and not (alone and named(text)) for text in since)


def _words(masked: str) -> frozenset[str]:
    """Words that carry sense: long ones, and pairs of characters where words are not separated."""
    return frozenset((found[0] or found[1]).casefold() for found in _WORD.finditer(masked))
