"""How precise the lexical comparison is, against GPT-4-turbo verdicts and real changes.

    python benchmarks/comparer.py [--show]

`--show` prints every case in which the comparer says "agrees" and GPT-4-turbo says incorrect, so
that a person can see who is right.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator

from checking_data import DATA, LAST_RELEASE, jsonl, releases

from freshqa.answering.extraction import extract
from freshqa.answering.response import Response
from freshqa.checking.compare import compare
from freshqa.dataset.question import Question

LABELS = DATA / "labels" / "gpt-3.5-turbo-1106_freshprompt_2024-06-07.jsonl"
TRUTH = DATA / "truth" / "transitions_2023-11_to_2024-05.jsonl"
SAYS = {True: "agrees", False: "differs", None: "cannot tell"}


def labelled() -> Iterator[tuple[int, Question, Response, bool]]:
    """Row number, stored row of 2024-03-11, a FreshPrompt response of 2024-06-07, GPT-4's verdict."""
    rows = releases()[LAST_RELEASE]
    for record in jsonl(LABELS):
        question = rows[record["ques_id"]]
        said = extract(record["final_answer"], question=question.text)
        response = Response(
            question=question.text,
            method="freshprompt",
            text=said.text,
            answer=said.answer,
            premise_rejected=said.premise_rejected,
        )
        yield record["ques_id"], question, response, record["accuracy"] == "Correct"


def against_labels(show: bool) -> None:
    counts: Counter[tuple[str, object, bool]] = Counter()
    for _, question, response, correct in labelled():
        compared = compare(response, question)
        premise = "false" if question.false_premise else "valid"
        counts[premise, compared.agrees, correct] += 1
        if show and compared.agrees and not correct:
            print(f"  {question.text} | stored {question.primary!r} | {response.answer}")
    print("| premise | comparer says | GPT-4 correct | incorrect | precision | of all correct |")
    print("|---|---|---|---|---|---|")
    for premise in ("valid", "false"):
        correct = sum(n for key, n in counts.items() if key[0] == premise and key[2])
        for agrees, says in SAYS.items():
            right, wrong = counts[premise, agrees, True], counts[premise, agrees, False]
            hit = wrong if agrees is False else right
            share = hit / (right + wrong) if agrees is not None and right + wrong else math.nan
            print(
                f"| {premise} | {says} | {right} | {wrong} | {share:.3f} | {right / correct:.0%} |"
            )


def against_changes() -> None:
    """Responses that give the new primary answer, to the old row: none may agree if the fact changed."""
    counts: Counter[tuple[str, object]] = Counter()
    for pair in jsonl(TRUTH):
        answers = {f"answer_{slot}": text for slot, text in enumerate(pair["old_answers"])}
        row = Question({"question": pair["question"], "false_premise": "FALSE", **answers})
        kind = "fact changed" if pair["answer_fact_changed"] else pair["answer_kind"]
        now = pair["new_answers"][0]
        for text in (now, f"It is {now}.", f"As of today, {now}"):
            compared = compare(Response(row.text, "freshprompt", text, text), row)
            counts[kind, compared.agrees] += 1
    print("\nNew primary answer compared with the old row, alone and in two sentences:")
    for kind in sorted({key[0] for key in counts}):
        said = ", ".join(f"{says} {counts[kind, agrees]}" for agrees, says in SAYS.items())
        print(f"{kind}: {said}")


def likelihood() -> None:
    """How often a response agrees with a stored answer that has, and has not, since changed."""
    first, then = {}, {}
    for pair in jsonl(TRUTH):
        if pair["from_version"] == "2024-03-11":
            first[pair["lineage"]] = pair
        if pair["from_version"] == "2024-04-08":
            then[pair["lineage"]] = pair
    changed = {
        pair["old_id"]: pair["answer_fact_changed"]
        or then.get(lineage, {}).get("answer_fact_changed", False)
        for lineage, pair in first.items()
    }
    counts: Counter[tuple[bool, bool]] = Counter()
    for number, question, response, _ in labelled():
        counts[changed[number], compare(response, question).agrees is True] += 1
    print("\nResponses of 2024-06-07 to rows of 2024-03-11, by changes until 2024-05-27:")
    rates = {}
    for stale in (True, False):
        agree, other = counts[stale, True], counts[stale, False]
        rates[stale] = agree / (agree + other)
        print(f"  {'changed' if stale else 'unchanged':10s} agrees {agree}, other {other}")
    agrees = math.log(rates[True] / rates[False])
    other = math.log((1 - rates[True]) / (1 - rates[False]))
    print(f"  log-likelihood ratio of a change: agrees {agrees:+.2f}, other {other:+.2f}")


if __name__ == "__main__":
    against_labels("--show" in sys.argv)
    against_changes()
    likelihood()
