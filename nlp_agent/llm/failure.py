"""From whatever went wrong with an endpoint to one LlmError that says what to do and never holds the key."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from nlp_agent.errors import LlmError
from nlp_agent.known_secrets import shown_url
from nlp_agent.llm.request import EndpointConfig
from nlp_agent.llm.response import get_path, hide_secrets

_SECRET = re.compile(
    r"(Bearer|Basic)\s+\S+|\b(sk|gsk|pk|key|AIza|hf|xai|or)[-_][\w\-*.]{6,}|AIza[\w-]{10,}", re.IGNORECASE
)
_LONGEST_QUOTE = 240
_KEY_TROUBLE = re.compile(r"api[ _-]?key|credential|unauthori[sz]ed", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient_quota|exceeded your current quota|billing|credit", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model_not_found|model\b.{0,80}(not found|not exist|not a valid|unknown)|invalid model",
    re.IGNORECASE | re.DOTALL,
)
_TOO_LONG = re.compile(r"context[ _](length|window|size)|too many tokens|prompt is too long", re.IGNORECASE)
_UNWANTED = re.compile(r"content[ _](filter|policy|management)|safety|moderation", re.IGNORECASE)


def scrub(text: str, config: EndpointConfig) -> str:
    """Put ``text`` on one line, shortened, without the endpoint's key or anything that looks like one."""
    text = hide_secrets(text, config.secrets)
    text = " ".join(_SECRET.sub("***", text).split())
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def explain(error: Exception, config: EndpointConfig) -> LlmError:
    """The LlmError for ``error``, which ``openai`` or the reading of its answer raised. Never chained to it."""
    import openai  # noqa: PLC0415 - takes most of a second; loaded long before anything can fail

    from nlp_agent.llm.client import RefusedResponseError  # noqa: PLC0415 - loaded with the client

    where = f"endpoint {config.name!r} ({shown_url(config.base_url)})"
    untaken = error if isinstance(error, RefusedResponseError) else error.__cause__
    if isinstance(untaken, RefusedResponseError):
        return LlmError(f"{where} {scrub(str(untaken), config)}", kind="other")
    if isinstance(error, openai.APIStatusError):
        return _explain_status(error.status_code, complaint(error), error.response.headers, config, where)
    if isinstance(error, openai.APITimeoutError):
        return timed_out(config)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        # Only a failed connect is quoted: other transport errors repeat headers, and with them the key.
        what = scrub(str(cause), config) if type(cause).__name__ == "ConnectError" else type(cause).__name__
        return LlmError(
            f"{where} cannot be reached ({what}): is the server running and {config.section}.base_url right?",
            kind="unreachable",
        )
    if isinstance(error, openai.APIError):
        return LlmError(f"{where} broke off with an error: {scrub(complaint(error), config)}", kind="server")
    return LlmError(
        f"{where} sent something that is not a chat completion ({type(error).__name__}): "
        f"does {config.section}.base_url end where the OpenAI protocol begins, usually in /v1?",
        kind="other",
    )


def timed_out(config: EndpointConfig) -> LlmError:
    """The error for an endpoint that did not answer in time."""
    return LlmError(
        f"endpoint {config.name!r} gave no answer in time: "
        "a faster model, a lower reasoning_effort or a smaller max_tokens may help",
        kind="timeout",
    )


def complaint(error: Exception) -> str:
    """What the endpoint said: its code, the parameter it names, its message."""
    body = get_path(error, "body")
    if not isinstance(body, dict):
        return f"{body or ''}" or str(error)
    inner = body.get("error")
    source = inner if isinstance(inner, dict) else body
    parts = [
        source.get("code"),
        source.get("param"),
        source.get("message") or source.get("detail") or str(error),
    ]
    return " ".join(str(part) for part in parts if part)


def _explain_status(status: int, told: str, headers: Mapping[str, str], config: EndpointConfig, where: str) -> LlmError:
    kind = _kind_of(status, told)
    quoted = scrub(told, config)
    advice = {
        # The key's refusal is not quoted: endpoints like to repeat parts of the key.
        "auth": f"refuses the key (HTTP {status}): put a valid one into {config.key_env} (in {config.key_file})"
        if config.api_key.strip()
        else f"wants a key (HTTP {status}): {config.key_advice}",
        "credit": f"has no credit left for this key: {quoted}",
        "model": f"has no model {config.model!r} (HTTP {status}: {quoted}): check {config.section}.model and whether "
        f"{config.section}.base_url ends where the OpenAI protocol begins, usually in /v1",
        "rate": f"limits our requests (HTTP 429: {quoted}): lower llm.concurrency or add an endpoint",
        "server": f"failed (HTTP {status}: {quoted}): the fault is its own, try again or add an endpoint",
        "long": f"finds the prompt too long for {config.model!r} ({quoted}): choose a larger context window",
        "refused": f"refuses to answer this prompt (HTTP {status}): {quoted}",
        "request": f"refuses the request (HTTP {status}): {quoted}",
    }
    return LlmError(
        f"{where} {advice[kind]}",
        kind={"credit": "auth", "long": "request"}.get(kind, kind),
        status=status,
        retry_after=retry_after(headers) if kind in {"rate", "server"} else None,
    )


def _kind_of(status: int, text: str) -> str:
    """One of LlmError's kinds, or ``credit`` and ``long``, which need other words."""
    bad = status in {400, 422}
    rows = (
        ("auth", status in {401, 403} or (bad and _KEY_TROUBLE.search(text))),
        ("credit", status == 402 or (status == 429 and _NO_CREDIT.search(text))),
        ("model", status == 404 or (bad and _NO_MODEL.search(text))),
        ("rate", status == 429),
        ("server", status in {408, 409} or status >= 500),
        ("long", _TOO_LONG.search(text)),
        ("refused", _UNWANTED.search(text)),
    )
    return next((kind for kind, holds in rows if holds), "request")


def can_step_down(error: LlmError) -> bool:
    """Tell whether asking for less may help: some servers answer 422 where others answer 400."""
    return error.kind == "request" and error.status in {400, 422} and not _TOO_LONG.search(str(error))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds an endpoint asks us to wait: ``retry-after-ms``, or ``retry-after`` in seconds or as a date."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        value = headers.get("retry-after", "")
        if not value:
            return None
        if value.strip().replace(".", "", 1).isdigit():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
