"""The keys and tokens of this process, and texts without them: the one place that every text passes on its way out.

Whoever reads a key from the environment or a file remembers it here. Screen, log and journal show no run of eight of
its characters, in either direction, whatever stands between them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

_RUN = 8
"""So many characters of a key in a row give something away; fewer are found in any text."""
_LONG = 16
"""Characters of a key that no words stand in for: a shorter one may be "not-needed" or "lm-studio"."""
_BETWEEN = re.compile(r"<[^<>]{0,80}>|[\W_]+")
"""What may split a key without hiding it: markup, and whatever is neither letter nor digit."""
_grams: set[str] = set()
_known: set[str] = set()


def remember_secret(secret: str, *, certain: bool = True) -> None:
    """Never show ``secret`` from now on. One that is shorter than a run is only a word.

    ``certain``: whether it is a key, and not a text that may hold one, such as a header's value.
    """
    if secret in _known:
        return
    if certain:
        _known.add(secret)
    bare = _BETWEEN.sub("", secret)
    for at in range(len(bare) - _RUN + 1):
        run = bare[at : at + _RUN]
        # Eight small letters may be a word, and eight digits a date; a long key has all its runs hidden.
        plain = run.isascii() and (run.isdigit() or (run.isalpha() and run.islower()))
        if not plain or (certain and len(bare) >= _LONG):
            _grams.update((run.casefold(), run[::-1].casefold()))


def without_secrets_in(text: str) -> str:
    """Replace each character of a secret in ``text`` by a star."""
    if not _grams or len(text) < _RUN:
        return text
    bare = _BETWEEN.sub("", text).casefold()
    if not any(run in bare for run in _grams):
        return text
    return _starred(text)


def _starred(text: str) -> str:
    places = [
        at
        for start, end in _pieces(text)
        for at in range(start, end)
        if len(text[at].casefold()) == 1  # or places would shift; no key holds such letters
    ]
    bare = "".join(text[at].casefold() for at in places)
    shown = list(text)
    for start in range(len(bare) - _RUN + 1):
        if bare[start : start + _RUN] in _grams:
            for at in places[start : start + _RUN]:
                shown[at] = "*"
    return "".join(shown)


def _pieces(text: str) -> list[tuple[int, int]]:
    """Where the parts between separators begin and end."""
    found, start = [], 0
    for between in _BETWEEN.finditer(text):
        found.append((start, between.start()))
        start = between.end()
    return [*found, (start, len(text))]


def row_without_secrets(value: Any) -> Any:
    """The same for every text within lists and mappings."""
    if not _grams:
        return value
    if isinstance(value, str):
        return without_secrets_in(value)
    if isinstance(value, Mapping):
        return {key: row_without_secrets(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [row_without_secrets(item) for item in value]
    return value


def shown_url(url: str) -> str:
    """Shorten ``url`` to what may be told: without user, password, query and fragment, where keys are often put."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(an address that cannot be read)"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
