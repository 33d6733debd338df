"""Who has been asked or charged today and has not replied. Pure.

A name alone is no question, and one to everybody asks nobody in particular. What could be a reply counts as one:
whatever states something, to whomever, names who asked or charged, or takes up a word that this talk has brought into
the game. A reminder that is wrong makes its reader say things twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nlp_agent.planning.advice import Charge, Waiting
from nlp_agent.planning.scene import Scene
from nlp_agent.protocol import JUDGES, Species, Talk
from nlp_agent.reading.statement import Heard
from nlp_agent.text.names import names_of

_CHARGES = ("result", "vote", "suspect", "ask")
_STATED = re.compile(r"\w[.!。！…]|[^\s.!?。！？…]$")
"""A sentence that does not end as a question."""
_QUESTION = re.compile(r"(?<![^.!?。！？])[^.!?。！？]*(?:[?？]|か。)")
_ECHO = re.compile(r"((?=[^?？]{2,20}[?？])[^\s.!?,。！？、，]+(?: [^\s.!?,。！？、，]+){,2})[?？]\s*[^\s?？]")
"""A question of one to three words and what comes next."""
_WORD = re.compile("[A-Za-zÀ-ɏ']{4,}|(?=([一-鿿]{2}))|[ァ-ヶー]{2,}")


def charges(scene: Scene) -> Iterator[Charge]:
    """Those of this seat, the newest of each player; a result counts more than a vote, that more than suspicion, that
    more than a question where several came in one breath. What is only said again was answered before."""
    state, ledger, me = scene.state, scene.ledger, scene.state.me
    if any(sent.day == state.day and not sent.whispered for sent in ledger.sending):
        return  # an own talk is on its way, and what it answers is not known before it comes back
    found: dict[str, str] = {}
    met: dict[str, int] = {}
    for heard in ledger.heard:
        kind = _charge(scene, heard) if heard.day == state.day and heard.who in state.others else ""
        if not kind:
            continue
        rank = _CHARGES.index(kind)
        if not _answered(scene, heard, _since(scene, me, heard)):
            found[heard.who] = kind if kind == "ask" or rank < met.get(heard.who, rank + 1) else ""
            continue
        found.pop(heard.who, None)
        if kind != "ask":
            met[heard.who] = min(rank, met.get(heard.who, rank))
    for who, kind in found.items():
        if kind and (kind != "vote" or ledger.promise(who, state.day) == me):
            yield Charge(who, kind)


def _charge(scene: Scene, heard: Heard) -> str:
    """What weighs most of what ``heard`` puts to this seat, or ``""``."""
    me, kinds = scene.state.me, set[str]()
    for said in heard.statements:
        if said.target != me or said.result == Species.HUMAN or (said.kind == "ask" and not _asks(scene, heard, me)):
            continue
        # Who has no results to tell says what it thinks.
        thinks = said.kind == "result" and scene.ledger.claim(heard.who) not in JUDGES
        kinds.add("suspect" if thinks else said.kind)
    return next((kind for kind in _CHARGES if kind in kinds), "")


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
            since = _since(scene, said.target, heard)
            spoke = said.target != heard.who and any(talk.said for talk in since)
            if spoke and not _answered(scene, heard, since):
                yield Waiting(*pair)


def _asks(scene: Scene, heard: Heard, who: str) -> bool:
    """Whether a question in ``heard`` names ``who``, its anchor too, or names nobody and is put to ``who``: by the
    anchor, or where no question beside it names another."""
    named, text = names_of(scene.state.players).players_in, heard.talk.text.strip()
    found = _QUESTION.findall(text)
    bare = text.startswith(f"@{who} ") or not any(map(named, found))
    asked = found[1:] if _echoes(scene, heard, who) else found
    return not found or any(who in names or (bare and not names) for names in map(named, asked))


def _echoes(scene: Scene, heard: Heard, who: str) -> bool:
    """Whether ``heard`` takes up some words that ``who`` has just said, and goes on: "Too young? I was one too."."""
    begins = _ECHO.match(heard.talk.text.strip().removeprefix(f"@{who} "))
    before = (talk.text for talk in reversed(scene.state.today) if talk.agent == who and talk.idx < heard.idx)
    return begins is not None and begins[1].casefold() in next(before, "").casefold()


def _since(scene: Scene, who: str, heard: Heard) -> list[Talk]:
    """What came from ``who`` today after ``heard``, Over and Skip among it."""
    return [talk for talk in scene.state.today if talk.agent == who and talk.idx > heard.idx]


def _replied(scene: Scene, heard: Heard, since: Sequence[str]) -> bool:
    """Whether the speaker of ``heard`` is named ``since``, or a word taken up that was new in it."""
    state, names = scene.state, names_of(scene.state.players)
    if not since:
        return False
    if any(heard.who in names.players_in(text) for text in since):
        return True
    before = (talk.text for talk in state.talks if (talk.day, talk.idx) < (heard.day, heard.idx))
    words = [names.mask(text) for text in (heard.talk.text, *since)]
    brought = _words(words[0]).difference(*(_words(names.mask(text)) for text in before))
    return any(brought & _words(text) for text in words[1:])


def _answered(scene: Scene, heard: Heard, since: Sequence[Talk]) -> bool:
    """Whether what one player has said ``since`` could be a reply to ``heard``: anything that is no question, or one in
    which its speaker is named or a word of it is taken up."""
    stated = any(_STATED.search(talk.text) for talk in since if talk.said)
    return stated or _replied(scene, heard, [talk.text for talk in since])


def _words(masked: str) -> frozenset[str]:
    """Words that carry sense: long ones, and pairs of characters where words are not separated."""
    return frozenset((found[0] or found[1]).casefold() for found in _WORD.finditer(masked))
