"""The review desk over HTTP: decisions, roles, forged requests, limits, failures."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator

import pytest
from desk.world import RUN, fill, many
from sqlalchemy import text
from starlette.testclient import TestClient
from store.sheet import DAY

from freshqa.errors import BadData, Conflict, UsageError
from freshqa.maintaining.choice import Choice, Chosen
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store import versions
from freshqa.store.database import Store
from freshqa.store.opinions_and_reports import give_opinion
from freshqa.store.proposal_decisions import review, undo
from freshqa.store.proposals import proposal
from freshqa.store.redacting import redact
from freshqa.store.runs import start_run
from freshqa.store.snapshots import snapshot
from prefect_freshqa.desk.accounts import add_account
from prefect_freshqa.desk.application import create_application
from prefect_freshqa.desk.guard import HEADERS, MAX_BODY
from prefect_freshqa.desk.pages import now
from prefect_freshqa.desk.queue_page import PAGE
from prefect_freshqa.desk.settings import DeskSettings

RACED = int(os.environ.get("FRESHQA_RACED_PROPOSALS", "40"))
"""Proposals that three contenders decide at once; 334 make a thousand races."""
ROW = re.compile(r'<a href="/proposals/(\d+)')


class Browser:
    """A person's browser: cookies, and the token of the pages that it has seen."""

    def __init__(self, application, host="127.0.0.1"):
        self.client = TestClient(application, base_url=f"http://{host}", follow_redirects=False)
        self.csrf = ""

    def get(self, path, **more):
        answer = self.client.get(path, **more)
        token = re.search(r'name="csrf" content="([^"]*)"', answer.text)
        self.csrf = token[1] if token else self.csrf
        return answer

    def post(self, path, script=True, headers=None, **fields):
        accept = {"Accept": "application/json"} if script else {}
        data = {"csrf": self.csrf, **fields}
        return self.client.post(path, data=data, headers={**accept, **(headers or {})})

    def sign_in(self, name, token):
        self.get("/sign-in")
        answer = self.post("/sign-in", name=name, token=token)
        self.get("/queue")
        return answer


@pytest.fixture
def ids(empty_store: Store) -> list[int]:
    return fill(empty_store)


@pytest.fixture
def desk(empty_store: Store, ids: list[int]) -> Iterator[Browser]:
    application = create_application(empty_store, DeskSettings(local_user="Ada"))
    browser = Browser(application)
    browser.get("/queue")
    yield browser


@pytest.fixture
def team(empty_store, ids, tmp_path):
    """A function that signs somebody in, by role."""
    file = tmp_path / "accounts.json"
    tokens = {
        role: add_account(file, f"the {role}", role) for role in ("reader", "reviewer", "publisher")
    }
    application = create_application(empty_store, DeskSettings(accounts=file))

    def signed_in(role):
        browser = Browser(application)
        assert browser.sign_in(f"the {role}", tokens[role]).status_code == 303
        return browser

    return signed_in


def status(store, id):
    return proposal(store, id).status


def test_the_queue_lists_pending_proposals_highest_risk_first_and_filters_them(desk, ids) -> None:
    page = desk.get("/queue").text
    assert "6 to review" in page
    assert [int(n) for n in re.findall(r'<a href="/proposals/(\d+)"', page)] == ids
    assert "1 to review" in desk.get("/queue?text=moons+brask").text
    assert "2 to review" in desk.get("/queue?band=medium").text
    assert "No matching proposals" in desk.get("/queue?flag=none").text
    assert "Also accepted 1: six orl" in page
    assert re.search(r"Odo Lark.*or Pell Arrow.*/ Sanna Tull", page)


def test_a_kept_answer_is_shown_with_its_calibrated_probability_and_a_new_one_without(
    desk, ids
) -> None:
    pages = [desk.get(f"/proposals/{id}").text for id in ids]
    told = [
        re.findall(r"<dt>Stored answer right</dt><dd>(\d+ %) \(calibrated\)", page)
        for page in pages
    ]
    assert told[:-1] == [[]] * 5 and told[-1] == ["80 %"]  # "six orl", at a risk of .04


def test_every_page_of_the_queue_keeps_the_filters(empty_store) -> None:
    rows, checks = many(PAGE + 3)
    waiting = fill(empty_store, checks, rows)
    desk = Browser(create_application(empty_store, DeskSettings(local_user="Ada")))
    first, second = desk.get("/queue").text, desk.get("/queue?page=2&outcome=changed").text
    shown = [int(id) for page in (first, second) for id in ROW.findall(page)]
    assert shown == waiting
    assert f"1 to {PAGE} of {PAGE + 3}" in first
    assert 'href="/queue?page=2" rel="next"' in first
    assert 'rel="prev"' not in first
    assert 'href="/queue?outcome=changed&amp;page=1" rel="prev"' in second
    for odd in ("0", "-1", "x", "9" * 30, "2²"):
        assert ROW.findall(desk.get(f"/queue?page={odd}").text) == ROW.findall(first), odd
    assert ROW.findall(desk.get("/queue?page=99").text) == [str(id) for id in waiting[PAGE:]]


def test_the_queue_shows_decisions_made_by_others_in_the_same_store(desk, ids, empty_store) -> None:
    assert "6 to review" in desk.get("/queue").text
    review(empty_store, [Choice(ids[0], Chosen.accept)], by="Bo", at=now())
    page = desk.get("/queue").text
    assert "5 to review" in page
    assert "1 decided this week: Bo 1" in page
    undo(empty_store, ids[0], by="Bo", at=now())
    assert "6 to review" in desk.get("/queue").text
    other = Store.open(str(empty_store.engine.url), dataset=empty_store.dataset)
    review(other, [Choice(ids[1], Chosen.reject)], by="Cy", at=now())
    other.close()
    assert f"/proposals/{ids[1]}" not in desk.get("/queue").text


def test_a_redacted_text_leaves_the_queue_of_a_running_desk(desk, ids, empty_store) -> None:
    assert "Tamsin Vey" in desk.get("/queue").text
    revision = next(r for r in snapshot(empty_store, 1) if r.key == "q-keeper").revision_hash
    redact(empty_store, revision, now=now(), reason="asked to")
    page = desk.get("/queue").text
    assert "5 to review" in page
    assert "Tamsin Vey" not in page


def test_a_decision_is_recorded_under_the_name_and_the_next_proposal_follows(
    desk, ids, empty_store
) -> None:
    answer = desk.post(f"/proposals/{ids[0]}/decision", action="accept", reason="The gazette")
    assert answer.json() == {"next": f"/proposals/{ids[1]}"}
    decided = proposal(empty_store, ids[0])
    assert (decided.status, decided.decision.by, decided.decision.reason) == (
        "accepted",
        "Ada",
        "The gazette",
    )
    assert desk.post(f"/proposals/{ids[3]}/decision", action="candidate 2").status_code == 200
    assert proposal(empty_store, ids[3]).decision.edits["answer_0"] == "Sanna Tull"
    desk.post(f"/proposals/{ids[4]}/decision", action="keep")
    assert proposal(empty_store, ids[4]).decision.action.value == "keep"


def test_an_edit_records_the_changed_fields_and_the_rules_fill_the_others(
    desk, ids, empty_store
) -> None:
    page = desk.get(f"/proposals/{ids[0]}").text
    assert "Idris Quane\nQuane" in page
    desk.post(
        f"/proposals/{ids[0]}/decision",
        action="edit",
        answers="Idris M. Quane\nQuane",
        effective_year="2026",
    )
    assert proposal(empty_store, ids[0]).decision.edits == {"answer_0": "Idris M. Quane"}
    too_many = desk.post(f"/proposals/{ids[1]}/decision", action="edit", answers="a\n" * 11)
    assert too_many.status_code == 422


def test_a_decision_can_be_undone_until_it_is_published(desk, ids, empty_store) -> None:
    desk.post(f"/proposals/{ids[0]}/decision", action="accept")
    assert desk.post("/undo").json() == {"next": f"/proposals/{ids[0]}"}
    assert status(empty_store, ids[0]) == "pending"
    assert desk.post("/undo").status_code == 409
    desk.post(f"/proposals/{ids[0]}/decision", action="accept")
    assert desk.post("/draft/publish", message="Week 11").json() == {"next": "/versions/2"}
    assert "published" in desk.post("/undo", id=str(ids[0])).json()["error"]["message"]
    assert versions.find(empty_store).message == "Week 11"
    with pytest.raises(Conflict):
        undo(empty_store, ids[0], by="Ada", at=now())


def test_a_failure_is_reported_and_keeps_the_typed_text(desk, ids, empty_store) -> None:
    reason = "A reason & <b>more</b>"
    with empty_store.write() as connection:
        connection.execute(
            text(
                "CREATE TRIGGER full BEFORE INSERT ON fq_decision BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
            )
        )
    answer = desk.post(
        f"/proposals/{ids[0]}/decision",
        script=False,
        action="edit",
        answers="My own answer",
        reason=reason,
    )
    assert answer.status_code in (409, 503)
    assert "My own answer" in answer.text
    assert "A reason &amp; &lt;b&gt;more&lt;/b&gt;" in answer.text
    assert 'role="alert"' in answer.text
    assert status(empty_store, ids[0]) == "pending"


def test_only_proposals_without_blocking_flags_are_accepted_in_bulk(desk, ids, empty_store) -> None:
    refused = desk.post("/queue/accept", id=[str(ids[0]), str(ids[2])])
    assert refused.status_code == 422
    assert str(ids[2]) in refused.json()["error"]["message"]
    assert status(empty_store, ids[0]) == "pending"
    assert desk.post("/queue/accept", id=[str(ids[0]), str(ids[5])]).status_code == 200
    assert {status(empty_store, ids[0]), status(empty_store, ids[5])} == {"accepted"}


def test_an_open_proposal_is_reserved_until_somebody_takes_it_over(team, ids, empty_store) -> None:
    ada, bo = team("publisher"), team("reviewer")
    ada.get(f"/proposals/{ids[0]}")
    page = bo.get(f"/proposals/{ids[0]}").text
    assert "the publisher has had this proposal open" in page
    held = bo.post(f"/proposals/{ids[0]}/decision", action="reject")
    assert held.status_code == 409
    assert bo.post(f"/proposals/{ids[0]}/take-over").status_code == 200
    assert bo.post(f"/proposals/{ids[0]}/decision", action="reject").status_code == 200
    assert proposal(empty_store, ids[0]).decision.by == "the reviewer"


def test_each_role_allows_only_its_own_actions(team, ids, empty_store) -> None:
    reader, reviewer = team("reader"), team("reviewer")
    assert reader.get(f"/proposals/{ids[0]}").status_code == 200
    for path in (
        f"/proposals/{ids[0]}/decision",
        f"/proposals/{ids[0]}/take-over",
        "/undo",
        "/queue/accept",
        "/draft/publish",
    ):
        assert reader.post(path, action="accept").status_code == 403, path
    assert reviewer.post("/draft/publish").status_code == 403
    assert status(empty_store, ids[0]) == "pending"


def test_sign_in_requires_the_right_token(team, empty_store, ids, tmp_path) -> None:
    stranger = Browser(
        create_application(empty_store, DeskSettings(accounts=tmp_path / "accounts.json"))
    )
    for path in ("/", "/queue", f"/proposals/{ids[0]}", "/draft", "/versions", "/runs"):
        assert stranger.get(path).headers["location"] == "/sign-in", path
    assert stranger.get("/v1/versions").status_code == 401
    assert stranger.sign_in("the publisher", "guess").status_code == 403
    assert stranger.get("/queue").status_code == 303
    answers = [stranger.post("/sign-in", name="x", token="y").status_code for _ in range(12)]
    assert answers[-1] == 429


def test_a_new_token_ends_the_sessions_of_the_old_token(team, tmp_path) -> None:
    browser = team("reviewer")
    assert browser.get("/queue").status_code == 200
    token = add_account(tmp_path / "accounts.json", "the reviewer", "reader")
    assert browser.get("/queue").status_code == 303
    basic = browser.client.get("/v1/versions", auth=("the reviewer", token))
    assert basic.status_code == 200


def test_an_accounts_file_readable_by_others_is_refused(tmp_path, empty_store) -> None:
    file = tmp_path / "accounts.json"
    add_account(file, "Ada", "reviewer")
    file.chmod(0o644)
    with pytest.raises(BadData, match="readable by others"):
        create_application(empty_store, DeskSettings(accounts=file))


def test_a_desk_on_a_network_address_requires_sign_in() -> None:
    for refused in (
        {"host": "0.0.0.0"},
        {"host": "::"},
        {"host": "desk.example", "proxies": ("10.0.0.1",)},
    ):
        with pytest.raises(UsageError, match="sign-in is not configured"):
            DeskSettings(**refused)
    assert not DeskSettings(host="0.0.0.0", read_only=True).loopback


def test_a_user_header_is_accepted_only_from_the_trusted_proxy(empty_store, ids) -> None:
    def page(proxies):
        application = create_application(
            empty_store, DeskSettings(proxies=proxies, user_header="X-User")
        )
        client = TestClient(
            application, base_url="http://127.0.0.1", follow_redirects=False, client=("10.0.0.1", 1)
        )
        return client.get("/queue", headers={"X-User": "Bo"})

    assert "Bo · reviewer" in page(("10.0.0.1",)).text
    assert page(("10.0.0.2",)).status_code == 303


def test_forged_requests_are_refused_and_change_nothing(desk, ids, empty_store) -> None:
    path = f"/proposals/{ids[0]}/decision"
    good = desk.csrf
    for token in ("", "x", good[:-1], good.swapcase()):
        desk.csrf = token
        assert desk.post(path, action="accept").status_code == 403, token
    desk.csrf = good
    assert (
        desk.post(path, action="accept", headers={"Origin": "https://evil.example"}).status_code
        == 403
    )
    assert desk.client.post(path, json={"action": "accept"}).status_code == 415
    assert desk.client.get(path).status_code == 405
    assert desk.get("/queue", headers={"Host": "evil.example"}).status_code == 421
    other = Browser(desk.client.app)
    other.csrf = good
    assert other.post(path, action="accept").status_code == 403
    assert status(empty_store, ids[0]) == "pending"


def test_a_body_that_is_too_large_is_not_read(desk, ids) -> None:
    answer = desk.post(f"/proposals/{ids[0]}/decision", action="accept", reason="x" * MAX_BODY)
    assert answer.status_code == 413


def test_every_page_has_the_security_headers_and_no_inline_script_or_style(desk, ids) -> None:
    for path in (
        "/queue",
        f"/proposals/{ids[0]}",
        "/draft",
        "/versions",
        "/v1/versions",
        "/nothing",
    ):
        answer = desk.get(path)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, (path, name)
        assert not re.search(
            r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|javascript:", answer.text
        ), path
    cookie = Browser(desk.client.app).get("/queue").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_read_only_server_shows_only_versions(empty_store, ids) -> None:
    visitor = Browser(
        create_application(empty_store, DeskSettings(read_only=True)), host="any.example"
    )
    assert visitor.get("/").headers["location"] == "/versions"
    assert visitor.get("/versions").status_code == visitor.get("/versions/1").status_code == 200
    for path in (
        "/queue",
        f"/proposals/{ids[0]}",
        "/draft",
        "/runs",
        "/sign-in",
        "/questions/q-keeper",
    ):
        assert visitor.get(path).status_code == 404, path


@pytest.mark.parametrize(
    ("prefect", "linked"),
    [("https://prefect.example", True), ("", False), ("javascript:alert(1)//", False)],
)
def test_the_page_of_a_run_links_to_prefect_and_to_its_proposals(
    empty_store, ids, prefect, linked
) -> None:
    start = {"as_of": DAY, "base_version": 1, "settings": {}, "now": now()}
    start_run(empty_store, key="week/12", flow="refresh", flow_run_id="0f9c", **start)
    desk = Browser(create_application(empty_store, DeskSettings(prefect_url=prefect)))
    page = desk.get("/runs/week/12").text
    link = 'href="https://prefect.example/runs/flow-run/0f9c" rel="noopener noreferrer"'
    assert (link in page) is linked
    assert "javascript:" not in page
    assert 'href="/queue?run=week/12"' in page
    assert f"/runs/{RUN}" in desk.get(f"/proposals/{ids[0]}").text


@pytest.mark.timeout(900)
def test_concurrent_decisions_are_neither_lost_nor_doubled(empty_store) -> None:
    """Two browsers and the command line decide every proposal at the same time."""
    rows, checks = many(RACED)
    waiting = fill(empty_store, checks, rows)
    application = create_application(empty_store, DeskSettings(local_user="Ada"))
    won: list[tuple[str, int]] = []
    names = ("first browser", "second browser", "command line")

    def browser(name):
        browser = Browser(application)
        browser.get("/queue")
        for id in waiting:
            answer = browser.post(f"/proposals/{id}/decision", action="accept", reason=name)
            while answer.status_code == 429:
                answer = browser.post(f"/proposals/{id}/decision", action="accept", reason=name)
            if answer.status_code == 200:
                won.append((name, id))

    def command_line(name):
        for id in waiting:
            try:
                review(empty_store, [Choice(id, Chosen.reject, reason=name)], by="Bo", at=now())
            except Conflict:
                continue
            won.append((name, id))

    threads = [threading.Thread(target=browser, args=(name,)) for name in names[:2]]
    threads.append(threading.Thread(target=command_line, args=names[2:]))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(id for _, id in won) == sorted(waiting)
    kept = {id: proposal(empty_store, id).decision.reason for id in waiting}
    assert kept == {id: name for name, id in won}
    with empty_store.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM fq_decision")).scalar() == len(waiting)


@pytest.fixture
def pair(empty_store, ids, tmp_path):
    """Three people on a desk where premise flips need two decisions."""
    file = tmp_path / "accounts.json"
    roles = {"Ada": "reviewer", "Bo": "reviewer", "Cy": "publisher"}
    tokens = {name: add_account(file, name, role) for name, role in roles.items()}
    application = create_application(
        empty_store, DeskSettings(accounts=file, second_review=("premise",))
    )
    browsers = {name: Browser(application) for name in roles}
    for name, browser in browsers.items():
        browser.sign_in(name, tokens[name])
    return browsers


def test_two_people_decide_a_risky_proposal_without_seeing_each_other(
    pair, ids, empty_store
) -> None:
    flip = f"/proposals/{ids[2]}"
    assert (
        pair["Ada"].post(f"{flip}/decision", action="accept", reason="The gazette").status_code
        == 200
    )
    assert status(empty_store, ids[2]) == "pending"
    assert flip not in pair["Ada"].get("/queue").text
    page = pair["Bo"].get(flip).text
    assert "The gazette" not in page
    assert "Ada" not in page
    assert pair["Bo"].post(f"{flip}/decision", action="accept").status_code == 200
    decided = proposal(empty_store, ids[2])
    assert (decided.status, decided.decision.by) == ("accepted", "Ada, Bo")
    assert "1 of 1 (100 %)" in pair["Cy"].get("/conflicts").text


def test_two_different_decisions_are_a_conflict_that_a_publisher_resolves(
    pair, ids, empty_store
) -> None:
    flip = f"/proposals/{ids[2]}/decision"
    pair["Ada"].post(flip, action="accept")
    pair["Bo"].post(flip, action="reject", reason="One paper alone")
    assert status(empty_store, ids[2]) == "pending"
    assert "One paper alone" in pair["Cy"].get("/conflicts").text
    assert pair["Ada"].post(flip, action="reject").status_code == 422
    pair["Cy"].post(f"/proposals/{ids[2]}/take-over")
    assert pair["Cy"].post(flip, action="reject").status_code == 200
    assert proposal(empty_store, ids[2]).decision.by == "Cy"
    assert "No conflicting decisions" in pair["Cy"].get("/conflicts").text


def test_the_page_of_conflicts_shows_kappa_and_alpha_of_all_pairs(desk, ids, empty_store) -> None:
    """By hand: kappa (2/3 - 4/9) / (5/9); alpha 1 - (1/3) / (1 - 12/30)."""
    assert "alpha" not in desk.get("/conflicts").text, "nobody was paired yet"
    actions = (("accept", "accept"), ("accept", "reject"), ("reject", "reject"))
    for id, given in zip((ids[0], ids[1], ids[2]), actions, strict=True):
        for by, action in zip(("Bo", "Cy"), given, strict=True):
            give_opinion(empty_store, Decision(id, Action(action), by, now()))
    page = desk.get("/conflicts").text
    assert "pairs agree on 2 of 3 (67 %)" in page
    assert "Cohen's kappa 0.40" in page and "Krippendorff's alpha 0.44" in page


def test_one_person_has_one_opinion_and_may_withdraw_it(pair, ids, empty_store) -> None:
    flip = f"/proposals/{ids[2]}/decision"
    pair["Ada"].post(flip, action="reject")
    pair["Ada"].post(flip, action="accept")
    assert status(empty_store, ids[2]) == "pending"
    assert pair["Ada"].post("/undo", id=str(ids[2])).status_code == 200
    pair["Bo"].post(flip, action="accept")
    assert status(empty_store, ids[2]) == "pending"
