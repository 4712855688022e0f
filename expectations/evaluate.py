"""Runs rules with Great Expectations and turns its results into plain violations.

Fails closed: a rule without a result, an unexpected result, a rule that saw fewer rows than
the frame has, and an exception inside a rule are errors that name the rule, whatever its severity.
Great Expectations itself would report some of these as a pass, and keeps the severity of a rule
that raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from great_expectations.core import ExpectationSuite, ExpectationValidationResult

from freshqa.dataset.validation import ERROR, Violation
from prefect_freshqa.expectations.engine import ONE_AT_A_TIME, batch_of
from prefect_freshqa.expectations.one_pass import direct_result, result_format
from prefect_freshqa.expectations.rule import Rule, Table, shown

TableResults = tuple[str, list[ExpectationValidationResult]]
"""Name of a table, and what Great Expectations found in it."""


class NotEvaluated(Exception):
    """A rule has no result, or an invalid one."""


@dataclass
class Evaluation:
    """The result of running rules.

    Args:
        violations: Places that break a rule.
        failures: Rules that could not be evaluated; never known, always errors.
        evaluated: Rules with a usable result.
        results: Name of each table (chunks have the same) and the results of Great Expectations,
            which Data Docs show.
    """

    violations: list[Violation] = field(default_factory=list)
    failures: list[Violation] = field(default_factory=list)
    evaluated: int = 0
    results: list[TableResults] = field(default_factory=list)


def evaluate(tables: Iterable[Table]) -> Evaluation:
    """Run every rule of every table, one table after the other.

    Of a rule that could be evaluated for a part of its chunks only, nothing but that is known.

    Raises:
        What laying out a table raises; nothing for a broken frame or rule: that becomes a failure
        in the result.
    """
    by_rule: dict[tuple[str, str], _Found] = {}
    shown = []
    with ONE_AT_A_TIME:
        for table in tables:
            results: list[ExpectationValidationResult] = []
            shown.append((table.name, results))
            for name, violations, failure in _judged_rules(table, results):
                of_rule = by_rule.setdefault((table.name, name), _Found())
                of_rule.violations += violations
                of_rule.failure = of_rule.failure or failure
            del table  # before the next frame is built
    sound = [of_rule for of_rule in by_rule.values() if of_rule.failure is None]
    return Evaluation(
        violations=[violation for of_rule in sound for violation in of_rule.violations],
        failures=[of_rule.failure for of_rule in by_rule.values() if of_rule.failure],
        evaluated=len(sound),
        results=shown,
    )


@dataclass
class _Found:
    """The result of one rule over all chunks of its table."""

    violations: list[Violation] = field(default_factory=list)
    failure: Violation | None = None


def validation_results(table: Table) -> list[ExpectationValidationResult]:
    """Great Expectations' own results for one table; the caller holds `ONE_AT_A_TIME`."""
    results: list[ExpectationValidationResult] = []
    left = []
    for rule in table.rules:
        try:
            results.append(direct_result(rule, table.frame))
        except Exception:  # noqa: BLE001 - whatever it is, Great Expectations says it in a result
            left.append(rule.configured)
    if left:
        suite = ExpectationSuite(name=table.name, expectations=left)
        with batch_of(table) as batch:
            format = result_format(table.frame)
            results += batch.validate(suite, result_format=format).results
    return results


def _judged_rules(
    table: Table, results: list[ExpectationValidationResult]
) -> Iterator[tuple[str, list[Violation], Violation | None]]:
    """Yield the name of each rule, what breaks it, and why that cannot be known; fills `results`.

    Results are matched to rules by name: they are returned in another order, and one may be missing.
    """
    try:
        results += validation_results(table)
    except Exception as problem:  # noqa: BLE001 - whatever fails is an error that names the rule
        text = _described(problem)
        yield from ((rule.name, [], _problem(rule.name, table.name, text)) for rule in table.rules)
        return
    by_rule: dict[str, list[ExpectationValidationResult]] = {rule.name: [] for rule in table.rules}
    for result in results:
        name = (result.expectation_config.meta or {}).get("rule", "?")
        by_rule.setdefault(name, []).append(result)
    rules = {rule.name: rule for rule in table.rules}
    for name, of_rule in by_rule.items():
        try:
            violations, failure = _judged(rules.get(name), table, of_rule), None
        except Exception as problem:  # noqa: BLE001 - whatever fails is an error that names the rule
            violations, failure = [], _problem(name, table.name, _described(problem))
        yield name, violations, failure


def _judged(
    rule: Rule | None, table: Table, results: list[ExpectationValidationResult]
) -> list[Violation]:
    """Return what one rule found.

    Raises:
        NotEvaluated: The result is invalid.
    """
    if rule is None or len(results) != 1:
        raise NotEvaluated(f"{len(results)} results where {int(rule is not None)} was expected")
    problem = _incomplete(rule, table, results[0])
    if problem:
        raise NotEvaluated(problem)
    return [] if results[0].success else list(_violations(rule, table, results[0]))


def _incomplete(rule: Rule, table: Table, result: ExpectationValidationResult) -> str:
    """Return why a result is invalid, or ""."""
    raised = _exception(result.exception_info)
    if raised:
        return raised
    seen = result.result.get("element_count")
    if seen is None:
        return "" if "observed_value" in result.result else "no result"
    there = len(table.frame)
    if rule.where is not None:
        column, value = rule.where
        there = int((table.frame[column] == value).sum())
    return "" if seen == there else f"{seen} of {there} rows were looked at"


def _exception(info: Any) -> str:
    """First line of the exception in either of the two shapes that are used, or ""."""
    shapes = [info] if "raised_exception" in (info or {}) else list((info or {}).values())
    for shape in shapes:
        if isinstance(shape, dict) and shape.get("raised_exception"):
            text = str(shape.get("exception_message") or "exception").strip()
            return text.splitlines()[0]
    return ""


def _violations(
    rule: Rule, table: Table, result: ExpectationValidationResult
) -> Iterator[Violation]:
    places = result.result.get("unexpected_index_list")
    if not places:
        observed = result.result.get("observed_value", "")
        observed = round(observed, 3) if isinstance(observed, float) else observed
        message = rule.message({"observed": observed})
        yield Violation(rule.name, rule.severity, "", rule.column, str(observed), message)
        return
    told = {
        name: tell
        for name, tell in table.told.items()
        if name == rule.column or f"{{{name}}}" in rule.says
    }
    rows = table.frame.iloc[[int(place["row"]) for place in places]]
    for cells in rows.to_dict("records"):
        row = {str(name): value for name, value in cells.items()}
        row.update({name: tell(row) for name, tell in told.items()})
        column = row.get("column") if rule.column == "text" else rule.column
        value = row.get("text" if rule.column == "text" else rule.column)
        yield Violation(
            rule=rule.name,
            severity=rule.severity,
            question=shown(row.get("asked")),
            column=str(column or ""),
            value=shown(value),
            message=rule.message(row),
            key=shown(row.get("key")),
        )


def _described(problem: Exception) -> str:
    kind = "" if isinstance(problem, NotEvaluated) else f"{type(problem).__name__}: "
    return f"{kind}{problem}".splitlines()[0]


def _problem(rule: str, suite: str, text: str) -> Violation:
    message = f"the rule {rule} of {suite} could not be evaluated: {text}"
    return Violation(rule, ERROR, "", "", "", message)
