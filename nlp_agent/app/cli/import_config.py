"""``nlp-agent import-config``: a config of the official sample becomes one of ours, with its prompts as a pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from nlp_agent.errors import ConfigError, os_errors_as

EPILOG = """
**Examples**

* `nlp-agent import-config their/config.yml my-agent` – writes my-agent/config.yml and my-agent/pack/
* then `nlp-agent check -c my-agent/config.yml` and `nlp-agent play -c my-agent/config.yml`

Nothing has to be imported to be played: `nlp-agent run -c their/config.yml` reads such a file as it is.
"""
PACK = "pack"


def import_config(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Config of the official sample.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write. Files that exist are not touched.")],
) -> None:
    """Turn a config of the official sample into a config and a language pack of ours, file by file."""
    from nlp_agent.app.config_file import load_config, read_raw_config, translated
    from nlp_agent.app.official_sample import is_official

    data = read_raw_config(file).data
    if not is_official(data):
        raise ConfigError("is not in the official sample's format: it has neither llm.type nor prompt", file=str(file))
    load_config(file)  # tells what is wrong with it before anything is written
    ours = translated(data, file)
    made = dict(_files(ours.data, ours.prompts, ours.notes, file.name))
    there = [name for name in made if (folder / name).exists()]
    if there:
        raise ConfigError(f"exists and stays as it is: {', '.join(there)}; choose another folder", file=str(folder))
    for name, (text, what) in made.items():
        target = folder / name
        with os_errors_as(ConfigError, "cannot be written", file=str(target)):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        typer.echo(f"{target}: {what}")
    for note in ours.notes:
        typer.echo(f"note: {note}")
    key = ours.data.get("llm", {}).get("api_key_env", "OPENAI_API_KEY")
    typer.echo(f"Then: put {key}=... into {folder / '.env'} if the endpoint wants a key, and look: ", nl=False)
    typer.echo(f"nlp-agent check -c {folder / 'config.yml'}")
    if ours.prompts:
        typer.echo(f"Its prompts with any other config: --pack {folder / PACK}")


def _files(
    data: Mapping[str, Any], prompts: Mapping[str, str], notes: tuple[str, ...], origin: str
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Name -> (content, what it is)."""
    import yaml

    from nlp_agent.app.official_sample import template_text
    from nlp_agent.prompting.detect_language import detect_language

    shown = dict(data)
    if prompts:
        shown["prompts"] = f"./{PACK}"
    head = [f"Made from {origin}. Keys that are left out keep their defaults; nlp-agent init shows them all."]
    comment = "".join(f"# {line}\n" for line in (*head, *notes))
    body = yaml.safe_dump(shown, allow_unicode=True, sort_keys=False)
    yield "config.yml", (f"{comment}\n{body}", "server, seats, endpoint and log")
    if not prompts:
        return
    parent = detect_language("\n".join(template_text(prompts)), ())
    yield (
        f"{PACK}/pack.yml",
        (_pack_file(parent, origin), f"a pack for prompts in {parent}; the rest is the shipped one"),
    )
    for name, text in prompts.items():
        yield f"{PACK}/chat/{name}.jinja", (text.rstrip("\n") + "\n", f"prompt.{name}, unchanged")


def _pack_file(parent: str, origin: str) -> str:
    return (
        f"# The prompts of {origin}: each file in chat/ is one message of a conversation that grows through the game.\n"
        "# Talks are asked in these words alone; below a question for a name stand the legal ones. To have the plan\n"
        "# and the length below talks too, put a talk.jinja beside this file that says, for example,\n"
        f'# {{% extends "{parent}/talk.jinja" %}}\n'
        f"extends: {parent}\n"
    )
