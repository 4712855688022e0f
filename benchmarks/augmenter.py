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
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchmarks.checking_data import DATA, LAST_RELEASE, SEARCHED_ON, jsonl, releases, searches
from benchmarks.prompts.candidates import Recipe, recipe
from benchmarks.prompts.completions import StoredCompletions
from benchmarks.prompts.first_replies import ask_once
from benchmarks.prompts.questions import RecordedQuestion, choose, recorded_questions
from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.answering.response import Response
from freshqa.checking.answer_from_memory import Memory
from freshqa.checking.criticism import self_critic
from freshqa.checking.loop import LoopSettings, Tools, run_loop
from freshqa.checking.policy import RULE, EvidenceUse, PaperPolicy, Policy
from freshqa.checking.utility import knowledge_f1
from freshqa.dataset.question import Question, normalised_question
from freshqa.errors import FreshQAError
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.lexical import lexical_verdict
from freshqa.evaluation.rate import Rate
from freshqa.evidence.consolidate import PROFILES, consolidate
from freshqa.evidence.parsing import parse

LABELS = DATA / "labels" / "gpt-3.5-turbo-1106_freshprompt_2024-06-07.jsonl"
THRESHOLDS = (0.1, 0.2, 0.3, 0.5)
ALWAYS = EvidenceUse.always
EVER = math.inf  # a KF1 that nothing reaches: revise as long as there are rounds


@dataclass(frozen=True)
class Way:
    """One row: who decides, in how many rounds, with whose feedback.

    Args:
        samples: Answers drawn at temperature 0.7, of which the best by KF1 is sent; 0: the loop.
    """

    policy: Policy
    rounds: int = 1
    criticism: bool = False
    samples: int = 0


def paper(evidence: EvidenceUse, threshold: float = 0.5) -> PaperPolicy:
    """A policy of the paper with the template feedback of its footnote 3."""
    return PaperPolicy(evidence.value, evidence, threshold=threshold)


TABLE_4: Mapping[str, Way] = {
    "no consolidator (from memory)": Way(paper(EvidenceUse.never)),
    "self-ask": Way(paper(EvidenceUse.asked)),
    "always-use": Way(paper(ALWAYS)),
    "always-use, template feedback": Way(paper(ALWAYS), rounds=3),
    "always-use, self-criticism": Way(paper(ALWAYS), rounds=3, criticism=True),
    "rule, feedback of failed guards": Way(RULE, rounds=3),
}
FIGURE_5: Mapping[str, Way] = {
    "one answer": Way(paper(ALWAYS)),
    **{f"revise once below KF1 {at:g}": Way(paper(ALWAYS, at), rounds=2) for at in THRESHOLDS},
    "always revise, once": Way(paper(ALWAYS, EVER), rounds=2),
    "always revise, twice": Way(paper(ALWAYS, EVER), rounds=3),
    "two samples, the better by KF1": Way(paper(ALWAYS), samples=2),
    "three samples, the best by KF1": Way(paper(ALWAYS), samples=3),
}


@dataclass
class Counted:
    """A model that counts what it is asked, at one temperature."""

    model: LanguageModel
    temperature: float = 0.0
    calls: int = 0
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.model.name

    def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Ask the model behind it."""
        self.calls += 1
        return self.model.complete(messages, **{**options, "temperature": self.temperature})


@dataclass(frozen=True)
class Sent:
    """What a way sends for one question.

    Args:
        asked: The question.
        text: The response that is sent, as it stands.
        calls: Completions it took.
        searched: Whether evidence was acquired.
    """

    asked: RecordedQuestion
    text: str
    calls: int
    searched: bool

    @cached_property
    def kf1(self) -> float:
        """Against the best of the recorded findings, whether they were shown or not."""
        return knowledge_f1(self.text, [finding.text for finding in self.asked.case.evidence])

    @cached_property
    def right(self) -> bool | None:
        """Whether the lexical judge credits it; None where it cannot tell."""
        return credited(self.asked.gold, self.text)


class Asker:
    """One question, asked in the ways of the tables.

    Args:
        label: Name of the model in the store.
        store: SQLite file of its replies.
        model: Asked for what the store lacks; None: nobody is.
    """

    def __init__(self, label: str, store: str, model: LanguageModel | None, how: Recipe) -> None:
        self._label, self._store, self._model, self._recipe = label, store, model, how

    def send(self, asked: RecordedQuestion, way: Way) -> Sent:
        """Return what a way sends.

        Raises:
            FreshQAError: as the model does, or nothing is stored and nobody is asked.
        """
        if way.samples:
            return self._best_of(asked, way.samples)
        model = Counted(StoredCompletions(self._store, self._label, self._model))
        memory = Memory(model, question=asked.text, as_of=SEARCHED_ON)

        def ask(feedback: str, prior: Response | None) -> Response:
            return ask_once(asked, self._recipe, model, feedback, prior)

        found = Response(asked.text, "search", "", "", asked.case.evidence)
        rounds = run_loop(
            asked.stored,
            ask,
            risk=lambda evidence: 0.5,
            settings=LoopSettings(
                max_rounds=way.rounds,
                policy=way.policy,
                critic=self_critic(model, as_of=SEARCHED_ON) if way.criticism else None,
            ),
            tools=Tools(lambda: found, memory.recall, memory.needs_evidence),
        )
        last = rounds[-1].response  # the paper sends the last one
        return Sent(asked, last.text, model.calls, bool(last.evidence))

    def _best_of(self, asked: RecordedQuestion, samples: int) -> Sent:
        drawn = []
        for number in range(1, samples + 1):
            label = f"{self._label}, sample {number}"
            warm = StoredCompletions(self._store, label, Warm(self._model) if self._model else None)
            response = ask_once(asked, self._recipe, warm)
            drawn.append(Sent(asked, response.text, samples, True))
        return max(drawn, key=lambda sent: sent.kf1)


class Warm(Counted):
    """A model that is asked at temperature 0.7, whatever is wanted."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__(model, temperature=0.7)


def credited(gold: Question, text: str) -> bool | None:
    """Return the lexical judge's verdict; None where words do not tell."""
    verdict = lexical_verdict(gold, text, mode=Mode.relaxed)[0]
    return None if verdict is Verdict.unrated else verdict is Verdict.correct


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
        for name, one in sent.items():
            rows[name].append(one)
    return rows


def table(rows: Mapping[str, Sequence[Sent]]) -> Iterator[str]:
    """Yield one line a way: KF1, right answers with their interval, calls and searches a question."""
    yield "| way | n | KF1 | right, % [95 %] | unrated | model calls | searched |"
    yield "|---|---|---|---|---|---|---|"
    for name, sent in rows.items():
        if not sent:
            continue
        rated = [one.right for one in sent if one.right is not None]
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
