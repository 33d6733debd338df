"""Keys are hidden from the processes that this one starts, and from core dumps that a crash would leave."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

KEY_VALUES = re.compile(r"^(sk-|AIza|gsk_|hf_|xai-|ghp_|Bearer )\S{8,}")
"""What a key looks like, whatever it is called."""
_VARIABLES = re.compile(r"(^|_)(api_?)?(key|token|secret|password|passwd|credential)s?($|_)", re.IGNORECASE)


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """``environ`` for a process that needs no key."""
    return {name: value for name, value in environ.items() if not (_VARIABLES.search(name) or KEY_VALUES.match(value))}


@contextmanager
def secrets_hidden() -> Iterator[None]:
    """Processes that are started inside get an environment without keys; here it is whole again afterwards."""
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
