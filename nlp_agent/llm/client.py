"""The ``openai`` client for one endpoint: the contest's rules fix that package, so every request goes through it.

Importing this module is slow; ``endpoint`` does it before anybody waits.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any
from urllib.parse import urlsplit

from nlp_agent.llm.bounded import bound, stay_on_host
from nlp_agent.llm.dialect import EndpointConfig
from nlp_agent.llm.lazy_packages import lazily

with lazily("openai.types"):
    from openai import AsyncOpenAI, AsyncStream, DefaultAsyncHttpx2Client

with suppress(ImportError):
    # It carries the connections, and is else loaded by the first question, while a table waits.
    import anyio._backends._asyncio  # noqa: F401


def open_client(config: EndpointConfig) -> AsyncOpenAI:
    """A client without retries of its own; every call brings its own timeout."""
    address = urlsplit(config.base_url)
    host = (address.hostname or "").lower()
    # A proxy from the environment must not see, or break, what goes to this very machine.
    local = host in {"localhost", "::1"} or host.startswith("127.")
    # Where nothing is encrypted no certificates are loaded: none is trusted, should such a server come to ask for TLS.
    trusted = SSLContext(PROTOCOL_TLS_CLIENT) if local and address.scheme == "http" else True
    hooks = {"response": [bound, stay_on_host]}
    client = AsyncOpenAI(
        # An empty key is refused by the library, though servers at home want none.
        api_key=config.api_key.strip() or "none",
        base_url=config.base_url,
        max_retries=0,
        # Plain answers: a packed one can be a thousand times what came over the wire.
        default_headers={"Accept-Encoding": "identity"},
        http_client=DefaultAsyncHttpx2Client(trust_env=not local, verify=trusted, event_hooks=hooks),
    )
    client.admin_api_key = client.webhook_secret = None
    if host != "api.openai.com" and not host.endswith(".api.openai.com"):
        # The library takes these from the environment and would tell them to any endpoint.
        client.organization = client.project = None
    _ = client.platform_headers()  # finds them out on first use; here nobody is waiting
    return client


async def post_chat(client: AsyncOpenAI, request: Mapping[str, Any], seconds: float) -> object | AsyncIterator[object]:
    """The completion asked for by ``request`` (keyword arguments of ``chat.completions.create``), or its stream.

    ``seconds`` bound each reading. As plain JSON: the library's typed objects cost three times the reading.
    """
    body = {key: value for key, value in request.items() if key not in ("extra_body", "extra_headers")}
    return await client.post(
        "/chat/completions",
        cast_to=object,
        body=body | request.get("extra_body", {}),
        options={"headers": request.get("extra_headers", {}), "timeout": seconds},
        stream=bool(request.get("stream")),
        stream_cls=AsyncStream[object],
    )
