"""What a journal's decision says, in short lines for people: belief, plan and acts. Rows of any age are taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

ROLES = 2
"""Roles told for each player where a journal holds them, the likeliest first."""
SUSPECTS = 3
"""Players told in a belief of one short line."""


def cut(messages: Sequence[tuple[str, str]], cached: int) -> list[tuple[str, str, str]]:
    """(speaker, words that stood in the prompt before, new words) of each message; ``cached`` characters did."""
    found = []
    for speaker, text in messages:
        found.append((speaker, text[:cached], text[cached:]))
        cached = max(0, cached - len(text))
    return found


_TOPICS: Mapping[tuple[str, str], str] = {
    ("morning", "first"): "open the first day",
    ("morning", "first_open"): "open the first day",
    ("morning", "quiet"): "note that nobody died",
    ("morning", "died"): "mourn {target}",
    ("morning", "seer_died"): "mourn {target}, who claimed to be the seer",
    ("morning", "rival_died"): "note the death of the rival {target}",
    ("executed", "regret"): "regret the execution of {target}",
    ("executed", "told_you"): "recall having spoken for {target}, who was executed",
    ("executed", "unsure"): "wonder whether the execution of {target} was right",
    ("claim", "counter"): "claim {role} against a rival",
    ("rival", "HUMAN"): "note that the rival {target} is HUMAN",
    ("rival", "WEREWOLF"): "note that the rival {target} is WEREWOLF",
    ("rivals", "lean"): "of the rival claims, lean to {target}",
    ("rivals", "open"): "leave open which of the rival claims is true",
    ("rivals", "turned"): "of the rival claims, turn from {to} to {target}",
    ("react", "seer"): "take up the result of {to}: {target} {colour}",
    ("react", "medium"): "take up the medium result of {to}: {target} {colour}",
    ("react", "doubt"): "doubt the result of {to}: {target} {colour}",
    ("react", "confession"): "take up the confession of {target}",
    ("vote", "ally"): "vote {target} at the side of the wolves",
    ("retract", "ally"): "retract the vote on {target}, an ally",
    ("ask", "why_divine"): "ask {to} why {target} was divined",
    ("ask", "why_vote"): "ask {to} why the vote on {target}",
    ("ask", "why"): "ask {to} why {target} is suspected",
    ("ask", "believe"): "ask {to} which claim to believe",
    ("ask", "suspect"): "ask {to} who is suspected",
    ("answer", "no_result"): "answer {to}: there is no result",
    ("answer", "undecided"): "answer {to}: undecided",
    ("answer", "early"): "answer {to}: it is too early to tell",
    ("answer", "masked"): "answer {to} without telling anything",
    ("answer", "why_vote_you"): "answer {to} why the vote on {to}",
    ("answer", "why_divine"): "answer {to} why {target} was divined",
    ("answer", "why_vote"): "answer {to} why the vote on {target}",
    ("answer", "why_you"): "answer {to} why {to} is suspected",
    ("answer", "believe"): "answer {to}: believe {target}",
    ("answer", "vote"): "answer {to}: vote {target}",
    ("answer", "suspect"): "answer {to}: suspect {target}",
    ("answer", "result"): "answer {to} with the result {target} {result}",
    ("answer", "role"): "answer {to}: {role}",
    ("reply", "doubt"): "reply with doubt to {to}",
    ("reply", "thanks"): "thank {to}",
    ("attack", "seer"): "attack {target}, taken for the seer",
    ("attack", "human"): "attack {target}",
    ("attack", "agree"): "agree to attack {target}",
}
"""What an act with a topic means; where that ends in a colour, of all colours."""


def belief(row: Mapping[str, Any] | None, *, full: bool = False) -> str:
    """P(werewolf) in a line, such as ``Lorcan .94 Celeste .04``, ``-`` where none was noted; of a wolf as it is shown
    to others. ``full``: of everybody, with the character's leaning, what is shown, the likeliest roles, the seer
    believed, and why.
    """
    if not row or not row.get("wolf"):
        return "-"
    if not full:
        # Who knows the wolves has nothing to suspect; what it lets others believe tells more.
        seen, word = (row["wolf"], "") if max(row["wolf"].values()) > 0 else (row.get("shown") or {}, "shown ")
        return f"{word}{_shares(dict(list(seen.items())[:SUSPECTS]))}" if seen else "-"
    parts = [_shares(row["wolf"])]
    if row.get("leaning"):
        parts.append(f"leaning {_shares(row['leaning'])}")
    if row.get("shown"):
        parts.append(f"shown {_shares(row['shown'])}")
    for name, roles in (row.get("roles") or {}).items():
        best = sorted(roles.items(), key=lambda pair: -pair[1])[:ROLES]
        parts.append(f"{name}: {', '.join(f'{role.lower()} {_number(share)}' for role, share in best)}")
    if row.get("trusted"):
        parts.append(f"believes {row['trusted']}")
    if row.get("why"):
        parts.append(str(row["why"]))
    return "; ".join(parts)


def _shares(values: Mapping[str, float]) -> str:
    return " ".join(f"{name} {_number(share)}" for name, share in values.items())


def _number(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")


def plan(row: Mapping[str, Any]) -> str:
    """What was meant, and why: ``claim SEER; result Barnaby WEREWOLF -- tell what the night showed``."""
    text = "; ".join(plan_parts(row)) or "-"
    return f"{text} -- {row['why']}" if row.get("why") else text


def plan_parts(row: Mapping[str, Any]) -> list[str]:
    """What was meant, act by act."""
    meant: Mapping[str, Any] = row.get("plan") or {}
    acts = [act_line(act) for act in meant.get("acts", ())]
    if meant.get("over"):
        acts.append("no more today")
    if ranking := meant.get("ranking"):
        acts.append(" > ".join(ranking))
    if meant.get("vote") and not any(act.startswith(("vote", "retract")) for act in acts):
        acts.append(f"means to vote {meant['vote']}")
    return acts


def act_line(act: Mapping[str, Any]) -> str:
    """One act of speech: its kind, and whom and what it is about, or in words what its topic tells of it."""
    told = {key: str(act.get(key, "")) for key in ("topic", "target", "role", "result", "to")}
    how, _, colour = told["topic"].partition("_")
    if phrase := _TOPICS.get((str(act.get("kind", "")), how if colour.isupper() else told["topic"])):
        return phrase.format_map({**told, "colour": colour})
    words = [act.get(key, "") for key in ("kind", "topic", "target", "role", "result")]
    text = " ".join(word for word in words if word)
    return f"{text} to {act['to']}" if act.get("to") else text
