"""The laboratory's tables, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.prompts.first_replies import FirstReply
from freshqa.evaluation.judgement import Verdict

FIRST = (
    *("profile", "model", "n", "answered", "right", "unrated", "right, evidence holds it"),
    *("right in text", "changed right", "unchanged right", "premise found", "premise invented"),
    *("tokens in", "tokens out", "seconds"),
)


def first_reply_table(measured: Mapping[tuple[str, str], Sequence[FirstReply]]) -> str:
    """One line per profile and model."""
    rows = [_first_row(*name, replies) for name, replies in measured.items() if replies]
    return markdown(FIRST, rows)


def _first_row(profile: str, model: str, replies: Sequence[FirstReply]) -> tuple[object, ...]:
    answered = [r for r in replies if r.response is not None]
    valid = [r for r in answered if not r.asked.gold.false_premise]
    false = [r for r in answered if r.asked.gold.false_premise]
    rated = [r for r in valid if r.verdict is not Verdict.unrated]
    held = [r for r in valid if r.asked.evidence_holds_answer]
    changed = [r for r in valid if r.asked.case.changed]
    kept = [r for r in valid if not r.asked.case.changed]
    calls = [r.response.completions[-1] for r in answered if r.response]
    cells = (
        profile,
        model,
        len(replies),
        sum(bool(r.response and r.response.answer) for r in answered),
        _share([r.right for r in rated]),
        len(valid) - len(rated),
        _share([r.right for r in held]),
        _share([r.verdict_of_text is Verdict.correct for r in held]),
        _share([r.right for r in changed]),
        _share([r.right for r in kept]),
        _share([_rejected(r) for r in false]),
        _share([_rejected(r) for r in valid]),
        _mean([call.usage.prompt_tokens for call in calls]),
        _mean([call.usage.completion_tokens for call in calls]),
        _mean([call.seconds for call in calls]),
    )
    return cells


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in lines)


def _rejected(reply: FirstReply) -> bool:
    return bool(reply.response and reply.response.premise_rejected)


def _share(hits: Sequence[bool]) -> str:
    return f"{sum(hits)} of {len(hits)}" if hits else "-"


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.0f}" if values else "-"
