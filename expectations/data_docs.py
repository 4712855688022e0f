"""The Data Docs of a validation, as a folder that needs no network.

The pages that Great Expectations writes load styles and scripts from ten content networks and its
logo with a timestamp; those references are taken out and one small style sheet is put in.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime, timezone
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import great_expectations
from great_expectations.core import (
    ExpectationSuite,
    ExpectationSuiteValidationResult,
    ExpectationValidationResult,
    RunIdentifier,
)
from great_expectations.data_context import EphemeralDataContext
from great_expectations.data_context.types.resource_identifiers import (
    ExpectationSuiteIdentifier,
    ValidationResultIdentifier,
)
from great_expectations.validator.validation_statistics import calc_validation_statistics

from prefect_freshqa.expectations.engine import ONE_AT_A_TIME, quiet_context
from prefect_freshqa.expectations.evaluate import TableResults
from prefect_freshqa.expectations.inert import unveiled, veiled

SITE = "freshqa"
ROW = "row"
"""Row number in a frame, by which the gate finds the row."""
STYLE = """<style>
body { font: 15px/1.45 system-ui, sans-serif; max-width: 75rem; margin: 1rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } td, th { border: 1px solid #ccc; padding: .3rem }
th { background: #f2f2f2; text-align: left } .modal, .d-none, #walkthrough { display: none }
.badge { font-family: monospace } .text-danger { color: #b00020 } .text-success { color: #0b7a2b }
.text-danger::before { content: "✗" } .text-success::before { content: "✓" }
</style>
"""
_SCRIPT = re.compile(r"<script\b[^>]*\bsrc=\"https?://[^>]*>\s*</script>", re.IGNORECASE)
_TAG = re.compile(r"<(?:link|img)\b[^>]*\b(?:href|src)=\"https?://[^>]*>", re.IGNORECASE)
_STYLE_URL = re.compile(r"url\(\s*['\"]?https?://[^)]*\)", re.IGNORECASE)


def write_data_docs(tables: Iterable[TableResults], folder: Path) -> Path:
    """Write the pages of a validation that was run.

    Args:
        tables: From `prefect_freshqa.expectations.gate.judge`; each chunk has a page of its own.
        folder: Where to; what it holds is overwritten.

    Returns:
        The index page.

    Raises:
        OSError: The folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    outcomes: dict[str, dict[str, Any]] = {}
    chunks: Counter[str] = Counter()
    run = RunIdentifier(run_time=datetime.now(timezone.utc))
    with ONE_AT_A_TIME:
        context = quiet_context(data_docs={SITE: _site(folder)})
        for table, results in tables:
            chunks[table] += 1
            name = f"{table}-{chunks[table]}" if chunks[table] > 1 else table
            outcomes[name] = _store_results(context, name, results, run)
        context.build_data_docs(site_names=[SITE])
    for page in folder.rglob("*.html"):
        written = unveiled(offline(page.read_text(encoding="utf-8")))
        page.write_text(written, encoding="utf-8")
    shutil.rmtree(folder / "static", ignore_errors=True)  # fonts and pictures of the scripts
    index = folder / "index.html"
    index.write_text(_index(outcomes, folder), encoding="utf-8")
    return index


def _store_results(
    context: EphemeralDataContext,
    name: str,
    results: Sequence[ExpectationValidationResult],
    run: RunIdentifier,
) -> dict[str, Any]:
    """Put the results of one table where the pages are made from; how many hold."""
    suite = ExpectationSuite(
        name=name, expectations=[result.expectation_config for result in results]
    )
    context.suites.add(suite)
    statistics = calc_validation_statistics(results)._asdict()
    success = statistics.pop("success")
    suite_id = ExpectationSuiteIdentifier(name=name)
    context.validation_results_store.store_validation_results(
        suite_validation_result=ExpectationSuiteValidationResult(
            success=success,
            results=[_for_a_reader(result) for result in results],
            suite_name=name,
            statistics=statistics,
            meta={"great_expectations_version": great_expectations.__version__, "run_id": run},
        ),
        suite_validation_result_identifier=ValidationResultIdentifier(
            expectation_suite_identifier=suite_id, run_id=run, batch_identifier=f"{SITE}-{name}"
        ),
        expectation_suite_identifier=suite_id,
    )
    return dict(statistics)


def _for_a_reader(result: ExpectationValidationResult) -> ExpectationValidationResult:
    """Return the result as pages show it: no row numbers, and no cell that is HTML.

    A reader knows a question by its key and its wording.
    """
    shown = copy(result)
    shown.result = veiled(result.result)
    shown.exception_info = veiled(result.exception_info)
    for name in ("unexpected_index_list", "partial_unexpected_index_list"):
        if shown.result.get(name):
            shown.result[name] = [
                {column: cell for column, cell in place.items() if column != ROW}
                for place in shown.result[name]
            ]
    names = shown.result.get("unexpected_index_column_names")
    if names:
        shown.result["unexpected_index_column_names"] = [name for name in names if name != ROW]
    return shown


def offline(page: str) -> str:
    """Return a page without references to other hosts, except links that a reader may follow."""
    for pattern in (_SCRIPT, _TAG):
        page = pattern.sub("", page)
    return _STYLE_URL.sub("none", page).replace("</head>", STYLE + "</head>", 1)


def _index(outcomes: Mapping[str, Mapping[str, Any]], folder: Path) -> str:
    """A list of the pages: the one that Great Expectations writes is empty without its scripts."""
    items = []
    for name, counts in outcomes.items():
        page = next((folder / "validations" / name).rglob("*.html")).relative_to(folder)
        items.append(
            f'<li><a href="{quote(page.as_posix())}">{escape(name)}</a>: '
            f"{counts['unsuccessful_expectations']} of {counts['evaluated_expectations']} "
            "expectations do not hold</li>"
        )
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Validation</title>{STYLE}'
        f"</head><body><h1>Validation</h1><ul>{''.join(items)}</ul></body></html>\n"
    )


def _site(folder: Path) -> dict[str, object]:
    return {
        "class_name": "SiteBuilder",
        "show_how_to_buttons": False,
        "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
        "store_backend": {
            "class_name": "TupleFilesystemStoreBackend",
            "base_directory": str(folder.resolve()),
        },
    }
