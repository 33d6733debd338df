"""Every module can be imported first, and importing only defines: it prints, opens, connects and starts nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import nlp_agent

ROOT = Path(nlp_agent.__file__).parent
ROOMS: dict[str, list[str]] = {}
"""Room, or module of the top level -> its modules."""
for file in sorted(ROOT.rglob("*.py")):
    if file.name != "__main__.py":
        module = ".".join(file.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
        ROOMS.setdefault(".".join(module.split(".")[:2]), []).append(module)

# Libraries stay loaded from module to module, our own modules do not.
IMPORT_AND_LISTEN = """
import importlib, sys

def listen(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        file, mode = arguments[0], arguments[1] or "r"
        source = file.endswith((".py", ".pyc")) or ".dist-info" in file
        if set(mode) & set("wax+") or ("nlp_agent" in file and not source):
            seen.append(f"{module}: {mode} {file}")
    elif event.startswith(("socket.connect", "socket.bind", "subprocess.", "os.fork", "os.posix_spawn")):
        seen.append(f"{module}: {event}")

seen = []
sys.addaudithook(listen)
for module in sys.argv[1:]:
    for name in [name for name in sys.modules if name.partition(".")[0] == "nlp_agent"]:
        del sys.modules[name]
    importlib.import_module(module)
print(*seen, sep="\\n", end="")
"""


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_importing_a_module_first_does_nothing_else(room: str) -> None:
    """With nothing of ours imported before, no module prints, reads, writes, connects or starts anything."""
    command = [sys.executable, "-B", "-c", IMPORT_AND_LISTEN, *ROOMS[room]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
