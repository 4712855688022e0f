"""Blocks that name a language model: any chat completions server, or a recording."""

from __future__ import annotations

from abc import ABC, abstractmethod
from decimal import Decimal

from prefect.blocks.core import Block
from pydantic import Field, SecretStr, model_validator
from typing_extensions import Self

from freshqa.answering.language_model import LanguageModel
from freshqa.answering.recorded_model import RecordedCompletions
from prefect_freshqa.blocks.about import DOCUMENTATION_URL, LOGO_URL
from prefect_freshqa.blocks.chat_model import ChatModel
from prefect_freshqa.blocks.openai_client import Endpoint


class LanguageModelBlock(Block, ABC):
    """A block that gives a language model; flows take any of them by name."""

    @abstractmethod
    def get_model(self) -> LanguageModel:
        """Return the model, ready to complete."""


class OpenAIModel(LanguageModelBlock):
    """A model behind OpenAI's chat completions: OpenAI, Azure, vLLM, Ollama, llama.cpp and others.

    Attributes:
        model: Name of the model; on Azure the name of the deployment.
        api_key: Key of the account; local servers need none.
        base_url: URL up to and with `/v1`; empty for OpenAI's own.
        azure_endpoint: URL of an Azure OpenAI resource, instead of `base_url`.
        azure_api_version: Azure's `api-version`.
        timeout_seconds: Longest time for one reply, from request to last byte.
        max_retries: Tries after the first, of failures that may be temporary.
        prompt_usd_per_million: Price of a million tokens read.
        completion_usd_per_million: Price of a million tokens written.
        max_tokens: Limit of every reply, reasoning included; 0 for what each use asks for.
        reasoning_effort: Such as `low`; empty for the server's default.

    Example:
        Save a model that Ollama serves:

        ```python
        from prefect_freshqa.blocks import OpenAIModel

        OpenAIModel(model="qwen3:8b", base_url="http://127.0.0.1:11434/v1").save("local")
        ```

        Ask it:

        ```python
        from freshqa.answering.language_model import Message
        from prefect_freshqa.blocks import OpenAIModel

        model = OpenAIModel.load("BLOCK_NAME").get_model()
        print(model.complete([Message("user", "In which year did the Titanic sink?")]).text)
        ```
    """

    _block_type_name = "FreshQA OpenAI Model"
    _block_type_slug = "freshqa-openai-model"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL

    model: str = Field(
        description="Name of the model; on Azure the name of the deployment.", min_length=1
    )
    api_key: SecretStr | None = Field(
        default=None, description="Key of the account; local servers need none."
    )
    base_url: str = Field(default="", description="URL up to and with /v1; empty for OpenAI's own.")
    azure_endpoint: str = Field(
        default="", description="URL of an Azure OpenAI resource, instead of base_url."
    )
    azure_api_version: str = Field(default="2024-10-21", description="Azure's api-version.")
    timeout_seconds: float = Field(
        default=120.0, gt=0, description="Longest time for one reply, from request to last byte."
    )
    max_retries: int = Field(
        default=3, ge=0, description="Tries after the first, where another try may help."
    )
    prompt_usd_per_million: Decimal | None = Field(
        default=None,
        ge=0,
        description="Price of a million tokens read, in US dollars; 0 for a model of your own. "
        "Left out, costs count as 0, and a budget in dollars is refused.",
    )
    completion_usd_per_million: Decimal | None = Field(
        default=None,
        ge=0,
        description="Price of a million tokens written, in US dollars, in the same way.",
    )
    max_tokens: int = Field(
        default=0,
        ge=0,
        description="Limit of every reply, reasoning included; 0 for what each use asks for, with "
        "more room for a model that spends it on reasoning.",
    )
    reasoning_effort: str = Field(
        default="",
        pattern="^[a-z]*$",
        description="low, medium, high or what the server knows; empty for its default.",
    )

    @model_validator(mode="after")
    def one_address(self) -> Self:
        """Reject a model with both an OpenAI and an Azure address."""
        if self.base_url and self.azure_endpoint:
            raise ValueError("give base_url or azure_endpoint, not both")
        return self

    def get_model(self) -> LanguageModel:
        """Return the model, ready to complete; no request is made."""
        endpoint = Endpoint(
            model=self.model,
            key=self.api_key.get_secret_value() if self.api_key else "",
            base_url=self.base_url,
            azure_endpoint=self.azure_endpoint,
            azure_version=self.azure_api_version if self.azure_endpoint else "",
            timeout=self.timeout_seconds,
            retries=self.max_retries,
            max_tokens=self.max_tokens,
            reasoning_effort=self.reasoning_effort,
        )
        return ChatModel(endpoint, self.prompt_usd_per_million, self.completion_usd_per_million)


class RecordedModel(LanguageModelBlock):
    """Replies from a file of JSON lines: replay and demonstrations without a key or a network.

    Attributes:
        path: File with lines of question or prompt hash, and response.

    Example:
        Save a recording:

        ```python
        from prefect_freshqa.blocks import RecordedModel

        RecordedModel(path="replies.jsonl").save("replies")
        ```

        Use it in place of a model:

        ```python
        from prefect_freshqa.blocks import RecordedModel

        model = RecordedModel.load("BLOCK_NAME").get_model()
        ```
    """

    _block_type_name = "FreshQA Recorded Model"
    _block_type_slug = "freshqa-recorded-model"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL

    path: str = Field(
        description="JSON lines with question or prompt_hash, and response.", min_length=1
    )

    def get_model(self) -> LanguageModel:
        """Return the recording, read now.

        Raises:
            NotFound: no such file.
            BadData: a line that cannot be used.
        """
        return RecordedCompletions(self.path)
