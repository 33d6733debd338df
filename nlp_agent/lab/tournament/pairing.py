"""Two contestants as somebody names them on the command line."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from nlp_agent.app.config import Config
from nlp_agent.app.config_file import load_config
from nlp_agent.errors import ConfigError, PackError
from nlp_agent.lab.tournament.contestant_files import pack
from nlp_agent.lab.tournament.plan import Contestant, Plan, changed_with
from nlp_agent.lab.tournament.store import about

BUILTIN = "builtin"
_STRATEGY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def pair(first: str, second: str, base: Config) -> list[Contestant]:
    """The contestants ``first`` and ``second``, each a pack, a config, a strategy, or ``builtin``; packs and strategies
    play with what else ``base`` says. Raises ConfigError for what is none of these.
    """
    names = [_name(text) for text in (first, second)]
    if names[0] == names[1]:
        names = [f"{name}-{letter}" for name, letter in zip(names, "ab", strict=True)]
    return [Contestant(name, _config(text, base)) for name, text in zip(names, (first, second), strict=True)]


def _config(text: str, base: Config) -> Config:
    if text == BUILTIN:
        return changed_with(base)
    if text.endswith((".yml", ".yaml")) and not Path(text).is_dir():
        return changed_with(load_config(text))
    if _STRATEGY.fullmatch(text):
        return changed_with(base, strategy=text)
    try:
        return changed_with(base, prompts=(text,))
    except PackError as error:
        raise ConfigError(f"{text!r} is no pack, config (.yml), strategy (module:Class) or builtin: {error}") from None


def _name(text: str) -> str:
    """What is told of it in tables, and in the names of files."""
    last = text.rpartition(":")[2] if _STRATEGY.fullmatch(text) else Path(text).name.removesuffix(".yml")
    return re.sub(r"[^\w.-]", "_", last)[:30].strip(".-") or "it"


def folder_name(plan: Plan) -> str:
    """Of all that makes these games what they are, so that nothing else is ever found there."""
    told = json.dumps(about(plan, [pack(contestant) for contestant in plan.contestants]), sort_keys=True)
    return f"{'-vs-'.join(plan.names)}-{hashlib.sha256(told.encode()).hexdigest()[:6]}"
