"""Measure prompts and the loop on recorded questions.

    python -m benchmarks.prompts --label 1.5b --model openai:local --profiles paper-gpt4,best \\
        --limit 80 --store prompts.db

Asks what the store does not hold yet (stop it at any time, run it again to resume) and prints a
table. Without `--model`, the tables come from the store alone. `openai:NAME` reads OPENAI_BASE_URL
and OPENAI_API_KEY.
"""

from __future__ import annotations

import argparse
import os

from benchmarks.prompts.candidates import recipe
from benchmarks.prompts.completions import StoredCompletions
from benchmarks.prompts.first_replies import FirstReply, first_replies
from benchmarks.prompts.judging import Judged, judged, recorded_verdicts
from benchmarks.prompts.loops import Checked, checked_questions
from benchmarks.prompts.questions import RecordedQuestion, choose, recorded_questions
from benchmarks.prompts.tables import first_reply_table, judge_table, loop_table
from freshqa.answering.language_model import LanguageModel
from freshqa.evaluation.judgement import Mode
from prefect_freshqa.blocks import OpenAIModel
from prefect_freshqa.blocks.resolve import load_model

PATIENCE = 900.0
"""Seconds for one reply: a small model on a busy machine takes its time."""


def main() -> None:
    """Ask what is missing, then print the tables."""
    asked = arguments()
    if asked.judge:
        print(judging(asked))
        return
    questions = choose(recorded_questions(), asked.limit, seed=asked.seed)
    model = named_model(asked.model) if asked.model else None
    measured: dict[tuple[str, str], list[FirstReply]] = {}
    for label in asked.label.split(","):
        stored = StoredCompletions(asked.store, label, model)
        for profile in asked.profiles.split(","):
            replies = []
            for reply in first_replies(questions, recipe(profile), stored):
                replies.append(reply)
                if model is not None or asked.show:
                    print(line(profile, label, reply), flush=True)
            measured[profile, label] = replies
    print(first_reply_table(measured))
    if asked.rounds:
        print(f"\n{loops(asked, questions, model)}")


def judging(asked: argparse.Namespace) -> str:
    """Return the table of judges, both modes."""
    verdicts = recorded_verdicts(asked.limit, seed=asked.seed)
    model = named_model(asked.model) if asked.model else None
    measured: dict[tuple[str, str], list[Judged]] = {}
    for label in asked.label.split(","):
        stored = StoredCompletions(asked.store, label, model)
        for mode in Mode:
            measured[label, mode.value] = list(judged(verdicts, stored, mode=mode))
    return judge_table(measured)


def loops(
    asked: argparse.Namespace, questions: list[RecordedQuestion], model: LanguageModel | None
) -> str:
    """Return the table of the loop, with one round and with as many as asked for."""
    measured: dict[tuple[str, str, int], list[Checked]] = {}
    for label in asked.label.split(","):
        stored = StoredCompletions(asked.store, label, model)
        for profile in asked.profiles.split(","):
            for rounds in sorted({1, asked.rounds}):
                checked = checked_questions(questions, recipe(profile), stored, rounds=rounds)
                measured[profile, label, rounds] = list(checked)
    return loop_table(measured)


def named_model(spec: str) -> LanguageModel | None:
    """Return the model; a local one gets more time than the product's default."""
    if spec.startswith("openai:") and "OPENAI_BASE_URL" in os.environ:
        return OpenAIModel(
            model=spec.removeprefix("openai:"),
            base_url=os.environ["OPENAI_BASE_URL"],
            api_key=os.environ.get("OPENAI_API_KEY", ""),
            timeout_seconds=PATIENCE,
        ).get_model()
    return load_model(spec)


def line(profile: str, label: str, reply: FirstReply) -> str:
    """Return one reply on one line."""
    if reply.response is None:
        return f"{profile} {label} failed ({reply.failure}): {reply.asked.text}"
    last = reply.response.completions[-1]
    kind = "changed" if reply.asked.case.changed else "unchanged"
    held = "held" if reply.asked.evidence_holds_answer else "-"
    return (
        f"{profile} {label} {kind} {held} {reply.verdict.value} {last.seconds:.0f}s"
        f" p={reply.response.premise_rejected}/{reply.asked.gold.false_premise}"
        f" | {reply.asked.text} | {reply.asked.gold.answers} | {reply.response.answer!r}"
        f" | {last.text!r}"
    )


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser("python -m benchmarks.prompts", description=__doc__)
    parser.add_argument("--label", default="local", help="name of the model in the store")
    parser.add_argument("--model", default="", help="model to ask; empty: the store alone")
    parser.add_argument("--profiles", default="paper-gpt4,best")
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--judge", action="store_true", help="measure the model as a judge instead")
    parser.add_argument("--rounds", type=int, default=0, help="also run the loop, so many rounds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", default="prompts.db", help="SQLite file of the completions")
    parser.add_argument("--show", action="store_true", help="print every reply")
    return parser.parse_args()


if __name__ == "__main__":
    main()
