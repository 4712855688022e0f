"""How many right answers are lost when a model replies in a sentence, without labels.

    python benchmarks/free_sentences.py [--show]

500 replies of FreshPrompt (gpt-3.5-turbo-1106, 2024-06-07) with verdicts of GPT-4-turbo. Each reply
meets a stored row whose answer is another one of the same kind, and two pages that hold the right
answer: a right reply should become a proposed change to it, a wrong one should propose nothing.

Then once more with two pages that also hold every word of the reply. Whatever is read from it is
now quoted, so a `wrong` proposal for a right reply is a sentence that was misread.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from checking_data import DATA, LAST_RELEASE, jsonl, releases

from freshqa.answering.extraction import extract
from freshqa.answering.response import Response
from freshqa.checking.find_answer import SupportKind, find
from freshqa.dataset.question import FactType, Question
from freshqa.dates.mentions import read_date
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.facts.same_fact import Relation, relation
from freshqa.facts.tokens import tokenise
from freshqa.facts.verdicts import is_verdict
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.recheck import CheckSettings, recheck

LABELS = DATA / "labels" / "gpt-3.5-turbo-1106_freshprompt_2024-06-07.jsonl"
DAY = date(2024, 6, 7)
ONE_ROUND = CheckSettings(max_rounds=1)


@dataclass(frozen=True)
class Reply:
    """A recorded reply and the row of 2024-03-11 that it answers."""

    number: int
    row: Question
    text: str
    correct: bool


def replies() -> Iterator[Reply]:
    """Valid premises that may change and are not answered by yes or no."""
    rows = releases()[LAST_RELEASE]
    for record in jsonl(LABELS):
        row = rows[record["ques_id"]]
        never = row.fact_type == FactType.never_changing.value
        if not (row.false_premise or is_verdict(row.primary) or never):
            right = record["accuracy"] == "Correct"
            yield Reply(record["ques_id"], row, record["final_answer"], right)


def stale(answer: str) -> str:
    """Another answer of the same kind: a date, a number one higher, or an invented name."""
    dated = read_date(answer)
    if dated is not None:
        return f"January {'9, ' if dated.day else ''}2031"
    if re.fullmatch(r"(?:19|20)\d\d", answer):
        return "2031"
    numbers = [token for token in tokenise(answer) if token.value is not None]
    if len(numbers) == 1 and numbers[0].value is not None and len(answer) < 60:
        start, end = numbers[0].start, numbers[0].end
        return f"{answer[:start]}{numbers[0].value + 1}{answer[end:]}"
    return "Ottoline Varga" if len(answer.split()) < 8 else "Ottoline Varga has left the office."


def pages(reply: Reply, *, echo: bool) -> tuple[Evidence, ...]:
    """Return two independent pages that hold the accepted answers, and two that hold the reply."""
    texts = [f"Report {letter}: " + " — ".join(reply.row.answers) for letter in "ab"]
    texts += [f"Report {letter}: {reply.text}" for letter in "cd"] if echo else []
    return tuple(
        Evidence(
            EvidenceKind.organic,
            source=f"page-{number}.example",
            url=f"https://page-{number}.example/",
            snippet=text,
        )
        for number, text in enumerate(texts)
    )


def check(reply: Reply, *, echo: bool = False) -> CheckedQuestion:
    """Return what a refresh makes of the reply, with the default method and without a judge."""
    said = extract(reply.text, question=reply.row.text)
    response = Response(
        reply.row.text,
        "freshprompt",
        said.text,
        said.answer,
        pages(reply, echo=echo),
        premise_rejected=said.premise_rejected,
    )
    stored = {"answer_0": stale(reply.row.primary)}
    stored |= {f"answer_{slot}": "" for slot in range(1, 10)}
    question = reply.row.with_changes(stored).with_key("q-000000000000")
    return recheck(question, as_of=DAY, ask=lambda feedback, prior: response, settings=ONE_ROUND)


def proposed(checked: CheckedQuestion) -> str:
    """Return the answer of a proposed change, or ""."""
    if checked.outcome is not Outcome.changed or checked.proposal is None:
        return ""
    change = checked.proposal.changes.get("answer_0")
    return change.new if change else ""


def is_right(answer: str, row: Question) -> bool:
    """Return True when a proposed answer is, or holds, an accepted one."""
    for gold in row.answers:
        if relation(answer, gold) in (Relation.same, Relation.variant):
            return True
        match = find(gold, answer) or find(answer, gold)
        if match is not None and match.kind is not SupportKind.soft:
            return True
    return False


def measure(*, echo: bool = False, show: bool = False) -> Counter[tuple[bool, str]]:
    """(reply correct, `right`, `wrong` or the outcome without a proposal) → how many.

    Args:
        echo: Let two more pages hold the reply itself.
        show: Print every loss and every wrong proposal.
    """
    counts: Counter[tuple[bool, str]] = Counter()
    for reply in replies():
        checked = check(reply, echo=echo)
        answer = proposed(checked)
        if answer:
            result = "right" if is_right(answer, reply.row) else "wrong"
        else:
            result = checked.outcome.value
        counts[reply.correct, result] += 1
        if show and (result == "wrong" or (reply.correct and result != "right")):
            print(
                f"{reply.number:4d} {result:12s} {reply.row.primary[:40]!r}"
                f" proposed {answer!r} | {reply.text[:200]}"
            )
    return counts


if __name__ == "__main__":
    print("| pages hold | replies | right | wrong | without a proposal |\n|---|---|---|---|---|")
    for echo in (False, True):
        counts = measure(echo=echo, show="--show" in sys.argv)
        hold = "the answer and the reply" if echo else "the answer"
        for correct in (True, False):
            results = {name: n for (verdict, name), n in counts.items() if verdict is correct}
            replies_judged = f"{sum(results.values())} {'correct' if correct else 'incorrect'}"
            right, wrong = results.pop("right", 0), results.pop("wrong", 0)
            named = ", ".join(f"{name} {n}" for name, n in sorted(results.items()))
            print(f"| {hold} | {replies_judged} | {right} | {wrong} | {named} |")
