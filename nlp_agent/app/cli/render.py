"""``nlp-agent render``: what a model will see."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher, unified_diff
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from nlp_agent.app.cli.common import AsJson, known_pack, printable, village_size
from nlp_agent.app.cli.screen import Screen, one_line, print_json, stderr, stdout, wrapped
from nlp_agent.app.cli.terminal_language import in_terminal_language, origin_name, say
from nlp_agent.errors import PackError
from nlp_agent.records.game_files import safe_name

if TYPE_CHECKING:
    from nlp_agent.app.wiring.journal_replay import PromptChoice, PromptView
    from nlp_agent.prompting import Style
    from nlp_agent.records.summary import GameSummary

POLL = 0.25
"""Seconds between two looks at the files of a pack."""
EPILOG = """
**Examples**

* `nlp-agent render --lang ja --role SEER --phase talk` – in a made-up village
* `nlp-agent render --pack ./my-pack --role WEREWOLF --phase whisper --watch` – again on every save
* `nlp-agent render --pack ./my-pack --diff en` – two packs side by side
* `nlp-agent render --game records/.../nlp-agent1.jsonl` – the moments of a played game
* `nlp-agent render --game records/.../nlp-agent1.jsonl --at 7` – the prompt of one, with any pack

Dim on a terminal: what the seat's prompt before began with as well, which endpoints cache. Tokens are estimated.
"""


def render(
    pack: Annotated[
        str | None,
        typer.Option(
            "--pack",
            "--lang",
            "-l",
            metavar="PACK",
            callback=known_pack,
            help="A pack's name or folder. Default: that of the game, else en.",
        ),
    ] = None,
    role: Annotated[
        str, typer.Option(metavar="ROLE", help="VILLAGER, SEER, MEDIUM, BODYGUARD, WEREWOLF …")
    ] = "VILLAGER",
    phase: Annotated[
        str, typer.Option(metavar="PHASE", help="talk, whisper, vote, divine, guard, attack; reading, character.")
    ] = "talk",
    players: Annotated[
        int | None,
        typer.Option("--players", "-p", metavar="5|9|13", help="Village size. Default: the smallest with that role."),
    ] = None,
    day: Annotated[int, typer.Option(min=0, max=3, metavar="N", help="Day of the made-up game.")] = 1,
    game: Annotated[Path | None, typer.Option(metavar="JOURNAL", help="A seat's journal under records/.")] = None,
    at: Annotated[int | None, typer.Option(metavar="N", help="Which of the journal's moments.")] = None,
    diff: Annotated[
        str | None, typer.Option(metavar="PACK", callback=known_pack, help="Show another pack beside it.")
    ] = None,
    style: Annotated[
        str | None,
        typer.Option(
            metavar="STYLE",
            help="advised (facts and advice), guided (for models of middle size) or directed (for small models)."
            " Default: that of the game, else advised.",
        ),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help="Show it again whenever a file of the pack is saved.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Print the exact messages a model gets, with estimated tokens, the cached beginning, and the allowed length."""
    from nlp_agent.app.wiring.journal_replay import PromptChoice, prompt_view

    if players is not None:
        village_size(players, classic=False)
    wish = PromptChoice(role, phase, players, day, game, at, _style(style))
    if wish.game is not None and wish.at is None:
        _show_moments(wish.game)
        return
    if json:
        print_json(_as_row(prompt_view(wish, pack)))
        return

    def show() -> None:
        _show(wish, pack, diff)

    if watch:
        _watch(show, [name for name in (pack or "en", diff) if name])
    else:
        show()


def _style(name: str | None) -> Style | None:
    from nlp_agent.errors import ConfigError, did_you_mean
    from nlp_agent.prompting import Style

    if name is None:
        return None
    if name not in list(Style):
        raise ConfigError(f"there is no style {name!r}; {did_you_mean(name, list(Style))}")
    return Style(name)


def _show(wish: PromptChoice, pack: str | None, diff: str | None) -> None:
    from nlp_agent.app.wiring.journal_replay import prompt_view

    screen = stdout()
    shown = prompt_view(wish, pack)
    if diff is None:
        for part in _single(shown):
            screen.print(part)
    else:
        # What one changes stands where a diff has what is new.
        other = prompt_view(wish, diff)
        if screen.is_terminal:
            screen.print(_side_by_side(other, shown, screen.width))
        for line in [] if screen.is_terminal else _unified(other, shown):
            screen.print(line)
        if _whole(other) == _whole(shown):
            stderr().tell(say("no_difference", first=other.pack, second=shown.pack))


def show_last(screen: Screen, game: GameSummary, role: str, style: Style | None = None) -> None:
    """The last prompt that the first seat of ``role`` had in a game just played, or would have had with a model that is
    asked in this ``style`` (None: as it was asked).
    """
    from nlp_agent.app.wiring.journal_replay import PromptChoice, answered_requests, journal_rows, prompt_view

    seat = next((seat for seat in game.seats if seat.role == role), None)
    if seat is None:
        screen.print("\n" + say("nobody_was", role=role, roles=", ".join(game.village)))
        return
    journal = Path(game.records) / f"{safe_name(seat.seat)}.jsonl"
    number = len(answered_requests(journal_rows(journal)))
    screen.print()
    for part in _single(prompt_view(PromptChoice(game=journal, at=number, style=style), None)):
        screen.print(part)
    screen.print("\n" + say("earlier_prompts", journal=printable(str(journal))))


def _as_row(view: PromptView) -> dict[str, Any]:
    return {
        "title": view.title,
        "pack": view.pack,
        "messages": [{"role": by, "content": text} for by, text in view.prompt.messages],
        "tokens": {"all": view.tokens, "cached": view.cached_tokens},
        "cap": {"ask": view.limit.ask, "cap": view.limit.cap, "unit": _unit(view)} if view.limit.cap else None,
        "choices": list(view.choices),
    }


def _unit(view: PromptView) -> str:
    return "words" if view.limit.in_words else "characters"


def _single(view: PromptView) -> list[RenderableType]:
    style = f", {view.style} style" if view.style else ""
    heading = in_terminal_language(f"{view.title}, pack {view.pack}{style}")
    parts: list[RenderableType] = [Text(printable(heading) + "\n", style="bold")]
    for by, known, new in view.parts:
        parts.append(Text(f"--- {by} ---", style="cyan"))
        parts.append(Text.assemble((known, "dim"), new, "\n"))
    parts.append(Text(_summary(view), style="cyan"))
    return parts


def _summary(view: PromptView) -> str:
    cached = say("nothing_cached")
    if view.cached is not None:
        letters = sum(len(text) for _, text in view.prompt.messages)
        cached = say("cached_prefix", tokens=view.cached_tokens, share=100 * view.cached // letters)
    cap = say("choices", names=", ".join(view.choices))
    if not view.choices:
        kind = "words" if view.limit.in_words else "characters" if view.limit.spaces else "bare_characters"
        cap = say(f"cap_{kind}", cap=view.limit.cap, ask=view.limit.ask) if view.limit.cap else say("cap_none")
    return f"--- {say('prompt_size', tokens=view.tokens, cached=cached, cap=cap)} ---"


def _side_by_side(left: PromptView, right: PromptView, width: int) -> RenderableType:
    """Two prompts in two columns; sentences that both have stand beside each other, dim."""
    table = Table(box=None, pad_edge=False, padding=(0, 1), width=width, header_style="bold")
    half = (width - 2) // 2
    for view in (left, right):
        table.add_column(say("pack_size", pack=view.pack, tokens=view.tokens), width=half, overflow="fold")
    for one, other in _paired(_whole(left), _whole(right)):
        same = one == other
        table.add_row(
            Text(wrapped(one or "", half), style="dim" if same else "red"),
            Text(wrapped(other or "", half), style="dim" if same else "green"),
        )
    return table


def _unified(left: PromptView, right: PromptView) -> Iterator[str]:
    """What ``diff -u`` says of two prompts with one sentence a line."""
    ours, theirs = (_by_sentence(_whole(view).splitlines()) for view in (left, right))
    return unified_diff(ours, theirs, left.pack, right.pack, lineterm="")


_SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=[A-Z@\"“'(])|(?<=[。！？])(?=[^\s」』）。！？])")


def _by_sentence(lines: Sequence[str]) -> list[str]:
    return [sentence for line in lines for sentence in _SENTENCE_END.split(line)]


def _whole(view: PromptView) -> str:
    return "\n".join(f"--- {by} ---\n{text}" for by, text in view.prompt.messages)


def _paired(left: str, right: str) -> list[tuple[str | None, str | None]]:
    ours, theirs = left.splitlines(), right.splitlines()
    rows: list[tuple[str | None, str | None]] = []
    for change, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if change == "equal":
            rows.extend(zip_longest(ours[a:b], theirs[c:d]))
            continue
        # A paragraph with one new sentence would stand there twice.
        old, new = _by_sentence(ours[a:b]), _by_sentence(theirs[c:d])
        for _, e, f, g, h in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            rows.extend(zip_longest(old[e:f], new[g:h]))
    return rows


def _show_moments(game: Path) -> None:
    from nlp_agent.app.cli.results import plain_table
    from nlp_agent.app.wiring.journal_replay import answered_requests, journal_rows

    rows = [
        tuple(map(printable, (str(one.number), str(one.day), one.request, origin_name(one.how), one.sent)))
        for one in answered_requests(journal_rows(game))
    ]
    plain_table(stdout(), ("At", "Day", "Request", "By", "Sent"), rows)
    stdout().print("\n" + say("one_moment", journal=printable(str(game))))


def _watch(show: Callable[[], None], names: list[str]) -> None:
    """Show, and show again whenever a file of these packs changes, until Ctrl-C."""
    from nlp_agent.prompting.pack import snapshot

    screen = stdout()
    seen = None
    try:
        while True:
            now = [snapshot(name) for name in names]
            if now != seen:
                seen = now
                if screen.is_terminal:
                    screen.clear()
                try:
                    show()
                except PackError as error:
                    for fault in (error, *error.others):
                        screen.print(in_terminal_language(one_line(fault)), style="red")
                screen.print("\n" + say("watching", packs=", ".join(names)), style="dim")
            time.sleep(POLL)
    except KeyboardInterrupt:
        return
