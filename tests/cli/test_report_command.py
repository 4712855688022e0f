"""The command `prefect-freshqa report` turns a wrong answer into a proposal for review."""

from __future__ import annotations

import json
import sys

import pytest
from desk.world import KEEPER, WORLD
from store.sheet import DAY, NOW

from freshqa.store.database import Store
from freshqa.store.publishing import publish
from prefect_freshqa.cli.main import main

LINK = "https://gazette.orlune.example/keeper"


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    store = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}", create=True)
    publish(store, WORLD, as_of=DAY, now=NOW, parent=None)
    store.close()
    monkeypatch.setenv("PREFECT_FRESHQA_STORE", store.url)

    def run_command(*arguments):
        monkeypatch.setattr(sys, "argv", ["prefect-freshqa", *arguments, "--json"])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, json.loads(capfd.readouterr().out)

    return run_command


def test_a_report_is_listed_for_review_and_decided_there(run) -> None:
    code, reported = run("report", KEEPER.text, "--answer", "Idris Quane", "--link", LINK)
    assert code == 0
    assert reported["proposal"]["outcome"] == "reported"
    assert reported["proposal"]["status"] == "pending"
    id = str(reported["proposal"]["id"])
    listed = run("review", "list")[1]["proposals"]
    assert [(str(proposal["id"]), proposal["key"]) for proposal in listed] == [(id, KEEPER.key)]
    assert run("review", "accept", id)[0] == 3
    code, decided = run("review", "accept", id, "--candidate", "1", "--by", "Ada")
    assert (code, decided["decided"][0]["status"]) == (0, "edited")


@pytest.mark.parametrize(
    ("question", "answer", "link", "code", "words"),
    [
        ("q-keeper", "Idris Quane", "javascript:alert(1)", 2, "not a valid web address"),
        ("q-keeper", " ", LINK, 2, "answer is missing"),
        ("q-keeper", "x" * 301, LINK, 2, "at most 300"),
        ("q-keeper", "Tamsin Vey", LINK, 3, "already an accepted answer"),
        ("no such question", "Idris Quane", LINK, 1, "Question not found"),
    ],
)
def test_an_invalid_report_is_reported_in_one_line(
    run, question, answer, link, code, words
) -> None:
    ended, said = run("report", question, "--answer", answer, "--link", link)
    assert ended == code
    assert words in said["error"]["message"]
    assert run("review", "list")[1]["proposals"] == []


def test_the_same_report_twice_is_one_proposal(run) -> None:
    for code in (0, 1):
        assert run("report", "q-keeper", "--answer", "Idris Quane", "--link", LINK)[0] == code
    assert len(run("review", "list")[1]["proposals"]) == 1
