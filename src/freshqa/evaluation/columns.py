"""The columns of the paper's tables: which questions each of them counts.

FreshLLMs (Vu et al. 2023), tables 1, 3, 4 and 5. Fact types, years and hops are counted over valid
premises only; false-premise rows carry a fact type too, and are not counted there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from freshqa.dataset.question import FactType, Question
from freshqa.json_record import JsonRecord

BEFORE = "before 2022"


@dataclass(frozen=True)
class Column(JsonRecord):
    """One column: a name scripts rely on, its place in the table, and what it counts."""

    name: Annotated[str, Field(serialization_alias="column")]
    group: str
    label: str
    counts: Annotated[Callable[[Question], bool], Field(exclude=True)]


def _valid(condition: Callable[[Question], bool]) -> Callable[[Question], bool]:
    return lambda question: not question.false_premise and condition(question)


def _fact_type(fact_type: FactType) -> Callable[[Question], bool]:
    return _valid(lambda question: question.fact_type == fact_type.value)


def _hops(hops: str) -> Callable[[Question], bool]:
    return _valid(lambda question: question.fields["num_hops"] == hops)


VALID, FALSE = "valid premise", "false premise"
COLUMNS = (
    Column("all", "", "all", lambda question: True),
    Column("valid", VALID, "all", _valid(lambda question: True)),
    Column("valid_fast", VALID, "fast", _fact_type(FactType.fast_changing)),
    Column("valid_slow", VALID, "slow", _fact_type(FactType.slow_changing)),
    Column("valid_never", VALID, "never", _fact_type(FactType.never_changing)),
    Column("valid_before_2022", VALID, "<2022", _valid(lambda q: q.effective_year == BEFORE)),
    Column("valid_since_2022", VALID, "≥2022", _valid(lambda q: q.effective_year != BEFORE)),
    Column("valid_one_hop", VALID, "1-hop", _hops("one-hop")),
    Column("valid_multi_hop", VALID, "m-hop", _hops("multi-hop")),
    Column("false", FALSE, "all", lambda q: q.false_premise),
    Column(
        "false_before_2022",
        FALSE,
        "<2022",
        lambda q: q.false_premise and q.effective_year == BEFORE,
    ),
)


def unplaced(question: Question) -> str:
    """Why a valid-premise question is missing from a group of columns; "" when it is in all."""
    if question.false_premise:
        return ""
    if question.fact_type not in {fact_type.value for fact_type in FactType}:
        return f"fact_type {question.fact_type!r} is in none of fast, slow, never"
    if question.fields["num_hops"] not in {"one-hop", "multi-hop"}:
        return f"num_hops {question.fields['num_hops']!r} is neither one-hop nor multi-hop"
    return ""
