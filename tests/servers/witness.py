"""Compare requests that the providers received with the ledger: none paid twice or lost."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from servers.gauges import Providers, level, moved, number_of, question_text
from servers.serpapi_server import query_of
from sqlalchemy import select

from freshqa.answering.language_model import Message, prompt_hash
from freshqa.store import proposals, verifying
from freshqa.store.calls import text_hash
from freshqa.store.checks import checks
from freshqa.store.database import Store
from freshqa.store.ledger_schema import completion, search


@dataclass
class Witness:
    """Follows the calls of one store through kills.

    Attributes:
        paid_again: Calls that were asked although the ledger already held their answer.
        lost: Calls whose answer a kill cut off before it was in the ledger; they are asked again,
            which no client can avoid.
    """

    providers: Providers
    paid_again: list[str] = field(default_factory=list)
    lost: int = 0
    calls: int = 0
    _known: set[str] = field(default_factory=set)

    def look(self, store: Store) -> None:
        """Account for the calls since the last look; call it after each kill and at the end."""
        time.sleep(max(self.providers.search.latency, self.providers.model.latency))
        asked = [text_hash(query_of(request)) for request in self.providers.search.requests]
        asked += [
            prompt_hash([Message(m["role"], m["content"]) for m in request.body["messages"]])
            for request in self.providers.model.requests
            if isinstance(request.body, dict)  # a kill may cut a request before it is all there
        ]
        self.providers.search.requests.clear()
        self.providers.model.requests.clear()
        with store.read() as connection:
            held = set(connection.execute(select(search.c.query_hash)).scalars())
            held |= set(connection.execute(select(completion.c.prompt_hash)).scalars())
        self.calls += len(asked)
        self.paid_again += [call for call in asked if call in self._known]
        self.paid_again += [call for call, times in Counter(asked).items() if times > 1]
        self.lost += len([call for call in asked if call not in held])
        self._known = held


def faults(store: Store, size: int, run: str) -> list[str]:
    """What is wrong with a finished run over `size` gauges; empty when nothing is."""
    differences: list[str] = []
    checked = Counter(item.question for item in checks(store, run))
    wanted = Counter(question_text(number) for number in range(size))
    if checked != wanted:
        differences.append(f"checks: {(checked - wanted) or (wanted - checked)}")
    by_question = {
        stored.proposal.question: stored for stored in proposals.proposals(store, status=None)
    }
    due = {question_text(number) for number in range(size) if moved(number)}
    if len(by_question) != len(proposals.proposals(store, status=None)) or set(by_question) != due:
        differences.append(f"proposals: {sorted(set(by_question) ^ due)[:5]}")
    for question, stored in by_question.items():
        proposed = stored.proposal.changes["answer_0"].new
        if proposed != level(number_of(question)):
            differences.append(f"proposal of {question}: {proposed}")
    verified = verifying.verify(store)
    differences += [f"version {v.number}: {v.problems}" for v in verified if v.status != "ok"]
    return differences
