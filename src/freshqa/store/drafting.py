"""The draft: the newest version with every accepted proposal applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from freshqa.dataset.question import Question
from freshqa.dataset.validation import Reason, ValidationReport
from freshqa.errors import NotFound, NothingToDo, Refused
from freshqa.maintaining.draft import build_draft
from freshqa.store import proposals, runs
from freshqa.store.database import Store
from freshqa.store.proposals import StoredProposal
from freshqa.store.snapshots import snapshot
from freshqa.store.versions import VersionInfo, head


@dataclass(frozen=True)
class Draft:
    """What would be published.

    Args:
        base: The newest version.
        before: Its rows.
        after: The same rows with every accepted proposal applied, in official order.
        proposals: Those proposals, as they were decided.
        reasons: Key of each changed question → why, and the evidence it was taken from.
        checked_on: The day that the newest of the proposals was checked for; the base's own day
            where there is none.
    """

    base: VersionInfo
    before: tuple[Question, ...]
    after: tuple[Question, ...]
    proposals: tuple[StoredProposal, ...]
    reasons: Mapping[str, Reason]
    checked_on: date

    def require_proposals(self) -> None:
        """Raise `NothingToDo` if no proposal is accepted and unpublished."""
        if not self.proposals:
            raise NothingToDo(
                "There are no accepted proposals to publish.",
                "Accept some first: prefect-freshqa review list.",
            )


def read_draft(store: Store) -> Draft:
    """Return the newest version with every accepted proposal applied.

    Raises:
        NotFound: the store holds no version.
        Conflict: a proposal's base row has moved since it was checked.
    """
    base = head(store)
    if base is None:
        raise NotFound(
            "The store has no version.", "Import a release: prefect-freshqa import FILE."
        )
    accepted = (
        *proposals.proposals(store, status="accepted"),
        *proposals.proposals(store, status="edited"),
    )
    before = snapshot(store, base.number)
    after = build_draft(
        before,
        [(stored.proposal, stored.decision) for stored in accepted if stored.decision is not None],
    )
    reasons = {stored.proposal.key: _reason(stored) for stored in accepted}
    days = [runs.get_run(store, name).as_of for name in {stored.run for stored in accepted}]
    return Draft(base, before, after, accepted, reasons, max([base.as_of, *days]))


def require_valid(report: ValidationReport) -> None:
    """Raise `Refused` if validation found errors that the base does not have."""
    if not report.success:
        first = report.errors[0]
        raise Refused(
            f"Validation refused the draft: {len(report.errors)} errors, first {first.rule}: "
            f"{first.message}",
            "See `prefect-freshqa validate --draft`; fix the proposals, then publish again.",
        )


def _reason(stored: StoredProposal) -> Reason:
    """What was given for an accepted change: the decision's words, else the proposal's own."""
    said = stored.decision.reason if stored.decision else ""
    evidence = tuple(finding.text for finding in stored.proposal.evidence)
    return Reason(said or " ".join(stored.proposal.reasons), evidence)
