"""Changes and staleness over time, on a calendar small enough to verify by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

import pytest

from freshqa.dataset.question import Question
from freshqa.errors import NothingToDo
from freshqa.maintaining.timeline import Cost, Edition, Timeline, timeline
from freshqa.maintaining.timeline_plot import plot_timeline

MONDAY = date(2026, 3, 2)


def day(number: int) -> date:
    """Monday 2 March 2026 is day 2."""
    return date(2026, 3, number)


def row(key: str, answer: str, review: str, fact_type: str = "fast-changing") -> Question:
    return Question(
        {
            "question": f"How high is tower {key}?",
            "answer_0": answer,
            "next_review": review,
            "fact_type": fact_type,
        },
        key,
    )


WEEKLY = row("weekly", "1 m", "frequently")
QUARTERLY = row("quarterly", "2 m", "occasionally", "slow-changing")
DATED = row("dated", "3 m", "03/11/2026", "slow-changing")
PAST = row("past", "4 m", "02/20/2026", "never-changing")
UNREADABLE = row("unreadable", "5 m", "someday")
SHEET = (WEEKLY, QUARTERLY, DATED, PAST, UNREADABLE)


def of(*editions: Edition, checked: Mapping[str, Sequence[date]] | None = None) -> Timeline:
    return timeline(editions, checked or {}, until=day(30))


def stale(drawn: Timeline) -> dict[int, int]:
    """Day of March → questions past their review."""
    return {week.on.day: sum(week.stale.values()) for week in drawn.weeks}


def test_staleness_grows_while_no_question_is_checked() -> None:
    weeks = of(Edition(1, MONDAY, True, SHEET))
    # `past` from the first day; `weekly` and `unreadable` after the 9th; `dated` after the 11th
    assert stale(weeks) == {2: 1, 9: 1, 16: 4, 23: 4, 30: 4}
    last = weeks.weeks[-1]
    assert last.stale == {"fast-changing": 2, "never-changing": 1, "slow-changing": 1}
    assert last.median_days == 21  # of 38, 21, 21 and 19
    assert (last.version, last.questions) == (1, 5)


def test_a_checked_question_is_fresh_until_its_interval_ends() -> None:
    checked = {
        "weekly": [day(9), day(16)],
        "past": [day(9)],
        "dated": [day(9)],
    }
    weeks = of(Edition(1, MONDAY, True, SHEET), checked=checked)
    # `weekly` is late again after the 23rd; `past`, met on the 9th, a week later; `dated` was
    # checked before its review date, which counts all the same
    assert stale(weeks) == {2: 1, 9: 0, 16: 2, 23: 3, 30: 4}


def test_only_an_official_release_counts_as_a_check_of_every_row() -> None:
    first = Edition(1, MONDAY, True, (WEEKLY,))
    ours = of(first, Edition(2, day(16), False, (WEEKLY,)))
    released = of(first, Edition(2, day(16), True, (WEEKLY,)))
    assert stale(ours) == {2: 0, 9: 0, 16: 1, 23: 1, 30: 1}
    assert stale(released) == {2: 0, 9: 0, 16: 0, 23: 0, 30: 1}


def test_changes_are_counted_by_the_type_of_the_earlier_row() -> None:
    after = (
        WEEKLY.with_changes({"answer_0": "9 m"}),
        QUARTERLY.with_changes({"answer_0": "8 m", "fact_type": "fast-changing"}),
        DATED.with_changes({"answer_1": "three metres"}),  # another form of the same fact
        row("new", "6 m", "N/A"),
    )
    history = of(Edition(1, MONDAY, True, SHEET), Edition(2, day(16), False, after))
    (moved,) = history.movements
    assert moved.changed == {"fast-changing": 1, "slow-changing": 1}
    assert (moved.added, moved.removed, moved.weeks, moved.version) == (1, 2, 2.0, 2)


def test_two_versions_of_one_day_give_a_rate_of_change() -> None:
    history = of(Edition(1, MONDAY, True, (WEEKLY,)), Edition(2, MONDAY, False, (WEEKLY,)))
    assert history.movements[0].weeks == pytest.approx(1 / 7)
    assert history.weeks[0].version == 2


def test_reviews_ahead_start_with_what_is_overdue() -> None:
    history = timeline([Edition(1, MONDAY, True, SHEET)], {}, until=day(2))
    # weekly and unreadable in a week, `past` now, `dated` on the 11th, quarterly beyond the bound
    assert history.ahead == {
        "fast-changing": (0, 2, 0, 0, 0, 0, 0, 0),
        "slow-changing": (0, 1, 0, 0, 0, 0, 0, 0),
        "never-changing": (1, 0, 0, 0, 0, 0, 0, 0),
    }
    assert history.to_json()["ahead"]["never-changing"] == [1, 0, 0, 0, 0, 0, 0, 0]


def test_one_version_has_a_picture_of_its_reviews_ahead() -> None:
    drawn = plot_timeline(of(Edition(1, MONDAY, True, SHEET)), heading="towers", format="svg")
    told = texts(drawn)
    assert {"reviews ahead", "week 1", "week 8"} <= told
    assert "changed answers per week" not in told and "cost per week, US$" not in told


def test_cost_is_plotted_by_week_and_provider_once_any_is_recorded() -> None:
    paid = [Cost(MONDAY, "serpapi", Decimal("6.00")), Cost(MONDAY, "gpt-4o", Decimal("1.25"))]
    history = timeline([Edition(1, MONDAY, True, SHEET)], {}, until=day(30), costs=paid)
    assert history.to_json()["costs"][1] == {
        "week": "2026-03-02",
        "provider": "gpt-4o",
        "usd": "1.25",
    }
    drawn = texts(plot_timeline(history, heading="towers", format="svg"))
    assert {"cost per week, US$", "serpapi", "gpt-4o"} <= drawn


def texts(svg: bytes) -> set[str]:
    """The texts of a picture; matplotlib draws letters and leaves each text as a comment."""
    return set(re.findall(r"<!-- (.+?) -->", svg.decode()))


@pytest.mark.parametrize("format", ["svg", "png"])
def test_the_picture_shows_the_scores(format: str) -> None:
    history = of(Edition(1, MONDAY, True, SHEET), Edition(2, day(16), False, SHEET[:2]))
    picture = plot_timeline(history, heading="towers", format=format)
    assert picture.startswith({"svg": b"<?xml", "png": b"\x89PNG"}[format])
    assert picture == plot_timeline(history, heading="towers", format=format)


def test_a_store_without_a_version_has_nothing_to_plot() -> None:
    with pytest.raises(NothingToDo):
        plot_timeline(of(), heading="nothing")
