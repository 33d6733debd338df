"""From the configuration's endpoints to the one model that all seats share."""

from __future__ import annotations

import re
from dataclasses import replace
from math import inf
from pathlib import Path
from urllib.parse import urlsplit

from nlp_agent.app.config import Config, EndpointSection
from nlp_agent.app.secrets import checked_secret, secret_variable, similar_variable
from nlp_agent.errors import ConfigError
from nlp_agent.known_secrets import remember_secret, shown_url
from nlp_agent.llm.endpoint import EndpointModel
from nlp_agent.llm.failover import Failover, FailoverPolicy
from nlp_agent.llm.local import LocalModel, check_local
from nlp_agent.llm.model import Model, Prices
from nlp_agent.llm.request import EndpointConfig
from nlp_agent.prompting import Style
from nlp_agent.seat import AskingOptions

LOCAL = "local"
"""What the model in a file is called in journal and messages, unless ``llm.name`` says otherwise."""

SMALL = 2_000_000_000
"""Bytes of a model's file below which it gets orders: about 3 billion parameters at 4 bits, and less cannot think."""
MIDDLE = 10_000_000_000
"""Bytes below which it is asked in the guided style: about 14 billion parameters at 5 bits."""
SMALL_BILLIONS, MIDDLE_BILLIONS = 4.5, 16.0
"""The same in billions of parameters, for endpoints whose model is called by them."""
_BILLIONS = re.compile(r"(?<![\w.])(?:(\d+)x)?(\d+(?:\.\d+)?)b(?![a-z0-9])", re.IGNORECASE)


def build_model(config: Config) -> Failover | None:
    """Make one model of all endpoints of the configuration; None for the LLM-free player.

    Raises ConfigError where one of them misses its key.
    """
    if not config.llm.enabled:
        return None
    local = local_model(config)
    endpoints = keyed_endpoints(config)
    models: dict[str, Model] = {LOCAL: local} if local else {}
    models |= {endpoint.name: EndpointModel(endpoint) for endpoint in endpoints}
    moments = config.deadline
    llm = config.llm
    policy = FailoverPolicy(moments.hedge, moments.partial, llm.failures, llm.rest, llm.pause)
    if local and not endpoints:
        # A second request would only take the first one's time, and a machine that was slow once is no broken one.
        policy = replace(policy, hedge=inf, rest=0.0)
    return Failover(models, policy)


def style_of(config: Config) -> Style:
    """The style in which the configured model is asked, at least at first."""
    llm = config.llm
    if llm.style != "auto":
        return Style(llm.style)
    if llm.gguf is not None:
        size = llm.gguf.stat().st_size if llm.gguf.is_file() else MIDDLE
        return Style.DIRECTED if size < SMALL else Style.GUIDED if size < MIDDLE else Style.ADVISED
    return style_for(llm.model)


def style_for(model: str) -> Style:
    """The style in which a model of that name is asked: by the billions of parameters that its name tells, such as
    ``qwen3:8b``.

    A name that tells none is taken for a large model; of several sizes (``30b-a3b``) the largest counts.
    """
    sizes = [float(each) * int(experts or 1) for experts, each in _BILLIONS.findall(model)]
    if not sizes:
        return Style.ADVISED
    if max(sizes) < SMALL_BILLIONS:
        return Style.DIRECTED
    return Style.GUIDED if max(sizes) < MIDDLE_BILLIONS else Style.ADVISED


def asking_options(config: Config) -> AskingOptions:
    """The settings by which the model of a seat is asked, for one game."""
    llm = config.llm
    return AskingOptions(style_of(config), llm.style != "auto", llm.judgement, llm.margin, llm.advice)


def local_model(config: Config) -> LocalModel | None:
    """The model in the file ``llm.gguf``, not started yet. Raises ConfigError when it cannot be."""
    if config.llm.gguf is None:
        return None
    try:
        check_local(config.llm.gguf)
    except ConfigError as error:
        raise ConfigError(str(error), file=str(config.source or "")) from None
    endpoint = replace(_endpoint(config, config.llm.name or LOCAL, config.llm), model=config.llm.gguf.stem)
    return LocalModel(config.llm.gguf, endpoint, slots=config.agent.num, context=config.llm.context)


def endpoint_configs(config: Config) -> list[EndpointConfig]:
    """List the endpoints in the order they are tried, each with its key where there is one."""
    return [_endpoint(config, name, section) for name, section in config.llm.endpoints_by_name.items()]


def keyed_endpoints(config: Config) -> list[EndpointConfig]:
    """The endpoints of ``config``, ready to be asked. Raises ConfigError where one misses its key."""
    endpoints = endpoint_configs(config)
    for endpoint in endpoints:
        if endpoint.lacks_key:
            raise ConfigError(
                f"no key for {shown_url(endpoint.base_url)}: {endpoint.key_advice}",
                file=str(config.source or ""),
                key=f"{endpoint.section}.api_key_env",
            )
    return endpoints


_OTHERS = {"name", "api_key_env", "capabilities", "prices"}
"""Keys of a section that an endpoint does not have under the same name."""


def _endpoint(config: Config, name: str, section: EndpointSection) -> EndpointConfig:
    keys = EndpointSection.model_fields.keys() - _OTHERS
    address = urlsplit(section.base_url)
    for part in (address.username, address.password):
        remember_secret(part or "")
    for header, value in section.extra_headers.items():
        checked_secret(f"llm.extra_headers.{header}", value, certain=False)
    key = secret_variable(config, section.api_key_env) or ""
    beside = config.source.parent if config.source else None
    return EndpointConfig(
        name=name,
        api_key=key,
        key_env=section.api_key_env,
        key_file=str((beside or Path()) / ".env"),
        key_hint="" if key else similar_variable(section.api_key_env, beside),
        section="llm" if section is config.llm else "llm.endpoints",
        prices=_prices(section),
        **section.model_dump(include=keys),
        **section.capabilities.model_dump(),
    )


def _prices(section: EndpointSection) -> Prices | None:
    prices = section.prices
    if prices is None:
        return None
    return Prices(prices.input, prices.input if prices.cached is None else prices.cached, prices.output)
