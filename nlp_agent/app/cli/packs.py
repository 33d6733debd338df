"""``nlp-agent packs``: which language packs there are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nlp_agent.app.cli.screen import one_line, print_json, stdout
from nlp_agent.app.cli.terminal_language import in_terminal_language, say
from nlp_agent.errors import PackError

EPILOG = """
**Examples**

* `nlp-agent packs` – those that are shipped and those in the current folder
* `nlp-agent packs ./my-pack` – one more, wherever it lies

Play with one: `nlp-agent play --lang zh`, `nlp-agent play --pack ./my-pack`. Start one: `nlp-agent new-pack my-pack`.
"""


def packs(
    folders: Annotated[list[Path] | None, typer.Argument(metavar="DIR", help="Folders of more packs.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per pack, one a line.")] = False,
) -> None:
    """List the language packs: name, language, what they extend, where they lie, and whether they are complete."""
    from nlp_agent.prompting.pack import shipped_packs

    found = dict.fromkeys(shipped_packs().values(), "shipped")
    here = sorted(path.parent for path in Path.cwd().glob("*/pack.yml"))
    named = (pack for folder in folders or () for pack in _packs_in(folder))
    found |= {folder.resolve(): "" for folder in (*here, *named) if folder.resolve() not in found}
    rows = [_row(folder, place) for folder, place in found.items()]
    if json:
        for row in rows:
            print_json(row)
    else:
        _show(rows)


def _packs_in(folder: Path) -> list[Path]:
    """The pack in ``folder``, else those in the folders in it, else what was named, to say what is wrong with it."""
    below = sorted(path.parent for path in folder.glob("*/pack.yml"))
    return [folder] if (folder / "pack.yml").is_file() or not below else below


def _row(folder: Path, place: str) -> dict[str, Any]:
    from nlp_agent.prompting import load_pack
    from nlp_agent.prompting.check import missing_parts

    row: dict[str, Any] = {"pack": folder.name, "from": place or _short(folder), "folder": str(folder)}
    try:
        pack = load_pack(folder)
    except PackError as error:
        return {**row, "language": "", "name": "", "extends": "", "missing": [one_line(error)]}
    return {
        **row,
        "language": pack.code,
        "name": pack.words.name,
        # What the pack itself says: values it inherits are not its own.
        "extends": pack.chain[1].name if len(pack.chain) > 1 else "",
        "missing": missing_parts(pack),
    }


def _short(folder: Path) -> str:
    try:
        return f"./{folder.relative_to(Path.cwd())}"
    except ValueError:
        return str(folder)


def _show(rows: list[dict[str, Any]]) -> None:
    from nlp_agent.app.cli.results import plain_table

    table = []
    for row in rows:
        lacks = row["missing"]
        language = f"{row['name']} ({row['language']})" if row["language"] else "?"
        complete = say("complete")
        if lacks:
            one = say("incomplete", what=in_terminal_language(lacks[0]))
            complete = one + (say("and_more", count=len(lacks) - 1) if len(lacks) > 1 else "")
        place = say("shipped") if row["from"] == "shipped" else row["from"]
        table.append((row["pack"], language, row["extends"] or "-", place, complete))
    plain_table(stdout(), ("Pack", "Language", "Extends", "From", "Complete"), table)
