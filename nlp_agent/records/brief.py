"""What a journal's decision says, in short lines for people: belief, plan and acts. Rows of any age are taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ROLES = 2
"""Roles told for each player where a journal holds them, the likeliest first."""
SUSPECTS = 3
"""Players told in a belief of one short line."""


def belief(row: Mapping[str, Any] | None, *, full: bool = False) -> str:
    """P(werewolf) in a line, such as ``Lorcan .94 Celeste .04``, ``-`` where none was noted; of a wolf as it is shown
    to others. ``full``: of everybody, with what is shown, the likeliest roles, the seer believed, and why.
    """
    if not row or not row.get("wolf"):
        return "-"
    if not full:
        # Who knows the wolves has nothing to suspect; what it lets others believe tells more.
        seen, word = (row["wolf"], "") if max(row["wolf"].values()) > 0 else (row.get("shown") or {}, "shown ")
        return f"{word}{_shares(dict(list(seen.items())[:SUSPECTS]))}" if seen else "-"
    parts = [_shares(row["wolf"])]
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
    """One act of speech: its kind, and whom and what it is about."""
    words = [act.get(key, "") for key in ("kind", "topic", "target", "role", "result")]
    text = " ".join(word for word in words if word)
    return f"{text} to {act['to']}" if act.get("to") else text
