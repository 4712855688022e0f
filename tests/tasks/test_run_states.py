"""The final state of a run states what was done; a run that did little has failed."""

from __future__ import annotations

from typing import Any

import pytest

from freshqa.errors import NothingToDo, RunFailed
from prefect_freshqa.tasks.run_states import harmless, refresh_state


def summary(**outcomes: int) -> dict[str, Any]:
    checked = sum(outcomes.values())
    return {
        "due": 594,
        "checked": checked,
        "left_due": 594 - checked + outcomes.get("failed", 0),
        "outcomes": outcomes,
        "proposals": 12,
        "cost_usd": "1.20",
    }


@pytest.mark.parametrize(
    ("figures", "left", "name", "message"),
    [
        (
            summary(unchanged=594),
            0,
            "Completed",
            "594 of 594 checked, 12 proposals, cost $1.20",
        ),
        (
            summary(unchanged=235, failed=265),
            94,
            "Incomplete",
            "Incomplete: 235 of 594 checked, 265 failed, budget reached, 94 left, "
            + "12 proposals, cost $1.20",
        ),
        ({**summary(), "due": 0, "left_due": 0}, 0, "NothingDue", "No question is due."),
        (
            summary(),
            594,
            "Incomplete",
            "Incomplete: 0 of 594 checked, budget reached, 594 left, 12 proposals, cost $1.20",
        ),
    ],
)
def test_a_successful_run_is_completed_with_a_named_state(
    figures: dict[str, Any], left: int, name: str, message: str
) -> None:
    state = refresh_state(figures, left=left)
    assert (state.type.value, state.name, state.message) == ("COMPLETED", name, message)
    assert state.data == figures


@pytest.mark.parametrize(
    ("figures", "stopped"),
    [
        (summary(failed=594), ""),
        (summary(unchanged=50, failed=265), ""),
        (summary(unchanged=300, failed=2), "Model m: the key is wrong."),
    ],
)
def test_a_run_that_mostly_failed_has_a_failed_state(figures: dict[str, Any], stopped: str) -> None:
    state = refresh_state(figures, left=0, stopped=stopped)
    assert (state.type.value, state.name) == ("FAILED", "Failed")
    assert str(state.message).endswith(stopped or "cost $1.20.")
    assert isinstance(state.data, RunFailed) and state.data.summary == figures


def test_nothing_to_do_is_raised() -> None:
    with pytest.raises(NothingToDo):
        harmless("NothingToDo", NothingToDo("nothing"))


@pytest.mark.parametrize(
    ("desk", "place"),
    [
        ("https://desk.example.org/", "https://desk.example.org/queue"),
        ("", "prefect-freshqa review list"),
    ],
)
def test_the_message_says_where_to_review_when_proposals_wait(
    monkeypatch: pytest.MonkeyPatch, desk: str, place: str
) -> None:
    monkeypatch.setenv("PREFECT_FRESHQA_DESK_URL", desk)
    waiting = refresh_state({**summary(unchanged=594), "held": 3}, left=0)
    assert str(waiting.message).endswith(f"cost $1.20. Review: {place}")
    decided = refresh_state({**summary(unchanged=594), "held": 0}, left=0)
    assert str(decided.message).endswith("cost $1.20")
