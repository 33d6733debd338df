"""Packets of the game server: its fixed words, parsing that survives anything, and writing that looks like the real
server's.

Unknown fields are ignored, unknown requests keep their name, and a field of the wrong shape or beyond the table of
:mod:`nlp_agent.protocol.bounds` costs only itself. Role names are plain strings because villages with other roles
exist.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from contextlib import suppress
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, TypeVar
from weakref import WeakValueDictionary

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from nlp_agent.errors import ProtocolError
from nlp_agent.protocol import bounds

# --- The fixed words of the protocol ---------------------------------------------------------------------------------


SKIP = "Skip"
OVER = "Over"


class Request(StrEnum):
    """The kinds of packets: what each asks for or tells."""

    NAME = "NAME"
    INITIALIZE = "INITIALIZE"
    DAILY_INITIALIZE = "DAILY_INITIALIZE"
    TALK = "TALK"
    WHISPER = "WHISPER"
    DAILY_FINISH = "DAILY_FINISH"
    VOTE = "VOTE"
    DIVINE = "DIVINE"
    GUARD = "GUARD"
    ATTACK = "ATTACK"
    FINISH = "FINISH"
    TALK_PHASE_START = "TALK_PHASE_START"
    TALK_PHASE_END = "TALK_PHASE_END"
    TALK_BROADCAST = "TALK_BROADCAST"
    WHISPER_PHASE_START = "WHISPER_PHASE_START"
    WHISPER_PHASE_END = "WHISPER_PHASE_END"
    WHISPER_BROADCAST = "WHISPER_BROADCAST"


TALK_REQUESTS = frozenset({Request.TALK, Request.WHISPER})
TARGET_REQUESTS = frozenset({Request.VOTE, Request.DIVINE, Request.GUARD, Request.ATTACK})
MORNINGS = frozenset({Request.INITIALIZE, Request.DAILY_INITIALIZE})
PHASE_STARTS = frozenset({Request.TALK_PHASE_START, Request.WHISPER_PHASE_START})
PHASE_ENDS = frozenset({Request.TALK_PHASE_END, Request.WHISPER_PHASE_END})
BROADCASTS = frozenset({Request.TALK_BROADCAST, Request.WHISPER_BROADCAST})


class Role(StrEnum):
    """The roles known today. The server may name others; packets keep them as plain strings."""

    VILLAGER = "VILLAGER"
    SEER = "SEER"
    MEDIUM = "MEDIUM"
    BODYGUARD = "BODYGUARD"
    WEREWOLF = "WEREWOLF"
    POSSESSED = "POSSESSED"


JUDGES = (Role.SEER, Role.MEDIUM)
"""Who gets results."""
POWER = (*JUDGES, Role.BODYGUARD)
"""Who has a gift for the village."""


class Species(StrEnum):
    """The species that divination and the medium tell."""

    HUMAN = "HUMAN"
    WEREWOLF = "WEREWOLF"


class Status(StrEnum):
    """The states of a player: alive or dead."""

    ALIVE = "ALIVE"
    DEAD = "DEAD"


# --- Packets ---------------------------------------------------------------------------------------------------------


Day = Annotated[int, Field(ge=-1, le=bounds.DAYS)]
Count = Annotated[int, Field(ge=-bounds.COUNT, le=bounds.COUNT)]
Milliseconds = Annotated[int, Field(ge=0, le=bounds.MILLISECONDS)]
UnixTime = Annotated[int, Field(ge=0, lt=1 << 63)]
"""Unix time, seconds or milliseconds."""


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


_SECONDS = 10**11
"""A Unix time beyond this is none of seconds."""


class Talk(_Wire):
    """A talk or a whisper. ``idx`` counts per day; for whispers (day, idx) is not unique."""

    idx: Count = 0
    day: Day = 0
    turn: Count = 0
    agent: str = ""
    text: str = ""
    skip: bool = False
    over: bool = False
    time: UnixTime | None = None

    @classmethod
    def of(cls, idx: int, day: int, turn: int, agent: str, text: str, time: int | None = None) -> Talk:
        """Make a talk as a server tells it: whether it is a Skip or an Over follows from its words."""
        flags = {"skip": text == SKIP, "over": text == OVER}
        return cls(idx=idx, day=day, turn=turn, agent=agent, text=text, time=time, **flags)

    @property
    def second(self) -> int | None:
        """The Unix second of its time, of which the organisers' log tells seconds and packets tell milliseconds."""
        return self.time and self.time // (1000 if self.time > _SECONDS else 1)

    @cached_property
    def place(self) -> tuple[int, int]:
        """The place of the talk in the game, ``(day, idx)``."""
        return self.day, self.idx

    @cached_property
    def said(self) -> bool:
        """Whether words were spoken, as opposed to Skip or Over."""
        return not (self.skip or self.over or self.text in (SKIP, OVER))


class Judge(_Wire):
    """A result of divination or of the medium: ``target`` is HUMAN or WEREWOLF."""

    day: Day = 0
    agent: str = ""
    target: str = ""
    result: str = ""


class Vote(_Wire):
    """A vote that was counted."""

    day: Day = 0
    agent: str = ""
    target: str = ""


_Shared = TypeVar("_Shared", Talk, Vote)
_shared: WeakValueDictionary[tuple[object, ...], Any] = WeakValueDictionary()


def _share(item: _Shared) -> _Shared:
    """The same object for the same talk or vote, as long as anybody holds it: all seats of a process are told of it."""
    found: _Shared = _shared.setdefault((type(item), *item.__dict__.values()), item)
    return found


SharedTalk = Annotated[Talk, AfterValidator(_share)]
SharedVote = Annotated[Vote, AfterValidator(_share)]


class MaxCount(_Wire):
    """The greatest number of talks that there may be: of one player, and of all on one day."""

    per_agent: Count = 0
    per_day: Count = 0


class LengthRule(_Wire):
    """The greatest length of a talk; ``None`` means unset. Counted in code points without white space unless told."""

    count_in_word: bool | None = None
    count_spaces: bool | None = None
    per_talk: Count | None = None
    mention_length: Count | None = None
    per_agent: Count | None = None
    base_length: Count | None = None

    @cached_property
    def without_unset(self) -> LengthRule:
        """The same without limits that are unset: configurations write a negative number, packets leave it out."""
        caps = {"per_talk": self.per_talk, "per_agent": self.per_agent, "base_length": self.base_length}
        return self.model_copy(update={name: None for name, cap in caps.items() if cap is not None and cap < 0})


class TalkSetting(_Wire):
    """The rules of a talk or whisper phase. ``duration`` in milliseconds; when set the phase is a group chat without
    turns.
    """

    max_count: MaxCount = MaxCount()
    max_length: LengthRule = LengthRule()
    max_skip: Count = 0
    duration: Milliseconds | None = None


class VoteSetting(_Wire):
    """The rules of a vote: rounds at most after a tie, and whether one may vote for oneself or for nobody."""

    max_count: Count = 1
    allow_self_vote: bool = False
    allow_no_target: bool | None = None


class Timeout(_Wire):
    """The time limits in milliseconds: ``action`` for a reply, ``response`` for the NAME check after a missed one."""

    action: Annotated[Milliseconds, Field(gt=0)] = 60_000
    response: Annotated[Milliseconds, Field(gt=0)] = 120_000


class Setting(_Wire):
    """The rules of the village, which come with the first packet."""

    agent_count: Count = 0
    max_day: Count | None = None
    vote_visibility: bool = False
    talk: TalkSetting = TalkSetting()
    whisper: TalkSetting = TalkSetting()
    vote: VoteSetting = VoteSetting()
    attack_vote: VoteSetting = VoteSetting()
    timeout: Timeout = Timeout()
    role_num_map: dict[str, Count] = Field(default_factory=dict)
    protocol_language: bool | None = None
    """Whether every talk must be a sentence of the AIWolf Protocol; only a classic server tells it."""


class Info(_Wire):
    """The part of a packet that tells of the game: the day, who lives, results, votes and deaths."""

    game_id: str = ""
    day: Day = 0
    agent: str = ""
    profile: str | None = None
    medium_result: Judge | None = None
    divine_result: Judge | None = None
    executed_agent: str | None = None
    attacked_agent: str | None = None
    vote_list: tuple[SharedVote, ...] | None = None
    attack_vote_list: tuple[SharedVote, ...] | None = None
    remain_count: Count | None = None
    remain_length: Count | None = None
    remain_skip: Count | None = None
    status_map: dict[str, str] = Field(default_factory=dict)
    role_map: dict[str, str] = Field(default_factory=dict)

    @property
    def alive(self) -> tuple[str, ...]:
        """The players who live, in the order of the server."""
        return tuple(name for name, status in self.status_map.items() if status == Status.ALIVE)


class Packet(_Wire):
    """A frame from the server. ``problems`` lists fields that had to be dropped to read it."""

    request: str
    info: Info | None = None
    setting: Setting | None = None
    talk_history: tuple[SharedTalk, ...] | None = None
    whisper_history: tuple[SharedTalk, ...] | None = None
    new_talk: SharedTalk | None = None
    new_whisper: SharedTalk | None = None
    problems: tuple[str, ...] = Field(default=(), exclude=True)

    @cached_property
    def kind(self) -> Request | None:
        """The request, or ``None`` when this version does not know it."""
        return _KNOWN.get(self.request)

    @cached_property
    def needs_reply(self) -> bool:
        """Whether the server waits for an answer."""
        kind = self.kind
        return kind is Request.NAME or kind in TALK_REQUESTS or kind in TARGET_REQUESTS

    def to_json(self) -> str:
        """The frame as the server writes it: absent fields are missing, empty lists stay."""
        return self.model_dump_json(exclude_none=True)


ONLY_NAMED = "the frame: only the name of a request could be read"
"""The problem of a packet that may be none: something in the frame looks like a request."""
_KNOWN = {request.value: request for request in Request}
_ASKING = {Request.NAME, *TALK_REQUESTS, *TARGET_REQUESTS}
_MAX_REPAIRS = 50
_HALF_LETTER = re.compile(r"[\ud800-\udfff]")


def parse_packet(raw: str | bytes) -> Packet:
    """Read one frame of the server as a packet.

    Raises ProtocolError when no ``request`` can be found in it, or it is longer than is taken in; any other fault costs
    only the field it is in (``null`` counts as missing), and is named in ``problems``.
    """
    problems: list[str] = []
    return packet_of(read_frame(raw, Packet.model_fields, problems), problems)


def read_frame(raw: str | bytes, fields: Collection[str], problems: list[str]) -> dict[str, Any]:
    """The ``fields`` of one frame that it has, ``request`` among them, no larger than the table of bounds allows;
    ``problems`` tell what was cut. Raises ProtocolError like :func:`parse_packet`.
    """
    if len(raw) > bounds.FRAME_HELD:
        raise ProtocolError(f"a frame of {len(raw)} bytes; no packet is longer than {bounds.FRAME_HELD}")
    if isinstance(raw, str) and _HALF_LETTER.search(raw):
        raw = raw.encode(errors="replace").decode()
    try:
        if len(raw) > bounds.FRAME:
            raise ValueError(f"{len(raw)} bytes")
        data = json.loads(raw)
    except (ValueError, RecursionError) as error:
        data = _read_again(raw, fields, problems)
        if data is None:
            raise ProtocolError(f"not JSON: {error}") from error
        problems.append(f"the frame: {error}, read in part")
    data = _packet_inside(data)
    if data is None:
        data = _named_request(_as_text(raw))
        if data is None:
            raise ProtocolError("not a packet: a JSON object with a text field 'request' is expected")
        problems.append(ONLY_NAMED)
    if (r"\ud" if isinstance(raw, str) else rb"\ud") in raw.lower():  # type: ignore[operator]
        # Half of a letter: no journal, no model and no seed can take it.
        data = json.loads(json.dumps(data, ensure_ascii=False).encode(errors="replace"))
    request = data["request"]
    if request not in _KNOWN and request.strip().upper() in _KNOWN:
        request = request.strip().upper()
    known = {key: item for key, item in data.items() if key in fields}
    found: dict[str, Any] = bounds.within({**known, "request": request[: bounds.REQUEST]}, problems)
    return found


def _packet_inside(data: Any, levels: int = 2) -> dict[str, Any] | None:
    """``data`` if it is a packet, else the last one that it wraps: in a list, a field, or a text of JSON."""
    if isinstance(data, dict) and isinstance(data.get("request"), str):
        return data
    wrapped: list[Any] = list(data.values()) if isinstance(data, dict) else data if isinstance(data, list) else []
    if isinstance(data, str):
        with suppress(ValueError, RecursionError):
            wrapped = [json.loads(data)]
    found = (_packet_inside(item, levels - 1) for item in reversed(wrapped)) if levels else iter(())
    return next((packet for packet in found if packet is not None), None)


# --- The second reading, of frames that are no JSON as a whole -------------------------------------------------------


_STRING = r'"(?:[^"\\]++|\\.)*+(?:"|\Z)'
"""Also one without end."""
_TOKEN = re.compile(rf"{_STRING}|[\[\]{{}},:]", re.DOTALL)
"""What decides where a field ends."""
_BRACKET = re.compile(rf'(?:[^"\[\]{{}}]++|{_STRING})*+([\[\]{{}}])', re.DOTALL)
"""What decides where a value ends that holds others."""
_NAMED = re.compile(
    rf"request\W{{1,12}}({'|'.join(sorted(Request, key=len, reverse=True))})(?![A-Za-z_])", re.IGNORECASE
)
_TOKENS = 300_000
"""Of a frame; looking at so many takes a third of a second."""
_LEVELS = 3
"""Objects within each other whose fields are read one by one where they cannot be read whole."""
_DIGITS = 30
_PACKETS = 20
"""Packets in one frame that are looked at."""


def _read_again(raw: str | bytes, fields: Collection[str], problems: list[str]) -> dict[str, Any] | None:
    """Field by field what can be read of a frame, or None without any ``request``.

    Of several packets in one frame it is the last one that asks for something, else the last one: a frame wants one
    answer at most. Takes time in proportion to the frame's length.
    """
    text = _as_text(raw)
    found: list[tuple[dict[str, Any], list[str]]] = []
    at = text.find("{")
    while at >= 0 and len(found) < _PACKETS:
        lost: list[str] = []
        pairs, end = _fields_of(text, at)
        data = _values(pairs, lost, {*fields, "request"}, _LEVELS)
        if isinstance(data.get("request"), str):
            found.append((data, lost))
        at = text.find("{", end)
    asking = [one for one in found if _KNOWN.get(one[0]["request"]) in _ASKING]
    if not found:
        problems.append(ONLY_NAMED)
        return _named_request(text)
    chosen, lost = (asking or found)[-1]
    problems += lost
    if len(found) > 1:
        problems.append(f"{len(found)} packets in one frame")
    return chosen


def _as_text(raw: str | bytes) -> str:
    return (raw if isinstance(raw, str) else raw.decode("utf-8", "replace")).replace("\0", "")


def _named_request(text: str) -> dict[str, Any] | None:
    """The request that a frame names first, in whatever form; nothing else of it. None: it names none.

    A request that is known can be answered by what was known before.
    """
    found = _NAMED.search(text)
    return {"request": found[1].upper()} if found else None


def _fields_of(text: str, start: int) -> tuple[list[tuple[str, str]], int]:
    """(key, what is written as its value) of the object that begins at ``start``, and where it ends."""
    pairs: list[tuple[str, str]] = []
    depth, key, begin = 0, "", -1
    before, at = "", start
    for _ in range(_TOKENS):
        token = (_BRACKET if depth > 1 else _TOKEN).search(text, at)
        if token is None:
            break
        at = token.end()
        sign = token[0] if depth <= 1 else token[1]
        if depth == 1 and sign == ":" and begin < 0:
            key, begin = before, at
        if depth == 1 and sign in ",}":
            if begin >= 0:
                pairs.append((key, text[begin : at - 1]))
            begin = -1
        if sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth <= 0:
                return pairs, at
        before = sign
    if begin >= 0:
        pairs.append((key, text[begin:]))  # torn off: a number or a text may still be whole
    return pairs, len(text)


def _values(
    pairs: list[tuple[str, str]], lost: list[str], wanted: Collection[str] | None, levels: int
) -> dict[str, Any]:
    """What the ``wanted`` fields (None: all) hold, as far as each can be read."""
    found: dict[str, Any] = {}
    for written, value in pairs:
        try:
            key = str(json.loads(written, strict=False))
        except ValueError:
            continue
        if wanted is not None and key not in wanted:
            continue
        try:
            if len(value) > bounds.FRAME:
                raise ValueError("too long")
            found[key] = json.loads(value, strict=False, parse_int=_whole_number)
        except (ValueError, RecursionError):
            lost.append(f"{key}: unreadable")
            if levels and (begin := value.find("{")) >= 0 and not value[:begin].strip():
                found[key] = _values(_fields_of(value, begin)[0], lost, None, levels - 1)
    return found


def _whole_number(digits: str) -> int:
    """Any number, of which one too long to be read is as good as another that is out of bounds."""
    return int(digits) if len(digits) <= _DIGITS else 10**_DIGITS


def packet_of(data: dict[str, Any], problems: list[str]) -> Packet:
    """The packet with the fields ``data``, without those that do not fit: each is named in ``problems``.

    Every round of validation removes at least one field, so it ends.
    """
    for _ in range(_MAX_REPAIRS):
        more = [f"and {len(problems) - bounds.NOTES} more"] if len(problems) > bounds.NOTES else []
        try:
            packet = Packet.model_validate({**data, "problems": [*problems[: bounds.NOTES], *more]})
        except ValidationError as error:
            # Last index first: removing a list element must not shift the ones still to be removed.
            for place in sorted({tuple(e["loc"]) for e in error.errors()}, key=_place_key, reverse=True):
                problems.append(".".join(map(str, place)))
                _remove(data, place)
        else:
            return packet
    return Packet(request=data["request"], problems=("too many faults; only the request was kept",))


def _place_key(place: tuple[int | str, ...]) -> tuple[tuple[int, str], ...]:
    return tuple((part, "") if isinstance(part, int) else (-1, part) for part in place)


def _remove(data: Any, place: tuple[int | str, ...]) -> None:
    """Remove what stands at ``place``; a place that points into a key of a mapping removes that key."""
    for part in place[:-1]:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return
    last = place[-1]
    if isinstance(data, dict):
        data.pop(last, None)
    elif isinstance(data, list) and isinstance(last, int) and last < len(data):
        del data[last]
