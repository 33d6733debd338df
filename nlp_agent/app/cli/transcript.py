"""A game as it happens, for somebody who watches: events in, lines out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from nlp_agent.app.cli.common import printable
from nlp_agent.app.cli.screen import one_line
from nlp_agent.app.cli.terminal_language import roles_counted, say, template
from nlp_agent.arena import events
from nlp_agent.arena.engine import leaders
from nlp_agent.game import role_spec
from nlp_agent.protocol import OVER, SKIP, Request, Species

_COLOURS = "cyan magenta green yellow blue red"
PALETTE = (*_COLOURS.split(), *(f"bright_{colour}" for colour in _COLOURS.split()), "white")
_PLACE = re.compile(r"\{(\w+)\}")


class TranscriptPrinter:
    """Prints one game after another: call :meth:`show` with every event, in order."""

    def __init__(self, console: Console) -> None:
        self._console, self._line = console, console.print
        self._names: tuple[str, ...] = ()
        self._species: tuple[str, ...] = ()
        self._width = 0
        self._quiet: list[int] = []
        self._votes: dict[int, int] = {}
        self._poll: Request = Request.VOTE
        self._chat_since = 0

    def show(self, event: object) -> None:
        """Print what ``event`` means to a watcher, if anything."""
        if self._quiet and not isinstance(event, events.Asked | events.Answered) and not _is_quiet(event):
            self._say_quiet()
        self._show(event)

    # --- the events ----------------------------------------------------------------------------------------

    def _show(self, event: object) -> None:
        """Print ``event``; packets and bookkeeping are nothing to see."""
        match event:
            case events.Dealt():
                self._begin(event)
            case events.DayOpened():
                self._day(event.day)
            case events.ChatOpened():
                self._chat_since = event.time
            case events.ChatClosed():
                what = say("all_said" if event.all_said else "time_is_up")
                self._line(Text(f"  {self._mark(event.time)}: {what}", style="dim"))
            case events.Talked():
                self._talk(event)
            case events.PollOpened():
                # A second round: what was counted so far led to a tie.
                self._say_votes()
                self._poll = event.request
            case events.Voted():
                self._votes[event.seat] = event.target
            case events.Executed():
                self._executed(event.target)
            case events.Divined() | events.Guarded():
                self._night_action(event)
            case events.Attacked():
                self._attacked(event)
            case events.Faulted():
                self._fault(event)
            case events.Ended():
                self._say_votes()
                self._console.print()
                self._line(Text(say(f"{event.winner}_wins"), style="bold"))

    def _begin(self, event: events.Dealt) -> None:
        self._names = tuple(printable(seat.name) for seat in event.seats)
        self._species = tuple(role_spec(seat.role).species for seat in event.seats)
        self._width = max(map(cell_len, self._names), default=0)
        self._votes, self._quiet = {}, []
        roles = [roles_counted(role, count) for role, count in event.village.roles.items() if count]
        self._line(_filled("village", count=str(len(event.seats)), names=self._list(range(len(event.seats)))))
        self._line(Text(say("roles", roles=say("comma").join(roles)), style="dim"))

    def _day(self, day: int) -> None:
        self._console.print()
        if self._console.is_terminal:
            self._console.rule(Text(say("day", day=day), style="bold"), style="dim", align="left")
        else:
            self._console.print(f"--- {say('day', day=day)} ---")

    def _talk(self, event: events.Talked) -> None:
        mark = "" if event.time is None else f"{self._mark(event.time)}  "
        if event.time is not None and _is_quiet(event):
            said_all = _filled("said_all", name=self._name(event.seat))
            self._line(Text.assemble("  ", mark, said_all, style="dim"))
        elif _is_quiet(event):
            self._quiet.append(event.seat)
        elif event.request is Request.WHISPER:
            self._speech(event.seat, Text(say("whispers"), style="italic") + self._words(event.text), mark, style="dim")
        else:
            self._speech(event.seat, self._words(event.text), mark)

    def _executed(self, target: int | None) -> None:
        drawn = len(leaders(self._votes.values())) > 1
        self._say_votes()
        if target is None:
            self._line(Text(say("nobody_executed"), style="bold"))
        else:
            self._line(_filled("executed_by_lot" if drawn else "executed", "bold", name=self._name(target)))

    def _attacked(self, event: events.Attacked) -> None:
        self._say_votes()
        if event.target is None:
            self._line(Text(say("attacked_nobody")))
        elif event.killed:
            self._line(_filled("killed", "bold", name=self._name(event.target)))
        else:
            self._line(_filled("guarded", name=self._name(event.target)))

    def _fault(self, event: events.Faulted) -> None:
        fault = say("comma_sent" if event.fault is events.GuestFault.COMMA else event.fault)
        what = say("fault", name=self._names[event.seat], request=event.request, fault=fault)
        if event.fault in _UNSEEN and event.text:
            what += f", {printable(event.text)!r}"
        self._line(Text(what, style="bold yellow"))

    # --- the lines -----------------------------------------------------------------------------------------

    def _say_quiet(self) -> None:
        seats, self._quiet = list(dict.fromkeys(self._quiet)), []
        self._line(Text.assemble(_filled("quiet", names=self._list(seats)), style="dim"))

    def _say_votes(self) -> None:
        """The votes by target, most first; the wolves' choice only when there was something to agree on."""
        votes, self._votes = self._votes, {}
        if not votes or (self._poll is Request.ATTACK and len(votes) < 2):
            return
        dim = "dim" if self._poll is Request.ATTACK else ""
        grid = Table.grid(padding=(0, 2))
        lines = []
        for target in sorted(set(votes.values()), key=lambda seat: (-list(votes.values()).count(seat), seat)):
            voters = [seat for seat, chosen in votes.items() if chosen == target]
            grid.add_row(self._name(target), Text(str(len(voters))), self._list(voters))
            lines.append(_filled("voted", name=self._name(target), count=str(len(voters)), voters=self._list(voters)))
        title = say("wolves_choose" if dim else "votes")
        if self._console.is_terminal:
            self._line(Text(title, style=dim or "bold"))
            self._console.print(Padding(grid, (0, 0, 0, 4)), style=dim)
        else:
            self._line(Text(f"{title}: ") + Text(say("comma")).join(lines))

    def _night_action(self, event: events.Divined | events.Guarded) -> None:
        """What nobody at the table sees."""
        wolf = self._species[event.target] == Species.WEREWOLF
        key = "guards" if isinstance(event, events.Guarded) else "divined_wolf" if wolf else "divined_human"
        action = _filled(key, name=self._name(event.seat), target=self._name(event.target))
        self._line(Text.assemble(action, style="dim"))

    def _mark(self, time: int) -> str:
        """Minutes and seconds since the group chat began."""
        minutes, seconds = divmod(max(0, time - self._chat_since) // 1000, 60)
        return f"{minutes:2}:{seconds:02}"

    def _speech(self, seat: int, words: Text, mark: str = "", style: str = "") -> None:
        name = self._name(seat)
        if self._console.is_terminal:
            grid = Table.grid(padding=(0, 2, 0, 0))
            if mark:
                name = Text.assemble((mark, "dim"), name)
            grid.add_column(width=self._width + len(mark), no_wrap=True)
            grid.add_column(overflow="fold")
            grid.add_row(name, words)
            self._console.print(Padding(grid, (0, 0, 0, 2)), style=style)
        else:
            name.append(" " * (self._width - cell_len(name.plain)))
            self._line(Text.assemble("  ", mark, name, "  ", words))

    def _words(self, text: str) -> Text:
        """The talk, with an anchored player's name in that player's colour."""
        words = Text(one_line(text))
        for seat in sorted(range(len(self._names)), key=lambda seat: -len(self._names[seat])):
            anchor = f"@{self._names[seat]}"
            if words.plain.startswith(anchor):
                words.stylize(self._style(seat), 0, len(anchor))
                break
        return words

    def _list(self, seats: Iterable[int]) -> Text:
        return Text(say("comma")).join(self._name(seat) for seat in seats)

    def _name(self, seat: int) -> Text:
        return Text(self._names[seat], style=self._style(seat))

    def _style(self, seat: int) -> str:
        return PALETTE[seat % len(PALETTE)]


_UNSEEN = frozenset({events.GuestFault.VOID_TARGET, events.GuestFault.UNASKED, events.GuestFault.LATE})
"""Slips whose words appear nowhere else in the transcript."""


def _filled(key: str, style: str = "", /, **values: Text | str) -> Text:
    """The text ``key`` in ``style``; its places keep the style of what fills them."""
    parts = _PLACE.split(template(key))
    return Text.assemble(*(values[part] if n % 2 else (part, style) for n, part in enumerate(parts)))


def _is_quiet(event: object) -> bool:
    return isinstance(event, events.Talked) and event.text in (OVER, SKIP)
