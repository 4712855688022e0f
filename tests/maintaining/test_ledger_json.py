"""JSON stored by release 0.1 is read and written unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from freshqa.errors import ErrorKind
from freshqa.evidence.evidence import Evidence
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.proposal import CheckedQuestion, FieldChange, Outcome, Proposal

LEDGER = json.loads((Path(__file__).parent / "ledger_of_0_1.json").read_text(encoding="utf-8"))
NEW_KEYS = {"error_kind": None}
NEW_KEYS_OF_EVIDENCE = {"page": "", "notes": []}
"""Keys that 0.1 did not write, with what they are then."""


def written_now(body: dict[str, Any]) -> dict[str, Any]:
    """What 0.1 wrote, with the keys that findings have since."""
    findings = [{**finding, **NEW_KEYS_OF_EVIDENCE} for finding in body["evidence"]]
    return {**body, "evidence": findings}


@pytest.mark.parametrize("body", LEDGER["checks"], ids=lambda body: body["outcome"])
def test_checks_of_0_1_are_read(body: dict[str, Any]) -> None:
    checked = CheckedQuestion.from_json(body)
    assert checked.outcome is Outcome(body["outcome"])
    assert checked.to_json() == {**written_now(body), **NEW_KEYS}
    assert list(checked.to_json()) == [*body, *NEW_KEYS]
    assert [finding.id for finding in checked.evidence] == [
        stored["id"] for stored in body["evidence"]
    ]


@pytest.mark.parametrize("body", LEDGER["proposals"], ids=lambda body: body["outcome"])
def test_proposals_of_0_1_are_read(body: dict[str, Any]) -> None:
    proposal = Proposal.from_json(body)
    assert proposal.to_json() == written_now(body)
    assert all(isinstance(change, FieldChange) for change in proposal.changes.values())
    assert all(isinstance(finding, Evidence) for finding in proposal.evidence)


def test_every_outcome_of_a_refresh_is_among_them() -> None:
    assert len(LEDGER["checks"]) >= 6 and len(LEDGER["proposals"]) >= 6


def test_unknown_keys_are_ignored_and_missing_ones_take_their_defaults() -> None:
    body = {**LEDGER["proposals"][0], "later": 1}
    for name in ("stored", "candidates", "as_of", "suggested_values"):
        body.pop(name)
    proposal = Proposal.from_json(body)
    assert (proposal.stored, proposal.candidates, proposal.as_of) == ((), (), None)


def test_flags_and_kinds_of_failures_are_stored_as_text() -> None:
    checked = CheckedQuestion.from_json(LEDGER["checks"][0])
    failed = CheckedQuestion(
        checked.key, checked.question, Outcome.failed, 0.5, (), error_kind=ErrorKind.budget
    )
    assert failed.to_json()["error_kind"] == "budget"
    assert CheckedQuestion.from_json(json.loads(json.dumps(failed.to_json()))) == failed
    flagged = Proposal("k", "Who?", "00", Outcome.changed, flags=(Flag.unjudged,))
    assert type(flagged.to_json()["flags"][0]) is str
    assert json.loads(json.dumps(flagged.to_json()))["flags"] == ["unjudged"]
