"""What is left of a game when it is over: one record a game, one row a seat."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any


@dataclass(slots=True)
class WordCounts:
    """The counts of how one player's words match each other and its deeds.

    ``promised``: days with an announced vote and a vote cast, ``kept``: days on which the last announced one was cast.
    ``said``: talks and whispers with words, ``repeats``: those too like an earlier own one, ``copies``: those too like
    what somebody else had said on the same day. ``addressed``: own talks that came after somebody had spoken to this
    player, ``answered``: those that named the asker or were to the point; ending the day's talking with a question
    unanswered counts as addressed; being named in a remark that is no question does not. ``slips``: each contradiction
    in a line for people; ``turns``: each talk against the last one on the same player, or vote against it, on one day
    and without taking it back; ``forgotten``: each vote announced or cast, or suspicion, that leaves out a living
    player whom the speaker's own result calls a werewolf. ``confessions``: open changes to the wolves' side, which are
    meant and therefore no contradictions.
    """

    talks: int = 0
    promised: int = 0
    kept: int = 0
    said: int = 0
    repeats: int = 0
    copies: int = 0
    addressed: int = 0
    answered: int = 0
    confessions: int = 0
    slips: list[str] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)

    @property
    def contradictions(self) -> int:
        """The number of contradictions."""
        return len(self.slips)

    def __add__(self, other: WordCounts) -> WordCounts:
        return WordCounts(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def shares(self) -> dict[str, float | None]:
        """The four figures, ``None`` where there was nothing to judge.

        ``vote_consistency``, ``repeat_rate`` and ``answer_rate`` are shares (0 to 1).
        """
        return {
            "vote_consistency": _share(self.kept, self.promised),
            "contradictions_per_100": _share(100 * self.contradictions, self.talks),
            "repeat_rate": _share(self.repeats, self.said),
            "answer_rate": _share(self.answered, self.addressed),
        }


def _figures(words: WordCounts) -> dict[str, float | None]:
    return {"contradictions": words.contradictions, **words.shares()}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The figures of one seat over one game.

    ``name`` in the game, ``seat`` on the connection. ``llm``, ``retries`` and ``fallbacks`` count replies by where
    their words came from (``llm`` includes the retries); ``illegal`` what the table had to void or cut, ``late`` frames
    after their time, ``dropped`` talks of a group chat that nobody heard, ``extra`` frames nobody asked for;
    ``given_up`` answers for which a model was given up because time had run out, ``lost`` requests that ended before
    their time without an answer; ``crashes`` faults of our own code that a fallback covered; ``strategy_slips`` answers
    that a strategy of the user's own failed to give, or gave as nonsense. ``p50_ms``: the median from packet to
    reply.
    """

    name: str
    seat: str
    role: str
    survived: bool = True
    talks: int = 0
    replies: int = 0
    llm: int = 0
    retries: int = 0
    fallbacks: int = 0
    illegal: int = 0
    late: int = 0
    dropped: int = 0
    extra: int = 0
    given_up: int = 0
    lost: int = 0
    crashes: int = 0
    strategy_slips: int = 0
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    p50_ms: float = 0.0
    words: WordCounts = field(default_factory=WordCounts)

    @property
    def tokens(self) -> int:
        """Tokens of prompts and answers together."""
        return self.prompt_tokens + self.completion_tokens


def last_day_of_talk(day: int) -> int:
    """The last day on which the village talked, where a game that is over stands at ``day``: the server counts one day
    more, after the last night, and nobody talks on it."""
    return max(day - 1, 0)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The summary of one game. ``winner``: VILLAGER, WEREWOLF or NONE; ``village``: seats by role; ``records``: a
    folder; ``sentences``: what was said in public, each with one placeholder for every name.
    """

    game_id: str
    winner: str
    days: int
    seed: int
    village: dict[str, int]
    language: str
    seats: tuple[SeatSummary, ...]
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    records: str = ""
    sentences: frozenset[str] = frozenset()

    @property
    def last_day(self) -> int:
        """The last day on which the village talked."""
        return last_day_of_talk(self.days)

    def total(self, field: str) -> int:
        """The sum of a counting field over all seats, such as ``"late"``."""
        return int(sum(getattr(seat, field) for seat in self.seats))

    @property
    def words(self) -> WordCounts:
        """The counts of all seats together."""
        return sum((seat.words for seat in self.seats), WordCounts())

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data for ``--json``: the fields, the roles by name, and the sums that must be zero."""
        row = asdict(replace(self, sentences=frozenset()))
        del row["sentences"]
        for data, seat in zip(row["seats"], self.seats, strict=True):
            data["tokens"] = seat.tokens
            data["words"] |= _figures(seat.words)
        row["roles"] = {seat.name: seat.role for seat in self.seats}
        row |= {key: self.total(key) for key in ("illegal", "late", "dropped", "extra", "fallbacks", "tokens")}
        row["words"] = asdict(self.words) | _figures(self.words)
        return row

    def to_json(self) -> str:
        """The summary as one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def words_line(words: WordCounts) -> str:
    """The figures in a line, counts in brackets."""
    return (
        f"votes as announced {_percent(words.kept, words.promised)}, "
        f"contradictions {words.contradictions} in {words.talks} talks, "
        f"against the last talk or the next vote {len(words.turns)}, own results forgotten {len(words.forgotten)}, "
        f"near-repeats {_percent(words.repeats, words.said)}, of others {_percent(words.copies, words.said)}, "
        f"answered when addressed {_percent(words.answered, words.addressed)}"
    )


OFTEN, VERY_OFTEN = 0.08, 0.15
"""Shares of games from which a sentence is told to return."""
ENOUGH_GAMES = 50
"""Below so many games a share of them says little."""


def more_often_than(share: float, counts: Counter[str], games: int) -> list[tuple[str, int]]:
    """The sentences that stand in more than ``share`` of ``games``, as (sentence, games), the most frequent first."""
    return [(sentence, count) for sentence, count in counts.most_common() if count > share * games]


def returning_line(games: Sequence[GameSummary]) -> str:
    """Say how many sentences return from game to game, and the most frequent one; ``""`` of too few games."""
    if len(games) < ENOUGH_GAMES:
        return ""
    counts = Counter(sentence for game in games for sentence in game.sentences)
    often, very = (more_often_than(share, counts, len(games)) for share in (OFTEN, VERY_OFTEN))
    most = f"; most often, in {often[0][1]}: {often[0][0]}" if often else ""
    return (
        f"{len(often)} sentences (names aside) in more than {OFTEN:.0%} of {len(games)} games, "
        f"{len(very)} in more than {VERY_OFTEN:.0%}{most}"
    )


def trouble_lines(name: str, slips: int, crashes: int) -> list[str]:
    """Say how often a strategy of the user's own could not be used as it answered, and how often our own code
    failed.
    """
    counts = {
        "the strategy failed or was illegal {}, and the built-in one decided; see the journal": slips,
        "our own code failed {}, and a plain legal answer stood in; the traceback is in the journal": crashes,
    }
    counted = {what: "once" if count == 1 else f"{count} times" for what, count in counts.items() if count}
    return [f"{name}: {what.format(times)}" for what, times in counted.items()]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % ({part}/{whole})" if whole else "- (0/0)"


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` (0 to 1) of ``values`` do not exceed; 0 of none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    rank = -int(-share * len(ordered) // 1)
    return ordered[min(max(rank, 1), len(ordered)) - 1]
