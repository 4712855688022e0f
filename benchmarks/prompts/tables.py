"""The laboratory's tables, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from benchmarks.prompts.first_replies import FirstReply
from benchmarks.prompts.judging import Judged
from benchmarks.prompts.loops import Checked
from freshqa.evaluation.judgement import Verdict
from freshqa.maintaining.proposal import Outcome

KEPT = (Outcome.unchanged, Outcome.alternative)
"""Outcomes under which the stored fact is kept."""

FIRST = (
    *("profile", "model", "n", "answered", "right", "unrated", "right, evidence holds it"),
    *("right in text", "changed right", "unchanged right", "premise found", "premise invented"),
    "format kept",
    *("tokens in", "tokens out", "seconds"),
)


def first_reply_table(measured: Mapping[tuple[str, str], Sequence[FirstReply]]) -> str:
    """Return one line per profile and model."""
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
        _share([r.format_kept for r in answered if r.format_kept is not None]),
        _mean([call.usage.prompt_tokens for call in calls]),
        _mean([call.usage.completion_tokens for call in calls]),
        _mean([call.seconds for call in calls]),
    )
    return cells


LOOP = (
    *("profile", "model", "rounds", "n", "outcomes", "changed: right proposals", "not credited"),
    *(
        "of these unrated",
        "unchanged kept",
        "of a valid premise",
        "right first, not proposed",
        "wrong first, caught",
        "wrong automatic",
    ),
    *("completions", "wrong to right", "right to wrong"),
)


def loop_table(measured: Mapping[tuple[str, str, int], Sequence[Checked]]) -> str:
    """Return one line per profile, model and number of rounds allowed."""
    rows = [_loop_row(*name, checked) for name, checked in measured.items() if checked]
    return markdown(LOOP, rows)


def _loop_row(
    profile: str, model: str, rounds: int, checked: Sequence[Checked]
) -> tuple[object, ...]:
    outcomes = Counter(row.checked.outcome.value for row in checked)
    changed = [row for row in checked if row.asked.case.changed]
    kept = [row for row in checked if not row.asked.case.changed]
    pairs = [pair for row in checked for pair in zip(row.rounds, row.rounds[1:])]  # noqa: B905
    wrong_first = [row for row in checked if row.rounds and not row.rounds[0]]
    right_first = [row for row in changed if row.rounds and row.rounds[0]]
    return (
        profile,
        model,
        rounds,
        len(checked),
        ", ".join(f"{count} {name}" for name, count in outcomes.most_common()),
        _share([row.proposed_right is True for row in changed]),
        _share([row.proposed_right is False for row in checked]),
        sum(row.proposed is Verdict.unrated for row in checked),
        _share([row.checked.outcome in KEPT for row in kept]),
        _share([row.checked.outcome in KEPT for row in kept if not row.asked.gold.false_premise]),
        _share([row.proposed_right is not True for row in right_first]),
        _share([row.proposed_right is not False for row in wrong_first]),
        sum(row.wrong_automatic for row in checked),
        sum(row.checked.completions for row in checked),
        sum(after and not before for before, after in pairs),
        sum(before and not after for before, after in pairs),
    )


JUDGE = (
    *("judge", "mode", "n", "agrees with the recorded verdict", "right credited"),
    *("wrong credited", "unrated", "replies", "seconds"),
)


def judge_table(measured: Mapping[tuple[str, str], Sequence[Judged]]) -> str:
    """Return one line per judge and mode; an unrated response agrees with nothing."""
    rows: list[Sequence[object]] = []
    for (name, mode), judged in measured.items():
        verdicts = [(verdict.recorded.correct, verdict.verdict) for verdict in judged]
        replies = sum(verdict.replies for verdict in judged)
        seconds = _mean([verdict.seconds for verdict in judged])
        rows.append((name, mode, len(judged), *_agreement(verdicts), replies, seconds))
    for judged in list(measured.values())[:1]:
        verdicts = [(verdict.recorded.correct, verdict.lexical) for verdict in judged]
        rows.append(("lexical", "relaxed", len(judged), *_agreement(verdicts), "-", "-"))
    return markdown(JUDGE, rows)


def _agreement(verdicts: Sequence[tuple[bool, Verdict]]) -> tuple[object, ...]:
    credited = [(right, verdict is Verdict.correct) for right, verdict in verdicts]
    return (
        _share([v is (Verdict.correct if right else Verdict.incorrect) for right, v in verdicts]),
        _share([said for right, said in credited if right]),
        _share([said for right, said in credited if not right]),
        sum(verdict is Verdict.unrated for _, verdict in verdicts),
    )


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in lines)


def _rejected(reply: FirstReply) -> bool:
    return bool(reply.response and reply.response.premise_rejected)


def _share(hits: Sequence[bool]) -> str:
    return f"{sum(hits)} of {len(hits)}" if hits else "-"


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.0f}" if values else "-"
