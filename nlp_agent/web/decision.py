"""One decision of a seat as a page shows it; pure, made of a journal's row."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlp_agent.records.decision_text import cut, plan_parts
from nlp_agent.records.decisions import Decided, Row
from nlp_agent.web.game_list import OpenGame

_GRAVE = frozenset(
    {"refused", "timeout", "auth", "model", "rate", "server", "unreachable", "empty", "request", "other"}
)
"""How problems begin by which an answer was lost; most are kinds of LlmError."""
ROLES = ("WEREWOLF", "POSSESSED", "SEER", "MEDIUM", "BODYGUARD", "VILLAGER")


@dataclass(frozen=True, slots=True)
class AskedPrompt:
    """The exact prompt of a decision: messages (speaker, words), of which the first ``cached`` characters had stood in
    the prompt before, so that an endpoint need not read them again. ``advised``: the acts of the plan that was made
    before a model was asked. ``again``: made again from the journal, letter by letter as it was sent.
    """

    messages: tuple[tuple[str, str], ...]
    cached: int = 0
    advised: tuple[str, ...] = ()
    again: bool = True

    def parts(self) -> list[tuple[str, str, str]]:
        """(speaker, words that stood before, new words) of each message."""
        return cut(self.messages, self.cached)

    @property
    def characters(self) -> int:
        return sum(len(text) for _, text in self.messages)


@dataclass(frozen=True, slots=True)
class Believed:
    """P(wolf) of a player, 0 to 1: as the seat sees it, as it pretends to (``None``: the same), and where a model
    judged as well, by arithmetic, by the model, and by both. ``roles`` by name.
    """

    name: str
    wolf: float
    shown: float | None
    core: float | None
    model: float | None
    both: float | None
    roles: Mapping[str, float]


def shown(opened: OpenGame, seat: str, one: Decided, asked: AskedPrompt | None) -> dict[str, Any]:
    """What the pages of a decision need of it."""
    return {
        "opened": opened,
        "key": opened.files.key,
        "seat": seat,
        "decided": one,
        "view": DecisionView(one, asked),
        "step": opened.steps[one.step] if one.step is not None else None,
        "said": opened.said_before(seat, one.number),
    }


class DecisionView:
    """What a template asks of a decision; whatever a row lacks or holds in a strange shape is left out."""

    def __init__(self, decided: Decided, asked: AskedPrompt | None = None) -> None:
        self.decided, self.row = decided, decided.row
        self.asked = asked or _kept(decided.row)
        texts = (_texts(self.row.get(key)) for key in ("heard", "choices", "problems", "changes"))
        self.heard, self.choices, self.problems, self.changes = texts
        self.why, self.retry = (str(self.row.get(key, "")) for key in ("why", "retry"))
        self.ms, self.usage = _number(self.row.get("ms")), _dict(self.row.get("usage"))

    @classmethod
    def of(cls, row: Row) -> DecisionView:
        """Of a row alone, nobody's in particular."""
        return cls(Decided(0, "", row))

    # --- believed ----------------------------------------------------------------------------------------------

    @property
    def believed(self) -> list[Believed]:
        """Of everybody alive, most suspicious first."""
        posterior, judged = _dict(self.row.get("posterior")), _dict(self.row.get("judgement"))
        wolf, shown, roles = (_dict(posterior.get(key)) for key in ("wolf", "shown", "roles"))
        core, model, both = (_dict(judged.get(key)) for key in ("core", "model", "both"))
        return [
            Believed(
                name, _share(p) or 0.0, _share(shown.get(name)), _share(core.get(name)), _share(model.get(name)),
                _share(both.get(name)), {role: _share(x) or 0.0 for role, x in _dict(roles.get(name)).items()},
            )
            for name, p in wolf.items()
        ]  # fmt: skip

    @property
    def roles(self) -> list[str]:
        """The roles that somebody may have, in a fixed order."""
        found = {role for player in self.believed for role in player.roles}
        return [role for role in ROLES if role in found] + sorted(found - set(ROLES))

    @property
    def pretends(self) -> bool:
        return any(player.shown is not None for player in self.believed)

    @property
    def judged(self) -> bool:
        return any(player.model is not None for player in self.believed)

    @property
    def trusted(self) -> str:
        return str(_dict(self.row.get("posterior")).get("trusted", ""))

    @property
    def why_believed(self) -> str:
        return str(_dict(self.row.get("posterior")).get("why", ""))

    # --- planned, answered, sent -------------------------------------------------------------------------------

    @property
    def plan(self) -> list[str]:
        return plan_parts({**self.row, "plan": _dict(self.row.get("plan"))})

    @property
    def pretended(self) -> str:
        """The role this seat lives in public."""
        return str(_dict(self.row.get("plan")).get("pretend", ""))

    @property
    def raw(self) -> str:
        """What the model answered, JSON set out line by line."""
        raw = str(self.row.get("raw", ""))
        try:
            whole = json.loads(raw)
        except ValueError:
            return raw
        return json.dumps(whole, ensure_ascii=False, indent=2) if isinstance(whole, dict) else raw

    @property
    def thought(self) -> str:
        """What the model thought before it answered, where it answers with JSON; meant for nobody at the table."""
        try:
            return str(_dict(json.loads(str(self.row.get("raw", "")))).get("thought", ""))
        except ValueError:
            return ""

    @staticmethod
    def is_grave(problem: str) -> bool:
        """Whether it cost an answer; others are notes of how the endpoint was asked."""
        return problem.partition(":")[0] in _GRAVE or problem.startswith("failed")

    # --- cost --------------------------------------------------------------------------------------------------

    @property
    def budget_ms(self) -> float | None:
        """From the packet's arrival to the deadline."""
        ms, left = self.ms, _number(self.row.get("left_s"))
        return None if ms is None or left is None else ms + left * 1000

    @property
    def model_ms(self) -> float:
        """What of ``ms`` the endpoint took, calls at once not counted twice."""
        return min((_number(self.usage.get("seconds")) or 0.0) * 1000, self.ms or 0.0)


def _kept(row: Row) -> AskedPrompt | None:
    """The prompt as far as the journal holds it: its first and its last message."""
    messages = [(who, str(row[who])) for who in ("system", "user") if row.get(who)]
    return AskedPrompt(tuple(messages), again=False) if messages else None


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, Sequence) and not isinstance(value, str) else []


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _share(value: object) -> float | None:
    found = _number(value)
    return None if found is None else min(1.0, max(0.0, found))
