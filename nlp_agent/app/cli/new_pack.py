"""``nlp-agent new-pack``: a language pack of one's own to start from."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.errors import ConfigError

if TYPE_CHECKING:
    from nlp_agent.prompting import Pack

EPILOG = """
**Examples**

* `nlp-agent new-pack my-pack` – a pack that changes what you edit and takes the rest from en
* `nlp-agent new-pack my-pack --from ja`
* `nlp-agent new-pack fr --from en --all` – every file, to be translated into a new language

Then edit a file, and look: `nlp-agent render --pack my-pack --role WEREWOLF --phase whisper --watch`.
"""

PACK_YML = """\
# A language pack of your own. What is not said here, and every file that is not in this folder, comes from {parent}.
extends: {extends}
name: {name}

# Uncomment what you want to change; only that changes. `nlp-agent check` tells file and line of a mistake.

# Names of things in prompts and in what is said.
# words:
#   roles: {{SEER: fortune teller}}

# Which part of the length cap to ask a model for: less leaves room for its miscounting, more uses what is allowed.
# prompt:
#   share: 0.8
#   acts: {{greet: Greet the others with a proverb.}}

# What the LLM-free player says is in lines.yml, and how talk is understood in reading.yml: make files of those names
# here with only the keys you change, for example in lines.yml:
#   acts:
#     encourage: [We hunt as one.]
"""
TALK = """\
{{# Every public talk of a model that gets orders (`llm.style: directed`). This extends the file of the same name in
   {parent} and changes only the blocks written out here; `{{{{ super() }}}}` stands for what {parent} says there. Open
   {parent}/talk.jinja to see which blocks there are: now, new, secrets, knowledge, moment, advice, ask.
   VARIABLES.md in this folder lists what may stand in {{{{ }}}}. #}}
{{% extends "{parent}/talk.jinja" %}}
{{% block moment %}}
{{{{ super() -}}}}
{{# A sentence here is read by every role before each talk, for example:
   Today is day {{{{ day }}}} and {{{{ alive|length }}}} people live. #}}
{{% endblock %}}
"""
ADVISED_TALK = """\
{{# Every public talk of a model that thinks (`llm.style: advised`, what `auto` takes for endpoints) and answers with
   JSON. Open {parent}/advised/talk.jinja to see what it is told. #}}
{{% extends "{parent}/advised/talk.jinja" %}}
{{% block task %}}
{{{{ super() -}}}}
{{# A sentence here is read by every role before each talk. #}}
{{% endblock %}}
"""
SYSTEM = """\
{{# What never changes in a game: the rules, how to talk, the character. Endpoints cache it, so keep out what changes.
   Blocks: opening, game, speech, trust, character, role, stance. This file is for {whom}. #}}
{{% extends "{parent}/{place}system.jinja" %}}
{{% block speech %}}
{{{{ super() -}}}}
{{# One more rule of speech for everybody, for example:
- Use a proverb now and then. #}}
{{% endblock %}}
"""
BRIEFING = "{{# What a {role} is told about its role. Change a sentence and save{note}. #}}\n"
ORDERED, THINKING = "models that get orders (llm.style: directed)", "models that think (llm.style: advised)"
LIAR = f". This is for {ORDERED}: a public talk is written from the role it pretends, so look in whispers and votes"


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
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if everything:
            _copy(source, folder)
        else:
            _extend(source, parent, folder)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", file=str(folder)) from error
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        typer.echo(f"{file} written")
    role = folder / "roles" / "SEER" / "briefing.jinja"
    typer.echo(f"\nChange a sentence, such as the one in {role}, then: nlp-agent play --pack {folder} --show SEER")


def _extend(source: Pack, parent: str, folder: Path) -> None:
    from nlp_agent.game import Side, role_spec
    from nlp_agent.prompting.folders import shipped_packs

    name = source.name
    # Of a folder the way from here is written, so that both can be moved together.
    extends = parent if parent in shipped_packs() else os.path.relpath(source.folder, folder.resolve())
    _write(folder / "pack.yml", PACK_YML.format(parent=name, extends=extends, name=folder.resolve().name))
    _write(folder / "talk.jinja", TALK.format(parent=name))
    _write(folder / "system.jinja", SYSTEM.format(parent=name, place="", whom=ORDERED))
    if source.has("advised/talk.jinja"):
        _write(folder / "advised" / "talk.jinja", ADVISED_TALK.format(parent=name))
        _write(folder / "advised" / "system.jinja", SYSTEM.format(parent=name, place="advised/", whom=THINKING))
    for place, liar in (("", LIAR), ("advised/", f". This is for {THINKING}")):
        for briefing in source.files(f"{place}roles/*/briefing.jinja"):
            role = briefing.parent.name
            note = liar if role_spec(role).side is Side.WEREWOLF else ""
            text = BRIEFING.format(role=role, note=note) + briefing.read_text(encoding="utf-8")
            _write(folder / place / "roles" / role / "briefing.jinja", text)
    _write_variables(folder)


def _copy(source: Pack, folder: Path) -> None:
    for base in reversed(source.chain):
        for file in (*base.rglob("*.jinja"), *base.rglob("*.yml")):
            target = folder / file.relative_to(base)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    _write_variables(folder)


def _write_variables(folder: Path) -> None:
    from nlp_agent.prompting.variables import page

    _write(folder / "VARIABLES.md", page())


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
