"""``nlp-agent init``: a commented config to start from."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from nlp_agent.app.cli.terminal_language import say
from nlp_agent.errors import ConfigError, os_errors_as

EPILOG = """
**Examples**

* `nlp-agent init` – into config/
* `nlp-agent init mine` – into a folder of your own, for `nlp-agent check mine/config.yml`

Then edit config.yml (three lines for an LLM), put the key into the .env beside it, and run `nlp-agent check`.
"""


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write.")] = Path("config"),
) -> None:
    """Write the commented config.yml and .env.example into a folder. Files that exist are left alone."""
    from nlp_agent.yamlfile import shipped_dir

    for name in ("config.yml", ".env.example"):
        source, target = shipped_dir("config") / name, folder / name
        with os_errors_as(ConfigError, "cannot be written", file=str(target)):
            if target.exists():
                typer.echo(say("file_stays", file=target))
                continue
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        edited = name == "config.yml" and _is_edited(source)
        typer.echo(say("file_copied" if edited else "file_written", file=target, source=source))


def _is_edited(config: Path) -> bool:
    """Whether the shipped ``config`` says something else than the defaults: in a checkout users may edit it."""
    from nlp_agent.app.config import Config
    from nlp_agent.app.config_file import load_config

    try:
        return load_config(config).model_dump() != Config().model_dump()
    except ConfigError:
        return True
