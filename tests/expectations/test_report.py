"""The validation report: escaped markdown, and pages that need no network."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from freshqa.dataset.question import Question
from freshqa.dataset.validation import ValidationReport, Violation
from prefect_freshqa.expectations.data_docs import offline, write_data_docs
from prefect_freshqa.expectations.gate import judge
from prefect_freshqa.expectations.report import headline, validation_markdown

ERROR = Violation(
    rule="text-plain",
    severity="error",
    question="Who | leads?",
    column="answer_1",
    value="[x](http://evil.example)",
    message="a\nline",
    key="q",
)
WARNING = Violation(
    rule="source-https",
    severity="warning",
    question="Who?",
    column="source",
    value="http://a",
    message="not https",
    key="q",
)
REPORT = ValidationReport(
    success=False, errors=(ERROR,), warnings=(WARNING, WARNING), known=(WARNING,), evaluated=47
)


def test_the_headline_states_the_counts() -> None:
    assert headline(REPORT) == (
        "Refused: 1 error, 2 warnings, 1 known from the base, 47 rules evaluated."
    )


def test_external_text_is_escaped_in_markdown() -> None:
    page = validation_markdown(REPORT, docs="file:///tmp/index.html")
    assert (
        r"- **text-plain** Who \| leads? · answer\_1 “\[x\](http://evil.example)” · a line" in page
    )
    assert "<file:///tmp/index.html>" in page
    assert "- source-https: 1" in page


def test_a_long_report_is_cut_and_says_so() -> None:
    many = ValidationReport(success=False, errors=(ERROR,) * 150, warnings=(), evaluated=47)
    page = validation_markdown(many)
    assert page.count("- **text-plain**") == 100
    assert "50 more in the ledger" in page


def test_data_docs_name_the_failing_row_and_load_nothing(tmp_path: Path) -> None:
    question = Question({"question": "Who leads the Guild?", "answer_0": "=1+1"}, key="q-guild")
    index = write_data_docs(judge([question], as_of=date(2025, 3, 10)).results, tmp_path / "docs")
    assert index == tmp_path / "docs" / "index.html"
    pages = {page.name: page.read_text("utf-8") for page in index.parent.rglob("*.html")}
    linked = re.findall(r'href="([^"]+)"', pages["index.html"])
    assert len(linked) == 3 and all((index.parent / link).is_file() for link in linked)
    cells = pages["freshqa-dataset-cells.html"]
    assert "q-guild" in cells and "=1+1" in cells and "spreadsheet formula" in cells
    for page in pages.values():
        assert not re.search(r"""<(script|link|img)\b[^>]*(src|href)=["']?https?:""", page)
        assert "url('http" not in page


def test_offline_pages_keep_links() -> None:
    page = (
        '<head><link href="https://cdn.example/a.css"><script src="https://cdn.example/a.js"></script>'
        '</head><a href="https://example.org">source</a><img src="https://s3.example/logo.png?d=1">'
    )
    assert "cdn.example" not in offline(page) and "s3.example" not in offline(page)
    assert '<a href="https://example.org">source</a>' in offline(page)
