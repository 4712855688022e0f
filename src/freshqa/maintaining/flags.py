"""Warnings for reviewers, and which policies each one blocks."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from typing_extensions import Self


class Blocks(Enum):
    """The automatic decisions that a flag blocks."""

    bulk = 3  # also "accept all" of a person
    every_policy = 2  # any policy: it may not be the same fact
    certified = 1  # an answer change under a certificate
    nothing = 0


class Flag(str, Enum):
    """One warning about a proposal; its value is what is stored and printed.

    Args:
        meaning: In words, for a reviewer.
        blocks: What the flag blocks, and everything weaker.
    """

    meaning: str
    blocks: Blocks

    def __new__(cls, value: str, meaning: str, blocks: Blocks) -> Self:
        """Make a member from its three parts."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning, member.blocks = meaning, blocks
        return member

    never_changing = (
        "never-changing",
        "The question is marked as never-changing, so a new answer is unusual.",
        Blocks.bulk,
    )
    injection = ("injection", "The evidence tries to give orders to a model.", Blocks.bulk)
    unjudged = (
        "unjudged",
        "No model judged whether the two answers mean the same.",
        Blocks.every_policy,
    )
    judged_only = (
        "judged-only",
        "Only a model's judgement says that the two answers mean the same.",
        Blocks.every_policy,
    )
    rebuttal_differs = (
        "rebuttal-differs",
        "The reply denies the premise in another way than the stored answer.",
        Blocks.every_policy,
    )
    premise_doubtful = (
        "premise-doubtful",
        "The reply doubts the premise of the question.",
        Blocks.every_policy,
    )
    evidence_disputed = (
        "evidence-disputed",
        "The reply says that the evidence is wrong.",
        Blocks.every_policy,
    )
    may_be_past = (
        "may-be-past",
        "The question asks what comes next, and the stored answer may be over.",
        Blocks.every_policy,
    )
    page_date_differs = (
        "page-date-differs",
        "A page gives itself another date than the search engine does.",
        Blocks.certified,
    )
    benchmark_copy = (
        "benchmark-copy",
        "A page that copies the benchmark was found; it was left out and supports nothing.",
        Blocks.certified,
    )
    reported = ("reported", "A reader reports that the answer is wrong.", Blocks.every_policy)
    second_differs = (
        "second-differs",
        "A second model or engine does not give the same answer.",
        Blocks.every_policy,
    )
    second_missing = (
        "second-missing",
        "A second opinion was asked for and was not available.",
        Blocks.certified,
    )
    single_source = ("single-source", "One site alone supports the answer.", Blocks.certified)
    from_memory = (
        "from-memory",
        "The model gave this answer without the evidence, so it may not come from it.",
        Blocks.certified,
    )
    unprobed = (
        "unprobed",
        "It was not tested whether the model reads the evidence.",
        Blocks.certified,
    )

    def __str__(self) -> str:
        return str.__str__(self)

    @classmethod
    def of(cls, stored: str) -> Flag | None:
        """Return the flag of a stored text (`injection:override` is `injection`), None if unknown."""
        value = stored.partition(":")[0]
        return next((flag for flag in cls if flag.value == value), None)


def blocking(flags: Iterable[str], decision: Blocks) -> list[str]:
    """Return the flags, as stored, that rule a decision out, in order; an unknown flag does."""
    return [
        stored
        for stored in flags
        if (known := Flag.of(stored)) is None or known.blocks.value >= decision.value
    ]
