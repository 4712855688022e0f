import json
from pathlib import Path

import pytest

from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.lexical import LexicalJudge, lexical_verdict


def question(*answers: str, false_premise: str = "FALSE") -> Question:
    slots = {f"answer_{slot}": answer for slot, answer in enumerate(answers)}
    return Question({"question": "How many?", "false_premise": false_premise, **slots}, key="q-1")


@pytest.mark.parametrize(
    ("answers", "response", "verdict"),
    [
        (["12"], "There are twelve of them.", "correct"),
        (["12"], "In 2012 there were 11.", "incorrect"),
        (["1,200"], "It has 1200 rooms.[3]", "correct"),
        (["Lady Gaga"], "LADY GAGA⁶ it is.", "correct"),
        (["October 27, 2022"], "It happened on 27 Oct 2022.", "correct"),
        (["Paris", "Lutetia"], "Once it was called Lutetia.", "correct"),
        (["Paris"], "Rome", "incorrect"),
        (["Paris"], "  ", "unrated"),
        ([], "Paris", "unrated"),
        (["Yes"], "It certainly is.", "unrated"),
        (["Yes"], "Yes, it is.", "correct"),
        (["No public payphone is left in New York City."], "All are gone.", "unrated"),
        (["Mount Denali"], "It is Denali.", "unrated"),  # complete enough? words cannot tell
        (["Lisa from BLACKPINK"], "BLACKPINK's Lisa", "unrated"),
        (["Mount Denali"], "It is Foraker.", "incorrect"),
    ],
)
def test_words_numbers_and_dates(answers: list[str], response: str, verdict: str) -> None:
    judged = LexicalJudge().judge(question(*answers), response, mode=Mode.relaxed)
    assert (judged.verdict.value, judged.judge, judged.key) == (verdict, "lexical", "q-1")
    assert judged.comment


def test_a_phrase_of_the_question_is_no_answer() -> None:
    asked = question("5", "five").with_changes(
        {"question": "How many presidents has Peru had in the last 5 years?"}
    )

    def verdict(response: str) -> str:
        return lexical_verdict(asked, response, mode=Mode.relaxed)[0].value

    assert verdict("In the last 5 years, Peru has had 7 presidents.") == "incorrect"
    assert verdict("In the last 5 years, Peru has had 5 presidents.") == "correct"


def test_says_what_it_cannot_judge() -> None:
    strict = lexical_verdict(question("12"), "12", mode=Mode.strict)
    rebuttal = lexical_verdict(question("12", false_premise="TRUE"), "12", mode=Mode.relaxed)
    assert strict[0] is rebuttal[0] is Verdict.unrated
    assert "strict needs a model" in strict[1] and "false premise needs a model" in rebuttal[1]


@pytest.mark.real_data
def test_agreement_with_recorded_verdicts(shared_data: Path) -> None:
    release = read_release(shared_data / "freshqa" / "FreshQA_v03112024.csv")
    asked = {question.text: question for question in release.questions}
    file = shared_data / "labels" / "gpt-3.5-turbo-1106_freshprompt_2024-06-07.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    same = rated = 0
    for row in rows:
        verdict, _ = lexical_verdict(asked[row["question"]], row["final_answer"], mode=Mode.relaxed)
        if verdict is not Verdict.unrated:
            rated += 1
            same += (verdict is Verdict.correct) == (row["accuracy"] == "Correct")
    assert len(rows) == 500
    assert rated >= 330 and same / rated >= 0.87
