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
def test_words_numbers_and_dates_are_compared(
    answers: list[str], response: str, verdict: str
) -> None:
    judged = LexicalJudge().judge(question(*answers), response, mode=Mode.relaxed)
    assert (judged.verdict.value, judged.judge, judged.key) == (verdict, "lexical", "q-1")
    assert judged.comment


@pytest.mark.parametrize(
    ("answer", "response"),
    [
        ("Joe Biden", "It was not Joe Biden; Donald Trump won."),
        ("Joe Biden", "Either Joe Biden or Donald Trump."),
        ("Joe Biden", "Neither Joe Biden nor Donald Trump."),
        ("Joe Biden", "It could be Joe Biden or Donald Trump."),
        ("Joe Biden", "Donald Trump or Joe Biden"),
        ("Joe Biden", "It might be Joe Biden."),
        ("Joe Biden", "Joe Biden was president until 2025; now it is Donald Trump."),
        ("Joe Biden", "Joe Biden? No."),
        ("Joe Biden", "Joe Biden lost."),
        ("GPT-4", "GPT-4o"),
        ("GPT-4", "GPT-4 Turbo"),
        ("iPhone 15", "iPhone 15 Pro"),
        ("Hepatitis A", "Hepatitis B"),
        ("C++", "C#"),
        ("C", "C++"),
        ("AA+", "AA-"),
        ("-0.1%", "0.1%"),
        ("5", "5%"),
        ("€100", "$100"),
        ("5 °C", "-5 °C"),
        ("<36", ">36"),
        ("3½", "3"),
        ("10⁶", "10"),
        ("10 million", "10 billion"),
        ("12", "more than 12"),
        ("12", "about 12"),
        ("12", "between 12 and 15"),
        ("15", "12 to 15"),
        ("2023", "2022 or 2023"),
        ("Yes", "Yes, but only until 2023"),
        ("No", "No. 7"),
        ("Mira Tolland", "It used to be Mira Tolland."),
        ("Mira Tolland", "Idris Quane succeeded Mira Tolland."),
        ("Mira Tolland", "Idris Quane beat Mira Tolland"),
        ("Mira Tolland", "Contrary to what is said of Mira Tolland, it is Idris Quane."),
        ("Mira Tolland", "Some say Mira Tolland, others say Idris Quane."),
        ("Mira Tolland", "It is false that Mira Tolland leads it."),
        ("Mira Tolland", "Mira Tolland is no longer there."),
        ("Mira Tolland", "Mira Tolland's wife"),
        ("Mira Tolland", "Mira Tolland and Idris Quane"),
        ("Mira Tolland", "Mira Tolland / Idris Quane"),
        ("Mira Tolland", "No evidence supports Mira Tolland."),
        ("Mira Tolland", "I don't think it's Mira Tolland."),
        ("Orlune", "New Orlune"),
        ("Orlune", "The Orlune Valley"),
        ("member", "non-member"),
        ("Orl 3.1", "Orl 3.10"),
        ("Orl-4", "Orl-4-turbo"),
        ("5", "1,5"),
        ("5", "√5"),
        ("5 km", "5 km/h"),
        ("2031", "before 2031"),
    ],
)
def test_denials_doubts_and_additions_are_never_correct(answer: str, response: str) -> None:
    verdict, _ = lexical_verdict(question(answer), response, mode=Mode.relaxed)
    assert verdict is not Verdict.correct


@pytest.mark.parametrize(
    ("answer", "response"),
    [
        ("iPhone 15", "The iPhone 15 is it."),
        ("GPT-4", "It is GPT-4, a model."),
        ("more than 12", "There are more than 12."),
        ("12", "It has 12 rooms and 3 floors."),
        ("May 2023", "In May 2023."),
    ],
)
def test_a_plain_answer_is_still_found(answer: str, response: str) -> None:
    verdict, _ = lexical_verdict(question(answer), response, mode=Mode.relaxed)
    assert verdict is Verdict.correct


def test_a_phrase_of_the_question_is_not_an_answer() -> None:
    asked = question("5", "five").with_changes(
        {"question": "How many presidents has Peru had in the last 5 years?"}
    )

    def verdict(response: str) -> str:
        return lexical_verdict(asked, response, mode=Mode.relaxed)[0].value

    assert verdict("In the last 5 years, Peru has had 7 presidents.") == "incorrect"
    assert verdict("In the last 5 years, Peru has had 5 presidents.") == "correct"


def test_cases_it_cannot_judge_are_unrated_with_a_reason() -> None:
    strict = lexical_verdict(question("12"), "12", mode=Mode.strict)
    rebuttal = lexical_verdict(question("12", false_premise="TRUE"), "12", mode=Mode.relaxed)
    assert strict[0] is rebuttal[0] is Verdict.unrated
    assert "strict needs a model" in strict[1] and "false premise needs a model" in rebuttal[1]


@pytest.mark.real_data
def test_agreement_with_recorded_verdicts_is_at_least_the_measured_one(shared_data: Path) -> None:
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
    assert rated >= 310 and same / rated >= 0.87
