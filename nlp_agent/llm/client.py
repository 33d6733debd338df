"""The ``openai`` client for one endpoint. Importing this module is slow; ``endpoint`` does it in a thread."""

from __future__ import annotations

from urllib.parse import urlsplit

# The retry layer is imported here, with the other slow things, and used in ``endpoint``.
import tenacity.asyncio  # noqa: F401
from openai import AsyncOpenAI, DefaultAsyncHttpx2Client

from nlp_agent.llm.dialect import EndpointConfig


def open_client(config: EndpointConfig) -> AsyncOpenAI:
    """A client without retries of its own; every call brings its own timeout."""
    host = (urlsplit(config.base_url).hostname or "").lower()
    # A proxy from the environment must not see, or break, what goes to this very machine.
    local = host in {"localhost", "::1"} or host.startswith("127.")
    client = AsyncOpenAI(
        # An empty key is refused by the library, though servers at home want none.
        api_key=config.api_key.strip() or "none",
        base_url=config.base_url,
        max_retries=0,
        http_client=DefaultAsyncHttpx2Client(trust_env=not local),
    )
    client.admin_api_key = client.webhook_secret = None
    if host != "api.openai.com" and not host.endswith(".api.openai.com"):
        # The library takes these from the environment and would tell them to any endpoint.
        client.organization = client.project = None
    # The library imports these on first use; here nobody is waiting.
    _ = client.chat.completions, client.models, client.platform_headers()
    return client
