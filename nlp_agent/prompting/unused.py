"""Files of a pack that nothing looks for: a name with a typo in it is passed over in silence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nlp_agent.errors import PackError, did_you_mean, nearest
from nlp_agent.game import ROLES
from nlp_agent.prompting.folders import shipped_packs
from nlp_agent.prompting.pack import Pack
from nlp_agent.protocol import Request

_DATA = ("pack.yml", "lines.yml", "reading.yml", "cast.yml")
_FOLDERS = ("roles", "advised", "chat")
_REFERENCE = re.compile(r"[\"']((?:[\w.-]+/)*[\w.-]+\.jinja)[\"']")


def unused_files(pack: Pack) -> Iterator[PackError]:
    """The pack's own files and folders that are never looked at, each with what may have been meant."""
    known = _templates().union(_named_in(pack.folder))
    for path in sorted(pack.folder.rglob("*")):
        parts = path.relative_to(pack.folder).parts
        if path.is_dir() or any(part.startswith((".", "_")) for part in parts):
            continue
        if fault := _fault(parts, known, pack):
            yield PackError(fault, file=str(path))


def _fault(parts: tuple[str, ...], known: frozenset[str], pack: Pack) -> str:
    *folders, name = parts
    if Path(name).suffix in (".yml", ".yaml"):
        return "" if name in _DATA and not folders else f"no such file is looked for: {did_you_mean(name, _DATA)}"
    if Path(name).suffix not in (".jinja", ".j2", ".jinja2"):
        return ""  # notes, licences, pictures
    if "/".join(parts) in known:
        return ""
    if folders and folders[0] not in _FOLDERS:
        return f"no such folder is looked into: {did_you_mean(folders[0], _FOLDERS)}"
    if "roles" in folders and (fault := _role_fault(folders[folders.index("roles") + 1 :], pack)):
        return fault
    return "" if name in known else f"no template of that name is looked for: {did_you_mean(name, sorted(known))}"


def _role_fault(below: list[str], pack: Pack) -> str:
    """What is wrong with the folder of a role. A role of somebody's own village has a name like those of the game."""
    if len(below) != 1:
        return "templates of a role stand in roles/<ROLE>/"
    role = below[0]
    roles = list(dict.fromkeys(map(str, [*ROLES, *pack.words.words.roles])))
    if role in roles:
        return ""
    if role != role.upper() or nearest(role, roles):
        return f"no role is called {role}: {did_you_mean(role.upper(), roles)}"
    return ""


@cache
def _templates() -> frozenset[str]:
    """The names of templates that are looked for in a pack: one for each request, and what the shipped ones use."""
    shipped = {path.name for folder in shipped_packs().values() for path in folder.rglob("*.jinja")}
    return frozenset(shipped | {f"{request.lower()}.jinja" for request in Request})


def _named_in(folder: Path) -> set[str]:
    """Templates that the pack's own templates ask for by name."""
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in folder.rglob("*.jinja"))
    return {name for text in texts for name in _REFERENCE.findall(text)}
