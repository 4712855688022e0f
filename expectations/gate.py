"""The gate between a draft and a version: only new errors block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING

from freshqa.dataset.layout import of_own_columns
from freshqa.dataset.question import Question
from freshqa.dataset.validation import ERROR, Reason, ValidationReport, Violation

if TYPE_CHECKING:
    from prefect_freshqa.expectations.evaluate import Evaluation, TableResults
    from prefect_freshqa.expectations.rule import Table

Place = tuple[str, str, str]
ORDERS = ("draft-order", "row-order")
NOTHING: Mapping[str, Reason] = MappingProxyType({})


def validate(
    draft: Sequence[Question],
    *,
    as_of: date,
    base: Sequence[Question] | None = None,
    base_as_of: date | None = None,
    reasons: Mapping[str, Reason] = NOTHING,
    lacking: Collection[str] = (),
) -> ValidationReport:
    """Run the suites *dataset* and *update* on a draft, and on its base to tell new from old.

    Args:
        draft: Questions in position order; those without a key are told apart by their wording.
        as_of: The date the draft speaks about.
        base: The published version it would replace; None when there is none: then only the suite
            *dataset* runs, and every violation is new.
        base_as_of: The date the base speaks about.
        reasons: Key of a changed question → why, and the evidence for it.
        lacking: Columns that the dataset does not have (`lacking_columns`): their rules are skipped
            while every row leaves them empty.

    Returns:
        A report that fails whenever a rule could not be evaluated; nothing is raised for data.
    """
    judged = judge(
        draft, as_of=as_of, base=base, base_as_of=base_as_of, reasons=reasons, lacking=lacking
    )
    return judged.report


@dataclass(frozen=True)
class Judged:
    """The result of a validation.

    Args:
        report: Errors that block, warnings of the version, and violations that the base has too.
        results: Great Expectations' own results for the draft, by table, for Data Docs.
    """

    report: ValidationReport
    results: Sequence[TableResults] = ()


def judge(
    draft: Sequence[Question],
    *,
    as_of: date,
    base: Sequence[Question] | None = None,
    base_as_of: date | None = None,
    reasons: Mapping[str, Reason] = NOTHING,
    lacking: Collection[str] = (),
) -> Judged:
    """`validate`, with the results that its Data Docs are written from."""
    # Great Expectations takes seconds to import: paid here, once a process, and only by validation
    from prefect_freshqa.expectations.evaluate import Evaluation, evaluate

    if not draft:
        problem = _problem("questions-present", "there are no questions")
        return Judged(report(Evaluation(failures=[problem])))
    skipped: set[str] = set()
    try:
        absent = {column for column in lacking if not any(q.fields[column].strip() for q in draft)}
        if all(map(of_own_columns, draft)):
            absent.update(ORDERS)  # the order of its own file: see `freshqa.maintaining.draft`
        tables = suites(draft, as_of=as_of, base=base, base_as_of=base_as_of, reasons=reasons)
        evaluation = evaluate(_without(absent, tables, skipped))
        had = _places_of_base(evaluation, draft, base, as_of=as_of, base_as_of=base_as_of or as_of)
    except Exception as problem:  # noqa: BLE001 - questions without a frame are never a pass
        text = f"the questions could not be laid out: {type(problem).__name__}: {problem}"
        return Judged(report(Evaluation(failures=[_problem("frame", text)])))
    judged = replace(report(evaluation, had), skipped=tuple(sorted(skipped)))
    return Judged(judged, evaluation.results)


def _without(columns: set[str], tables: Iterator[Table], skipped: set[str]) -> Iterator[Table]:
    """Yield the tables without the rules about some columns, whose names go into `skipped`."""
    for table in tables:
        rules = tuple(r for r in table.rules if not {r.column, r.name} & columns)
        skipped |= {rule.name for rule in table.rules} - {rule.name for rule in rules}
        if rules:
            yield replace(table, rules=rules) if len(rules) < len(table.rules) else table


def _places_of_base(
    evaluation: Evaluation,
    draft: Sequence[Question],
    base: Sequence[Question] | None,
    *,
    as_of: date,
    base_as_of: date,
) -> frozenset[Place]:
    """Return where the base breaks a rule that the draft breaks.

    A row that the draft left as it was is judged once, there. Of the base, only what the draft
    breaks is judged: nothing else can tell old from new.
    """
    from prefect_freshqa.expectations.dataset_suite import rules_of_the_day, timeless_rules
    from prefect_freshqa.expectations.evaluate import evaluate
    from prefect_freshqa.expectations.frame import keyed

    if not base or not evaluation.violations:
        return frozenset()
    base = keyed(base)
    kept = _unchanged(base, keyed(draft))
    timeless = timeless_rules() | (rules_of_the_day() if as_of == base_as_of else frozenset())
    same = {v.place for v in evaluation.violations if v.key in kept and v.rule in timeless}
    open_ones = [v for v in evaluation.violations if v.place not in same]
    before = evaluate(base_suites(base, as_of=base_as_of, broken=open_ones))
    return frozenset(same | {violation.place for violation in before.violations})


def _unchanged(base: Sequence[Question], draft: Sequence[Question]) -> frozenset[str]:
    """Return the keys of the rows of the base that the draft holds as they were, and only once."""
    times = Counter(question.key for question in draft)
    now = {question.key: question for question in draft if times[question.key] == 1}
    return frozenset(
        question.key
        for question in base
        if (same := now.get(question.key)) and same.fields == question.fields
    )


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


def base_suites(
    base: Sequence[Question],
    *,
    as_of: date,
    broken: Sequence[Violation] | None = None,
) -> Iterator[Table]:
    """The suites for the base, at the date it speaks about: what is overdue since then is new.

    Of the suite *update* only the order can be wrong in a version compared with itself.

    Args:
        broken: What the draft breaks: no other rule is run, and those about single rows read no
            row of another key. None for every rule on every row.
    """
    from prefect_freshqa.expectations.dataset_suite import dataset_tables
    from prefect_freshqa.expectations.frame import keyed
    from prefect_freshqa.expectations.update_suite import ORDER, order_table

    base = keyed(base)
    if broken is None:
        yield from dataset_tables(base, as_of=as_of)
        yield order_table(base)
        return
    rules = {violation.rule for violation in broken}
    keys = {violation.key for violation in broken}
    yield from dataset_tables(base, as_of=as_of, only=rules, keys=keys)
    if ORDER.name in rules:
        yield order_table(base)


def report(evaluation: Evaluation, had: Container[Place] = ()) -> ValidationReport:
    """Errors, warnings and violations that the base has too; failures to evaluate always block.

    Args:
        had: Where the base breaks a rule.
    """
    new = [v for v in evaluation.violations if v.place not in had]
    errors = [*evaluation.failures, *(v for v in new if v.severity == ERROR)]
    return ValidationReport(
        success=not errors and evaluation.evaluated > 0,
        errors=tuple(errors),
        warnings=tuple(v for v in new if v.severity != ERROR),
        known=tuple(replace(v, known=True) for v in evaluation.violations if v.place in had),
        evaluated=evaluation.evaluated,
    )


def _problem(rule: str, text: str) -> Violation:
    return Violation(rule, ERROR, "", "", "", text)
