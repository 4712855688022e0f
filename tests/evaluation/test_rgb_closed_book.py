"""Questions without documents: the gate of the paper, and testbeds of known facts."""

from __future__ import annotations

from datetime import date

import pytest
from evaluation.rgb_items import TOWNS, testbed
from evaluation.scripted_model import ScriptedModel
from evaluation.test_rgb_own import NEW as NEW_ROWS
from evaluation.test_rgb_own import OLD as OLD_ROWS
from servers.openai_server import OpenAIServer

from freshqa.evaluation.rgb.closed_book import KnownFacts, closed_book_gate, gate_note
from freshqa.evaluation.rgb.mistakes import Mistake, mistake
from freshqa.evaluation.rgb.own import Dated, own_testbeds
from freshqa.evaluation.rgb.probe import Probe, read_item, summarise
from freshqa.evaluation.rgb.reader import ModelReader
from freshqa.evaluation.rgb.reply import read_reply
from freshqa.evaluation.rgb.sampling import Mixture
from freshqa.evaluation.rgb.scoring import Scoring, score
from freshqa.evaluation.rgb.testbed import Item, Kind

OLD, NEW = Dated(OLD_ROWS, date(2024, 1, 1)), Dated(NEW_ROWS, date(2024, 3, 1))


def closed_book(known: int) -> dict[str, object]:
    """The gate of a model that knows so many of six towns."""
    bed = testbed(Kind.counterfactual)
    probe = Probe(Mixture(documents=0))

    def reply(chat: object) -> str:
        number = int(str(chat[-1].content).split("fair ")[1].split(" ")[0])
        return TOWNS[number] if number < known else "No idea"

    reader = ModelReader(ScriptedModel(reply))
    reads = [read_item(item, bed, probe, reader) for item in bed.items]
    gate = closed_book_gate([summarise(reads, bed, probe)], [bed])
    assert gate is not None
    return dict(gate)


def test_only_more_than_seventy_percent_of_closed_book_answers_pass_the_gate() -> None:
    passes, fails = closed_book(5), closed_book(4)
    assert passes["passed"] and not fails["passed"]
    assert fails["accuracy"]["hits"] == 4 and fails["above"] == 0.7
    assert "above the paper's 70 %" in gate_note(passes)
    assert "the paper leaves such a model out" in gate_note(fails)


def test_without_a_closed_book_probe_there_is_no_gate() -> None:
    bed = testbed(Kind.counterfactual)
    assert closed_book_gate([summarise([], bed, Probe(Mixture()))], [bed]) is None


def test_a_counterfactual_testbed_holds_only_what_the_model_knows() -> None:
    every = own_testbeds(OLD, NEW)[Kind.counterfactual]
    wanted = {item.query for item in every[::2]}
    asked: list[str] = []

    def knows(item: Item) -> bool:
        asked.append(item.query)
        return item.query in wanted

    beds = own_testbeds(OLD, NEW, known=knows)
    assert {item.query for item in beds[Kind.counterfactual]} == wanted
    assert beds[Kind.base] == own_testbeds(OLD, NEW)[Kind.base]
    asked.clear()
    own_testbeds(OLD, NEW, known=knows, size=1)
    assert asked == [every[0].query], "no model is asked beyond the size"


def test_known_facts_are_asked_without_documents_and_counted() -> None:
    model = ScriptedModel(lambda chat: "It was Rome.")
    facts = KnownFacts(ModelReader(model))
    items = testbed(Kind.counterfactual).items
    assert [facts(item) for item in items] == [town == "Rome" for town in TOWNS]
    assert facts.to_json() == {"asked": 6, "known": 1, "accuracy": 0.1667}
    assert all([m.role for m in chat] == ["user"] for chat in model.asked)


def test_the_testbed_command_asks_the_model(cli, judge_server: OpenAIServer) -> None:
    judge_server.answer = lambda body: "I do not know."
    printed = cli("testbed", "-o", "beds", "--model", "openai:reader", "--json")
    assert printed.code == 0, printed.err
    assert printed.json["closed_book"] == {"asked": 4, "known": 0, "accuracy": 0.0}
    assert {bed["kind"]: bed["items"] for bed in printed.json["testbeds"]}["counterfactual"] == 0
    assert printed.json["texts"]["prompt"]["name"].startswith("ours: RGB's setting")
    alone = cli("testbed", "-o", "beds", "--instruction", "x.yaml", "--json")
    assert alone.code == 2


YEARS = Item(
    "1",
    "When did Ann win, and when did Bob win?",
    (("1990",), ("2001",)),
    (("Ann won in 1990 and lost in 1995.",), ("Bob won in 2001.",)),
    (),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann in 1990, Bob in 1995", Mistake.misaligned),
        ("Bob in 2001", Mistake.merged),
        ("Ann in 1990, Bob later, nobody knows 3 things", Mistake.ignored),
        ("Ann in 1990, Bob in 2001", None),
    ],
)
def test_mistakes_between_sub_questions_are_classified(text: str, expected: Mistake | None) -> None:
    reply = read_reply(text)
    kind = mistake(
        reply,
        score(reply, YEARS, language="en", scoring=Scoring.fixed),
        YEARS,
        positive=2,
        documents=[document for group in YEARS.positive for document in group],
        language="en",
    )
    assert kind is expected
