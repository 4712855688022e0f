"""Artifacts have short columns and working links."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest
from rich.console import Console

from freshqa.maintaining.proposal import FieldChange, Outcome, Proposal
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.cli.proposal_output import render_proposal
from prefect_freshqa.tasks.proposal_page import cell, cut, link, proposal_page, proposals_markdown

MOVED = Proposal(
    key="race",
    question="When is the next Gull_Race?",
    base_revision="r",
    outcome=Outcome.changed,
    changes={
        "answer_0": FieldChange("Mar 6, 2026", "Sep 25, 2026"),
        "answer_1": FieldChange("March 6, 2026", "September 25, 2026"),
        "answer_2": FieldChange("", "2026-09-25"),
        "next_review": FieldChange("03/07/2026", "09/25/2026"),
    },
    risk=0.5,
)


def stored(number: int, proposal: Proposal = MOVED) -> StoredProposal:
    return StoredProposal(number, "week", "pending", datetime.now(timezone.utc), proposal)


def test_addresses_with_markdown_characters_are_not_broken() -> None:
    url = "https://en.wikipedia.org/wiki/Gull_Race_(2026)#Final_results"
    whole = "https://en.wikipedia.org/wiki/Gull_Race_%282026%29#Final_results"
    assert link(url, "Gull_Race") == f"[Gull\\_Race]({whole})"


def test_a_value_that_is_not_a_web_address_is_text() -> None:
    assert link("javascript:alert(1)", "click") == "click"


def test_sources_are_short_links_and_other_cells_are_text() -> None:
    sources = "https://a.example/x_y#z https://b.example/ seen"
    assert cell("source", sources) == (
        "[a.example](https://a.example/x_y#z) [b.example](https://b.example/) seen"
    )
    assert cell("note", "x_y") == "x\\_y"


def test_long_text_is_cut_on_one_line() -> None:
    assert cut("a\n b " + "c" * 100, 20) == "a b " + "c" * 15 + "…"
    assert cut("short", 20) == "short"


def test_the_table_starts_with_the_columns_for_a_decision_and_links_to_the_desk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = "| When is the next Gull\\_Race? | Mar 6, 2026 → Sep 25,<br>2026 | changed | 0.50 | {} |"
    page = proposals_markdown([stored(7)], total=1)
    assert "| question | old → new | outcome | risk | id |" in page
    assert row.format("7") in page
    monkeypatch.setenv("PREFECT_FRESHQA_DESK_URL", "https://desk.example.org")
    page = proposals_markdown([stored(7)], total=1)
    assert row.format("[7](https://desk.example.org/proposals/7)") in page
    assert "[review desk](https://desk.example.org/queue)" in page


def test_a_shortened_list_states_the_total() -> None:
    page = proposals_markdown([stored(number) for number in range(3)], total=240)
    assert "The first 3 of 240 are shown; all are on `prefect-freshqa review list`." in page
    assert "are shown" not in proposals_markdown([stored(7)], total=1)
    assert proposals_markdown([], total=0) == "No proposals."


def test_the_other_forms_of_an_answer_share_one_row() -> None:
    page = proposal_page(stored(7))
    assert "| other forms | March 6, 2026 | September 25, 2026 · 2026-09-25 |" in page
    assert "answer_1" not in page
    alone = replace(MOVED, changes={"answer_1": FieldChange("", "a|b")})
    assert "| other forms |  | a\\|b |" in proposal_page(stored(8, alone))


def test_a_long_row_of_a_proposal_without_answer_is_cut() -> None:
    long = replace(MOVED, question="q" * 200, changes={"note": FieldChange("a", "n" * 200)})
    table = proposals_markdown([stored(9, long)], total=1).split("###")[0]
    lines = [
        part for line in table.splitlines() for part in line.replace("|", "<br>").split("<br>")
    ]
    assert max(map(len, lines)) <= 38  # the page has no room for more, and does not break lines
    assert table.count("q") <= 123 and "…" in table


KEPT = replace(
    MOVED,
    outcome=Outcome.unchanged,
    changes={"next_review": FieldChange("03/07/2026", "09/25/2026")},
    method="freshprompt",
)


@pytest.mark.parametrize(
    ("proposal", "shown"),
    [
        (replace(KEPT, risk=0.05), "stored answer right: 75 %"),
        (replace(KEPT, risk=0.001), "stored answer right: over 99 %"),
        (replace(KEPT, risk=0.99), "stored answer right: under 1 %"),
        (replace(KEPT, risk=0.05, method="calendar"), ""),
        (MOVED, ""),
    ],
)
def test_the_calibrated_probability_is_shown_only_when_calibrated(
    proposal: Proposal, shown: str
) -> None:
    page = proposal_page(stored(1, proposal))
    assert shown in page and ("stored answer right" in page) is bool(shown)
    console = Console(record=True, width=100)
    render_proposal(console, stored(1, proposal))
    assert ("Stored answer right:" in console.export_text()) is bool(shown)
