"""Keys are hidden from the processes that this one starts, and from core dumps that a crash would leave."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from nlp_agent.known_secrets import without_secrets_in

KEY_VALUES = re.compile(r"^(sk-|AIza|gsk_|hf_|xai-|ghp_|Bearer )\S{8,}")
"""What a key looks like, whatever it is called."""
_VARIABLES = re.compile(
    r"(^|_)(api_?)?(key|token|secret|passwd|pwd|credential|auth|jwt|cookie)s?($|_)|(password|passwd|api_?key|token)s?$",
    re.IGNORECASE,
)
_HARMLESS = frozenset({"PWD", "OLDPWD"})
_LOOKS_LIKE_ONE = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_+=.-]{20,}")
"""A long run of letters and digits in which no path and no sentence stands."""
_USER_IN_ADDRESS = re.compile(r"://[^/\s@]+@")


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """Copy ``environ`` for a process that needs no key.

    Left out is what is called like a secret, what looks like one, an address with a user in it, and whatever holds a
    key of this process, under any name.
    """
    return {name: value for name, value in environ.items() if name in _HARMLESS or not _tells_secret(name, value)}


def _tells_secret(name: str, value: str) -> bool:
    looks = KEY_VALUES.match(value) or _LOOKS_LIKE_ONE.fullmatch(value) or _USER_IN_ADDRESS.search(value)
    return bool(_VARIABLES.search(name) or looks) or without_secrets_in(value) != value


def keep_files_private() -> None:
    """Let only this user read what this process writes from now on.

    Journals tell a seat's role while a game runs, and prompts; on a machine that several teams use the next one could
    read along. On Windows the folder of a user is private anyway.
    """
    os.umask(os.umask(0o077) | 0o077)


@contextmanager
def secrets_hidden() -> Iterator[None]:
    """Hide keys from processes that are started inside; the environment here is whole again afterwards."""
    kept = without_secrets(os.environ)
    hidden = {name: value for name, value in os.environ.items() if name not in kept}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)


def forbid_core_dumps() -> None:
    """A crash of this process, or of one it starts, leaves no copy of its memory, and so of keys, on the disk."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))
