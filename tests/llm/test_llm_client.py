"""The client of an endpoint is ready before anybody asks."""

from __future__ import annotations

import asyncio
import ssl
import sys
from importlib import import_module
from pathlib import Path

import pytest

from nlp_agent.llm.client import open_client
from nlp_agent.llm.lazy_packages import lazily
from nlp_agent.llm.loopback import Loopback
from nlp_agent.llm.request import EndpointConfig

_ASK = """
import asyncio, sys
from nlp_agent.deadline import Deadline
from nlp_agent.llm.endpoint import EndpointConfig, EndpointModel
from nlp_agent.llm.model import Question, Message

async def main():
    model = EndpointModel(EndpointConfig(base_url=sys.argv[1], model="m"))
    await model.warm()
    before = set(sys.modules)
    answer = await model.ask(Question((Message("user", "speak"),), "TALK"), Deadline.after(60))
    print(bool(answer.text), "openai.types.responses.response" in sys.modules, *sorted(set(sys.modules) - before))
    await model.aclose()

asyncio.run(main())
"""


def test_a_first_question_loads_nothing() -> None:
    """Whatever a question needs was loaded with the client, before the game, and nothing of services that are none of
    ours.
    """

    async def main() -> bytes:
        async with Loopback() as endpoint, asyncio.timeout(60):
            command = (sys.executable, "-c", _ASK, endpoint.base_url)
            asking = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
            return (await asking.communicate())[0]

    assert asyncio.run(main()).decode().split() == ["True", "False"]


_FILES = {
    "services/__init__.py": "from services.kinds.two import TWO",
    "services/kinds/__init__.py": "print('running'); from services.kinds.one import Kind",
    "services/kinds/one.py": "class Kind: pass",
    "services/kinds/two.py": "TWO = 2",
}


def test_a_lazy_package_runs_when_something_in_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Until then its modules can be imported by name; afterwards it is as if it had run at once."""
    for name, text in _FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("services", "services.kinds", "services.kinds.one", "services.kinds.two"):
        monkeypatch.delitem(sys.modules, name, raising=False)  # afterwards too
    with lazily("services.kinds"):
        services = import_module("services")
    kinds = import_module("services.kinds")
    assert (services.TWO, capsys.readouterr().out) == (2, "")
    assert kinds.Kind is import_module("services.kinds.one").Kind
    assert capsys.readouterr().out == "running\n"
    with pytest.raises(AttributeError, match="nothing"):
        _ = kinds.nothing


@pytest.mark.parametrize(
    ("base_url", "loaded"),
    [("http://127.0.0.1:9/v1", False), ("https://127.0.0.1:9/v1", True), ("http://llm.example/v1", True)],
)
def test_certificates_are_loaded_where_a_server_may_need_them(
    base_url: str, loaded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for one on this very machine that is asked without encryption."""
    made: list[object] = []
    for way in ("load_default_certs", "load_verify_locations", "set_default_verify_paths"):
        monkeypatch.setattr(ssl.SSLContext, way, lambda *given, **_: made.append(given))
    open_client(EndpointConfig("a", base_url, "m", "k"))
    assert bool(made) is loaded
