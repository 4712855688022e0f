"""A certificate for people: rates reached, bounds required, and the figures of every probe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from freshqa.evaluation.presentation import Section, section_markdown
from freshqa.evaluation.rate import Rate
from freshqa.evaluation.rgb.closed_book import gate_note
from freshqa.evaluation.rgb.metrics import JUDGED_ACCURACY, METRICS


def certificate_sections(certificate: Mapping[str, Any]) -> tuple[Section, ...]:
    """Bounds, probes and mistakes as tables; those without rows are left out."""
    tables = (_bounds(certificate), _probes(certificate), _mistakes(certificate))
    return tuple(section for section in tables if section.rows)


def certificate_heading(certificate: Mapping[str, Any]) -> str:
    """Return one line: model, method, dates, and whether it passed."""
    verdict = "qualifies" if certificate["passed"] else "does not qualify"
    return (
        f"{certificate['model']} asked by {certificate['method']} {verdict}"
        f" (issued {certificate['issued_on']}, expires {certificate['expires_on']})"
    )


def certificate_remarks(certificate: Mapping[str, Any]) -> list[str]:
    """Every bound that failed, and what the model knows without documents where that was probed."""
    gate = certificate.get("closed_book")
    return [*certificate["failed_bounds"], *([gate_note(gate)] if gate else [])]


def certificate_markdown(certificate: Mapping[str, Any]) -> str:
    """Return the certificate as markdown."""
    failed = [f"- {line}" for line in certificate_remarks(certificate)]
    tables = [section_markdown(section) for section in certificate_sections(certificate)]
    return "\n\n".join([certificate_heading(certificate), *failed, *tables]) + "\n"


def _bounds(certificate: Mapping[str, Any]) -> Section:
    rows = []
    for bound in certificate["bounds"]:
        rate = certificate["rates"].get(bound["metric"])
        reached = "not probed"
        passed = False
        if rate is not None and rate["n"]:
            reached = f"{rate['hits']} of {rate['n']}: {Rate.from_json(rate)}"
            passed = rate["low"] >= bound["at_least"]
        needed = f"{100 * bound['at_least']:.0f}"
        rows.append((bound["metric"], bound["says"], reached, needed, "yes" if passed else "no"))
    heads = ("bound", "what", "reached, % [95 % interval]", "lower end needed", "passed")
    return Section("Bounds", heads, tuple(rows))


def _probes(certificate: Mapping[str, Any]) -> Section:
    judged = any(JUDGED_ACCURACY in probe["rates"] for probe in certificate["details"])
    metrics = (*METRICS, *([JUDGED_ACCURACY] if judged else []))
    rows = [
        (
            probe["testbed"],
            str(probe["documents"]),
            f"{probe['noise']:g}",
            f"{probe['correct']:g}",
            *(_share(probe["rates"].get(name)) for name in metrics),
            str(probe["rates"]["ACC"]["n"]),
            str(probe["short"]),
            str(len(probe["failed"])),
        )
        for probe in certificate["details"]
    ]
    heads = ("testbed", "documents", "noise", "correct", *metrics, "n", "short", "failed")
    return Section("Probes, %", heads, tuple(rows))


def _mistakes(certificate: Mapping[str, Any]) -> Section:
    counts: Counter[str] = Counter()
    for probe in certificate["details"]:
        counts.update(probe["mistakes"])
    rows = tuple((name, str(count)) for name, count in counts.most_common())
    return Section("Mistakes, where the class is known", ("class", "replies"), rows)


def _share(rate: Mapping[str, Any] | None) -> str:
    return "-" if rate is None or rate["value"] is None else f"{100 * rate['value']:.1f}"
