"""Valid packets with one thing broken, by structure: a value, a key, a sign, the form of the whole frame."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 10**30, 1e308, "", "x" * 3000, [], {}, [[]], [None], {"": None}, "\x1b[2J\u202e", "\ud800"),
    *(["ALIVE"], {"TALK": "VOTE"}, "TALK", '{"request": "VOTE"}', "1", 0.5, float("nan"), float("inf")),
)
_WRITTEN = (
    "9" * 5000,
    "[" * 3000 + "]" * 3000,
    '{"a":' * 3000 + "1" + "}" * 3000,
    "nonsense",
    "undefined",
    "'x'",
    "01",
    "",
)
_SIGNS = ('"', "{", "}", "[", "]", ",", ":", "\\", "\0", "\n", "\x1b", "'", "//", "/*", "\ufeff", "\ud800", "é", "😀")
_MARK = "\ue000"


def broken(frame: str, random: Random) -> str | bytes:
    """``frame``, a packet of JSON, with one thing broken in it: something else than which request it is."""
    return random.choice(_WAYS)(frame, random)


def _places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if path or key != "request":
            yield (*path, key)
        yield from _places(value, (*path, key))


def _at_a_place(frame: str, random: Random, change: Callable[[Any, Any], None]) -> str:
    data = json.loads(frame)
    places = list(_places(data))
    if places:
        *path, key = random.choice(places)
        inside = data
        for part in path:
            inside = inside[part]
        change(inside, key)
    return json.dumps(data, ensure_ascii=random.random() < 0.5)


def _other_value(frame: str, random: Random) -> str:
    return _at_a_place(frame, random, lambda inside, key: inside.__setitem__(key, random.choice(_VALUES)))


def _other_text(frame: str, random: Random) -> str:
    """What no writer of JSON would write."""
    text = _at_a_place(frame, random, lambda inside, key: inside.__setitem__(key, _MARK))
    return text.replace(json.dumps(_MARK), f'"{_MARK}"').replace(f'"{_MARK}"', random.choice(_WRITTEN))


def _without(frame: str, random: Random) -> str:
    return _at_a_place(frame, random, lambda inside, key: inside.__delitem__(key))


def _renamed(frame: str, random: Random) -> str:
    def change(inside: Any, key: Any) -> None:
        if isinstance(inside, dict):
            inside[random.choice(["", "x" * 2000, "info", "\0", "day", "status_map", "__class__"])] = inside.pop(key)

    return _at_a_place(frame, random, change)


def _twice(frame: str, random: Random) -> str:
    """A field once more, at the end, with another value."""
    key = random.choice([key for key in json.loads(frame) if key != "request"] or ["new"])
    return f"{frame[:-1]}, {json.dumps(key)}: {json.dumps(random.choice(_VALUES))}}}"


def _sign(frame: str, random: Random) -> str:
    """A sign too many, too few or exchanged, anywhere but in the request's name."""
    begin = frame.index('"request"') + len('"request":"')
    end = frame.index('"', begin)
    at = random.choice([*range(begin - 10), *range(end + 1, len(frame))])
    return frame[:at] + random.choice(_SIGNS) + frame[at + random.randrange(2) :]


def _cut(frame: str, random: Random) -> str:
    """Torn off somewhere behind the request."""
    begin = frame.index('"', frame.index('"request"') + len('"request":')) + 1
    return frame[: random.randrange(frame.index('"', begin) + 1, len(frame))]


FORMS: tuple[Callable[[str], str | bytes], ...] = (
    *(lambda frame: "\ufeff" + frame, lambda frame: frame + "\n\n", lambda frame: "\0" + frame + "\0"),
    *(lambda frame: f"[{frame}]", lambda frame: f'{{"packet": {frame}}}', json.dumps, lambda frame: f"data: {frame}"),
    *(lambda frame: f"```json\n{frame}\n```", lambda frame: frame.replace('"', "'"), lambda frame: frame + frame[:40]),
    *(lambda frame: f'{{"request": "SONG"}}{frame}', lambda frame: frame + '{"request": "TALK_BROADCAST"}'),
    *(lambda frame: frame.replace('"request":', "request:"), lambda frame: frame.replace(":", "=", 1)),
    *(lambda frame: frame.encode("utf-16"), lambda frame: frame.encode("utf-8-sig"), lambda frame: frame + frame),
    *(lambda frame: frame.encode("utf-16-le"), lambda frame: frame.encode("latin-1", "replace")),
    *(
        lambda frame: frame.replace('"request":"', '"request":" '),
        lambda frame: frame.replace('"request"', '"Request"'),
    ),
    *(lambda frame: frame.replace(",", ",,"), lambda frame: frame.replace("}", ",}"), lambda frame: frame.encode()[1:]),
    lambda frame: frame.replace('"', "\u201c"),
)


def _form(frame: str, random: Random) -> str | bytes:
    return random.choice(FORMS)(frame)


_WAYS: tuple[Callable[[str, Random], str | bytes], ...] = (
    *(_other_value, _other_value, _other_text, _other_text, _without, _renamed, _twice, _sign, _sign, _cut, _form),
)
