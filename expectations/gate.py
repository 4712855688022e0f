"""The gate between a draft and a version: only what is newly wrong blocks."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from freshqa.dataset.question import Question
from freshqa.dataset.validation import ERROR, Reason, ValidationReport, Violation

if TYPE_CHECKING:
    from prefect_freshqa.expectations.evaluate import Evaluation
    from prefect_freshqa.expectations.rule import Table

NOTHING: Mapping[str, Reason] = MappingProxyType({})


def get_ready_to_validate() -> None:
    """Import Great Expectations in the background: it takes seconds, and somebody waits anyway."""
    heavy = "prefect_freshqa.expectations.evaluate"
    threading.Thread(target=import_module, args=(heavy,), daemon=True).start()


def validate(
    draft: Sequence[Question],
    *,
    as_of: date,
    base: Sequence[Question] | None = None,
    base_as_of: date | None = None,
    reasons: Mapping[str, Reason] = NOTHING,
) -> ValidationReport:
    """Run the suites *dataset* and *update* on a draft, and on its base to tell new from old.

    Args:
        draft: Questions in position order; those without a key are told apart by their wording.
        as_of: The date the draft speaks about.
        base: The published version it would replace; None when there is none: then only the suite
            *dataset* runs, and every violation is new.
        base_as_of: The date the base speaks about.
        reasons: Key of a changed question → why, and the evidence for it.

    Returns:
        A report that fails whenever a rule could not be evaluated; nothing is raised for data.
    """
    # Great Expectations takes seconds to import: paid here, once a process, and only by validation
    from prefect_freshqa.expectations.evaluate import Evaluation, evaluate

    if not draft:
        return report(
            Evaluation(failures=[_problem("questions-present", "there are no questions")])
        )
    try:
        found = evaluate(
            suites(draft, as_of=as_of, base=base, base_as_of=base_as_of, reasons=reasons)
        )
        before = evaluate(base_suites(base, as_of=base_as_of or as_of) if base else ())
    except Exception as problem:  # noqa: BLE001 - questions without a frame are never a pass
        text = f"the questions could not be laid out: {type(problem).__name__}: {problem}"
        return report(Evaluation(failures=[_problem("frame", text)]))
    return report(found, before)


def suites(
    draft: Sequence[Question],
    *,
    as_of: date,
    base: Sequence[Question] | None = None,
    base_as_of: date | None = None,
    reasons: Mapping[str, Reason] = NOTHING,
) -> Iterator[Table]:
    """The suites for a draft, each frame laid out when it is asked for; arguments as for `validate`."""
    from prefect_freshqa.expectations.dataset_suite import dataset_tables
    from prefect_freshqa.expectations.frame import keyed
    from prefect_freshqa.expectations.update_suite import update_tables

    draft = keyed(draft)
    yield from dataset_tables(draft, as_of=as_of)
    if base:
        yield from update_tables(
            keyed(base), draft, as_of=as_of, base_as_of=base_as_of, reasons=reasons
        )


def base_suites(base: Sequence[Question], *, as_of: date) -> Iterator[Table]:
    """The suites for the base, at the date it speaks about: what is overdue since then is new.

    Of the suite *update* only the order can be wrong in a version that stands beside itself.
    """
    from prefect_freshqa.expectations.dataset_suite import dataset_tables
    from prefect_freshqa.expectations.frame import keyed
    from prefect_freshqa.expectations.update_suite import order_table

    base = keyed(base)
    yield from dataset_tables(base, as_of=as_of)
    yield order_table(base)


def report(found: Evaluation, before: Evaluation | None = None) -> ValidationReport:
    """What blocks, what travels and what was there before; failures to evaluate always block."""
    had = {violation.place for violation in before.violations} if before else set()
    new = [v for v in found.violations if v.place not in had]
    errors = [*found.failures, *(v for v in new if v.severity == ERROR)]
    return ValidationReport(
        success=not errors and found.evaluated > 0,
        errors=tuple(errors),
        warnings=tuple(v for v in new if v.severity != ERROR),
        known=tuple(replace(v, known=True) for v in found.violations if v.place in had),
        evaluated=found.evaluated,
    )


def _problem(rule: str, text: str) -> Violation:
    return Violation(rule, ERROR, "", "", "", text)
