"""LLM-Augmenter's Table 4 and Figure 5 on recorded questions: policies, feedback, what calls buy.

    python -m benchmarks.augmenter
    python -m benchmarks.augmenter --model openai:local --label 0.5b --limit 16 --store augmenter.db

The first prints KF1 as a threshold on recorded replies alone. With `--label`, policies and feedback
follow, from the replies of a real model in the store; with `--model`, what the store lacks is asked
first (stop it at any time, run it again to resume). KF1 is taken against the best recorded finding,
for every row alike; right answers are those of the lexical judge, on valid premises.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from benchmarks.augmenter_ways import FIGURE_5, TABLE_4, THRESHOLDS, Asker, Sent, Way
from benchmarks.checking_data import DATA, LAST_RELEASE, jsonl, releases, searches
from benchmarks.prompts.candidates import recipe
from benchmarks.prompts.questions import RecordedQuestion, choose, recorded_questions
from freshqa.checking.utility import knowledge_f1
from freshqa.dataset.wording import normalised_question
from freshqa.errors import FreshQAError
from freshqa.evaluation.rate import Rate
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import PROFILES

LABELS = DATA / "labels" / "gpt-3.5-turbo-1106_freshprompt_2024-06-07.jsonl"


def measured(
    questions: Sequence[RecordedQuestion], asker: Asker, ways: Mapping[str, Way]
) -> dict[str, list[Sent]]:
    """Return what every way sends for the questions that every way could answer."""
    rows: dict[str, list[Sent]] = {name: [] for name in ways}
    for asked in questions:
        try:
            sent = {name: asker.send(asked, way) for name, way in ways.items()}
        except FreshQAError as failure:
            print(f"left out: {asked.text} ({failure.message})", flush=True)
            continue
        for name, reply in sent.items():
            rows[name].append(reply)
    return rows


def table(rows: Mapping[str, Sequence[Sent]]) -> Iterator[str]:
    """Yield one line a way: KF1, right answers with their interval, calls and searches a question."""
    yield "| way | n | KF1 | right, % [95 %] | unrated | model calls | searched |"
    yield "|---|---|---|---|---|---|---|"
    for name, sent in rows.items():
        if not sent:
            continue
        rated = [reply.right for reply in sent if reply.right is not None]
        right = Rate(sum(rated), len(rated))
        n = len(sent)
        yield (
            f"| {name} | {n} | {100 * sum(s.kf1 for s in sent) / n:.1f} | {right} |"
            f" {n - len(rated)} | {sum(s.calls for s in sent) / n:.2f} |"
            f" {sum(s.searched for s in sent)} of {n} |"
        )


def recorded() -> Iterator[str]:
    """Yield what KF1 tells of recorded replies, threshold by threshold."""
    rows, pages = releases()[LAST_RELEASE], searches()
    replies = []
    for record in jsonl(LABELS):
        row = rows[record["ques_id"]]
        page = pages.get(normalised_question(row.text))
        if page is None or row.false_premise:
            continue
        kept = consolidate(parse(page), question=row.text, profile=PROFILES["paper-gpt4"])
        kf1 = knowledge_f1(record["final_answer"], [finding.text for finding in kept])
        replies.append((kf1, record["accuracy"] == "Correct"))
    mean = 100 * sum(kf1 for kf1, _ in replies) / len(replies)
    yield f"{len(replies)} recorded replies, mean KF1 {mean:.1f}, AUC of KF1 {auc(replies):.2f}\n"
    yield "| KF1 threshold | sent at once | right among these, % [95 %] | asked to revise | right among these, % [95 %] |"
    yield "|---|---|---|---|---|"
    for at in (0.0, *THRESHOLDS):
        sent = [right for kf1, right in replies if kf1 >= at]
        revised = [right for kf1, right in replies if kf1 < at]
        shares = (Rate(sum(part), len(part)) for part in (sent, revised))
        first, second = (str(share) if share.n else "-" for share in shares)
        yield f"| {at:g} | {len(sent)} | {first} | {len(revised)} | {second} |"


def auc(replies: Sequence[tuple[float, bool]]) -> float:
    """Return how often a right reply has the higher KF1 of a right and a wrong one."""
    right, wrong = ([kf1 for kf1, good in replies if good is wanted] for wanted in (True, False))
    wins = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
    return wins / (len(right) * len(wrong))


def main() -> None:
    """Print the recorded table, and with a label the two of the model."""
    parser = argparse.ArgumentParser("python -m benchmarks.augmenter", description=__doc__)
    parser.add_argument("--label", default="", help="name of the model in the store")
    parser.add_argument("--model", default="", help="model to ask; empty: the store alone")
    parser.add_argument("--profile", default="paper-gpt3.5")
    parser.add_argument("--limit", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", default="augmenter.db", help="SQLite file of the replies")
    asked = parser.parse_args()
    print("\n".join(recorded()), flush=True)
    if not asked.label:
        return
    from benchmarks.prompts.__main__ import named_model

    valid = [q for q in recorded_questions() if not q.gold.false_premise]
    questions = choose(valid, asked.limit, seed=asked.seed)
    model = named_model(asked.model) if asked.model else None
    asker = Asker(asked.label, asked.store, model, recipe(asked.profile))
    rows = measured(questions, asker, {**TABLE_4, **FIGURE_5})
    for heading, ways in (("Table 4", TABLE_4), ("Figure 5", FIGURE_5)):
        print("\n".join((f"\n{heading}\n", *table({name: rows[name] for name in ways}))))


if __name__ == "__main__":
    main()
