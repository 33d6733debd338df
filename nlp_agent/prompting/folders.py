"""Where packs are: found by name or path, what they extend, and whether their files have changed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from nlp_agent.errors import PackError, did_you_mean
from nlp_agent.yamlfile import read_document

Snapshot = dict[str, tuple[int, int]]
"""File -> (modification time in ns, size)."""


def shipped_packs_dir() -> Path:
    """Where the shipped packs are: inside the installed package, or at the top of a checkout."""
    root = Path(str(files("nlp_agent")))
    inside = root / "_shipped" / "prompts"
    return inside if inside.is_dir() else root.parent / "prompts"


def shipped_packs() -> dict[str, Path]:
    """Name -> folder of every shipped pack."""
    return folders_with("pack.yml", shipped_packs_dir())


def folders_with(file: str, inside: Path) -> dict[str, Path]:
    """Name -> folder of every folder ``inside`` that has such a ``file``."""
    found = sorted(inside.iterdir()) if inside.is_dir() else []
    return {path.name: path for path in found if (path / file).is_file()}


def find_pack(wanted: str, base: Path | None = None) -> Path:
    """The folder of the shipped pack of that name, or that folder; raises PackError when there is none."""
    shipped = shipped_packs()
    if wanted in shipped:
        return shipped[wanted]
    path = ((base or Path.cwd()) / Path(wanted).expanduser()).resolve()
    if (path / "pack.yml").is_file():
        return path
    if path.is_dir():
        raise PackError("this folder is no language pack: it has no pack.yml", file=str(path))
    raise PackError(
        f"no language pack {wanted!r}: give a shipped name or a folder with a pack.yml. {did_you_mean(wanted, shipped)}"
    )


def chain_of(folder: Path) -> list[Path]:
    """``folder`` and the packs it extends, nearest first."""
    chain: list[Path] = []
    current: Path | None = folder
    while current is not None:
        chain.append(current)
        document = read_document(current / "pack.yml")
        parent = document.data.get("extends") or ""
        if not isinstance(parent, str):
            raise document.fault(("extends",), "'extends' is the name or the folder of one pack")
        try:
            current = find_pack(parent, current) if parent else None
        except PackError as error:
            raise document.fault(("extends",), str(error)) from error
        if current in chain:
            raise document.fault(("extends",), f"'extends: {parent}' goes round in a circle")
    return chain


def snapshot(name_or_path: str | Path) -> Snapshot:
    """The state of all files of a pack and of those it extends; of a broken one what can be found."""
    folder = find_pack(str(name_or_path))
    try:
        return snapshot_of(chain_of(folder))
    except PackError:
        return snapshot_of([folder])


def snapshot_of(folders: Iterable[Path]) -> Snapshot:
    snapshot: Snapshot = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".jinja", ".yml"):
                try:
                    stat = path.stat()
                except OSError:  # gone since it was listed
                    continue
                snapshot[str(path)] = (stat.st_mtime_ns, stat.st_size)
    return snapshot
