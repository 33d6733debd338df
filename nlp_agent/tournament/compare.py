"""The two contestants of ``nlp-agent compare``, as somebody names them on the command line, and the folder of
their games.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from nlp_agent.app.config import Config
from nlp_agent.app.config_file import load_config
from nlp_agent.errors import ConfigError, PackError
from nlp_agent.tournament.contestant_files import pack_contestant
from nlp_agent.tournament.plan import Contestant, Plan, config_with
from nlp_agent.tournament.store import tournament_identity

BUILTIN = "builtin"
_STRATEGY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def contestants_of(first: str, second: str, base: Config) -> list[Contestant]:
    """The contestants ``first`` and ``second``, each a pack, a config, a strategy, or ``builtin``; packs and strategies
    play with what else ``base`` says. Raises ConfigError for what is none of these.
    """
    names = [_name(text) for text in (first, second)]
    if names[0] == names[1]:
        names = [f"{name}-{letter}" for name, letter in zip(names, "ab", strict=True)]
    return [Contestant(name, _config(text, base)) for name, text in zip(names, (first, second), strict=True)]


def _config(text: str, base: Config) -> Config:
    if text == BUILTIN:
        return config_with(base)
    if text.endswith((".yml", ".yaml")) and not Path(text).is_dir():
        return config_with(load_config(text))
    if _STRATEGY.fullmatch(text):
        return config_with(base, strategy=text)
    try:
        return config_with(base, prompts=(text,))
    except PackError as error:
        raise ConfigError(f"{text!r} is no pack, config (.yml), strategy (module:Class) or builtin: {error}") from None


def _name(text: str) -> str:
    """What is told of it in tables, and in the names of files."""
    last = text.rpartition(":")[2] if _STRATEGY.fullmatch(text) else Path(text).name.removesuffix(".yml")
    return re.sub(r"[^\w.-]", "_", last)[:30].strip(".-") or "it"


def folder_name(plan: Plan) -> str:
    """The name of the folder for the games of ``plan``; it holds a digest of all that makes these games what they are,
    so that nothing else is ever found there.
    """
    told = json.dumps(
        tournament_identity(plan, [pack_contestant(contestant) for contestant in plan.contestants]), sort_keys=True
    )
    return f"{'-vs-'.join(plan.names)}-{hashlib.sha256(told.encode()).hexdigest()[:6]}"
