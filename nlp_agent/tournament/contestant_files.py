"""What a contestant takes along to the process that plays it: its settings and files, and never a key.

First how it is packed, then how it is unpacked there. Packs that are shipped, installed strategies and the folders of
foreign agents are expected to be there.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import inspect
import json
import pickle
import shutil
import sys
import sysconfig
import tempfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from os.path import commonpath
from pathlib import Path
from types import ModuleType

import nlp_agent
from nlp_agent.app.config import Config, WebSocketConfig
from nlp_agent.app.wiring.models import endpoint_configs
from nlp_agent.app.wiring.strategies import load_strategy
from nlp_agent.prompting.pack import chain_of, find_pack, shipped_packs, snapshot_of
from nlp_agent.tournament.plan import Contestant

_PACKS, _TEMPLATE = "packs", "config.yml"
"""Where packs are, and a foreign agent's config, in the folder that is unpacked."""


@dataclass(frozen=True, slots=True)
class PackedContestant:
    """A contestant ready to travel. ``digest`` is that of all it holds: the same says the same contestant.

    ``keys``: environment variables that its endpoints or its command need, ``folder``: one that must be there for its
    command.
    """

    name: str
    digest: str
    packed: bytes
    keys: tuple[str, ...] = ()
    folder: str = ""


@dataclass(frozen=True, slots=True)
class _Contents:
    contestant: Contestant
    files: dict[str, bytes]
    module: str


@dataclass(frozen=True)
class ArrivedContestant:
    """A contestant that has been unpacked in this process: ``contestant`` with its files where they lie now, ``module``
    with its strategy (None where no file of its own holds it).
    """

    contestant: Contestant
    digest: str
    folder: Path
    module: ModuleType | None

    def install(self) -> None:
        """Make the module of this contestant's strategy the one that is imported by its name from now on."""
        if self.module is not None:
            sys.modules[self.module.__name__] = self.module


def pack_contestant(contestant: Contestant) -> PackedContestant:
    """Pack a contestant for the process that plays it. Raises ConfigError or PackError for one that could not play."""
    config = contestant.config
    names, files = _pack_files(config)
    module, file = _strategy(config)
    if file is not None:
        files[file.name] = file.read_bytes()
    if contestant.template is not None:
        files[_TEMPLATE] = contestant.template.read_bytes()
    asked = {one.key_env for one in endpoint_configs(config) if replace(one, api_key="").lacks_key}
    keys = tuple(sorted({*contestant.keys, *asked}))
    # A server's token is a key like any other, and of no use here.
    config = config.model_copy(update={**names, "web_socket": WebSocketConfig()})
    contents = _Contents(replace(contestant, config=config), files, module)
    digest = _digest(contents)
    folder = str(contestant.folder) if contestant.command and contestant.folder else ""
    return PackedContestant(contestant.name, digest, zlib.compress(pickle.dumps(contents)), keys, folder)


def _digest(contents: _Contents) -> str:
    """Of what can change how the contestant plays, wherever its files lie on this machine."""
    one = contents.contestant
    told = [one.name, one.command, one.config.model_dump(mode="json"), one.config.chat, contents.module]
    hashed = hashlib.sha256(json.dumps(told, sort_keys=True).encode())
    for name in sorted(contents.files):
        hashed.update(name.encode() + b"\0" + contents.files[name] + b"\0")
    return hashed.hexdigest()[:16]


def _pack_files(config: Config) -> tuple[dict[str, object], dict[str, bytes]]:
    """The config's names of packs as they are told from the unpacked folder, and all files of packs of one's own."""
    own = {str(name): _own_folders(chain_of(find_pack(name))) for name in config.packs if name != "auto"}
    folders = list(dict.fromkeys(folder for chain in own.values() for folder in chain))
    if not folders:
        return {}, {}
    # Packs extend each other by paths like ../calm, so they keep their places to each other.
    root = Path(commonpath(folders)) if len(folders) > 1 else folders[0].parent

    def place(folder: Path) -> str:
        return f"{_PACKS}/{folder.relative_to(root)}"

    files = {
        f"{place(folder)}/{Path(path).relative_to(folder)}": Path(path).read_bytes()
        for folder in folders
        for path in snapshot_of([folder])
    }
    told = {name: place(chain[0]) if chain else name for name, chain in own.items()}
    if config.prompts:
        return {"prompts": tuple(told.get(name, name) for name in config.prompts)}, files
    return {"language": told.get(config.language, config.language)}, files


def _own_folders(chain: Iterable[Path]) -> list[Path]:
    shipped = set(shipped_packs().values())
    return [folder for folder in chain if folder not in shipped]


def _strategy(config: Config) -> tuple[str, Path | None]:
    """The strategy's module and its file, when that is somebody's own and not installed."""
    if not config.strategy:
        return "", None
    made = load_strategy(config.strategy, source=config.source)
    file = Path(inspect.getfile(made)).resolve()
    installed = [sysconfig.get_path(kind) for kind in ("purelib", "platlib", "stdlib")]
    installed.append(str(Path(nlp_agent.__file__).parent))
    if any(file.is_relative_to(Path(folder).resolve()) for folder in installed):
        return "", None
    return config.strategy.partition(":")[0], file


# --- at the other end ------------------------------------------------------------------------------------------------


def unpack_contestant(baggage: PackedContestant) -> ArrivedContestant:
    """Unpack a contestant; its files are written once a process, to a folder that is removed when the process ends."""
    if baggage.digest not in _ARRIVED:
        _ARRIVED[baggage.digest] = _unpack(baggage)
    return _ARRIVED[baggage.digest]


_ARRIVED: dict[str, ArrivedContestant] = {}


@cache
def _unpack_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="nlp-agent-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _unpack(baggage: PackedContestant) -> ArrivedContestant:
    contents: _Contents = pickle.loads(zlib.decompress(baggage.packed))
    folder = _unpack_folder() / baggage.digest
    for name, data in contents.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    contestant = contents.contestant
    config, update = contestant.config, dict[str, object]()
    if config.prompts:
        update["prompts"] = tuple(_found(name, folder) for name in config.prompts)
    update["language"] = _found(config.language, folder)
    template = folder / _TEMPLATE if _TEMPLATE in contents.files else None
    contestant = replace(contestant, config=config.model_copy(update=update), template=template)
    return ArrivedContestant(contestant, baggage.digest, folder, _module(contents.module, folder))


def _found(pack: str, folder: Path) -> str:
    return str(folder / pack) if pack.startswith(f"{_PACKS}/") else pack


def _module(name: str, folder: Path) -> ModuleType | None:
    """Two contestants may have different modules of one name, so they are loaded from their files."""
    if not name:
        return None
    spec = importlib.util.spec_from_file_location(name, folder / f"{name.rpartition('.')[2]}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
