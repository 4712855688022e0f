"""Completions kept in SQLite: asked once, read for every table afterwards."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from freshqa.answering.language_model import (
    Completion,
    LanguageModel,
    Message,
    Usage,
    prompt_hash,
)
from freshqa.errors import NotFound

_SCHEMA = """
create table if not exists completion (
    key text primary key, model text not null, prompt_hash text not null, question text not null,
    messages text not null, settings text not null, reply text not null,
    finish_reason text not null, prompt_tokens integer not null,
    completion_tokens integer not null, seconds real not null, completed_at text not null
)
"""


class StoredCompletions:
    """A language model whose replies are stored by model, prompt and settings.

    Args:
        path: SQLite file; created when missing.
        label: Name of the model in the store and in tables.
        model: Asked for what is not stored; without one, that raises `NotFound`.
    """

    def __init__(self, path: str | Path, label: str, model: LanguageModel | None = None) -> None:
        self.name, self._model = label, model
        self._database = sqlite3.connect(path, timeout=60)
        self._database.execute(_SCHEMA)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        question: str = "",
        max_tokens: int = 1024,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Return the stored completion, or a new one, stored before it is returned.

        Raises:
            NotFound: Not stored, and there is no model to ask.
        """
        digest = prompt_hash(messages)
        settings = json.dumps({"max_tokens": max_tokens, "schema": schema}, sort_keys=True)
        key = hashlib.sha256(f"{self.name} {digest} {settings}".encode()).hexdigest()
        stored = self._stored(key, digest)
        if stored is not None:
            return stored
        if self._model is None:
            raise NotFound(f"No stored completion of {self.name} for {question!r}.")
        completion = self._model.complete(
            messages,
            question=question,
            max_tokens=max_tokens,
            temperature=temperature,
            schema=schema,
        )
        row = (
            key, self.name, digest, question,
            json.dumps([[m.role, m.content] for m in messages]), settings,
            completion.text, completion.finish_reason,
            completion.usage.prompt_tokens, completion.usage.completion_tokens,
            completion.seconds, completion.completed_at.isoformat(),
        )  # fmt: skip
        with self._database:
            marks = ", ".join("?" * len(row))
            self._database.execute(f"insert or replace into completion values ({marks})", row)
        return completion

    def _stored(self, key: str, digest: str) -> Completion | None:
        row = self._database.execute(
            "select reply, finish_reason, prompt_tokens, completion_tokens, seconds, completed_at"
            " from completion where key = ?",
            (key,),
        ).fetchone()
        if row is None:
            return None
        moment = datetime.fromisoformat(row[5])
        return Completion(
            text=row[0],
            model=self.name,
            prompt_hash=digest,
            completed_at=moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc),
            usage=Usage(row[2], row[3]),
            seconds=row[4],
            finish_reason=row[1],
            reused=True,
        )
