"""What the expectation rules find in official releases: found, missed, false alarms per rule.

    python benchmarks/expectation_rules.py --write docs/measurements/expectations.md

Needs the recorded releases (FRESHQA_TEST_DATA, or ../shared/data beside the checkout). Releases go
through the gate as `validate FILE --base PREVIOUS` would judge them; a finding counts where it is
new. What a rule finds is compared with `truth/defects.jsonl`, the confirmed mistakes, and with
verdicts made by hand (`expectation_verdicts.json`) for rules that infer; a rule about form (a gap,
a space, a date written otherwise) cannot be wrong about what it finds.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from expectation_findings import (
    DAMAGED,
    DATA,
    INFERRING,
    INTENDED,
    RELEASES,
    Tally,
    judged,
    releases,
    tally,
)

from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.dataset.validation import ValidationReport
from freshqa.facts.same_fact import is_replaced
from prefect_freshqa.expectations.gate import validate
from prefect_freshqa.expectations.thresholds import replaced_share


def rule_table(tallies: dict[str, Tally]) -> Iterator[str]:
    yield "| rule | severity | found | confirmed | real, by hand | false alarms |"
    yield "|---|---|---|---|---|---|"
    for rule, counts in sorted(tallies.items(), key=lambda item: (item[1].severity, item[0])):
        false = str(counts.false) if rule in INFERRING else "0 (form)"
        if rule in INTENDED:
            false = "– (reports a change)"
        if counts.unjudged:
            false += f" (+{len(counts.unjudged)} unjudged)"
        yield f"| {rule} | {counts.severity} | {counts.findings} | {counts.confirmed} | {counts.real} | {false} |"


def error_table(reports: dict[str, ValidationReport]) -> Iterator[str]:
    yield "| release | errors of the suite *dataset* |"
    yield "|---|---|"
    for (day, rows), name in zip(releases(), RELEASES.values(), strict=True):
        alone = validate(rows, as_of=date.fromisoformat(day))
        counts = Counter(v.rule for v in alone.errors)
        shown = ", ".join(f"{rule} {n}" for rule, n in sorted(counts.items())) or "none"
        yield f"| {day} ({Path(name).suffix[1:]}) | {shown} |"
    for day, name in DAMAGED.items():
        rows = read_release(DATA / "freshqa" / name, repair="none").questions
        counts = Counter(v.rule for v in validate(rows, as_of=date.fromisoformat(day)).errors)
        shown = ", ".join(f"{rule} {n}" for rule, n in sorted(counts.items()))
        yield f"| {day} (damaged copy, unrepaired) | {shown} |"


def drift_table() -> Iterator[str]:
    yield "| interval | weeks | fast replaced (allowed) | slow | never |"
    yield "|---|---|---|---|---|"
    before: tuple[str, dict[str, Question]] | None = None
    for day, rows in releases():
        if before:
            since, until = date.fromisoformat(before[0]), date.fromisoformat(day)
            cells = []
            for of in ("fast-changing", "slow-changing", "never-changing"):
                pairs = [
                    (before[1][row.key], row)
                    for row in rows
                    if row.key in before[1] and before[1][row.key].fact_type == of
                ]
                share = sum(is_replaced(old.primary, new.primary) for old, new in pairs) / len(
                    pairs
                )
                cells.append(f"{share:.3f} ({replaced_share(of, since, until, len(pairs)):.3f})")
            weeks = (until - since).days / 7
            yield f"| {before[0]} → {day} | {weeks:.1f} | {' | '.join(cells)} |"
        before = (day, {row.key: row for row in rows})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", type=Path, help="page whose tables are replaced")
    arguments = parser.parse_args()
    reports = judged()
    tallies, fates = tally(reports)
    missed = [fate for fate in fates if fate[3] == "missed"]
    parts = {
        "rules": list(rule_table(tallies)),
        "mistakes": [
            f"{len(fates) - len(missed)} of {len(fates)} confirmed mistakes are found.",
            "",
            "| release | kind | found by |",
            "|---|---|---|",
            *(f"| {version} | {kind} | {by} |" for version, _, kind, by in fates),
        ],
        "errors": list(error_table(reports)),
        "drift": list(drift_table()),
    }
    for name, lines in parts.items():
        print(f"\n{name}\n" + "\n".join(lines))
    for rule, counts in tallies.items():
        for finding in counts.unjudged:
            print("unjudged", rule, finding)
    if arguments.write:
        page = arguments.write.read_text(encoding="utf-8")
        for name, lines in parts.items():
            start, end = f"<!-- {name} -->\n", f"<!-- end {name} -->"
            head, _, rest = page.partition(start)
            page = head + start + "\n".join(lines) + "\n" + end + rest.partition(end)[2]
        arguments.write.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
