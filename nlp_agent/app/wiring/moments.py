"""Moments of a game that was played: a seat's journal replayed, up to one request.

The journal holds every packet, the seat's seed, and what it sent; everything else follows from these. So the prompt of
any moment can be made again, also with other templates than those it was played with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlp_agent.app.wiring.strategies import load_strategy
from nlp_agent.deadline import Deadline
from nlp_agent.errors import ConfigError, ProtocolError
from nlp_agent.prompting import Pack, Prompt, Style, load_pack
from nlp_agent.protocol import TALK_REQUESTS, Packet, Request, parse_packet
from nlp_agent.records import journal
from nlp_agent.seat import Decision, How, Seat, Timing, Turn
from nlp_agent.voice.sheet import Sheet

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Moment:
    """A request this seat answered; ``number`` counts them from 1. ``how`` is who found the words."""

    number: int
    day: int
    request: str
    sent: str
    how: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """The seat as it was when ``moment`` came, its turn with the ready answer, the prompt, and the one before."""

    moment: Moment
    seat: Seat
    pack: Pack
    turn: Turn
    prompt: Prompt
    before: Prompt | None

    @property
    def ready(self) -> Decision:
        return self.turn.decision


def journal_rows(file: Path) -> list[Row]:
    """The rows of a journal; a line cut short by a crash is left out. Raises ConfigError when it is none."""
    try:
        rows: list[Row] = [row for row in journal.read_rows(file) if "event" in row]
    except OSError as error:
        raise ConfigError(f"cannot be read as a journal: {error}", file=str(file)) from error
    if not any(row["event"] == "packet" for row in rows):
        hint = "a journal is a <seat>.jsonl in a game's folder under records/"
        raise ConfigError(f"no packets are in it; {hint}", file=str(file))
    return rows


def moments(rows: list[Row]) -> list[Moment]:
    """Every request that was answered, in order."""
    decisions = (row for row in rows if row["event"] == "decision")
    return [
        Moment(number, row.get("day", 0), row.get("request", ""), row.get("sent", ""), row.get("how", ""))
        for number, row in enumerate(decisions, start=1)
    ]


def replay(rows: list[Row], number: int, pack: Pack | None = None, style: Style | None = None) -> Replayed:
    """The moment ``number`` again, with the pack and in the style it was played with or others.

    Raises ConfigError when there is no such moment, or its journal does not tell what is needed.
    """
    told = moments(rows)
    if not 1 <= number <= len(told):
        known = f"{len(told)} requests (1 to {len(told)})" if told else "no request yet"
        raise ConfigError(f"there is no moment {number}: this seat answered {known}")
    chosen = pack or load_pack(played_with(rows))
    seat = seat_again(rows, chosen)
    decisions = [row for row in rows if row["event"] == "decision"]
    # Whoever played without a model would have been shown every prompt.
    shown = [any("user" in row for row in decisions) <= ("user" in row) for row in decisions]
    last = max((at for at in range(number - 1) if shown[at]), default=-1)
    before: Prompt | None = None
    for at, (moment, turn) in enumerate(zip(told, answers(rows, seat, style), strict=False)):
        if turn is None and moment.number == number:
            raise ConfigError(f"moment {number} has no prompt: in the group chat this seat just fell silent")
        if turn is not None and (at == last or moment.number == number):
            try:
                prompt = turn.prompt()
            except LookupError:
                raise ConfigError("the journal does not hold the game's beginning") from None
            if moment.number == number:
                return Replayed(moment, seat, chosen, turn, prompt, before)
            before = prompt
        if turn is not None and shown[at] and turn.decision.request in TALK_REQUESTS:
            turn.decision.shown = turn.setup.mind.ledger.place()
            turn.advice()  # what was offered once is not offered again
    raise ConfigError(f"moment {number} cannot be reached: packets are missing in the journal")


def seat_again(rows: list[Row], pack: Pack) -> Seat:
    """A seat without a model, of the seed and the strategy of the journal's."""
    return Seat(
        choose_pack=lambda _: pack,
        model=None,
        timing=Timing(),
        seed=int(_told_of_seat(rows, "seed", 0)),
        record=journal.NoJournal(),
        strategy=load_strategy(str(_told_of_seat(rows, "strategy", ""))),
        prompt_budget=int(_told_of_seat(rows, "prompt_budget", 0)),
    )


def answers(rows: list[Row], seat: Seat, style: Style | None = None) -> Iterator[Turn | None]:
    """Let the seat hear the packets; stop with its turn at each that it answered, and wherever it began a talk of a
    group chat. None stands for an Over in a group chat that nothing was thought for. ``style``: how a model is asked,
    in place of how it was.
    """
    decisions = [row for row in rows if row["event"] == "decision"]
    asked: Packet | None = None
    turn: Turn | None = None
    heard = done = 0
    for row in rows:
        if row["event"] == "packet":
            try:
                packet = parse_packet(row.get("raw", ""))
            except ProtocolError:
                continue
            seat.hear(packet)
            heard += 1
            if packet.needs_reply and packet.kind is not Request.NAME:
                asked = packet
        elif row["event"] == "character" and isinstance(sheet := row.get("sheet"), dict):
            seat.show_sheet(_sheet(sheet))
        elif row["event"] == "decision":
            quiet = turn is None and bool(seat.state.phase)
            seat.show_style(style or _style(row))
            if turn is None and not quiet and asked is not None:
                yield (turn := _worded(seat.begin(Request(asked.request))))
            elif quiet:
                yield None
            if turn is not None or quiet:
                seat.delivered(_as_sent(row, turn), Deadline.after(0.0))
            turn, done = None, done + 1
        # A talk of a group chat was begun some time before it went out.
        begun = decisions[done].get("chat") if turn is None and done < len(decisions) else None
        if begun and begun["packets"] <= heard:
            request = Request(decisions[done]["request"])
            seat.show_style(style or _style(decisions[done]))
            yield (turn := _worded(seat.begin(request, left=begun["left"], closing=bool(begun["closing"]))))


def _worded(turn: Turn) -> Turn:
    turn.own_words()
    return turn


def _as_sent(row: Row, turn: Turn | None) -> Decision:
    sent = Decision(row.get("request", ""), row.get("day", 0), row.get("sent", ""), How(row.get("how", "")))
    sent.raw, sent.style = str(row.get("raw", "")), _style(row)
    if turn is not None:
        model = sent.how in (How.LLM, How.RETRY)
        sent.plan = turn.bound(sent.raw, sent.text) if model else turn.decision.plan
        sent.shown = turn.decision.shown
    return sent


def _style(row: Row) -> Style:
    return Style(row.get("style") or Style.DIRECTED)


def _sheet(row: Row) -> Sheet:
    """The sheet as a model completed it."""
    temper, vocabulary = (str(row.get(key, "")) for key in ("temper", "vocabulary"))
    habits, samples = (tuple(map(str, row.get(key, ()))) for key in ("habits", "samples"))
    return Sheet(temper, vocabulary, habits, samples, bool(row.get("own")))


def _told_of_seat(rows: list[Row], key: str, otherwise: Any) -> Any:
    """What the journal's beginning tells of the seat."""
    return next((row[key] for row in rows if row["event"] == "seat" and row.get(key)), otherwise)


def played_with(rows: list[Row]) -> str:
    """The pack. Raises ConfigError where the journal does not name it."""
    folder = str(_told_of_seat(rows, "pack", ""))
    if not folder:
        raise ConfigError("the journal does not say which prompts it was played with: name some with --pack")
    # A journal may come from another machine: a pack of the same name will do.
    return folder if Path(folder).is_dir() else Path(folder).name


def shared_prefix(before: Sequence[tuple[str, str]], messages: Sequence[tuple[str, str]]) -> int:
    """How many characters of ``messages`` (speaker, words) the prompt before began with: what an endpoint can cache."""
    shared = 0
    for (speaker, text), (other, longer) in zip(before, messages, strict=False):
        if speaker != other:
            break
        same = _common(text, longer)
        shared += same
        if same < max(len(text), len(longer)):
            break
    return shared


def _common(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
