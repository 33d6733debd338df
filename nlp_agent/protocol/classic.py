"""The dialect of the classic TCP server (AIWolfDial 2019, Protocol Division 2021): its lines as packets, and back.

That server tells what is new and leaves out the rest, numbers its players and asks for a role beforehand.
:class:`ClassicReader` keeps what was told and gives whole packets, so nothing behind it knows which server it plays on.
Pure. Source: packets recorded from servers 0.5.8 and 0.6.3, which have the same keys.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from nlp_agent.protocol.packet import (
    OVER,
    SKIP,
    TALK_REQUESTS,
    TARGET_REQUESTS,
    Packet,
    Request,
    Role,
    packet_of,
    read_frame,
)

ROLE = "ROLE"
"""The request for a role that is wished; it has no counterpart on other servers, and wants an answer."""
NO_WISH = "none"
ANCHOR = ">>"
"""What stands before a name at the start of a talk to somebody; an ``@`` everywhere behind this module."""
NOBODY = '{"agentIdx":-1}'
"""The answer where no player can be named; the server takes it for no target."""

_FIELDS = ("gameInfo", "gameSetting", "talkHistory", "whisperHistory", "request")
_ANCHORS = re.compile(rf"{ANCHOR} ?(?=Agent\[\d+\])")
_NAME = re.compile(r"Agent\[(\d+)\]")
_NEVER_DEALT = frozenset({"ANY", "FREEMASON", "FOX"})
_USUAL_LIMIT = 1_000
"""Milliseconds of a server whose limit is -1."""
_MOST_PLAYERS = 99


def name_of(number: Any) -> str:
    """The player ``number`` (from 1) as a name, ``""`` for anything that is none."""
    try:
        number = int(number)
    except (TypeError, ValueError, OverflowError):  # the last of infinity
        return ""
    return f"Agent[{number:02}]" if 0 < number <= _MOST_PLAYERS else ""


def reply_line(request: str, text: str) -> str:
    """The answer ``text`` to ``request`` as the server wants it: one line, without the line break.

    A target is exactly ``{"agentIdx":2}``, and a talk is never empty: the server would take that for a Skip as well,
    but dies of an empty role.
    """
    if request in TARGET_REQUESTS:
        found = _NAME.fullmatch(text.strip())
        return f'{{"agentIdx":{int(found[1])}}}' if found else NOBODY
    line = " ".join(text.split())
    if request == ROLE:
        return line or NO_WISH
    if request not in TALK_REQUESTS:
        return line
    if line.startswith("@") and _NAME.match(line[1:]):
        line = ANCHOR + line[1:]
    return line or SKIP


class ClassicReader:
    """A reader of a classic server's lines: feed it every line of one connection in order. ``game_id`` names the games:
    it is called with 1, 2, 3 ...

    ``profile`` is what the packets tell as this seat's character from then on: the server itself deals none.
    """

    def __init__(self, game_id: Callable[[int], str] = "classic-{}".format) -> None:
        self.profile = ""
        self._game_id = game_id
        self._games = 0
        self._forget()

    def _forget(self) -> None:
        self._info: dict[str, Any] = {}
        self._setting: dict[str, Any] = {}
        self._rules: dict[str, Any] = {}
        self._day = 0
        self._known: set[tuple[str, Any, Any]] = set()
        self._own: dict[tuple[str, Any], list[str]] = {}
        """(channel, day) -> own words as the server gave them back."""
        self._asked: Counter[tuple[str, Any]] = Counter()

    def read(self, line: str | bytes) -> Packet:
        """Read one line as a packet; ``ROLE`` comes as a packet of an unknown kind. Raises ProtocolError when it is
        none.
        """
        problems: list[str] = []
        data = read_frame(line, _FIELDS, problems)
        request = data["request"]
        if request == Request.INITIALIZE:
            self._forget()
            self._games += 1
            self.profile = ""
        if request in (Request.NAME, ROLE):
            return packet_of({"request": request}, problems)
        if isinstance(setting := data.get("gameSetting"), dict):
            self._rules, self._setting = setting, _setting(setting)
        game = data.get("gameInfo")
        if isinstance(game, dict):
            self._take(game)
        else:
            game = {}
        found: dict[str, Any] = {"request": request}
        for channel in ("talk", "whisper"):
            talks = data.get(f"{channel}History", game.get(f"{channel}List"))
            if isinstance(talks, list):
                found[f"{channel}_history"] = self._new(channel, talks)
        if self._info:
            found["info"] = {**self._info, **self._left(request)}
            if self.profile:
                found["info"]["profile"] = self.profile
        if request in (Request.INITIALIZE, Request.DAILY_INITIALIZE) and self._setting:
            found["setting"] = self._setting
        return packet_of(found, problems)

    # --- what was told -----------------------------------------------------------------------------------------

    def _take(self, game: dict[str, Any]) -> None:
        roles = {name_of(number): role for number, role in _items(game.get("roleMap"))}
        me = name_of(game.get("agent"))
        self._day = _whole(game.get("day"))
        # The votes of the round just held are the newest there are: they come before a second round.
        votes = _votes(game.get("latestVoteList")) or _votes(game.get("voteList"))
        attack_votes = _votes(game.get("latestAttackVoteList")) or _votes(game.get("attackVoteList"))
        dead = game.get("lastDeadAgentList")
        self._info = {
            "game_id": self._game_id(max(1, self._games)),
            "day": game.get("day"),
            "agent": me,
            "medium_result": _judge(game.get("mediumResult")),
            "divine_result": _judge(game.get("divineResult")),
            "executed_agent": name_of(game.get("executedAgent")) or None,
            # Not ``attackedAgent``: that is whom the wolves chose, guarded or not.
            "attacked_agent": name_of(dead[0]) or None if isinstance(dead, list) and dead else None,
            "vote_list": votes or None,
            "attack_vote_list": attack_votes or None if roles.get(me) == Role.WEREWOLF else None,
            "status_map": {name_of(number): status for number, status in _items(game.get("statusMap"))},
            "role_map": roles,
        }
        self._info = {key: value for key, value in self._info.items() if value is not None}

    def _new(self, channel: str, talks: list[Any]) -> list[dict[str, Any]]:
        """Those of ``talks`` that are new: after an execution the server tells a whole day again."""
        found = []
        for talk in talks:
            if not isinstance(talk, dict) or not isinstance(text := talk.get("text"), str):
                continue
            key = (channel, talk.get("day"), talk.get("idx"))
            if all(isinstance(part, str | int) for part in key) and key not in self._known:
                self._known.add(key)
                speaker = name_of(talk.get("agent"))
                if speaker == self._info.get("agent"):
                    self._own.setdefault(key[:2], []).append(text)
                words = _ANCHORS.sub("@", text)
                found.append({**talk, "agent": speaker, "text": words, "skip": text == SKIP, "over": text == OVER})
        return found

    def _left(self, request: str) -> dict[str, int]:
        """What this seat may still say in the phase, the talk asked for included: the server counts talks and turns."""
        if request not in TALK_REQUESTS:
            return {}
        channel = request.lower()
        place = (channel, self._day)
        most = _whole(self._rules.get(f"max{channel.capitalize()}"))
        turns = _whole(self._rules.get(f"max{channel.capitalize()}Turn"))
        asked, self._asked[place] = self._asked[place], self._asked[place] + 1
        said, skips = 0, 0
        for text in self._own.get(place, ()):
            said += text not in (SKIP, OVER)
            skips = skips + 1 if text == SKIP else skips if text == OVER else 0
        talks = max(0, min(most - said, turns - asked))
        return {"remain_count": talks, "remain_skip": max(0, _whole(self._rules.get("maxSkip")) - skips)}


def _setting(rules: dict[str, Any]) -> dict[str, Any]:
    skips = {"max_skip": rules.get("maxSkip")}
    limit = rules.get("timeLimit")
    limit = limit if isinstance(limit, int) and limit > 0 else _USUAL_LIMIT
    return {
        "agent_count": rules.get("playerNum"),
        "vote_visibility": rules.get("voteVisible"),
        "talk": {"max_count": {"per_agent": rules.get("maxTalk"), "per_day": rules.get("maxTalkTurn")}, **skips},
        "whisper": {
            "max_count": {"per_agent": rules.get("maxWhisper"), "per_day": rules.get("maxWhisperTurn")},
            **skips,
        },
        # A round more than it can be held again.
        "vote": {"max_count": _whole(rules.get("maxRevote")) + 1},
        "attack_vote": {
            "max_count": _whole(rules.get("maxAttackRevote")) + 1,
            "allow_no_target": rules.get("enableNoAttack"),
        },
        "timeout": {"action": limit, "response": limit},
        "role_num_map": {role: n for role, n in _items(rules.get("roleNumMap")) if role not in _NEVER_DEALT},
        "protocol_language": rules.get("validateUtterance"),
    }


def _judge(judge: Any) -> dict[str, Any] | None:
    """A result, dated to its night: the server tells the day on which it is received."""
    if not isinstance(judge, dict):
        return None
    day = judge.get("day")
    dated = {"day": day - 1} if isinstance(day, int) else {}
    return {**dated, "agent": name_of(judge.get("agent")), "target": name_of(judge.get("target"))} | {
        "result": judge.get("result")
    }


def _votes(listed: Any) -> list[dict[str, Any]]:
    votes = [vote for vote in listed if isinstance(vote, dict)] if isinstance(listed, list) else []
    return [{**vote, "agent": name_of(vote.get("agent")), "target": name_of(vote.get("target"))} for vote in votes]


def _items(mapping: Any) -> list[tuple[Any, Any]]:
    """The entries of a map, those with numbers as keys in their order."""
    entries = list(mapping.items()) if isinstance(mapping, dict) else []
    return sorted(entries, key=lambda entry: (name_of(entry[0]) == "", name_of(entry[0])))


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0
