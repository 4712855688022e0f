"""What a run has paid for, replies that could not be used among it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from store.ledger import checked, start
from store.sheet import DAY, NOW, sheet

from freshqa.answering.response import Response
from freshqa.errors import ProviderError
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.recheck import recheck
from freshqa.store.calls import spent
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.versions import publish


def test_a_reply_that_cannot_be_used_is_counted(store: Store) -> None:
    def garbled(feedback: str, prior: Response | None) -> Response:
        failure = ProviderError("The reply is empty.")
        failure.tokens, failure.cost_usd = 300, Decimal("0.02")
        raise failure

    questions = sheet()
    publish(store, questions, as_of=DAY, now=NOW, parent=None)
    run = start(store)
    failed = recheck(questions[0], as_of=date(2026, 3, 9), ask=garbled)
    assert (failed.outcome, failed.tokens) == (Outcome.failed, 300)
    record_check(store, run.id, failed, now=NOW)
    fine = replace(checked(questions[1]), cost_usd=Decimal(9))  # its calls would be in the ledger
    record_check(store, run.id, fine, now=NOW)
    assert spent(store, run.id).usd == Decimal("0.02")
