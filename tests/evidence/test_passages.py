"""Which passages of a page are shown."""

from __future__ import annotations

from datetime import date

import pytest

from freshqa.evidence.passages import BUDGET, MAX_SHOWN, passages, units

pytest.importorskip("rank_bm25", reason="extra pages")
DAY = date(2025, 3, 1)
FILLER = "\n\n".join(
    f"Paragraph {n} is about the weather on the lake and nothing else." for n in range(60)
)


def best(question: str, *texts: str) -> list[str]:
    return passages(question, texts, as_of=DAY)


def test_the_answer_is_found_at_the_end_of_a_long_page() -> None:
    text = f"# Lake\n\n{FILLER}\n\nThe otter league was won by Mira Vale. She beat Bo Renn."
    (passage,) = best("Who won the otter league?", text)
    assert "won by Mira Vale" in passage and len(passage) <= BUDGET


def test_rows_and_items_keep_their_heading_and_the_head_of_their_table() -> None:
    table = "# Winners\n\n| Year | Winner |\n|---|---|\n| 2023 | Herons |\n| 2024 | Otters |\n\n- 2025: Voles"
    assert [(u.context, u.text) for u in units(table)] == [
        ("Winners", "Year, Winner"),
        ("Winners: Year, Winner", "2023, Herons"),
        ("Winners: Year, Winner", "2024, Otters"),
        ("Winners", "2025: Voles"),
    ]
    (passage,) = best("Which team was the winner in 2024?", f"{FILLER}\n\n{table}\n\n{FILLER}")
    assert "2024, Otters" in passage and "Winners: " in passage


def test_parts_keep_their_order_and_gaps_are_marked() -> None:
    text = f"The otter final is on Sunday.\n\n{FILLER}\n\nThe otter final was won by Mira Vale."
    (passage,) = best("Who won the otter final?", text)
    assert passage.index("on Sunday") < passage.index(" … ") < passage.index("Mira Vale")


@pytest.mark.parametrize(
    "text", ["", "\n\n", "x" * 5_000, "| |\n|---|", "# Only a heading", "word " * 9_000]
)
def test_unusual_pages_stay_within_the_limit_of_characters(text: str) -> None:
    (passage,) = best("Who won the otter league?", text)
    assert len(passage) <= BUDGET


def test_only_the_most_relevant_pages_are_shown() -> None:
    texts = [f"Page {n} speaks of rain." for n in range(8)] + [
        "The otter league: won by Mira Vale."
    ]
    shown = best("Who won the otter league?", *texts)
    assert sum(map(bool, shown)) == MAX_SHOWN and "Mira Vale" in shown[-1]


def test_a_sentence_of_the_requested_year_is_shown() -> None:
    rows = [f"The otter league of {year} was won by Team {year}." for year in range(1900, 2025)]
    (passage,) = best("Who won the otter league of 1987?", "\n\n".join(rows))
    assert len("\n\n".join(rows)) > 2 * BUDGET, "most sentences must be left out"
    assert "Team 1987" in passage
