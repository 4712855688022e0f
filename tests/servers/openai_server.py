"""A loopback server of OpenAI's chat completions API, with known faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from servers.scripted_server import Reply, Request, ScriptedServer

Answer = Callable[[Mapping[str, Any]], "str | Reply"]


class OpenAIServer(ScriptedServer):
    """`POST /v1/chat/completions`, and Azure's path for it.

    Attributes:
        answer: Request body → reply text (or a whole `Reply`). Default: "Paris".
        answers: Question → reply text; the first one whose question stands in the last message
            (after its last `question:` where there is one) goes before `answer`.
        key: When set, another key gets a 401.
        unsupported: Parameters that get a 400, as reasoning models do.
        context_tokens: Longer prompts (4 characters a token) get a 400.
        overflow: Which dialect that 400 is written in: `openai`, `llama.cpp`, `vllm`, `ollama`.
        usage: Whether replies say how many tokens they took.
    """

    def __init__(self, answer: Answer | None = None) -> None:
        super().__init__()
        self.answer: Answer = answer or (lambda body: "Paris")
        self.answers: dict[str, str] = {}
        self.key = ""
        self.unsupported: set[str] = set()
        self.context_tokens = 0
        self.overflow = "openai"
        self.usage = True

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def prompts(self) -> list[str]:
        """The last message of every request logged."""
        return [str(request.body["messages"][-1]["content"]) for request in self.requests]

    def normal(self, request: Request) -> Reply:
        if not request.path.endswith("/chat/completions"):
            return error(404, f"Invalid URL (POST {request.path})", code=None)
        sent = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self.key and self.key not in (sent, request.headers.get("api-key", "")):
            return error(401, f"Incorrect API key provided: {sent}.", code="invalid_api_key")
        body = request.body
        if not isinstance(body, dict) or not body.get("messages"):
            return error(400, "Invalid 'messages': empty array.", code="empty_array")
        for name in ("max_tokens", "temperature", "seed", "response_format"):
            if name in self.unsupported and name in body:
                return unsupported(name)
        tokens = prompt_tokens(body)
        if self.context_tokens and tokens > self.context_tokens:
            return context_overflow(self.overflow, tokens, self.context_tokens)
        text = self._text(body)
        return text if isinstance(text, Reply) else completion(text, body, usage=self.usage)

    def _text(self, body: Mapping[str, Any]) -> str | Reply:
        asked = str(body["messages"][-1]["content"]).rsplit("question:", 1)[-1]
        for question, text in self.answers.items():
            if question in asked:
                return text
        return self.answer(body)


def prompt_tokens(body: Mapping[str, Any]) -> int:
    return sum(len(str(message.get("content"))) for message in body["messages"]) // 4


def completion(
    text: Any,
    body: Mapping[str, Any] | None = None,
    *,
    usage: bool = True,
    finish_reason: str = "stop",
    **message: Any,
) -> Reply:
    """A chat completion with this text (None, or parts, where a server would send those)."""
    read, written = prompt_tokens(body) if body else 10, max(1, len(text or "") // 4)
    record: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1710000000,
        "model": body.get("model", "model") if body else "model",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
    }
    if usage:
        record["usage"] = {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
        }
    return Reply(body=record)


def error(
    status: int, message: str, *, code: Any, param: str | None = None, **headers: str
) -> Reply:
    """OpenAI's nested error."""
    kind = "invalid_request_error" if status < 429 else "server_error"
    record = {"message": message, "type": kind, "param": param, "code": code}
    return Reply(status, {"error": record}, headers)


# -- faults, by name ---------------------------------------------------------------------------
def rate_limited(retry_after: str | None = None) -> Reply:
    headers = {"Retry-After": retry_after} if retry_after is not None else {}
    return error(429, "Rate limit reached for requests", code="rate_limit_exceeded", **headers)


def quota() -> Reply:
    return error(429, "You exceeded your current quota", code="insufficient_quota")


def server_error(status: int = 500) -> Reply:
    return error(status, "The server had an error while processing your request.", code=None)


def html(status: int = 200) -> Reply:
    page = "<!doctype html><html><body>Bad gateway</body></html>"
    return Reply(status, page, {"Content-Type": "text/html"})


def truncated() -> Reply:
    return Reply(body=completion("Paris").payload, cut=40)


def wrong_json(body: Any = None) -> Reply:
    """JSON that is no completion, or text that is no JSON at all."""
    return Reply(body=body if body is not None else '{"choices": [')


def error_with_200() -> Reply:
    return Reply(body={"error": {"message": "upstream failed", "code": None}})


def broken_off(text: str) -> Reply:
    """A reply that an upstream provider broke off, with its error in the choice (OpenRouter)."""
    record = completion(text).body
    record["choices"][0]["error"] = {"code": 502, "message": "Provider disconnected"}
    return Reply(body=record)


def no_choices(choices: list[Any] | None = None) -> Reply:
    record = {**completion("x").body, "choices": choices}
    return Reply(body=record)


def no_content(finish_reason: str = "stop") -> Reply:
    return completion(None, finish_reason=finish_reason)


def refusal(text: str = "I can't help with that.") -> Reply:
    return completion(None, refusal=text)


def unsupported(name: str) -> Reply:
    if name == "temperature":
        message = "Unsupported value: 'temperature' does not support 0 with this model."
        return error(400, message, code="unsupported_value", param=name)
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    return error(400, message, code="unsupported_parameter", param=name)


def context_overflow(dialect: str = "openai", tokens: int = 9000, limit: int = 8192) -> Reply:
    """The 400 that says "too long", as four servers word it."""
    asked = f"maximum context length is {limit} tokens. However, your messages have {tokens} tokens"
    if dialect == "llama.cpp":
        record = {
            "code": 400,
            "message": "the request exceeds the available context size, try increasing it",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": tokens,
            "n_ctx": limit,
        }
        return Reply(400, {"error": record})
    if dialect == "vllm":
        flat = {"object": "error", "message": f"This model's {asked}", "type": "BadRequestError"}
        return Reply(400, {**flat, "param": None, "code": 400})
    if dialect == "ollama":
        return Reply(400, {"error": "input length exceeds the context length"})
    return error(400, f"This model's {asked}.", code="context_length_exceeded", param="messages")


def flat_error(dialect: str = "vllm", message: str = "bad request") -> Reply:
    """A 400 in the flat shape of vLLM or Ollama."""
    if dialect == "ollama":
        return Reply(400, {"error": message})
    flat = {"object": "error", "message": message, "type": "BadRequestError"}
    return Reply(400, {**flat, "param": None, "code": 400})


def content_filter() -> Reply:
    return error(400, "The response was filtered.", code="content_filter", param="prompt")
