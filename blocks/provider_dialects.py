"""Classify refusals of chat completions servers: one table, the first match counts.

Matched against status and everything the body says: code, type, status, parameter, message, details.
Each row names the server that words it so. `tests/blocks/provider_errors.json` holds a body for each
server and meaning with the public report or page that shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Meaning(str, Enum):
    """The meaning of a refusal for the next step."""

    overflow = "context overflow"  # shorten the prompt
    limit = "minute limit"  # wait, as long as the server says
    quota = "quota exhausted"  # no more calls until the period ends or credit is added
    moderation = "moderation"  # this prompt will always be refused
    role = "refused role"  # ask without a system message
    parameter = "refused parameter"  # ask with another value, or without it
    model = "missing model"
    address = "wrong address"
    key = "refused key"
    passing = "passing failure"
    other = "other"


@dataclass(frozen=True)
class Row:
    """One wording of an error; without statuses, any status but 200."""

    meaning: Meaning
    pattern: str
    who: str
    statuses: tuple[int, ...] = ()


REFUSED = (400, 404, 413, 422, 500)
TABLE: tuple[Row, ...] = (
    Row(Meaning.limit, r"too many tokens processed|too many tokens, please wait|tokens per minute limit exceeded",
        "Cerebras, Bedrock", (429,)),
    Row(Meaning.overflow, r"request too large for|tokens_limit_reached|request body too large",
        "Groq, OpenAI, GitHub Models, Azure"),
    Row(Meaning.overflow, r"input or output tokens must be reduced", "OpenAI"),
    Row(Meaning.overflow, r"context_length_exceeded|maximum context length|context_window_exceeded"
        r"|context (?:length|size|window)|exceed_context|\bn_ctx\b|max_model_len|max_seq_len"
        r"|reduce the length", "OpenAI, Azure, vLLM, llama.cpp, Ollama, LM Studio, OpenRouter",
        (*REFUSED, 429)),
    Row(Meaning.overflow, r"token count.{0,40}exceeds|max_tokens must be at least 1, got -|tokens? (?:count )?exceeds? (?:the )?max"
        r"|inputs?`? tokens \+ `?max_new_tokens|must have less than \d+ tokens|(?:too many|number of)"
        r" (?:input )?tokens|range of input length|prompt contains \d+ tokens|too large for model"
        r"|maximum (?:prompt|input|sequence) ?(?:length|size)?|longer than the (?:maximum )?model"
        r"|(?:prompt|input|request|message)s? (?:is|are) too (?:long|large)|prompt too long"
        r"|input is too long|exceeds the maximum (?:allowed )?(?:input|number of tokens)|string_above_max_length"
        r"|trying to keep the first \d+ tokens|truncate prompt with n_keep|token limit: \d+ \(requested|max length exceeded"
        r"|message larger than max|request_too_large|exceeds? (?:the )?(?:context|configured) limit|larger than the context",
        "Gemini, Copilot, vLLM, TGI, DashScope, Mistral, Anthropic, SGLang, LM Studio, xAI, Kimi, OpenAI",
        (*REFUSED, 429)),
    Row(Meaning.moderation, r"content[_ ]filter|content management policy|content_policy|datainspection"
        r"|data_inspection|content exists risk|requires? moderation|was flagged|flagged (?:by|for|as)"
        r"|content filtering policy|responsibleaipolicy|prohibited[_ ]content|usage policy|safety (?:system|reasons)"
        r"|moderation[_ ](?:error|blocked)|inappropriate content|sensitive content|不安全或敏感"
        r"|considered high risk|new_sensitive|blocked by guardrail|guardrail_intervened",
        "OpenAI, Azure, OpenRouter, DashScope, DeepSeek, Anthropic, Gemini, Z.ai, MiMo, MiniMax", (400, 403, 422, 451)),
    Row(Meaning.quota, r"insufficient_quota|exceeded_current_quota|credit balance|insufficient.{0,12}"
        r"(?:balance|credits?|funds)|out of credits|used all available credits|requires more credits"
        r"|billing[_ ](?:hard_limit|not_active)|never purchased credits|payment required|suspended due to"
        r"|arrearage|monthly (?:spending|usage|included)|exceeded your monthly|spending limit|key limit exceeded|欠费",
        "OpenAI, Kimi, Anthropic, DeepSeek, xAI, OpenRouter, DashScope, Hugging Face"),
    Row(Meaning.quota, r"per[-_ ]?day|\((?:TPD|RPD)\)|daily (?:limit|quota|request)|limit: 0\b"
        r"|free-models-per-day|ModelByDay|per 86400s|weekly (?:limit|quota)", "Gemini, Groq, OpenRouter, GitHub Models", (403, 429)),
    Row(Meaning.limit, r"retry in \d|retrydelay|try again in \d|retry after \d|per[-_ ]?min|\((?:TPM|RPM)\)"
        r"|rate[-_ ]?limit|too many requests|resource_exhausted|overloaded|capacity",
        "Gemini, Groq, OpenAI, Azure, Mistral, TGI", (429, 498)),
    Row(Meaning.quota, r"exceeded your current quota|billing", "OpenAI", (403, 429)),
    Row(Meaning.role, r"system (?:role|message|prompt|instruction)s?.{0,40}(?:not|unsupported)"
        r"|developer instruction is not enabled|does not support '?system|messages?\[\d+\]\.role"
        r"|roles must alternate|only user(?:,)? (?:and )?assistant|role '?\"?system|system role"
        r"|(?:unexpected|invalid|unknown|unsupported) (?:message )?role|unknown variant `(?:system|developer)"
        r"|system message must be at the beginning|role\W.{0,20}should be 'user'",
        "vLLM, OpenAI, Gemini, Mistral and Gemma templates, llama.cpp", (400, 422, 500)),
    Row(Meaning.address, r"unexpected endpoint|invalid url|unknown (?:request )?url|cannot post|no route"
        r"|404 page not found|\A\W*not found\W*\Z", "LM Studio, OpenAI, Ollama"),
    Row(Meaning.model, r"model_not_found|model_decommissioned|deploymentnotfound|model.{0,80}(?:not found|does not"
        r" exist|not exist|decommissioned|no longer (?:available|supported))|not a valid model|invalid model"
        r"|no endpoints found|unknown model|try pulling it|model_not_available|no models? loaded|model \S+ is not (?:available|loaded)"
        r"|access to the model",
        "OpenAI, Groq, Azure, Ollama, DeepSeek, OpenRouter, Mistral, LM Studio, Gemini, Bedrock", (400, 403, 404, 410, 422, 500)),
    Row(Meaning.key, r"api[-_ ]?key[-_ ](?:not (?:valid|found)|(?:is )?invalid|expired)|invalid[_ ]api[_ ]key|incorrect api key"
        r"|unauthori[sz]ed|authentication", "Gemini, OpenAI, DeepSeek", (400, 401, 403)),
)  # fmt: skip
_COMPILED = tuple((row, re.compile(row.pattern, re.IGNORECASE | re.DOTALL)) for row in TABLE)
BY_STATUS: Mapping[int, Meaning] = {
    401: Meaning.key, 402: Meaning.quota, 403: Meaning.key, 404: Meaning.model,
    408: Meaning.passing, 409: Meaning.passing, 413: Meaning.overflow, 425: Meaning.passing, 429: Meaning.limit,
    498: Meaning.passing,
}  # fmt: skip
"""Meaning of a status if the body matches no wording."""
WAIT = re.compile(
    r"(?:retry in|try again in|retry[ _-]after\W*|retrydelay\W+|wait)\s*(?:(?P<h>\d+)\s*h(?:ours?)?)?\s*"
    r"(?:(?P<m>\d+)m(?!s))?"
    r"\s*(?:(?P<s>\d+(?:\.\d+)?)\s*(?P<unit>ms|milliseconds|s|sec|seconds?|minutes?)\b)?",
    re.IGNORECASE,
)


def meaning_of(status: int, said: str) -> Meaning:
    """Return the meaning of a status with this text."""
    for row, pattern in _COMPILED:
        if (not row.statuses or status in row.statuses) and pattern.search(said):
            return row.meaning
    return BY_STATUS.get(status, Meaning.passing if status >= 500 else Meaning.other)


def wait_in(said: str) -> float | None:
    """Seconds that a body asks to wait: `try again in 6m2.5s`, `retryDelay: 2s`; the longest."""
    waits = [_seconds(match) for match in WAIT.finditer(said)]
    return max((seconds for seconds in waits if seconds is not None), default=None)


def _seconds(match: re.Match[str]) -> float | None:
    if not any(match[name] for name in ("h", "m", "s")):
        return None
    unit = (match["unit"] or "s").lower()
    scale = (
        0.001 if unit.startswith(("ms", "milli")) else 60.0 if unit.startswith("minute") else 1.0
    )
    return (
        3600.0 * int(match["h"] or 0) + 60.0 * int(match["m"] or 0) + scale * float(match["s"] or 0)
    )


def said_by(body: Any) -> str:
    """Everything a body says, on one line: nested (OpenAI), in a list (Gemini), flat (vLLM), text (Ollama).

    Codes and types come first, then the message, then details and what an upstream provider said.
    """
    texts = [text for text in _texts(body) if text]
    return ": ".join(dict.fromkeys(texts))


FIRST = (
    "code",
    "type",
    "error_type",
    "status",
    "param",
    "loc",
    "message",
    "msg",
    "error",
    "detail",
)
SILENT = (
    "request_id",
    "requestId",
    "@type",
    "object",
    "documentation_url",
    "user_id",
    "input",
    "url",
)


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value.strip()
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if depth and value not in (400, 404, 413, 422, 429, 500):
            yield str(value)
    elif isinstance(value, list) and depth < 8:
        for item in value:
            yield from _texts(item, depth + 1)
    elif isinstance(value, Mapping) and depth < 8:
        rest = [name for name in value if name not in FIRST and name not in SILENT]
        for name in (*(name for name in FIRST if name in value), *rest):
            named = name in ("retryDelay", "retry_after")
            for text in _texts(value[name], depth + 1):
                unit = "s" if named and text.replace(".", "").isdigit() else ""
                yield f"{name} {text}{unit}" if named else text
