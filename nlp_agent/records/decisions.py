"""The decisions in a seat's journal: which step of the game each of them became, and what it says in short lines.

Rows of any version of the program are taken: what a row lacks is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlp_agent.protocol import Request
from nlp_agent.records.game_reader import SeatRecord, Step, StepKind
from nlp_agent.yamlfile import page_texts

# --- A seat's decisions, and the step of the game that each of them became -------------------------------------------


Row = Mapping[str, Any]
_KINDS = {
    Request.TALK.value: StepKind.TALK,
    Request.WHISPER.value: StepKind.WHISPER,
    Request.VOTE.value: StepKind.VOTE,
    Request.DIVINE.value: StepKind.DIVINE,
    Request.GUARD.value: StepKind.GUARD,
    Request.ATTACK.value: StepKind.ATTACK_VOTE,
}
BY_MODEL = frozenset({"llm", "retry"})
"""The ``how`` of a row whose answer came from a model, at once or when it was asked again."""
NOT_SENT = frozenset({"dropped", "unsaid"})
"""Rows of what did not go out: an answer to nothing, and words of a group chat that were thought and thrown away."""
_DECISION_EVENTS = frozenset({"decision"}) | NOT_SENT
"""Rows that tell what became of a request."""


def as_mapping(value: object) -> Mapping[str, Any]:
    """Return what a row holds, if it is an object; an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """A decision of a seat: ``number`` counts those of its journal from 1, ``row`` is what the journal holds. ``who``
    is the player's name. ``step`` is the number of the step it became, ``None`` when the game does not show it; of
    words left unsaid that of what the player had done before.
    """

    number: int
    who: str
    row: Row
    step: int | None = None

    @property
    def day(self) -> int:
        """The day on which it was asked for."""
        return int(self.row.get("day", 0)) if isinstance(self.row.get("day", 0), int) else 0

    @property
    def request(self) -> str:
        """The request that was decided, such as TALK or VOTE."""
        return str(self.row.get("request", ""))

    @property
    def sent(self) -> str:
        """The text that was sent."""
        return str(self.row.get("sent", ""))

    @property
    def how(self) -> str:
        """The origin of the words, such as ``llm`` or ``fallback``; ``dropped`` or ``unsaid`` when nothing went out."""
        event = str(self.row.get("event", ""))
        return event if event in NOT_SENT else str(self.row.get("how", ""))


def recorded_decisions(rows: Iterable[Row], who: str, steps: Sequence[Step]) -> list[RecordedDecision]:
    """List every decision of ``rows`` (a journal of the player ``who``), each with its step of the game."""
    found: list[RecordedDecision] = []
    free = _Steps(steps, who)
    for row in rows:
        if row.get("event") not in _DECISION_EVENTS:
            continue
        bare = RecordedDecision(len(found) + 1, who, row)
        step = free.take(bare) if row.get("event") == "decision" else None
        if bare.how == "unsaid" and found:
            step = found[-1].step
        found.append(RecordedDecision(bare.number, who, row, step))
    return found


def player_of(rows: Iterable[Row]) -> str:
    """The player whose journal this is, ``""`` when no packet told it."""
    seat = SeatRecord()
    for row in rows:
        if row.get("event") == "packet" and not seat.state.me:
            seat.packet(str(row.get("raw", "")))
    return seat.state.me


class _Steps:
    """Steps of one player that no decision has been found for yet."""

    def __init__(self, steps: Sequence[Step], who: str) -> None:
        self._free = [step for step in steps if step.who == who or (step.kind in _POLLS and who in step.votes)]

    def take(self, decision: RecordedDecision) -> int | None:
        """Return the next step of the decision's kind and day whose words are those that were sent.

        Steps in between are skipped: the table puts a Skip or an Over in for each answer that did not come.
        """
        kind = _KINDS.get(decision.request)
        for at, step in enumerate(self._free):
            if (step.kind, step.day) == (kind, decision.day) and self._fits(step, decision):
                if step.kind not in _POLLS:  # a vote that was repeated is one step
                    del self._free[at]
                return step.number
        return None

    @staticmethod
    def _fits(step: Step, decision: RecordedDecision) -> bool:
        # The table may cut a talk, and take its line breaks away.
        said = step.talk.text if step.talk is not None else ""
        return step.talk is None or _bare(decision.sent).startswith(_bare(said)[:40]) or step.talk.over


_POLLS = frozenset({StepKind.VOTE, StepKind.ATTACK_VOTE})


def _bare(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


# --- What a journal's decision says, in short lines for people -------------------------------------------------------


SHOWN_ROLES = 2
"""Roles shown of each player where a journal holds them, the likeliest first."""
SHOWN_SUSPECTS = 3
"""Players named in a belief of one short line."""


def split_cached(messages: Sequence[tuple[str, str]], cached: int) -> list[tuple[str, str, str]]:
    """Split each message into (speaker, words that stood in the prompt before, new words); ``cached``
    characters did.
    """
    found = []
    for speaker, text in messages:
        found.append((speaker, text[:cached], text[cached:]))
        cached = max(0, cached - len(text))
    return found


BELIEF_WORDS: Mapping[str, str] = {"leaning": "leaning", "shown": "shown", "trusted": "believes {name}"}
"""The words between the figures of :func:`belief_summary`, in English."""


def belief_summary(
    row: Mapping[str, Any] | None,
    *,
    full: bool = False,
    words: Mapping[str, str] = BELIEF_WORDS,
    role_name: Callable[[str], str] = str.lower,
) -> str:
    """P(werewolf) in a line, such as ``Lorcan .94 Celeste .04``, ``-`` where none was noted; of a wolf as it is shown
    to others. ``full``: of everybody, with the character's leaning, what is shown, the likeliest roles, the seer
    believed, and why. ``words`` and ``role_name`` are those of another language.
    """
    if not row or not row.get("wolf"):
        return "-"
    if not full:
        # Who knows the wolves has nothing to suspect; what it lets others believe tells more.
        seen, word = (
            (row["wolf"], "") if max(row["wolf"].values()) > 0 else (row.get("shown") or {}, f"{words['shown']} ")
        )
        return f"{word}{_shares(dict(list(seen.items())[:SHOWN_SUSPECTS]))}" if seen else "-"
    # To a werewolf that knows the others nobody is suspect: a row of zeros would tell nothing.
    suspects = max(row["wolf"].values()) > 0 or not row.get("shown")
    parts = [_shares(row["wolf"])] if suspects else []
    if suspects and row.get("leaning"):
        parts.append(f"{words['leaning']} {_shares(row['leaning'])}")
    if row.get("shown"):
        parts.append(f"{words['shown']} {_shares(row['shown'])}")
    for name, roles in (row.get("roles") or {}).items():
        best = sorted(roles.items(), key=lambda pair: -pair[1])[:SHOWN_ROLES]
        parts.append(f"{name}: {', '.join(f'{role_name(role)} {_number(share)}' for role, share in best)}")
    if row.get("trusted"):
        parts.append(words["trusted"].format(name=row["trusted"]))
    if row.get("why"):
        parts.append(str(row["why"]))
    return "; ".join(parts)


def _shares(values: Mapping[str, float]) -> str:
    return " ".join(f"{name} {_number(share)}" for name, share in values.items())


def _number(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")


def plan_summary(row: Mapping[str, Any]) -> str:
    """Say what was meant, and why: ``claim SEER; result Barnaby WEREWOLF -- tell what the night showed``. A vote that
    the own strategy announces is told with its ground, in the words in which it may be spoken.
    """
    why, ground = str(row.get("why") or ""), _ground_of_vote(row)
    if ground and why.startswith("announce the vote for "):
        why = ""  # The act says that already.
    return " -- ".join(filter(None, ("; ".join(act_lines(row)) or "-", why, ground)))


def _ground_of_vote(row: Mapping[str, Any]) -> str:
    """On what a vote that a talk announced rests, ``""`` where that is not known or a model had its own ground."""
    acts = as_mapping(row.get("plan")).get("acts", ()) if row.get("how") not in BY_MODEL else ()
    return next((str(act["reason"]) for act in acts if act.get("kind") == "vote" and act.get("reason")), "")


def act_lines(row: Mapping[str, Any]) -> list[str]:
    """Say what was meant, a short line for each act."""
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
    """Say one act of speech in short: its kind, and whom and what it is about, or in words what its topic tells
    of it.
    """
    kind, topic, target, role, result, to = (
        str(act.get(key, "")) for key in ("kind", "topic", "target", "role", "result", "to")
    )
    how, _, colour = topic.partition("_")
    of_colour = colour.isupper()
    if phrase := page_texts("en", "journal").get(f"{kind}_{how if of_colour else topic}"):
        name = to if kind == "answer" and topic.endswith("_you") else target
        return phrase.format(name=name, to=to, role=role, colour=colour if of_colour else result)
    words = [act.get(key, "") for key in ("kind", "topic", "target", "role", "result")]
    text = " ".join(word for word in words if word)
    return f"{text} to {act['to']}" if act.get("to") else text


# --- What a seat heard, told in plain words --------------------------------------------------------------------------

_NAME, _TO, _ROLE = r"(?:Agent\[(?P<name>\d+)\]|ANY)", r"(?:Agent\[(?P<to>\d+)\]|ANY)", "(?P<role>[A-Z]+)"
_SELF = r"(?:Agent\[\d+\]|ANY)"
_SHAPES: Mapping[str, str] = {
    rf"COMINGOUT {_SELF} ANY": "claims a role",
    rf"COMINGOUT {_SELF} {_ROLE}": "claims to be {role}",
    rf"NOT \(COMINGOUT {_SELF} ANY\)": "takes back what was claimed",
    rf"NOT \(COMINGOUT {_SELF} {_ROLE}\)": "takes back the claim to be {role}",
    rf"ESTIMATE {_NAME} {_ROLE}": "takes {name} for {role}",
    rf"DIVINED {_NAME} {_ROLE}": "tells of a look that {name} is {role}",
    rf"IDENTIFIED {_NAME} {_ROLE}": "tells of the executed that {name} is {role}",
    rf"NOT \(VOTE {_NAME}\)": "takes back the vote for {name}",
    rf"VOTE {_NAME}": "will vote for {name}",
    rf"VOTED {_NAME}": "has voted for {name}",
    rf"GUARDED {_NAME}": "has guarded {name}",
    rf"GUARD {_NAME}": "will guard {name}",
    rf"DIVINATION {_NAME}": "will look at {name}",
    rf"XOR \(ESTIMATE {_NAME} WEREWOLF\) \(ESTIMATE {_TO} WEREWOLF\)": "says that {name} or {to} is a werewolf",
    rf"INQUIRE {_TO} \(COMINGOUT {_SELF} ANY\)": "asks {to} for the role",
    rf"INQUIRE {_TO} \(DIVINED ANY ANY\)": "asks {to} for a result",
    rf"INQUIRE {_TO} \(VOTED? ANY\)": "asks {to} about a vote",
    rf"INQUIRE {_TO} \(ESTIMATE ANY WEREWOLF\)": "asks {to} about suspects",
    rf"INQUIRE {_TO} \(ESTIMATE ANY SEER\)": "asks {to} about trust",
    rf"INQUIRE {_TO} \(ESTIMATE ANY ANY\)": "asks {to} something",
    rf"REQUEST {_TO} \(VOTE {_NAME}\)": "wants {to} to vote for {name}",
    rf"REQUEST {_TO} \(DIVINATION {_NAME}\)": "wants {to} to look at {name}",
    rf"REQUEST {_TO} \(GUARD {_NAME}\)": "wants {to} to guard {name}",
    r"AGREE TALK day\d+ ID:\d+": "agrees with an earlier talk",
    r"DISAGREE TALK day\d+ ID:\d+": "disagrees with an earlier talk",
}
"""Each form of sentence of the AIWolf Protocol that a journal has of what was heard, with its phrase: English, as is
everything of a journal, and translated where it is shown."""
_ANYBODY = {"name": "somebody", "to": "everybody"}


def heard_in_words(line: str, players: Sequence[str]) -> str:
    """``line`` of a journal, a speaker and what it said, in plain words. ``players``: the names in the server's order,
    by which the sentences number them. What has no phrase stays as it is.
    """
    who, colon, said = line.partition(": ")
    if not colon or not players:
        return line
    return f"{who}: {'; '.join(_phrase(sentence, players) for sentence in said.split('; '))}"


def _phrase(sentence: str, players: Sequence[str]) -> str:
    for shape, phrase in _SHAPES.items():
        if found := re.fullmatch(shape, sentence):
            parts = found.groupdict().items()
            return phrase.format(**{key: text if key == "role" else _name(key, text, players) for key, text in parts})
    return sentence


def _name(key: str, number: str | None, players: Sequence[str]) -> str:
    at = int(number or 0)
    return players[at - 1] if 0 < at <= len(players) else _ANYBODY[key]
