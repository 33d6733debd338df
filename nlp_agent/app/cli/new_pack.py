"""``nlp-agent new-pack``: a language pack of one's own to start from."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.terminal_language import say
from nlp_agent.errors import ConfigError, os_errors_as

if TYPE_CHECKING:
    from nlp_agent.prompting import Pack

EPILOG = """
**Examples**

* `nlp-agent new-pack my-pack` – a pack that changes what you edit and takes the rest from en
* `nlp-agent new-pack my-pack --from ja`
* `nlp-agent new-pack fr --from en --all` – every file, to be translated into a new language

Then edit a file, and look: `nlp-agent render --pack my-pack --role WEREWOLF --phase whisper --watch`.
"""

TEXTS = Path(__file__).with_suffix(".yml")


def new_pack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write; its last part is the pack's name.")],
    parent: Annotated[str, typer.Option("--from", metavar="PACK", help="The pack to start from.")] = "en",
    everything: Annotated[
        bool, typer.Option("--all", help="Copy every file, for a new language, instead of extending the pack.")
    ] = False,
) -> None:
    """Start a language pack: a folder whose files override those of another pack, with comments that teach.

    Nothing that exists is overwritten.
    """
    from nlp_agent.prompting import load_pack

    source = load_pack(parent)
    if folder.is_dir() and any(folder.iterdir()):
        raise ConfigError("is not empty; name a new folder", file=str(folder))
    if folder.resolve().name == source.name:
        raise ConfigError(
            f"a pack must not have the name of the pack it starts from, {source.name!r}", file=str(folder)
        )
    with os_errors_as(ConfigError, "cannot be written", file=str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
        if everything:
            _copy(source, folder)
        else:
            _extend(source, parent, folder)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        typer.echo(say("file_written", file=file))
    role = Path("roles/SEER/briefing.jinja")
    shown = folder / (f"advised/{role}" if source.has(f"advised/{role}") else role)
    typer.echo("\n" + say("change_a_sentence", file=shown))
    typer.echo(f"nlp-agent render --pack {folder} --diff {parent} --role SEER")


def _extend(source: Pack, parent: str, folder: Path) -> None:
    from nlp_agent.game import Side, role_spec
    from nlp_agent.prompting.pack import shipped_packs
    from nlp_agent.yamlfile import read_document

    texts = read_document(TEXTS).data
    explained = texts.get(source.code) or texts["en"]
    # Of a folder the way from here is written, so that both can be moved together.
    extends = parent if parent in shipped_packs() else _way(source.folder, folder.resolve())
    values = {"PARENT": source.name, "EXTENDS": extends, "NAME": folder.resolve().name}
    for name, text in explained["files"].items():
        if name == "pack.yml" or source.has(name):
            _write(folder / name, _filled(text, values))
    for place in ("", "advised/"):
        for briefing in source.files(f"{place}roles/*/briefing.jinja"):
            role = briefing.parent.name
            twin = source.has(f"advised/roles/{role}/briefing.jinja")
            liar = "liar" if role_spec(role).side is Side.WEREWOLF else "ordered"
            comment = explained["advised" if place else liar if twin else "briefing"]
            text = f"{_filled(comment, {'ROLE': role})}\n{briefing.read_text(encoding='utf-8')}"
            _write(folder / place / "roles" / role / "briefing.jinja", text)
    _write_variables(folder)


def _way(target: Path, start: Path) -> str:
    """From ``start`` to ``target`` with ``/`` on every system; the full path where they are on different drives."""
    try:
        return Path(os.path.relpath(target, start)).as_posix()
    except ValueError:
        return target.as_posix()


def _filled(text: str, values: Mapping[str, str]) -> str:
    """``text`` with each word of ``values`` exchanged, in one go."""
    return re.sub("|".join(values), lambda found: values[found[0]], text)


def _copy(source: Pack, folder: Path) -> None:
    from nlp_agent.prompting.pack_folder import files_of

    for base in reversed(source.chain):
        for file in files_of(base, ".jinja", ".yml"):
            target = folder / file.relative_to(base)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    _write_variables(folder)


def _write_variables(folder: Path) -> None:
    from nlp_agent.prompting.view import variables_page

    _write(folder / "VARIABLES.md", variables_page())


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")
