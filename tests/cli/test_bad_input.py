"""Bad input changes nothing and is reported in one line with a remedy and an exit code."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from command_line import copy_store, runner


def test_a_missing_file_is_named(run, tmp_path: Path) -> None:
    run("init")
    done = run("import", "nowhere.csv", "--json")
    assert done.code == 1
    assert done.error["kind"] == "not-found"
    assert "nowhere.csv" in done.error["message"]
    assert run("log", "--json").json["versions"] == []


def test_a_file_that_is_not_a_release_is_refused(run, tmp_path: Path) -> None:
    run("init")
    (tmp_path / "letter.csv").write_text("Dear reader,\nthis is a letter.\n")
    done = run("import", "letter.csv", "--json")
    assert (done.code, done.error["kind"]) == (1, "not-a-release")
    assert run("log", "--json").json["versions"] == []


def test_an_unreachable_store_is_reported_in_one_line(run) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"postgresql+psycopg://me:secret-word@127.0.0.1:{port}/none"
    done = run("log", PREFECT_FRESHQA_STORE=url)
    assert done.code == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "secret-word" not in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2


def test_a_store_that_does_not_exist_is_reported_with_the_command_that_creates_it(run) -> None:
    done = run("log", "--json")
    assert (done.code, done.error["kind"]) == (1, "store")
    assert "prefect-freshqa init" in done.error["remedy"]


def test_an_unknown_block_is_named(imported, api_url, tmp_path: Path) -> None:
    copy_store(imported, tmp_path)
    run = runner(tmp_path, api_url)
    done = run("refresh", "--as-of", "2026-03-09", "--search", "no-such-block", "--json")
    assert done.code == 1
    assert done.error["kind"] == "not-found"
    assert "no-such-block" in done.error["message"]
    assert run("runs", "list", "--json").json["runs"] == []


def test_a_missing_key_is_reported_before_anything_runs(sample_store) -> None:
    done = sample_store("refresh", "--as-of", "2026-03-09", "--search", "serpapi", "--json")
    assert (done.code, done.error["kind"]) == (1, "credentials")
    assert "SERPAPI_API_KEY" in done.error["message"] + done.error["remedy"]
    assert sample_store("runs", "list", "--json").json["runs"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("refresh", "--as-of", "2026-03-09"),
        ("evaluate", "--method", "freshprompt", "--judge", "lexical"),
    ],
)
def test_a_budget_in_dollars_needs_the_price_of_the_model(sample_store, arguments) -> None:
    keys = {"SERPAPI_API_KEY": "k", "OPENAI_API_KEY": "k"}
    asked = ("--search", "serpapi", "--model", "openai:gpt-4o", "--budget-usd", "5", "--json")
    done = sample_store(*arguments, *asked, **keys)
    assert (done.code, done.error["kind"]) == (2, "usage"), done.stdout + done.stderr
    assert "The price of 'openai:gpt-4o' is unknown" in done.error["message"]
    assert sample_store("runs", "list", "--json").json["runs"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("refresh", "--as-of", "tomorrow"),
        ("refresh", "--budget-usd", "much"),
        ("refresh", "--method", "guess"),
        ("review", "edit", "1", "--set", "answer_99=x"),
        ("review", "list", "--status", "odd"),
        ("pull", "--format", "docx", "-o", "x"),
        ("no-such-command",),
    ],
)
def test_wrong_usage_exits_with_2(sample_store, arguments) -> None:
    done = sample_store(*arguments, "--json")
    assert done.code == 2, done.stdout + done.stderr
    assert done.error["kind"] == "usage"
    assert done.error["remedy"]
    assert "Traceback" not in done.stderr
