"""Strategies named in a config, as ``module:Class``."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import cast

from nlp_agent.errors import ConfigError, NlpAgentError, did_you_mean
from nlp_agent.planning.strategy import Standard, Strategy, raised_at
from nlp_agent.yamlfile import read_document

KEY = "strategy"
_METHODS = {"plan_talk": 1, "choose": 3}
"""Each method a strategy must have, and how many arguments it is given."""
_SECONDS = 20.0
"""How long a file may take to be loaded; heavy libraries need a few seconds."""
_TRIAL = """
import sys
from importlib import import_module
module, made, sys.path[:] = sys.argv[1], sys.argv[2], sys.argv[3:]
try:
    getattr(import_module(module), made)()
except Exception:
    pass
print("whole", flush=True)
"""
"""Ends with a word when a file was loaded or failed by an ordinary error, which is told better where it is loaded."""


def load_strategy(spec: str, *, source: Path | None = None) -> Callable[[], Strategy]:
    """Find the class that makes a strategy for a seat; ``""`` is the built-in one.

    ``spec`` is ``module:Class``; modules are also looked up beside the config ``source`` and in the current folder.
    Raises ConfigError that says what is wrong with it.
    """
    if not spec:
        return Standard
    module_name, _, class_name = spec.partition(":")
    if module_name.endswith(".py") or set("/\\") & set(module_name):
        named = f"{Path(module_name.replace(chr(92), '/')).stem}:{class_name or 'Class'}"
        raise _fault(f"name the module and not its file, such as {named}; the file may lie beside this one", source)
    if not module_name or not class_name.isidentifier():
        raise _fault("expected module:Class, such as nlp_agent.planning.examples.crowd:Crowd", source)
    module = _module(module_name, class_name, source)
    found = getattr(module, class_name, None)
    if found is None and getattr(module, "__file__", None) is None:
        raise _fault(f"{module_name} is a folder here; give the file of your strategy another name", source)
    if found is None:
        here = [name for name, value in vars(module).items() if _is_strategy(value) and value is not Standard]
        hint = did_you_mean(class_name, here) or "a strategy is a class with plan_talk and choose"
        raise _fault(f"no class {class_name!r} in {module_name}; {hint}", source)
    if not inspect.isclass(found):
        raise _fault(f"{spec} is not a class", source)
    _check(found, spec, source)
    return cast(Callable[[], Strategy], found)


def _is_strategy(value: object) -> bool:
    """Whether it is a class, other than the protocol, with the methods of a strategy."""
    return inspect.isclass(value) and value is not Strategy and all(hasattr(value, method) for method in _METHODS)


def _module(name: str, made: str, source: Path | None) -> object:
    for folder in (source.resolve().parent if source else None, Path.cwd()):
        # At the end: a file of somebody's own must not stand in for a library.
        if folder is not None and str(folder) not in sys.path:
            sys.path.append(str(folder))
    if name not in sys.modules and not name.startswith("nlp_agent."):
        _try_elsewhere(name, made, source)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            places = dict.fromkeys(map(str, filter(None, (source and source.resolve().parent, Path.cwd()))))
            raise _fault(f"no module {name!r}, neither installed nor in {' or '.join(places)}", source) from None
        raise _fault(f"{name} cannot be imported: {_cause(error)}", source) from error
    except (Exception, SystemExit) as error:
        raise _fault(f"{name} cannot be imported: {_cause(error)}", source) from error


def _try_elsewhere(name: str, made: str, source: Path | None) -> None:
    """Load the file once in a process of its own: only that can be left, or stopped, whatever the file does."""
    with tempfile.TemporaryFile() as output:
        # A file and not a pipe: whatever the child leaves behind could keep a pipe open for ever.
        command = [sys.executable, "-c", _TRIAL, name, made, *sys.path]
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL)
        try:
            code = child.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            raise _fault(f"{_file_of(name)} is not loaded after {_SECONDS:g} s: does it loop?", source) from None
        finally:
            child.kill()
            child.wait()
        output.seek(0)
        if not output.read().strip().endswith(b"whole"):
            raise _fault(f"{_file_of(name)} leaves the program while it is loaded (exit code {code})", source)


def _file_of(module: str) -> str:
    """The file of a module, as far as it can be told without loading anything."""
    try:
        found = importlib.util.find_spec(module) if "." not in module else None
    except (ImportError, ValueError):
        found = None
    return found.origin if found is not None and found.origin else module


def _check(found: type, spec: str, source: Path | None) -> None:
    """Whether ``found`` can be made and asked."""
    try:
        made = found()
    except (Exception, SystemExit) as error:
        raise _fault(f"{spec} cannot be made without arguments: {_cause(error)}", source) from error
    for method, count in _METHODS.items():
        asked = getattr(made, method, None)
        if not callable(asked):
            raise _fault(f"{spec} has no method {method}; derive from nlp_agent.planning.strategy.Standard", source)
        if inspect.iscoroutinefunction(asked):
            raise _fault(f"{spec}.{method} must be a plain method, not async", source)
        try:
            inspect.signature(asked).bind(*[None] * count)
        except TypeError:
            wanted = "(self, context)" if count == 1 else "(self, situation, request, legal)"
            raise _fault(f"{spec}.{method} must take {wanted}", source) from None


def _cause(error: BaseException) -> str:
    """The exception, and the line of the strategy's file that raised it; a syntax error tells that itself."""
    told = f"{type(error).__name__}: {error}"
    return told if isinstance(error, SyntaxError) else f"{told} ({raised_at(error)})"


def _fault(message: str, source: Path | None) -> ConfigError:
    return ConfigError(message, file=_where(source), key=KEY)


def _where(source: Path | None) -> str:
    """The config and the line in which it names the strategy."""
    if source is None:
        return ""
    try:
        line = read_document(source).line_of((KEY,))
    except NlpAgentError:
        line = None
    return f"{source}:{line}" if line else str(source)
