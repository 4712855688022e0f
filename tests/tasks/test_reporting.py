"""What artifacts show fits and works: short columns, links that lead somewhere."""

from __future__ import annotations

from prefect_freshqa.tasks.reporting import cell, cut, link


def test_addresses_with_marks_of_markdown_stay_whole() -> None:
    url = "https://en.wikipedia.org/wiki/Gull_Race_(2026)#Final_results"
    whole = "https://en.wikipedia.org/wiki/Gull_Race_%282026%29#Final_results"
    assert link(url, "Gull_Race") == f"[Gull\\_Race]({whole})"


def test_what_is_no_web_address_is_text() -> None:
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
