"""A closer look at one game: what could be believed at each vote, how words and deeds fitted, and when it turned.

Beliefs are those the seats wrote into their journals, else what our own player would have believed in their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from nlp_agent.app.measures.finished import PlayedGame
from nlp_agent.app.measures.words import measure
from nlp_agent.belief.odds import SHIPPED
from nlp_agent.game import Side, role_spec
from nlp_agent.lab.report.evidence import Detail, Highlight, LoggedVote
from nlp_agent.lab.study.logs import language_of
from nlp_agent.lab.study.moments import VoteMoment, moments
from nlp_agent.lab.study.scoring import rows as judged_rows
from nlp_agent.lab.study.statistics import grouped
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Request, Role
from nlp_agent.records.gamelog import LoggedGame
from nlp_agent.records.library import GameFiles
from nlp_agent.seat import How

_FALLBACKS = frozenset({How.FALLBACK.value, How.RESCUE.value})


@dataclass(frozen=True)
class Look:
    """One game's files, and whether its words are still to be counted."""

    game: str
    files: GameFiles
    count_words: bool


def look_at(look: Look) -> tuple[str, Detail]:
    """The detail of a game; slow, one process can do each. An unreadable game has none."""
    try:
        game = look.files.read()
        journals = {seat: look.files.rows(seat) for seat in look.files.journals}
    except (OSError, KeyError):
        return look.game, Detail()
    if game is None or not _is_werewolf(game):
        return look.game, Detail()
    return look.game, detail_of(game, journals, count_words=look.count_words)


def _is_werewolf(game: LoggedGame) -> bool:
    """Whether at each vote somebody could be found out: logs of odd games are counted, but not looked into."""
    votes = (day for day in game.days if day.votes)
    return all(0 < len(game.wolves.intersection(day.alive)) < len(day.alive) for day in votes)


def detail_of(game: LoggedGame, journals: Mapping[str, Sequence[Mapping[str, Any]]], *, count_words: bool) -> Detail:
    """``journals``: rows by connection's name."""
    decisions = {
        number: [row for row in journals[player.guest] if row.get("event") == "decision"]
        for number, player in enumerate(game.players)
        if player.guest in journals
    }
    known = list(moments(game))
    votes = _own_votes(game, decisions)
    own = bool(votes)
    votes = votes or [_vote(game, row) for moment in known for row in judged_rows(moment, SHIPPED)]
    words = {}
    if count_words:
        counted = measure(as_logged(game), load_pack(language_of(game)).reading)
        words = {number: counted[name] for number, name in enumerate(game.names)}
    return Detail(tuple(votes), words, own, _swing(votes), _fallback(game, decisions), _lie(game, known))


def as_logged(game: LoggedGame) -> PlayedGame:
    """A logged game as the measures of words see it."""
    return PlayedGame(
        game.names,
        tuple(talk for day in game.days for talk in day.talks),
        tuple(talk for day in game.days for talk in day.whispers),
        {(day.day, voter): target for day in game.days for voter, target in day.votes.items()},
        {day.day: day.executed for day in game.days if day.executed},
        {day.day: day.attacked for day in game.days if day.attacked},
    )


# --- beliefs ---------------------------------------------------------------------------------------------------


def _own_votes(game: LoggedGame, decisions: Mapping[int, Sequence[Mapping[str, Any]]]) -> list[LoggedVote]:
    found = []
    for number, rows in decisions.items():
        me = game.players[number]
        if me.role == Role.WEREWOLF:
            continue
        for row in rows:
            told = (row.get("posterior") or {}).get("wolf") if row.get("request") == Request.VOTE else None
            if told:
                p = {name: float(share) for name, share in told.items() if name != me.name and name in game.roles}
                wolves = game.wolves & p.keys()
                if p and wolves:
                    voted = str(row.get("sent", ""))
                    found.append(LoggedVote(int(row.get("day", 0)), number, p, wolves, voted if voted in p else ""))
    return sorted(found, key=lambda vote: vote.day)


def _vote(game: LoggedGame, row: Any) -> LoggedVote:
    return LoggedVote(row.day, game.names.index(row.viewer), row.p, row.wolves, row.voted)


# --- moments ---------------------------------------------------------------------------------------------------


def _swing(votes: Iterable[LoggedVote]) -> Highlight | None:
    """The largest change, between one vote and the next, of how much those who are no wolves suspect the wolves; before
    the first vote they suspect everybody alike."""
    best: Highlight | None = None
    before: float | None = None
    for day, found in sorted(grouped((vote.day, vote) for vote in votes).items()):
        now = fmean(fmean(vote.p[name] for name in vote.wolves) for vote in found)
        last = fmean(vote.chance for vote in found) if before is None else before
        if best is None or abs(now - last) > best.size:
            way = "up" if now > last else "down"
            text = f"day {day}: suspicion of the wolves goes {way} from {100 * last:.0f} to {100 * now:.0f} %"
            best = Highlight(abs(now - last), day, text)
        before = now
    return best


def _fallback(game: LoggedGame, decisions: Mapping[int, Sequence[Mapping[str, Any]]]) -> Highlight | None:
    """The reply that came latest of those for which no model's answer could be used."""
    found = [
        (float(row.get("ms", 0)), int(row.get("day", 0)), game.players[number].name, row)
        for number, rows in decisions.items()
        for row in rows
        if row.get("how") in _FALLBACKS
    ]
    if not found:
        return None
    milliseconds, day, name, row = max(found, key=lambda item: item[:3])
    why = "; ".join(map(str, row.get("problems") or ())) or "no reason told"
    return Highlight(
        milliseconds, day, f"day {day}: {name}'s {row.get('request')} after {milliseconds / 1000:.1f} s, {why}"
    )


def _lie(game: LoggedGame, known: Iterable[VoteMoment]) -> Highlight | None:
    """The day on which most of the village's votes missed while somebody of the wolves' side passed for the seer."""
    best: Highlight | None = None
    for moment in known:
        liars = [name for name in moment.seers if role_spec(game.roles[name]).side is Side.WEREWOLF]
        votes = [to for who, to in moment.votes.items() if role_spec(game.roles[who]).side is Side.VILLAGER]
        missed = sum(to not in game.wolves for to in votes)
        if not liars or not missed:
            continue
        # A lie that won the game counts for more than one that only cost a day.
        size = missed / len(votes) * missed * (2.0 if game.winner == Side.WEREWOLF else 1.0)
        if best is None or size > best.size:
            said = f"{liars[0]} ({game.roles[liars[0]].lower()}) passes for the seer"
            best = Highlight(size, moment.day, f"day {moment.day}: {said}, {missed} of {len(votes)} village votes miss")
    return best
