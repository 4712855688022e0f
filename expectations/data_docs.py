"""Great Expectations' own pages of a validation, as a folder that needs no network.

The pages that Great Expectations writes load styles and scripts from ten content networks and its
logo with a timestamp; those references are taken out and one small style sheet is put in.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from great_expectations import ValidationDefinition
from great_expectations.core import ExpectationSuite

from prefect_freshqa.expectations.evaluate import ONE_AT_A_TIME, quiet_context
from prefect_freshqa.expectations.inert import unveiled, veiled
from prefect_freshqa.expectations.rule import Table

RESULT_FORMAT = {
    "result_format": "COMPLETE",
    "unexpected_index_column_names": ["key", "asked"],
    "return_unexpected_index_query": False,
}
SITE = "freshqa"
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


def write_data_docs(tables: Iterable[Table], folder: Path) -> Path:
    """Evaluate the tables again and write their pages.

    Args:
        tables: From `prefect_freshqa.expectations.gate.suites`; each chunk has a page of its own.
        folder: Where to; what it holds is overwritten.

    Returns:
        The index page.

    Raises:
        OSError: The folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    outcomes: dict[str, dict[str, Any]] = {}
    chunks: Counter[str] = Counter()
    with ONE_AT_A_TIME:
        context = quiet_context(data_docs={SITE: _site(folder)})
        source = context.data_sources.add_pandas(SITE)
        for table in tables:
            chunks[table.name] += 1
            name = f"{table.name}-{chunks[table.name]}" if chunks[table.name] > 1 else table.name
            asset = source.add_dataframe_asset(name)
            suite = ExpectationSuite(
                name=name, expectations=[rule.configured() for rule in table.rules]
            )
            definition = ValidationDefinition(
                name=name,
                data=asset.add_batch_definition_whole_dataframe(name),
                suite=context.suites.add(suite),
            )
            result = context.validation_definitions.add(definition).run(
                batch_parameters={"dataframe": table.frame}, result_format=RESULT_FORMAT
            )
            outcomes[name] = dict(result.statistics)
        _veil_results(context)
        context.build_data_docs(site_names=[SITE])
    for page in folder.rglob("*.html"):
        written = unveiled(offline(page.read_text(encoding="utf-8")))
        page.write_text(written, encoding="utf-8")
    shutil.rmtree(folder / "static", ignore_errors=True)  # fonts and pictures of the scripts
    index = folder / "index.html"
    index.write_text(_index(outcomes, folder), encoding="utf-8")
    return index


def _veil_results(context: Any) -> None:
    """Keep cells of the data from being HTML in the pages built next."""
    store = context.validation_results_store
    for key in store.list_keys():
        suite_result = store.get(key)
        if isinstance(suite_result, dict):
            suite_result = store.deserialize(suite_result)
        for outcome in suite_result.results:
            outcome.result = veiled(outcome.result)
            outcome.exception_info = veiled(outcome.exception_info)
        store.set(key, suite_result)


def offline(page: str) -> str:
    """A page without references to other hosts, except links that a reader may follow."""
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
