"""The rooms of the package: who may import whom, and that importing does nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "nlp_agent"

_BASE = {"errors", "deadline"}
_PURE = ["protocol", "game", "text", "reading", "belief", "planning", "voice"]
"""Each of these may import those before it."""
_TEXT = {"regex", "emoji", "jaconv", "budoux", "rapidfuzz"}
_BEYOND: dict[str, set[str]] = {
    "protocol": {"pydantic"},
    "game": set(),
    "text": _TEXT,
    "reading": {"regex", "rapidfuzz"},
    "belief": {"numpy"},
    "planning": {"numpy"},
    "voice": {"rapidfuzz"},
}
ALLOWED: dict[str, set[str]] = {
    # room: own rooms it may import (besides itself, errors and deadline) and packages from outside
    "errors": set(),
    "deadline": set(),
    "yamlfile": {"yaml", "pydantic"},
    **{room: {*_PURE[:place], *_BEYOND[room]} for place, room in enumerate(_PURE)},
    "prompting": {*_PURE, "yamlfile", "jinja2", "pydantic", "yaml"},
    "llm": {"openai", "httpx2", "tenacity", "xllamacpp"},
    "seat": {*_PURE, "prompting", "llm", "rapidfuzz"},
    "net": {"protocol", "game", "seat", "websockets"},
    "records": {"protocol"},
    "arena": {"protocol", "game", "text", "records", "websockets", "yaml"},
}
EVERYTHING = {"app", "lab", "__main__", "__init__"}
"""Rooms that may import all others."""
NOT_YET = {
    # What the first move of the house left where it does not belong; each entry goes with the room that mends it.
    ("planning", "voice"),
    ("belief", "text"),
}
PURE = {
    *_PURE,
    "arena/engine.py",
    "arena/views.py",
    "arena/events.py",
    "arena/local.py",
}
FORBIDDEN_IN_PURE = {
    "asyncio",
    "socket",
    "time",
    "logging",
    "os",
    "sys",
    "subprocess",
    "threading",
    "websockets",
}


def _modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def _room(path: Path) -> str:
    part = path.relative_to(ROOT).parts[0]
    return part.removesuffix(".py")


def _imports(path: Path) -> set[tuple[str, str]]:
    """(kind, name) of every import: ``own`` rooms, ``other`` top-level packages."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "nlp_agent" else [module]
        for name in names:
            top, _, rest = name.partition(".")
            if top == "nlp_agent":
                found.add(("own", rest.partition(".")[0] or "__init__"))
            elif top not in sys.stdlib_module_names:
                found.add(("other", top))
    return found


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_each_room_imports_only_what_the_design_allows(path: Path) -> None:
    """The direction of the flow is the direction of the imports."""
    room = _room(path)
    if room in EVERYTHING:
        return
    allowed = ALLOWED[room] | _BASE | {room}
    for kind, name in _imports(path):
        if (kind, name) == ("own", "__init__"):
            continue
        assert name in allowed or (room, name) in NOT_YET, f"{room} may not import {name}"


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_pure_rooms_touch_no_clock_socket_or_global_random(path: Path) -> None:
    """What decides can be replayed: it has no I/O, no clock and no randomness of its own."""
    inside = str(path.relative_to(ROOT))
    if not any(inside == pure or inside.startswith(f"{pure}/") for pure in PURE):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert not {alias.name.partition(".")[0] for alias in node.names} & FORBIDDEN_IN_PURE
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.module.partition(".")[0] not in FORBIDDEN_IN_PURE
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print", "input"}, f"{inside}: {node.func.id}()"
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
            assert node.attr == "Random", f"{inside}: the global random is not ours to use"


_WATCH = """
import builtins, importlib, io, sys
opened = []
real = builtins.open
def watching(file, mode="r", *args, **kwargs):
    ours = "nlp_agent" in str(file) and not str(file).endswith((".py", ".pyc")) and ".dist-info" not in str(file)
    if ours or set(mode) & set("wax+"):
        opened.append(str(file))
    return real(file, mode, *args, **kwargs)
builtins.open = io.open = watching
modules = sys.argv[1:]
for module in modules:
    importlib.import_module(module)
assert not opened, opened
"""


def _name(path: Path) -> str:
    return ".".join(("nlp_agent", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def _at_once(nodes: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run when the module does."""
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test) != "TYPE_CHECKING":
            yield from _at_once([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            yield from _at_once([*node.body, *node.orelse, *node.finalbody])


def test_no_module_needs_itself() -> None:
    """Imports go round in no circle, so every module can be imported first."""
    modules = {_name(path): path for path in _modules()}
    needs: dict[str, set[str]] = {}
    for module, path in modules.items():
        wanted: set[str] = set()
        for node in _at_once(ast.parse(path.read_text(encoding="utf-8")).body):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            else:
                whole = {f"{node.module}.{alias.name}" for alias in node.names}
                # A package is only wanted for what is none of its modules.
                wanted |= whole if whole <= modules.keys() else {*(whole & modules.keys()), str(node.module)}
        wanted |= {name.rpartition(".")[0] for name in wanted if not module.startswith(name.rpartition(".")[0])}
        needs[module] = wanted & modules.keys()
    TopologicalSorter(needs).prepare()


def test_importing_does_nothing() -> None:
    """No module prints, reads or writes anything when it is imported."""
    names = [_name(path) for path in _modules() if path.name != "__main__.py"]
    done = subprocess.run([sys.executable, "-B", "-c", _WATCH, *names], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
