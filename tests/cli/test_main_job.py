"""The main job through the command line: import, refresh, review, publish, pull, diff."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import copy_store, runner

from freshqa import sample

WEEK = ("--as-of", "2026-03-09")
RECORDED = (
    "--search",
    f"recorded:{sample.path('searches-2026-03-09.jsonl')}",
    "--model",
    f"recorded:{sample.path('model-2026-03-09.jsonl')}",
)


@pytest.fixture(scope="module")
def one_refresh(imported: Path, api_url: str, tmp_path_factory: pytest.TempPathFactory):
    """Folder of a store after one refresh, and what the refresh printed; copied, never changed."""
    folder = tmp_path_factory.mktemp("refreshed")
    copy_store(imported, folder)
    done = runner(folder, api_url)("refresh", *WEEK, "--all", *RECORDED, "--json")
    assert done.code == 0, done.stderr
    return folder, done.json


@pytest.fixture
def refreshed(one_refresh, api_url: str, tmp_path: Path):
    """The command line on a copy of the refreshed store, and what the refresh printed."""
    folder, figures = one_refresh
    copy_store(folder, tmp_path)
    return runner(tmp_path, api_url), figures


@pytest.fixture
def on_server(imported: Path, api_url: str, tmp_path: Path):
    """The command line on the sample store, its flows on a Prefect server that runs."""
    copy_store(imported, tmp_path)
    return runner(tmp_path, api_url)


def test_the_figures_of_a_refresh_add_up(refreshed) -> None:
    run, figures = refreshed
    assert figures["due"] == figures["checked"] == sum(figures["outcomes"].values()) == 45
    assert figures["base_version"] == 1
    assert figures["published_version"] is None
    assert figures["auto_accepted"] == 0
    listed = run("review", "list", "--json").json["proposals"]
    assert figures["proposals"] == figures["held"] == len(listed) > 5
    risks = [proposal["risk"] for proposal in listed]
    assert risks == sorted(risks, reverse=True)
    shown = run("runs", "show", figures["run"], "--json").json
    assert len(shown["items"]) == 45
    assert {item["outcome"] for item in shown["items"]} == set(figures["outcomes"])


def test_an_accepted_change_is_published_and_is_in_the_snapshot(
    refreshed, tmp_path: Path, no_slot_for_the_tag
) -> None:
    run, _ = refreshed
    question = "Who is the president of Orlune?"
    listed = run("review", "list", "--json").json["proposals"]
    (president,) = [p for p in listed if p["question"] == question]
    assert president["changes"]["answer_0"] == {"old": "Mira Tolland", "new": "Idris Quane"}
    accepted = run("review", "accept", str(president["id"]), "--by", "Ada", "--json")
    assert accepted.json["decided"][0]["status"] == "accepted"
    published = run("publish", *WEEK, "--message", "A new president", "--json").json
    assert (published["version"], published["parent"]) == (2, 1)

    difference = run("diff", "1", "2", "--json").json
    assert [change["question"] for change in difference["changed"]] == [question]
    assert difference["added"] == difference["removed"] == []

    pulled = run("pull", "--version", "2", "--format", "official", "-o", "pulled.csv")
    assert pulled.code == 0, pulled.stderr
    other = {"PREFECT_FRESHQA_STORE": f"sqlite:///{tmp_path / 'other.db'}"}
    assert run("init", **other).code == 0
    assert run("import", "pulled.csv", *WEEK, **other).code == 0
    assert (
        run("log", "--json", **other).json["versions"][0]["content_hash"]
        == (published["content_hash"])
    )
    assert run("verify", "--all").code == 0


def test_a_decided_proposal_cannot_be_decided_again(refreshed) -> None:
    run, _ = refreshed
    first = run("review", "list", "--json").json["proposals"][0]["id"]
    assert run("review", "reject", str(first), "--by", "Ada", "--reason", "no").code == 0
    again = run("review", "accept", str(first), "--by", "Bob", "--json")
    assert again.code == 1
    assert again.error["kind"] == "conflict"
    assert "Ada" in again.error["message"]


def test_one_unknown_id_among_several_decides_none(refreshed) -> None:
    run, figures = refreshed
    first = run("review", "list", "--json").json["proposals"][0]["id"]
    done = run("review", "accept", str(first), "9999", "--json")
    assert (done.code, done.error["kind"]) == (1, "not-found")
    assert len(run("review", "list", "--json").json["proposals"]) == figures["held"]


def test_a_second_refresh_of_one_week_is_the_same_run_and_makes_no_call(refreshed) -> None:
    run, figures = refreshed
    again = run("refresh", *WEEK, "--all", *RECORDED, "--json").json
    assert again == {**figures, "resumed": True}


def test_publishing_without_a_prefect_server_gives_the_same_version_and_starts_none(
    refreshed, tmp_path: Path
) -> None:
    run, _ = refreshed
    (president,) = [
        proposal
        for proposal in run("review", "list", "--json").json["proposals"]
        if proposal["question"] == "Who is the president of Orlune?"
    ]
    run("review", "accept", str(president["id"]), "--by", "Ada")
    (tmp_path / "alone").mkdir()
    copy_store(tmp_path, tmp_path / "alone")
    on_a_server = run("publish", *WEEK, "--json").json
    alone = runner(tmp_path / "alone")("publish", *WEEK, "--json").json
    assert alone == on_a_server
    assert alone["version"] == 2 and alone["proposals"] == 1 and alone["validation"]["success"]
    assert not list((tmp_path / "alone").rglob("prefect.db"))  # which a server writes


def test_publishing_without_accepted_proposals_exits_with_3(refreshed) -> None:
    run, _ = refreshed
    done = run("publish", "--json")
    assert (done.code, done.error["kind"]) == (3, "nothing-to-do")


def test_a_budget_of_zero_leaves_every_question_due(on_server) -> None:
    done = on_server("refresh", *WEEK, "--all", *RECORDED, "--budget-usd", "0", "--json")
    assert done.code == 0, done.stderr
    assert done.json["checked"] == 0
    assert done.json["left_due"] == done.json["due"] == 45


def test_policy_assisted_publishes_only_proposals_that_change_no_fact(on_server) -> None:
    figures = on_server("refresh", *WEEK, "--all", *RECORDED, "--policy", "assisted", "--json").json
    assert figures["unlicensed"], "a model without a certificate is said"
    accepted = on_server("review", "list", "--status", "all", "--json").json["proposals"]
    automatic = [p for p in accepted if p["status"] == "published"]
    assert figures["auto_accepted"] == len(automatic)
    assert {p["outcome"] for p in automatic} <= {"alternative", "unchanged"}
    assert figures["held"] == len(accepted) - len(automatic)
    if automatic:
        assert figures["published_version"] == 2
        changes = on_server("diff", "1", "2", "--json").json["changed"]
        assert all("answer_0" not in change["fields"] for change in changes)


def test_policy_certified_without_a_certificate_is_refused_and_starts_no_run(on_server) -> None:
    done = on_server("refresh", *WEEK, "--all", *RECORDED, "--policy", "certified", "--json")
    assert (done.code, done.error["kind"]) == (3, "refused")
    assert on_server("runs", "list", "--json").json["runs"] == []
