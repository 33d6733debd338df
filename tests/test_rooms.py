"""The rooms of the package: who may import whom, and that importing does nothing."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "nlp_agent"

_BASE = {"errors", "deadline"}
_PURE = ["protocol", "game", "text", "reading", "belief", "planning", "voice"]
"""Each of these may import those before it."""
_TEXT = {"regex", "jaconv", "budoux", "rapidfuzz"}
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
    "prompting": {*_PURE, "yamlfile", "jinja2", "pydantic"},
    "llm": {"protocol", "openai", "httpx2", "anyio", "tenacity", "xllamacpp"},
    "seat": {*_PURE, "prompting", "llm", "rapidfuzz"},
    "net": {"protocol", "game", "seat", "websockets"},
    "records": {"protocol", "game"},
    "arena": {"protocol", "game", "text", "websockets", "yaml"},
    "web": {"protocol", "game", "text", "records", "arena", "yamlfile", "jinja2", "markupsafe", "starlette", "uvicorn"},
}
EVERYTHING = {"app", "lab", "__main__", "__init__"}
"""Rooms that may import all others; what of the lab ``app`` may is told by :data:`LAB_COMMANDS`."""
LAB_COMMANDS: dict[str, str] = {
    # command -> what of the lab it runs (parts with a blank between them), and imports only when it does
    "duel.py": "study",
    "evaluate.py": "study",
    "evaluate_reading.py": "study",
    "timing.py": "study",
    "voices.py": "study",
    "tournament.py": "tournament",
    "compare.py": "tournament judge",
    "judge.py": "judge",
    "report.py": "report",
    "play.py": "clock faults",
}
PURE = {
    *_PURE,
    "arena/board.py",
    "arena/engine.py",
    "arena/steps.py",
    "arena/talking.py",
    "arena/views.py",
    "arena/events.py",
    "arena/logs.py",
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


@pytest.fixture(scope="module", autouse=True)
def _trees_are_forgotten() -> Iterator[None]:
    yield
    _tree.cache_clear()


@cache
def _modules() -> tuple[Path, ...]:
    return tuple(sorted(ROOT.rglob("*.py")))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _room(path: Path) -> str:
    part = path.relative_to(ROOT).parts[0]
    return part.removesuffix(".py")


def _imports(path: Path) -> set[tuple[str, str]]:
    """(kind, name) of every import: ``own`` rooms, ``other`` top-level packages."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(_tree(path)):
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


def test_each_room_imports_only_what_the_design_allows() -> None:
    """The direction of the flow is the direction of the imports."""
    wrong = []
    for path in _modules():
        room = _room(path)
        if room not in EVERYTHING:
            allowed = {*ALLOWED[room], *_BASE, room}
            found = {name for kind, name in _imports(path) if (kind, name) != ("own", "__init__")}
            wrong += [f"{path.relative_to(ROOT)}: {room} may not import {name}" for name in found - allowed]
    assert not wrong, "\n".join(wrong)


def test_the_lab_is_imported_by_its_own_commands_alone() -> None:
    """The product works without what measures and breaks it; a command of the lab imports it when it is run."""
    for path in _modules():
        inside = path.relative_to(ROOT)
        if inside.parts[0] == "lab":
            continue
        tree = _tree(path)
        wanted = [name for node in ast.walk(tree) for name in _names(node) if name.startswith("nlp_agent.lab")]
        parts = LAB_COMMANDS.get(inside.name, "").split() if inside.parent == Path("app/cli") else []
        for name in wanted:
            assert name.startswith(tuple(f"nlp_agent.lab.{part}" for part in parts)), f"{inside} imports {name}"
        at_once = [name for node in _at_once(tree.body) for name in _names(node) if name.startswith("nlp_agent.lab")]
        assert at_once == [], f"{inside} imports the lab before it is asked for it"


def _names(node: ast.AST) -> list[str]:
    """The modules that an import statement names, as far as can be told from it; of all other nodes none."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def test_pure_rooms_touch_no_clock_socket_or_global_random() -> None:
    """What decides can be replayed: it has no I/O, no clock and no randomness of its own."""
    insides = {path.relative_to(ROOT).as_posix(): path for path in _modules()}
    pure = {inside: path for inside, path in insides.items() if inside in PURE or inside.partition("/")[0] in PURE}
    assert {*PURE} <= {*pure, *(inside.partition("/")[0] for inside in pure)}, "a pure room is gone"
    wrong = [f"{inside}: {what}" for inside, path in pure.items() for what in _impure(_tree(path))]
    assert not wrong, "\n".join(wrong)


def _impure(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from {alias.name.partition(".")[0] for alias in node.names} & FORBIDDEN_IN_PURE
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from {node.module.partition(".")[0]} & FORBIDDEN_IN_PURE
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from {f"{node.func.id}()"} & {"open()", "print()", "input()"}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
            yield from {f"random.{node.attr}"} - {"random.Random"}


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


def _needs(*, late: bool) -> dict[str, set[str]]:
    """Module -> the modules it imports at once, or with ``late`` at any time; what only types need is no need."""
    modules = {_name(path): path for path in _modules()}
    needs: dict[str, set[str]] = {}
    for module, path in modules.items():
        tree = _tree(path)
        wanted: set[str] = set()
        for node in _at_any_time(tree) if late else _at_once(tree.body):
            whole = set(_names(node))
            if isinstance(node, ast.ImportFrom) and not whole <= modules.keys():
                # A package is only wanted for what is none of its modules.
                whole = {*(whole & modules.keys()), str(node.module)}
            wanted |= whole
        wanted |= {name.rpartition(".")[0] for name in wanted if not module.startswith(name.rpartition(".")[0])}
        needs[module] = wanted & modules.keys()
    return needs


def _at_any_time(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only a type checker sees."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from _at_any_time(node)


def test_no_module_needs_itself() -> None:
    """Imports go round in no circle, so every module can be imported first."""
    TopologicalSorter(_needs(late=False)).prepare()


def test_no_circle_is_hidden_by_a_late_import() -> None:
    """Two modules that need each other are one, or a third is missing: importing late only hides that."""
    needs = _needs(late=True)
    TopologicalSorter(needs).prepare()


_ALONE = """
import importlib, io, os, sys
from contextlib import redirect_stderr, redirect_stdout
import numpy, openai, pydantic, rich.console, typer, yaml, jinja2, regex, websockets  # once for all

def listen(event, args):
    if event == "open" and args[0] is not None:
        file, mode = str(args[0]), str(args[1] or "r")
        ours = "nlp_agent" in file and not file.endswith((".py", ".pyc")) and ".dist-info" not in file
        if ours or set(mode) & set("wax+"):
            seen.append(f"{mode} {file}")
    elif event.startswith(("socket.connect", "socket.bind", "subprocess.")):
        seen.append(event)

seen = []
sys.addaudithook(listen)
for modules in sys.argv[1:]:
    if not (child := os.fork()):
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            try:
                for module in modules.split():
                    importlib.import_module(module)
            except BaseException as error:
                seen.append(repr(error))
        seen += [out.getvalue()] if out.getvalue() else []
        print(*(f"{modules[:60]}: {each}" for each in seen), sep="\\n", end="", flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that begin where another stands")
def test_each_room_can_be_imported_alone_and_importing_does_nothing() -> None:
    """Each package in a process where nothing was imported before, then all modules; none prints, reads, writes,
    connects or starts anything. That any other module can come first follows: imports go round in no circle."""
    files = [path for path in _modules() if path.name != "__main__.py"]
    packages = [_name(path) for path in files if path.name == "__init__.py" or path.parent == ROOT]
    modules = map(_name, files)
    command = [sys.executable, "-B", "-c", _ALONE, *packages, " ".join(modules)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_map_names_every_room_and_every_module_of_it_and_no_other() -> None:
    """Whoever opens the package first finds each room with a word on what it is for, and below it all its modules."""
    lines = (ROOT / "__init__.py").read_text(encoding="utf-8").partition("::\n")[2].partition('"""')[0].splitlines()
    named: list[str] = []
    room = ""
    for line in filter(None, lines):
        if line[4] != " ":
            named.append(room := line.split(maxsplit=1)[0])
        else:
            named += [f"{room}.{module}" for module in line.split()]
    modules = {_name(path).removeprefix("nlp_agent.") for path in _modules() if not path.name.startswith("__")}
    there = modules | {path.name for path in ROOT.iterdir() if (path / "__init__.py").is_file()}
    assert len(named) == len(set(named)), "something stands twice in the map"
    assert there - set(named) == set(), "write these into the map in nlp_agent/__init__.py"
    assert set(named) - there == set(), "take these out of the map in nlp_agent/__init__.py"


def test_no_class_has_the_name_of_another() -> None:
    """Whoever reads a name knows which thing is meant. The data of the official sample keep the organisers' names."""
    named: dict[str, list[str]] = {}
    for path in _modules():
        if path.name != "official_data.py":
            for node in _tree(path).body:
                if isinstance(node, ast.ClassDef):
                    named.setdefault(node.name, []).append(_name(path))
    assert {name: modules for name, modules in named.items() if len(modules) > 1} == {}


def test_no_module_is_longer_than_can_be_read_in_one_go() -> None:
    """Three hundred lines at most; the story of a seat, which everybody reads first, has two hundred."""
    most = {ROOT / "seat" / "seat.py": 200}
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in _modules()}
    assert [path.relative_to(ROOT) for path, lines in lengths.items() if lines > most.get(path, 300)] == []


def test_tests_reach_into_no_private_name() -> None:
    """They tell behaviour: neither attributes nor imports of the package that begin with an underscore."""
    reached = []
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                owner = ast.unparse(node.value)
                reached += [f"{path.name}: {ast.unparse(node)}"] if owner not in _MAY_BE_PRIVATE else []
            elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("nlp_agent"):
                reached += [f"{path.name}: {one.name}" for one in node.names if re.match("_[a-zA-Z]", one.name)]
            elif isinstance(node, ast.Constant) and re.fullmatch(r"(nlp_agent\S*\.)_[a-zA-Z]\w*", str(node.value)):
                reached.append(f"{path.name}: {node.value}")
    assert reached == []


_MAY_BE_PRIVATE = {"self", "cls", "super()", "os", "sys", "asyncio"}
"""One's own, and what the standard library offers under such a name."""
