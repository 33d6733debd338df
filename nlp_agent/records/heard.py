"""What a seat heard, told in plain words: a journal keeps it in the AIWolf Protocol, which few people read.

The phrases are English; a page or the terminal translates them as it does everything of a journal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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
"""Each form of sentence that a journal has of what was heard, with its phrase."""
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
