"""Events of a store and a run reach people as notifications through automations."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone

import pytest
from command_line import run_warm
from prefect.blocks.notifications import CustomWebhookNotificationBlock
from prefect.client.orchestration import get_client
from prefect.events.schemas.automations import AutomationCore
from servers.gauges import CHECKED, make_store, question_text
from servers.prefect_server import REPOSITORY, PrefectServer
from servers.scripted_server import Reply, Request, ScriptedServer
from servers.using import using

from freshqa.dataset.identity import match
from freshqa.dataset.release import read_release
from freshqa.maintaining.plan import plan_refresh
from freshqa.maintaining.proposal import CheckedQuestion, FieldChange, Outcome, Proposal
from freshqa.sample import path
from freshqa.store import publishing, runs, snapshots
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from prefect_freshqa.provision.server import provision_server
from prefect_freshqa.tasks.events import announce_budget, announce_overdue, announce_waiting

pytestmark = pytest.mark.integration

NOW = datetime(2026, 3, 9, 6, tzinfo=timezone.utc)
BLOCK = "custom-webhook/maintainers"


class Inbox(ScriptedServer):
    """Takes notifications."""

    def normal(self, request: Request) -> Reply:
        return Reply(body={"ok": True})

    def messages(self) -> list[str]:
        return [f"{r.body['subject']}\n{r.body['body']}" for r in self.requests]


@pytest.fixture(scope="module")
def inbox(prefect_server: PrefectServer) -> Iterator[Inbox]:
    """Where the shipped automations send to; they are made by `init`'s own function."""
    server = Inbox()
    with (
        server.running(),
        using(f"{prefect_server.url}/api"),
    ):
        CustomWebhookNotificationBlock(
            name="maintainers",
            url=f"{server.url}/hook",
            json_data={"subject": "{{subject}}", "body": "{{body}}"},
        ).save("maintainers", overwrite=True)
        provision_server(notify=BLOCK)
        yield server


@pytest.fixture(scope="module")
def missed(inbox: Inbox) -> Iterator[str]:
    """Text of the automation as `init` makes it, but for its eight days, which begins to wait."""
    with get_client(sync_client=True) as client:
        (there,) = client.read_automations_by_name("freshqa: no refresh for eight days")
        shorter = AutomationCore(
            name="test: no refresh for ten seconds",
            trigger=there.trigger.model_copy(update={"within": timedelta(seconds=10)}),
            actions=there.actions,
        )
        automation_id = client.create_automation(shorter)
    yield "No refresh has ended for eight days.\nRun: prefect-freshqa doctor --server"
    with get_client(sync_client=True) as client:
        client.delete_automation(automation_id)


@pytest.fixture
def store(sqlite_url: str) -> Store:
    """Two gauges, and a proposal about the first that was made eight days ago."""
    opened = make_store(sqlite_url, 2)
    then = NOW - timedelta(days=8)
    run, _ = runs.start_run(
        opened, key="r", flow="f", as_of=CHECKED, base_version=1, settings={}, now=then
    )
    question = next(q for q in snapshots.snapshot(opened, 1) if q.text == question_text(0))
    proposal = Proposal(
        key=question.key,
        question=question.text,
        base_revision=question.revision_hash,
        outcome=Outcome.changed,
        changes={"answer_0": FieldChange(question.primary, "1 cm")},
    )
    checked = CheckedQuestion(
        key=question.key,
        question=question.text,
        outcome=Outcome.changed,
        risk=0.9,
        stored=question.answers,
        proposal=proposal,
    )
    record_check(opened, run.key, checked, now=then)
    return opened


@pytest.mark.usefixtures("missed")  # it waits meanwhile
def test_proposals_that_wait_for_a_week_are_announced(
    inbox: Inbox, store: Store, prefect_server: PrefectServer
) -> None:
    assert announce_waiting(store, now=NOW - timedelta(days=2)) == 0
    assert announce_waiting(store, now=NOW) == 1
    text = "1 proposals wait for a decision, the oldest since 2026-03-01."
    prefect_server.wait_for(
        lambda: [m for m in inbox.messages() if text in m], "the notification", patience=60
    )


def test_a_reached_budget_is_announced(
    inbox: Inbox, store: Store, prefect_server: PrefectServer
) -> None:
    announce_budget(runs.get_run(store, "r"), left=17)
    text = "Run r stopped at its budget; 17 questions stay due."
    prefect_server.wait_for(
        lambda: [m for m in inbox.messages() if text in m], "the notification", patience=60
    )


def test_a_failed_refresh_is_announced(
    inbox: Inbox, deployed: PrefectServer, sqlite_url: str
) -> None:
    Store.open(sqlite_url, create=True)  # no version: the refresh has nothing to refresh
    run_id = deployed.run_deployment(
        "refresh-dataset/weekly-refresh",
        as_of=date(2026, 3, 9).isoformat(),
        settings={
            "store": sqlite_url,
            "method": "search-only",
            "search": f"recorded:{path('searches-2026-03-09.jsonl')}",
        },
    )
    assert deployed.wait_for_run(run_id)["state_type"] == "FAILED"
    (message,) = deployed.wait_for(
        lambda: [m for m in inbox.messages() if "a refresh failed" in m],
        "the notification",
        patience=60,
    )
    assert "The store has no version." in message
    assert run_id in message


def test_questions_unchecked_for_four_weeks_are_announced(
    inbox: Inbox, store: Store, prefect_server: PrefectServer
) -> None:
    rows = [
        question.with_changes({"next_review": "03/01/2026"})
        for question in snapshots.snapshot(store, 1)
    ]
    run, keys = runs.get_run(store, "r"), {question.key for question in rows}
    for days, late in ((27, 0), (28, 2)):
        as_of = date(2026, 3, 1) + timedelta(days=days)
        assert announce_overdue(run, plan_refresh(rows, as_of=as_of, days=7), keys) == late
    assert announce_overdue(run, plan_refresh(rows, as_of=as_of, days=7), set()) == 0  # checked
    text = "2 questions have been due for 28 days or longer."
    prefect_server.wait_for(
        lambda: [m for m in inbox.messages() if text in m], "the notification", patience=60
    )


@pytest.mark.usefixtures("inbox")
def test_init_reports_what_it_created_on_the_server(
    prefect_server: PrefectServer, sqlite_url: str
) -> None:
    command = ("init", "--store", sqlite_url, "--notify", BLOCK, "--json")
    done = run_warm([*command], prefect_server.environment, REPOSITORY)
    assert done.code == 0, done.stderr
    said = done.json
    assert said["version"] is None
    assert set(said["server"].values()) == {"there already"}
    assert "work pool freshqa" in said["server"]


def test_a_missed_schedule_is_announced(
    inbox: Inbox, missed: str, prefect_server: PrefectServer
) -> None:
    prefect_server.wait_for(
        lambda: [m for m in inbox.messages() if missed in m], "the notification", patience=90
    )


def test_the_end_of_a_refresh_is_announced_with_its_figures_and_a_link_to_the_desk(
    inbox: Inbox, deployed: PrefectServer, sqlite_url: str
) -> None:
    store = Store.open(sqlite_url, create=True)
    questions = match(read_release(path("release.csv")).questions, ()).questions
    day = date(2026, 3, 2)
    publishing.publish(store, questions, as_of=day, now=NOW, parent=None, kind="import")
    settings = {
        "store": sqlite_url,
        "method": "search-only",
        "search": f"recorded:{path('searches-2026-03-09.jsonl')}",
        "limit": 5,
    }
    run = deployed.run_deployment(
        "refresh-dataset/weekly-refresh",
        environment={"PREFECT_FRESHQA_DESK_URL": "https://desk.example.org"},
        as_of="2026-03-09",
        settings=settings,
    )
    deployed.wait_for_run(run)
    (message,) = deployed.wait_for(
        lambda: [m for m in inbox.messages() if run in m], "the notification", patience=60
    )
    assert message.startswith("FreshQA: refresh 2026-03-09\nIncomplete: 5 of ")
    assert "cost $0" in message and "proposals" in message
    assert "Review: https://desk.example.org/queue" in message
