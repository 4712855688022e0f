"""A language model that answers from a recording: replay, demonstration, tests without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

from freshqa.answering.language_model import Completion, Message, Usage, prompt_hash
from freshqa.errors import BadData, NotFound
from freshqa.storable import storable

SHAPE = 'Each line is {"question": …, "response": …} or {"prompt_hash": …, "response": …}.'


class RecordedCompletions:
    """Replies by prompt hash, else by question.

    Args:
        path: JSON lines. Optional keys of a line: `model`, `prompt_tokens`, `completion_tokens`,
            `completed_at` (ISO 8601); a line that does not say when is as old as its file.

    Raises:
        NotFound: no such file.
        BadData: a line is not JSON or lacks its keys.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.name = f"recorded:{self.path.name}"
        self._by_hash: dict[str, Mapping[str, Any]] = {}
        self._by_question: dict[str, Mapping[str, Any]] = {}
        if not self.path.is_file():
            raise NotFound(f"Recording of model replies not found: {path}.", "Check the path.")
        self._recorded_at = datetime.fromtimestamp(self.path.stat().st_mtime, timezone.utc)
        with self.path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    self._add(line, number)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        question: str = "",
        max_tokens: int = 1024,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Return the recorded reply; limits and schema have no effect on it.

        Raises:
            NotFound: neither this prompt nor this question is recorded.
        """
        digest = prompt_hash(messages)
        record = self._by_hash.get(digest) or self._by_question.get(question.strip())
        if record is None:
            raise NotFound(
                f"{self.path.name} has no reply to {question!r} (prompt {digest[:12]}).",
                "Record it, or use a live model.",
            )
        return Completion(
            text=str(record["response"]),
            model=str(record.get("model") or self.name),
            prompt_hash=digest,
            completed_at=_moment(record.get("completed_at")) or self._recorded_at,
            usage=Usage(
                int(record.get("prompt_tokens") or 0), int(record.get("completion_tokens") or 0)
            ),
            cost_usd=Decimal(0),
            finish_reason=str(record.get("finish_reason") or "stop"),
            raw=dict(record),
            reused=True,
        )

    def _add(self, line: str, number: int) -> None:
        where = f"{self.path.name}, line {number}"
        try:
            record = storable(json.loads(line))
        except ValueError:
            raise BadData(f"{where}: not JSON.", SHAPE) from None
        if not isinstance(record, dict) or not isinstance(record.get("response"), str):
            raise BadData(f"{where}: `response` must be text.", SHAPE)
        if record.get("completed_at") and _moment(record["completed_at"]) is None:
            raise BadData(
                f"{where}: `completed_at` is not a valid time.",
                "Use a format such as 2024-03-13T09:00:00Z.",
            )
        if record.get("prompt_hash"):
            self._by_hash[str(record["prompt_hash"])] = record
        elif record.get("question"):
            self._by_question[str(record["question"]).strip()] = record
        else:
            raise BadData(f"{where}: `question` or `prompt_hash` is required.", SHAPE)


def _moment(text: object) -> datetime | None:
    """Return an aware time; UTC where it does not say. Python 3.10 does not read a `Z`."""
    try:
        moment = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
