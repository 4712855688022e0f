"""Guards, utilities, feedback, and the loop that uses them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timezone
from typing import Any

import pytest

from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.checking.answer_from_memory import CLOSED_BOOK, Memory
from freshqa.checking.feedback import FeedbackCode
from freshqa.checking.loop import LoopSettings, Tools, run_loop
from freshqa.checking.policy import (
    PAPER_FEEDBACK,
    EvidenceUse,
    PaperPolicy,
    State,
    fixed_policy,
)
from freshqa.checking.round import Move, Round, best, verify
from freshqa.checking.short_answer import short_answer
from freshqa.checking.utility import answer_recall, knowledge_f1, parlai_words
from freshqa.dataset.question import Question
from freshqa.errors import UsageError
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.flags import Blocks, Flag, blocking
from freshqa.maintaining.outcome import decide_outcome
from freshqa.maintaining.proposal import Outcome

NOW = datetime(2026, 3, 9, tzinfo=timezone.utc)
PRESIDENT = Question(
    {"question": "Who is the president of Orlune?", "answer_0": "Mira Tolland"}, key="p"
)
PAGES = (
    Evidence(EvidenceKind.organic, url="https://a.example/", snippet="Idris Quane was sworn in."),
    Evidence(
        EvidenceKind.organic, url="https://b.example/", snippet="President Idris Quane spoke."
    ),
)


def reply(text: str) -> Completion:
    return Completion(text, "scripted", "0" * 64, NOW)


def said(answer: str, evidence: tuple[Evidence, ...] = PAGES) -> Response:
    return Response(PRESIDENT.text, "freshprompt", answer, answer, evidence, (), (reply(answer),))


def codes(checked_round: Round) -> list[FeedbackCode]:
    return [item.code for item in checked_round.feedback]


def test_an_answer_quoted_from_two_sources_passes_every_guard() -> None:
    checked_round = verify(1, said("Idris Quane"), PRESIDENT)
    assert all(guard.passed for guard in checked_round.guards)
    assert (checked_round.utility.quoted, checked_round.utility.independent) == (True, 2)


def test_the_finding_cited_by_a_reply_is_its_first_support() -> None:
    named = replace(said("Idris Quane"), cited=(PAGES[1].id,))
    supports = verify(1, named, PRESIDENT).weighed.proposed.supports
    assert [support.domain for support in supports] == ["b.example", "a.example"]
    assert named.cited_first == (PAGES[1], PAGES[0])


def test_each_guard_fails_with_its_own_feedback() -> None:
    assert codes(verify(1, said(""), PRESIDENT)) == [FeedbackCode.no_answer]
    assert codes(verify(1, said("Vera Stroud"), PRESIDENT)) == [FeedbackCode.no_quote]
    partly = verify(1, said("Idris Quane and Vera Stroud"), PRESIDENT)
    assert FeedbackCode.part_missing in codes(partly)
    old = Evidence(EvidenceKind.organic, url="https://c.example/", snippet="Mira Tolland rules.")
    both = verify(1, said("Idris Quane", (PAGES[0], old)), PRESIDENT)
    assert codes(both) == [FeedbackCode.conflict]
    assert "'Mira Tolland'" in both.feedback[0].text


def test_newer_contradicting_evidence_is_named_with_its_date() -> None:
    dated = (
        Evidence(EvidenceKind.organic, snippet="Idris Quane won.", date=date(2026, 3, 3)),
        Evidence(EvidenceKind.organic, snippet="Mira Tolland stays.", date=date(2026, 3, 6)),
    )
    (item,) = verify(1, said("Idris Quane", dated), PRESIDENT).feedback
    assert item.code is FeedbackCode.old_evidence
    assert "2026-03-03" in item.text and "2026-03-06" in item.text


def test_kf1_is_computed_as_in_the_paper() -> None:
    assert parlai_words("The U.S. has 50 states, a-b!") == ["u", "s", "has", "50", "states", "b"]
    assert knowledge_f1("the cat sat", ["a cat sat down"]) == pytest.approx(0.8)
    assert knowledge_f1("", ["x"]) == 0.0
    assert knowledge_f1("cat", []) == 0.0
    assert answer_recall("Idris Quane", PAGES) == 1.0
    assert answer_recall("Idris Stroud", PAGES) == 0.5


def run(answers: list[str], policy: str = "rule", rounds: int = 3) -> list[Round]:
    heard = iter(answers)
    return run_loop(
        PRESIDENT,
        lambda feedback, prior: said(next(heard)),
        risk=lambda evidence: 0.5,
        settings=LoopSettings(rounds, fixed_policy(policy)),
    )


def test_the_rule_stops_at_agreement_or_when_every_guard_passes() -> None:
    assert [step.move for step in run(["Mira Tolland"])] == [Move.keep]
    assert [step.move for step in run(["Idris Quane"])] == [Move.propose]
    assert [step.move for step in run(["Vera Stroud", "Idris Quane"])] == [
        Move.revise,
        Move.propose,
    ]


def test_the_loop_stops_without_new_results_or_at_the_limit_of_rounds() -> None:
    assert [step.move for step in run(["Vera Stroud", "vera stroud."])] == [
        Move.revise,
        Move.escalate,
    ]
    moves = [step.move for step in run(["Vera Stroud", "Gus Ferrow", "Ida Marsh"])]
    assert moves == [Move.revise, Move.revise, Move.escalate]
    assert [step.move for step in run(["Vera Stroud"], rounds=1)] == [Move.escalate]


def test_the_best_round_is_the_one_with_supporting_evidence() -> None:
    assert best(run(["Vera Stroud", "Idris Quane"])).number == 2
    assert (
        best([verify(1, said("Idris Quane"), PRESIDENT), verify(2, said("Bo"), PRESIDENT)]).number
        == 1
    )


def test_the_first_of_equal_rounds_is_the_best() -> None:
    same = [verify(number, said("Idris Quane"), PRESIDENT) for number in (1, 2)]
    assert best(same).number == 1


def test_a_reply_without_an_answer_is_not_revised() -> None:
    assert [step.move for step in run([""])] == [Move.escalate]


def test_the_next_round_is_told_which_findings_to_read_and_not_the_stored_answer() -> None:
    heard: list[str] = []
    kept = Evidence(EvidenceKind.organic, url="https://c.example/", snippet="Mira Tolland leads.")

    def ask(feedback: str, prior: Response | None) -> Response:
        heard.append(feedback)
        return said("Vera Stroud" if prior is None else "Idris Quane", (PAGES[0], kept))

    run_loop(PRESIDENT, ask, risk=lambda evidence: 0.5)
    assert heard[1] == (
        "No finding says that. Copy the answer from a finding."
        " Read findings 1 (a.example), 2 (c.example) again."
    )
    assert heard[2].startswith("Other findings say something else.")
    assert heard[2].endswith("Read findings 1 (a.example), 2 (c.example) again.")
    assert "Mira Tolland" not in "".join(heard)


def test_an_answer_replaced_after_feedback_is_still_the_one_decided_on() -> None:
    """The evidence supports both answers, and the second does not replace the first."""
    pages = (
        Evidence(EvidenceKind.organic, url="https://a.example/", snippet="Idris Quane leads."),
        Evidence(EvidenceKind.organic, url="https://b.example/", snippet="Vera Stroud leads."),
        Evidence(EvidenceKind.organic, url="https://c.example/", snippet="Mira Tolland left."),
        Evidence(EvidenceKind.organic, url="https://d.example/", snippet="Vera Stroud spoke."),
    )
    rounds = [
        verify(number, said(name, pages), PRESIDENT)
        for number, name in enumerate(("Idris Quane", "Vera Stroud"), 1)
    ]
    assert best(rounds).number == 2
    verdict, chosen = decide_outcome(PRESIDENT, rounds, 0.5, as_of=NOW.date())
    assert (verdict.outcome, chosen.answer) == (Outcome.conflicting, "Idris Quane")
    assert verdict.reasons[-1] == "Only after feedback did the response say 'Vera Stroud'."


def test_the_policies_of_the_paper_send_the_last_answer() -> None:
    rounds = run(["Vera Stroud", "Gus Ferrow", "Ida Marsh"], policy="always-use")
    assert [step.move for step in rounds] == [Move.revise, Move.revise, Move.propose]


def test_only_kf1_below_the_threshold_causes_a_revision_with_the_feedback_of_the_paper() -> None:
    heard: list[str] = []

    def ask(feedback: str, prior: Response | None) -> Response:
        heard.append(feedback)
        text = "Idris Quane" if prior is None else "Idris Quane was sworn in."
        return Response(
            PRESIDENT.text, "freshprompt", text, "Idris Quane", PAGES, (), (reply(text),)
        )

    policy = PaperPolicy("always-use", EvidenceUse.always, threshold=0.9)
    rounds = run_loop(PRESIDENT, ask, risk=lambda evidence: 0.5, settings=LoopSettings(3, policy))
    assert all(guard.passed for step in rounds for guard in step.guards)
    assert [step.move for step in rounds] == [Move.revise, Move.propose]
    assert [round(step.utility.kf1, 3) for step in rounds] == [0.667, 1.0]
    assert heard == ["", PAPER_FEEDBACK]


def test_a_kf1_at_the_threshold_is_sent_although_a_guard_fails() -> None:
    sentence = "Vera Stroud was sworn in."
    policy = PaperPolicy("always-use", EvidenceUse.always, threshold=0.6)
    rounds = run_loop(
        PRESIDENT,
        lambda feedback, prior: said(sentence),
        risk=lambda evidence: 0.5,
        settings=LoopSettings(3, policy),
    )
    assert rounds[0].utility.kf1 == pytest.approx(0.6)
    assert not all(guard.passed for guard in rounds[0].guards)
    assert [step.move for step in rounds] == [Move.propose]


def test_an_unknown_or_unlearned_policy_is_refused() -> None:
    with pytest.raises(UsageError, match="Choose one of: rule, always-use"):
        fixed_policy("best")
    with pytest.raises(UsageError, match="must be fitted"):
        fixed_policy("fitted")


class Scripted:
    """A model that says what it is told to."""

    name = "scripted"

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)

    def complete(self, messages: object, **settings: object) -> Completion:
        return reply(self.replies.pop(0))


def tools_of(
    model: Scripted, follow_up: Callable[[Response], Response | None] | None = None
) -> Tools:
    memory = Memory(model, question=PRESIDENT.text, as_of=date(2026, 3, 9))
    response = replace(said(""), method="none", completions=())
    return Tools(lambda: response, memory.recall, memory.needs_evidence, follow_up)


def check(policy: str, model: Scripted, *answers: str, **tools: Any) -> list[Round]:
    heard = iter(answers)
    return run_loop(
        PRESIDENT,
        lambda feedback, prior: said(next(heard)),
        risk=lambda evidence: 0.5,
        settings=LoopSettings(2, fixed_policy(policy)),
        tools=tools_of(model, **tools),
    )


@pytest.mark.parametrize(
    ("policy", "replies", "acquired", "method"),
    [
        ("rule", (), ["search", "answer"], "freshprompt"),
        ("always-use", (), ["search", "answer"], "freshprompt"),
        ("no-consolidator", ("Mira Tolland",), ["answer"], CLOSED_BOOK),
        ("self-ask", ("No.", "Mira Tolland"), ["answer"], CLOSED_BOOK),
        ("self-ask", ("Yes.",), ["search", "answer"], "freshprompt"),
        ("self-ask", ("Not sure; I need to look it up.",), ["search", "answer"], "freshprompt"),
        ("self-ask", ("No idea.",), ["search", "answer"], "freshprompt"),
    ],
)
def test_every_policy_decides_what_to_acquire(
    policy: str, replies: tuple[str, ...], acquired: list[str], method: str
) -> None:
    extra = ("Mira Tolland",) if method == CLOSED_BOOK else ()  # its revision
    model = Scripted(*replies, *extra)
    first = check(policy, model, "Mira Tolland", "Mira Tolland")[0]
    assert [step.move.value for step in first.acquired] == acquired
    assert first.response.method == method
    assert [step["move"] for step in first.to_json()["acquired"]] == acquired
    if method == CLOSED_BOOK:
        assert len(first.response.completions) == len(replies)


def test_a_follow_up_that_finds_nothing_new_is_tried_once() -> None:
    silent = replace(said(""), completions=())  # nothing to revise
    rounds = run_loop(
        PRESIDENT,
        lambda feedback, prior: silent,
        risk=lambda evidence: 0.5,
        settings=LoopSettings(3),
        tools=tools_of(Scripted(), lambda prior: None),
    )
    assert [step.move for step in rounds] == [Move.search_again, Move.escalate]
    answered = run_loop(
        PRESIDENT,
        lambda feedback, prior: silent,
        risk=lambda evidence: 0.5,
        settings=LoopSettings(3),
        tools=tools_of(Scripted(), lambda prior: said("Idris Quane")),
    )
    assert [step.move for step in answered] == [Move.search_again, Move.propose]


class Asks:
    """A policy that asks a person before anything was acquired."""

    name, feedback = "asks", ""

    def decide(self, state: State) -> Move:
        assert state.open == {Move.search, Move.answer, Move.escalate}
        return Move.escalate


def test_a_policy_may_ask_a_person_before_any_paid_call() -> None:
    def never(*anything: object) -> Response:
        raise AssertionError("nothing may be asked")

    rounds = run_loop(
        PRESIDENT,
        never,
        risk=lambda evidence: 0.5,
        settings=LoopSettings(3, Asks()),
        tools=Tools(never, never, never),
    )
    assert [(step.move, step.answer) for step in rounds] == [(Move.escalate, "")]


@pytest.mark.parametrize(
    ("question", "stored", "answer", "short"),
    [
        (
            "Who is the UK's sheriff?",
            "Ann Lee",
            "The UK's sheriff is Robert G. Luna.",
            "Robert G. Luna",
        ),
        ("What won?", "X", "Once.", "Once"),
        (
            "When did it fall?",
            "Nov 9, 1989",
            "The wall fell on November 9, 1989.",
            "November 9, 1989",
        ),
        ("In what year did it start?", "1970", "It started on October 13, 1971.", "1971"),
        ("How many seats are there?", "735", "There are 736 seats in the house.", "736"),
        ("How many seats are there?", "735 seats", "There are 736 seats in it.", "736 seats"),
        ("How many seats are there?", "735", "Over 700 seats are there, some say 736.", ""),
        ("Who won the cup?", "Ann", "Vera Stroud won the cup.", "Vera Stroud"),
        ("Who won the cup?", "Ann", "It is hard to say who won anything that year at all.", ""),
        (
            "Who were the finalists?",
            "A and B",
            "The finalists were Coco Gauff and Ann Lee.",
            "Coco Gauff and Ann Lee",
        ),
        ("Is it open?", "Yes", "Yes", "Yes"),
    ],
)
def test_the_short_answer_holds_the_words_that_answer_the_question(
    question: str, stored: str, answer: str, short: str
) -> None:
    row = Question({"question": question, "answer_0": stored})
    assert short_answer(answer, row) == short


def test_an_answer_about_the_next_event_in_the_present_year_is_left_to_a_person() -> None:
    """On 13 March 2024 a model still says that 2024 is the next leap year."""
    stored = Question(
        {"question": "When is the next leap year?", "answer_0": "2024", "next_review": "2/1/2024"},
        key="leap",
    )
    pages = (Evidence(EvidenceKind.organic, url="https://a.example/", snippet="It is 2024."),)
    last_round = replace(verify(1, said("2024", pages), stored), move=Move.keep)
    verdict, _ = decide_outcome(stored, [last_round], 0.01, as_of=date(2024, 3, 13))
    assert verdict.outcome is Outcome.unchanged
    assert Flag.may_be_past in verdict.flags
    assert blocking([Flag.may_be_past], Blocks.every_policy)
