"""The process in which a local model lives: llama.cpp's own server, as the package ``xllamacpp`` ships it.

Started by :mod:`nlp_agent.llm.local` as ``python -m nlp_agent.llm.local_child``. One line of JSON comes in on standard
input (``model``, ``slots``, ``context``, ``threads``, ``key``), one goes out (``url``, or ``error``). The input then
stays open for as long as the parent lives: when it ends, in whatever way, this process ends too.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any

_BATCH = 256
"""Tokens of a prompt that are read in one go; between two goes a request that was given up is noticed."""


def main() -> None:
    """Serve until standard input is closed."""
    wanted = json.loads(sys.stdin.readline() or "{}")
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    try:
        server = _serve(wanted)
        _tell(url=server.listening_address)
    except Exception as error:
        _tell(error=str(error) or type(error).__name__)
        os._exit(1)
    threading.Event().wait()


def _serve(wanted: dict[str, Any]) -> Any:
    from xllamacpp import CommonParams, Server  # noqa: PLC0415 - an extra, and 80 MB

    params = CommonParams()
    params.model.path = wanted["model"]
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [wanted["key"]]
    params.n_parallel = wanted["slots"]
    params.n_ctx = wanted["slots"] * wanted["context"]
    params.n_batch = params.n_ubatch = _BATCH
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = wanted["threads"]
    # Each seat keeps its prompt in a slot of its own; no further copies of it are needed.
    params.cache_ram_mib = 0
    params.warmup = params.ui = params.endpoint_slots = False
    return Server(params)


def _tell(**what: str) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - the parent reads it


def _leave_with_parent() -> None:
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
