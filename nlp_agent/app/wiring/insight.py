"""What the pages of a replay cannot read from records and have worked out: posteriors and prompts. Slow; made in
threads, where nobody waits for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any

from nlp_agent.app.wiring.moments import Replayed, replay, shared_prefix
from nlp_agent.app.wiring.onlooker import OnlookerOpinion, language_of, opinions
from nlp_agent.errors import NlpAgentError
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.records.decision_text import plan_parts
from nlp_agent.records.decisions import Row
from nlp_agent.records.gamelog import LoggedGame
from nlp_agent.seat.decision import Decision, How
from nlp_agent.web.decision import AskedPrompt

_loading = Lock()


@cache
def _loaded(name: str) -> Pack:
    return load_pack(name)


def _pack(name: str) -> Pack:
    with _loading:  # two threads would load it twice
        return _loaded(name)


class Insight:
    """Posteriors and prompts of recorded games, by the shipped packs."""

    def opinions(self, game: LoggedGame) -> Iterator[OnlookerOpinion]:
        """What an onlooker could believe after each step of ``game``."""
        return opinions(game, _pack(language_of(game)).reading)

    def told(self, opinion: OnlookerOpinion, lang: str) -> Mapping[str, Any]:
        """``opinion`` as data for a page in ``lang``."""
        return opinion.row(_pack(lang).language.words.why)

    def asked(self, rows: Sequence[Row], number: int) -> AskedPrompt | None:
        """The prompt of the decision ``number`` of a journal, made again; ``None`` when that cannot be, or gives
        another than was sent, because templates have changed since.
        """
        decisions = [row for row in rows if row.get("event") == "decision"]
        if not 1 <= number <= len(decisions) or "user" not in decisions[number - 1]:
            return None
        row = decisions[number - 1]
        try:
            again = replay(list(rows), number)
        except (NlpAgentError, ValueError, KeyError, TypeError):  # a journal of another version, or a pack that is gone
            return None
        prompt = again.prompt
        if (prompt.system, prompt.user) != (row.get("system", ""), row["user"]):
            return None
        before = again.before.messages if again.before is not None else ()
        return AskedPrompt(prompt.messages, shared_prefix(before, prompt.messages), _advised(again))


def _advised(again: Replayed) -> tuple[str, ...]:
    """The acts of the plan that was made without any model."""
    ready = again.ready
    plain = Decision(ready.request, ready.day, ready.text, How.MIND, ready.plan)
    return tuple(plan_parts(plain.row()))
