"""The public form to report a wrong answer; a report becomes a proposal, never a change."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from freshqa.errors import FreshQAError, UsageError
from freshqa.maintaining.reported import MAX_ANSWER, MAX_LINK, MAX_NOTE, read_report
from freshqa.store.history import named_question
from freshqa.store.opinions_and_reports import record_report
from freshqa.store.snapshots import snapshot
from freshqa.store.versions import head
from prefect_freshqa.desk.failures import status_of
from prefect_freshqa.desk.pages import done, failed, field, now, render, store_of, wants_json

FIELDS = ("question", "answer", "link", "note")
LIMITS = {"question": 1000, "answer": MAX_ANSWER, "link": MAX_LINK, "note": MAX_NOTE}


def blank(request: Request) -> Response:
    """Show the form; `?question=KEY` fills in the question."""
    if "sent" in request.query_params:
        return render(request, "report.html", sent=True)
    name = request.query_params.get("question", "")[: LIMITS["question"]]
    return _form(request, {"question": _wording(request, name)})


def send(request: Request) -> Response:
    """Record a report for review, or report why it is refused."""
    typed = {name: field(request, name) for name in FIELDS}
    try:
        if not typed["question"].strip() or len(typed["question"]) > LIMITS["question"]:
            raise UsageError(
                "The question is missing or too long.", "Copy its text or its key into the form."
            )
        report = read_report(typed["answer"], typed["link"], typed["note"])
        key = named_question(store_of(request), typed["question"])
        record_report(store_of(request), key, report, as_of=now().date(), now=now())
    except FreshQAError as failure:
        if wants_json(request):
            return failed(request, failure)
        return _form(request, typed, failure)
    return done(request, "/report?sent=1")


def _form(request: Request, typed: dict[str, str], failure: FreshQAError | None = None) -> Response:
    return render(
        request,
        "report.html",
        status=status_of(failure) if failure else 200,
        sent=False,
        typed={name: typed.get(name, "") for name in FIELDS},
        limits=LIMITS,
        failure=failure,
    )


def _wording(request: Request, key: str) -> str:
    """Return the wording of the question with this key in the newest version, else the key."""
    newest = head(store_of(request)) if key else None
    rows = snapshot(store_of(request), newest.number) if newest else ()
    return next((row.text for row in rows if row.key == key), key)
