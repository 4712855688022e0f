"""The gate between a draft and a version: only what is newly wrong blocks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from freshqa.dataset.question import Question
from freshqa.dataset.validation import ERROR, ValidationReport, Violation

if TYPE_CHECKING:
    from prefect_freshqa.expectations.evaluate import Evaluation


def validate(
    draft: Sequence[Question],
    *,
    as_of: date,
    base: Sequence[Question] | None = None,
    base_as_of: date | None = None,
) -> ValidationReport:
    """Run the expectation suites on a draft, and on its base to tell new violations from old.

    Args:
        draft: Questions in position order; those without a key are told apart by their wording.
        as_of: The date the draft speaks about.
        base: The published version it would replace; None when there is none, and then every
            violation is new.
        base_as_of: The date the base speaks about.

    Returns:
        A report that fails whenever a rule could not be evaluated.
    """
    # Great Expectations takes seconds to import: paid here, once a process, and only by validation
    from prefect_freshqa.expectations.dataset_suite import dataset_tables
    from prefect_freshqa.expectations.evaluate import Evaluation, evaluate
    from prefect_freshqa.expectations.frame import keyed

    if not draft:
        return report(Evaluation(failures=[_empty()]), None)
    found = evaluate(dataset_tables(keyed(draft), as_of=as_of))
    if base is None:
        return report(found, None)
    return report(found, evaluate(dataset_tables(keyed(base), as_of=as_of)))


def report(found: Evaluation, before: Evaluation | None) -> ValidationReport:
    """What blocks, what travels and what was there before; failures to evaluate always block."""
    had = {violation.place for violation in before.violations} if before else set()
    new = [v for v in found.violations if v.place not in had]
    known = [v for v in found.violations if v.place in had]
    errors = [*found.failures, *(v for v in new if v.severity == ERROR)]
    return ValidationReport(
        success=not errors and found.evaluated > 0,
        errors=tuple(errors),
        warnings=tuple(v for v in new if v.severity != ERROR),
        known=tuple(_known(violation) for violation in known),
        evaluated=found.evaluated,
    )


def _known(violation: Violation) -> Violation:
    from dataclasses import replace

    return replace(violation, known=True)


def _empty() -> Violation:
    message = "there are no questions: an empty draft would delete the dataset"
    return Violation("questions-present", ERROR, "", "", "0", message)
