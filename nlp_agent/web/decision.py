"""One decision of a seat as a page shows it, made of its row in the journal; and a whole journal as one HTML file.

That file has its styles inside and no script: it can be sent to somebody.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlp_agent.protocol.bounds import load_json
from nlp_agent.records.decisions import RecordedDecision, Row, act_lines, as_mapping, heard_in_words, split_cached
from nlp_agent.web.game_list import LoadedGame
from nlp_agent.web.rendering import page_in_one_file

# --- One decision of a seat as a page shows it -----------------------------------------------------------------------


_GRAVE = frozenset(
    {"refused", "timeout", "auth", "model", "rate", "server", "unreachable", "empty", "request", "other"}
)
"""How problems begin by which an answer was lost; most are kinds of LlmError."""
ROLE_ORDER = ("WEREWOLF", "POSSESSED", "SEER", "MEDIUM", "BODYGUARD", "VILLAGER")


@dataclass(frozen=True, slots=True)
class DecisionPrompt:
    """The exact prompt of a decision: messages (speaker, words), of which the first ``cached`` characters had stood in
    the prompt before, so that an endpoint need not read them again. ``advised``: the acts of the plan that was made
    before a model was asked. ``again``: made again from the journal, letter by letter as it was sent.
    """

    messages: tuple[tuple[str, str], ...]
    cached: int = 0
    advised: tuple[str, ...] = ()
    again: bool = True

    def parts(self) -> list[tuple[str, str, str]]:
        """The messages of the prompt, each (speaker, words that stood before, new words)."""
        return split_cached(self.messages, self.cached)

    @property
    def characters(self) -> int:
        """The length of the prompt in characters."""
        return sum(len(text) for _, text in self.messages)


@dataclass(frozen=True, slots=True)
class PlayerBelief:
    """The belief about one player, as P(wolf) from 0 to 1: as the seat sees it, as it pretends to (``None``: the same),
    and where a model judged as well, by arithmetic, by the model, and by both. ``roles`` by name.
    """

    name: str
    wolf: float
    shown: float | None
    core: float | None
    model: float | None
    both: float | None
    roles: Mapping[str, float]


def shown(opened: LoadedGame, seat: str, one: RecordedDecision, asked: DecisionPrompt | None) -> dict[str, Any]:
    """The values that the templates of a decision's pages need."""
    return {
        "opened": opened,
        "key": opened.files.key,
        "seat": seat,
        "decided": one,
        "view": DecisionView(one, asked, opened.game.names),
        "step": opened.steps[one.step] if one.step is not None else None,
        "said": opened.said_before(seat, one.number),
    }


class DecisionView:
    """A decision as templates read it; whatever a row lacks or holds in a strange shape is left out."""

    def __init__(
        self, decided: RecordedDecision, asked: DecisionPrompt | None = None, players: Sequence[str] = ()
    ) -> None:
        self.decided, self.row = decided, decided.row
        self.asked = asked or _kept(decided.row)
        texts = (_texts(self.row.get(key)) for key in ("heard", "choices", "problems", "changes"))
        heard, self.choices, self.problems, self.changes = texts
        self.heard = [heard_in_words(line, players) for line in heard]
        self.why, self.retry = (str(self.row.get(key, "")) for key in ("why", "retry"))
        self.ms, self.usage = _number(self.row.get("ms")), as_mapping(self.row.get("usage"))

    @classmethod
    def of(cls, row: Row) -> DecisionView:
        """Show a row of a journal alone, of which nobody knows whose it is."""
        return cls(RecordedDecision(0, "", row))

    # --- believed ----------------------------------------------------------------------------------------------

    @property
    def believed(self) -> list[PlayerBelief]:
        """The belief about everybody alive, most suspicious first."""
        posterior, judged = as_mapping(self.row.get("posterior")), as_mapping(self.row.get("judgement"))
        wolf, shown, roles = (as_mapping(posterior.get(key)) for key in ("wolf", "shown", "roles"))
        core, model, both = (as_mapping(judged.get(key)) for key in ("core", "model", "both"))
        return [
            PlayerBelief(
                name, _share(p) or 0.0, _share(shown.get(name)), _share(core.get(name)), _share(model.get(name)),
                _share(both.get(name)), {role: _share(x) or 0.0 for role, x in as_mapping(roles.get(name)).items()},
            )
            for name, p in wolf.items()
        ]  # fmt: skip

    @property
    def roles(self) -> list[str]:
        """The roles that somebody may have, in a fixed order."""
        found = {role for player in self.believed for role in player.roles}
        return [role for role in ROLE_ORDER if role in found] + sorted(found - set(ROLE_ORDER))

    @property
    def pretends(self) -> bool:
        """Whether this seat shows others another belief than its own."""
        return any(player.shown is not None for player in self.believed)

    @property
    def judged(self) -> bool:
        """Whether a model's judgement of somebody is known."""
        return any(player.model is not None for player in self.believed)

    @property
    def trusted(self) -> str:
        """The degree to which the belief trusts a model, as the journal says it; "" where it does not."""
        return str(as_mapping(self.row.get("posterior")).get("trusted", ""))

    @property
    def why_believed(self) -> str:
        """The strongest reason of the belief, as the journal says it; "" where it does not."""
        return str(as_mapping(self.row.get("posterior")).get("why", ""))

    # --- planned, answered, sent -------------------------------------------------------------------------------

    @property
    def plan(self) -> list[str]:
        """The acts of the plan, a short line each."""
        return act_lines({**self.row, "plan": as_mapping(self.row.get("plan"))})

    @property
    def announced_claim(self) -> str:
        """The role that this seat claims in public; ``""`` where it claims none."""
        return str(as_mapping(self.row.get("plan")).get("pretend", ""))

    @property
    def raw(self) -> str:
        """The model's answer as it came, JSON set out line by line."""
        raw = str(self.row.get("raw", ""))
        try:
            whole = load_json(raw)
        except ValueError:
            return raw
        return json.dumps(whole, ensure_ascii=False, indent=2) if isinstance(whole, dict) else raw

    @property
    def thought(self) -> str:
        """The thought that the model wrote before it answered, where it answers with JSON; meant for nobody at the
        table.
        """
        return thought_in_row(self.row)

    @staticmethod
    def is_grave(problem: str) -> bool:
        """Tell whether ``problem`` cost an answer; other problems are notes of how the endpoint was asked."""
        return problem.partition(":")[0] in _GRAVE or problem.startswith("failed")

    # --- cost --------------------------------------------------------------------------------------------------

    @property
    def budget_ms(self) -> float | None:
        """The milliseconds from the packet's arrival to the deadline; None where the row does not tell."""
        ms, left = self.ms, _number(self.row.get("left_s"))
        return None if ms is None or left is None else ms + left * 1000

    @property
    def model_ms(self) -> float:
        """The part of ``ms`` that the endpoint took, calls at once not counted twice."""
        return min((_number(self.usage.get("seconds")) or 0.0) * 1000, self.ms or 0.0)


def _kept(row: Row) -> DecisionPrompt | None:
    """The prompt as far as the journal holds it: its first and its last message."""
    messages = [(who, str(row[who])) for who in ("system", "user") if row.get(who)]
    return DecisionPrompt(tuple(messages), again=False) if messages else None


def thought_in_row(row: Row) -> str:
    """The thought that the model of a journal's ``row`` wrote before it answered; ``""`` where it did not answer with
    JSON.
    """
    try:
        return str(as_mapping(load_json(str(row.get("raw", "")))).get("thought", ""))
    except ValueError:
        return ""


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, Sequence) and not isinstance(value, str) else []


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _share(value: object) -> float | None:
    found = _number(value)
    return None if found is None else min(1.0, max(0.0, found))


# --- Journals as one page in one file, with its styles inside and without any script ---------------------------------


_STYLES = ("base.css", "replay.css")


def journal_page(games: Sequence[LoadedGame], lang: str) -> str:
    """A page in ``lang`` with every decision of every journal of ``games``. Raises KeyError for a foreign language."""
    seats = [(game, list(_seats(game))) for game in games]
    return page_in_one_file("journal_page.html", lang, _STYLES, games=seats)


def _seats(game: LoadedGame) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Of each seat its decisions, as templates want them."""
    for seat, decisions in game.decisions.items():
        shown_here, before = [], ""
        for one in decisions:
            system = str(one.row.get("system", ""))
            shown_here.append(shown(game, seat, one, _short(one.row.get("user"), system, before)))
            before = system or before
        yield seat, shown_here


def _short(user: object, system: str, before: str) -> DecisionPrompt | None:
    """The prompt as the journal holds it, without a system message that was shown at the decision before."""
    if not isinstance(user, str) or not user:
        return None
    first = (("system", system),) if system and system != before else ()
    return DecisionPrompt((*first, ("user", user)), again=False)
