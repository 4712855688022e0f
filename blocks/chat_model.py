"""A `LanguageModel` over chat completions, with its prices."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

from freshqa.answering.language_model import Completion, Message, Usage, prompt_hash
from freshqa.errors import FreshQAError
from prefect_freshqa.blocks.chat_reply import text_of, usage_of
from prefect_freshqa.blocks.finish_reasons import ending
from prefect_freshqa.blocks.openai_client import Endpoint, complete

MILLION = Decimal(1_000_000)


class ChatModel:
    """A `LanguageModel` at an endpoint, with its prices; picklable, because it holds no connection."""

    def __init__(
        self,
        endpoint: Endpoint,
        prompt_price: Decimal | None = None,
        completion_price: Decimal | None = None,
    ) -> None:
        self.name = endpoint.model
        self.endpoint = endpoint
        self.parameters = endpoint.parameters
        self.has_prices = prompt_price is not None and completion_price is not None
        self.prompt_price = prompt_price or Decimal(0)
        self.completion_price = completion_price or Decimal(0)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        question: str = "",
        max_tokens: int = 1024,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Complete once; see `LanguageModel.complete` for what it raises."""
        started = time.monotonic()
        parameters: dict[str, Any] = {
            "messages": [{"role": m.role, "content": m.content} for m in messages],
            "max_tokens": self.endpoint.max_tokens or max_tokens,
            "temperature": temperature,
        }
        if self.endpoint.reasoning_effort:
            parameters["reasoning_effort"] = self.endpoint.reasoning_effort
        if schema is not None:
            wanted = {"name": "reply", "strict": True, "schema": dict(schema)}
            parameters["response_format"] = {"type": "json_schema", "json_schema": wanted}
        wasted: list[Usage] = []
        try:
            body = complete(self.endpoint, parameters, wasted=wasted)
        except FreshQAError as failure:
            lost = sum(wasted, Usage())
            failure.tokens, failure.cost_usd = lost.total, self.cost(lost)
            raise
        choice, usage = body["choices"][0], sum(wasted, usage_of(body))
        return Completion(
            text=text_of(choice["message"]),
            model=str(body.get("model") or self.name),
            prompt_hash=prompt_hash(messages),
            completed_at=datetime.now(timezone.utc),
            usage=usage,
            cost_usd=self.cost(usage),
            seconds=time.monotonic() - started,
            finish_reason=ending(choice).value,
            raw=body,
        )

    def cost(self, usage: Usage) -> Decimal:
        """Return what these tokens cost, in US dollars; 0 when the price is unknown."""
        read = self.prompt_price * usage.prompt_tokens
        return (read + self.completion_price * usage.completion_tokens) / MILLION
