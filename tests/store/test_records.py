"""Validations, judgements, certificates and files stored with the versions."""

from __future__ import annotations

from datetime import timedelta

import pytest
from store.ledger import start
from store.sheet import DAY, NOW, sheet

from freshqa.errors import Conflict, NotFound
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.records import (
    certificates,
    judgements,
    record_certificate,
    record_judgements,
    record_validation,
    validations,
)

REPORT = {"success": False, "errors": [{"rule": "unique_keys", "value": "\ud83d"}], "warnings": []}


@pytest.fixture
def store(store: Store) -> Store:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    start(store)
    return store


def test_validations_of_versions_and_drafts_are_recorded(store: Store) -> None:
    record_validation(store, "week-11", None, REPORT, NOW)
    record_validation(store, None, 1, {"success": True}, NOW)
    newest, draft = validations(store)
    assert (newest.version, newest.success, newest.report) == (1, True, {"success": True})
    assert (draft.version, draft.success, draft.report) == (None, False, REPORT)
    assert validations(store, version=1) == (newest,)
    assert validations(store, run_key="week-11") == (draft,)
    with pytest.raises(NotFound):
        record_validation(store, None, 2, REPORT, NOW)


def test_judgements_keep_their_order_and_are_recorded_once(store: Store) -> None:
    given = [{"question": f"q{n}", "verdict": "unrated", "comment": "\0"} for n in range(30)]
    about = {"version": 1, "mode": "relaxed", "judge": "scripted", "now": NOW}
    record_judgements(store, "june", given, **about)
    assert list(judgements(store, "june")) == given
    with pytest.raises(Conflict, match="'june' is already recorded"):
        record_judgements(store, "june", given[:1], **about)
    assert judgements(store, "july") == ()


def test_certificates_are_listed_newest_first_and_filtered_by_validity(store: Store) -> None:
    for day in range(3):
        record_certificate(
            store,
            "m",
            {"day": day},
            issued_at=NOW + timedelta(days=day),
            expires_at=NOW + timedelta(days=day + 2),
        )
    record_certificate(store, "n", {}, issued_at=NOW, expires_at=NOW + timedelta(days=9))
    assert [certificate["day"] for certificate in certificates(store, model="m")] == [2, 1, 0]
    valid = certificates(store, model="m", now=NOW + timedelta(days=2))
    assert [certificate["day"] for certificate in valid] == [2, 1]
    assert len(certificates(store)) == 4
