"""Try an endpoint before a match: is it there, is the key right, does the model exist, what can it do?"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Literal

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError, did_you_mean
from nlp_agent.llm.endpoint import EndpointModel
from nlp_agent.llm.model import Answer, Message, Question
from nlp_agent.llm.request import EndpointConfig
from nlp_agent.llm.response import get_path

_NAMES = ("Mina", "Ken")
_CHOICE = Question(
    (
        Message("system", "You are playing the party game Werewolf."),
        Message("user", f"Whom do you vote for, {_NAMES[0]} or {_NAMES[1]}? Answer with the name only."),
    ),
    "VOTE",
    choices=_NAMES,
)
_TALK = replace(
    _CHOICE,
    purpose="TALK",
    choices=(),
    messages=(_CHOICE.messages[0], Message("user", "Greet the other players in one short sentence.")),
)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one thing that was tried. ``message`` is one line, and says what to do unless ``level`` is
    ``"ok"``.
    """

    level: Literal["ok", "warning", "error"]
    what: str
    message: str

    @property
    def text(self) -> str:
        """The line that says what was tried and how it went."""
        return f"{self.what}: {self.message}"


async def probe(config: EndpointConfig, deadline: Deadline) -> list[CheckResult]:
    """Try ``config`` with two short questions; the first error ends the trial. Raises nothing."""
    if not config.model:
        return [CheckResult("error", "model", "no model is named: set llm.model in the config")]
    if config.lacks_key:
        return [CheckResult("error", "key", f"no key: {config.key_advice}")]
    model = EndpointModel(replace(config, attempts=1))
    try:
        return await _try_both(model, deadline)
    finally:
        await model.aclose()


async def _try_both(model: EndpointModel, deadline: Deadline) -> list[CheckResult]:
    findings: list[CheckResult] = []
    for what, ask, judge in (("target", _CHOICE, _judge_target), ("talk", _TALK, _judge_talk)):
        before = deadline.clock()
        try:
            answer = await model.ask(ask, deadline)
        except LlmError as error:
            findings.append(await _explained(model, error, deadline))
            break
        findings.append(judge(what, answer, deadline.clock() - before))
    return findings


def _judge_target(what: str, answer: Answer, seconds: float) -> CheckResult:
    downs = "; ".join(note for note in answer.notes if note.startswith("stepped down"))
    if answer.text not in _NAMES:
        text = f"asked for a name it answered {answer.text[:40]!r}: names will be looked for in its text"
        return CheckResult("warning", what, text)
    if "json" in downs:
        text = f"{downs}: set llm.capabilities.structured to spare the refused request in each session"
        return CheckResult("warning", what, text)
    return CheckResult("ok", what, f"answers with one of the legal names, {seconds:.1f} s{_step_down_note(downs)}")


def _judge_talk(what: str, answer: Answer, seconds: float) -> CheckResult:
    downs = "; ".join(note for note in answer.notes if note.startswith("stepped down"))
    if not answer.complete:
        text = "its talk was cut short: raise llm.max_tokens, or choose a faster model"
        return CheckResult("warning", what, text)
    return CheckResult("ok", what, f"talks, {seconds:.1f} s{_step_down_note(downs)}")


def _step_down_note(downs: str) -> str:
    return f" ({downs})" if downs else ""


async def _explained(model: EndpointModel, error: LlmError, deadline: Deadline) -> CheckResult:
    """The error with, for an unknown model, the nearest name the endpoint does know."""
    what = {"auth": "key", "unreachable": "address", "model": "model", "timeout": "time"}.get(error.kind, "answer")
    hint = ""
    if error.kind == "model":
        names = await _list_models(model, deadline)
        hint = f"; {did_you_mean(model.config.model, names[:20])}" if names else ""
    return CheckResult("error", what, f"{error}{hint}")


async def _list_models(model: EndpointModel, deadline: Deadline) -> list[str]:
    """The model names an endpoint tells; empty when it tells none in time."""
    try:
        async with asyncio.timeout(deadline.remaining):
            client = await model.client()
            page = await client.models.list(timeout=deadline.remaining + 1)
    except Exception:  # whatever is wrong here, the finding it would decorate is told anyway
        return []
    data = get_path(page, "data")
    return [name for item in data if isinstance(name := get_path(item, "id"), str)] if isinstance(data, list) else []
