"""``nlp-agent try``: ask the configured model one prompt of a played game, several times."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.common import ConfigFile, known_pack, one_config, printable
from nlp_agent.app.cli.screen import print_json, stdout
from nlp_agent.app.cli.terminal_language import in_terminal_language, say
from nlp_agent.deadline import Deadline
from nlp_agent.errors import ConfigError, LlmError

if TYPE_CHECKING:
    from nlp_agent.app.config import Config
    from nlp_agent.app.wiring.journal_replay import ReplayedTurn

EPILOG = """
**Examples**

* `nlp-agent render --game records/.../nlp-agent1.jsonl` – list the moments
* `nlp-agent try --journal records/.../nlp-agent1.jsonl --at 7` – ask that very prompt
* `nlp-agent try --pack ./my-pack --journal records/.../nlp-agent1.jsonl --at 7 -n 5` – with other templates

Without an account: `python -m nlp_agent.llm.loopback --port 8099`, and `base_url: http://127.0.0.1:8099/v1`.
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """An answer that was tried. ``sent``: what would go out; ``kept``: what the server keeps; ``problem``: why nothing
    would.
    """

    raw: str = ""
    sent: str = ""
    changes: tuple[str, ...] = ()
    kept: str = ""
    problem: str = ""
    seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0


def try_(
    journal: Annotated[Path, typer.Option(metavar="JOURNAL", help="A seat's journal under records/.")],
    at: Annotated[int, typer.Option(metavar="N", help="Which moment; `nlp-agent render --game JOURNAL` lists them.")],
    pack: Annotated[
        str | None,
        typer.Option("--pack", "-P", metavar="PACK", callback=known_pack, help="Default: the one it was played with."),
    ] = None,
    times: Annotated[int, typer.Option("-n", "--times", min=1, metavar="N", help="How often to ask.")] = 1,
    config: ConfigFile = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per answer, one a line.")] = False,
) -> None:
    """Ask the configured model a prompt of a played game and show what becomes of each answer.

    Shown are the raw answer, what would be sent, what the server would keep, seconds and tokens. Nothing is played.
    """
    from nlp_agent.app.wiring.journal_replay import journal_rows, replay_turn
    from nlp_agent.prompting import load_pack

    settings = one_config(config)
    if not settings.llm.enabled:
        other = "or set llm.base_url and llm.model (`nlp-agent init` writes a config)"
        hint = f"name a config that has one with -c FILE, {other}"
        raise ConfigError(f"no model is configured to be tried: {hint}", file=str(settings.source or ""), key="llm")
    again = replay_turn(journal_rows(journal), at, load_pack(pack) if pack else None)
    failed = asyncio.run(_show(settings, again, times, json=json))
    raise typer.Exit(1 if failed == times else 0)


async def _show(config: Config, again: ReplayedTurn, times: int, *, json: bool) -> int:
    """Print the trials as they end; returns how many gave nothing that could be sent."""
    screen, state = stdout(), again.seat.state
    if not json:
        moment = again.moment
        screen.tell(f"{state.me} ({state.role}), day {moment.day}, {moment.request}, pack {again.pack.name}")
        screen.tell(say("sent_in_game", text=moment.sent))
        screen.print()
    failed = number = 0
    async for trial in trials(config, again, times):
        number += 1
        failed += bool(trial.problem)
        if json:
            print_json(asdict(trial))
        else:
            screen.print(_told(trial, number))
    return failed


async def trials(config: Config, again: ReplayedTurn, times: int) -> AsyncIterator[Trial]:
    """Ask ``times`` times, one after another, each with the time a talk has and in the form that a game asks for."""
    from nlp_agent.app.wiring.models import build_model
    from nlp_agent.seat.timing import ThinkingTime

    model = build_model(config)
    assert model is not None
    prompt = again.prompt
    try:
        await model.warm()
        for _ in range(times):
            begun = time.monotonic()
            try:
                until = Deadline.after(config.deadline.fallback)
                answer = await model.ask(again.turn.style.question(prompt, ThinkingTime(until, until, 1.0)), until)
            except LlmError as error:
                yield Trial(problem=f"{error.kind}: {error}", seconds=round(time.monotonic() - begun, 3))
                continue
            checked = again.turn.check(answer.text, prompt)
            yield Trial(
                raw=answer.raw or answer.text,
                sent=checked.text,
                changes=checked.changes,
                kept=_kept(again, checked.text),
                problem=str(checked.problem or ""),
                seconds=round(time.monotonic() - begun, 3),
                prompt_tokens=answer.usage.prompt_tokens,
                completion_tokens=answer.usage.completion_tokens,
                cached_tokens=answer.usage.cached_tokens,
            )
    finally:
        await model.aclose()


def _kept(again: ReplayedTurn, text: str) -> str:
    """What the others would read of ``text``: the official server cuts talks at the cap."""
    from nlp_agent.protocol import TALK_REQUESTS, Request
    from nlp_agent.text.count import server_keeps

    state = again.seat.state
    if not text or again.ready.request not in TALK_REQUESTS:
        return text
    rule = state.setting.whisper if again.ready.request == Request.WHISPER else state.setting.talk
    return server_keeps(text, state.me, state.players, rule.max_length, state.remain_length).text


def _told(trial: Trial, number: int) -> str:
    changes = f"   ({', '.join(trial.changes)})" if trial.changes else ""
    tokens = f"{trial.prompt_tokens} + {trial.completion_tokens}"
    cached = say("tokens_cached", count=trial.cached_tokens) if trial.cached_tokens else ""
    lines = [f"--- {say('answer', number=number, seconds=f'{trial.seconds:.2f}', tokens=tokens)}{cached} ---"]
    lines += [f"{say('answer_raw')} {printable(trial.raw)}"] if trial.raw else []
    lines += [f"{say('answer_cleaned')} {trial.sent}{changes}"] if trial.sent else []
    lines += [f"{say('answer_kept')} {trial.kept}"] if trial.kept and not trial.problem else []
    lines += [f"{say('answer_problem')} {in_terminal_language(trial.problem)}"] if trial.problem else []
    return "\n".join([*lines, ""])
