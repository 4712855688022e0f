"""Shared by all pages: templates, roles, and responses to changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timezone
from functools import wraps
from typing import Any
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from freshqa.errors import FreshQAError
from freshqa.store.database import Store
from prefect_freshqa.desk.accounts import REVIEWER, Person
from prefect_freshqa.desk.failures import described, status_of
from prefect_freshqa.desk.inbox import Inbox, Waiting
from prefect_freshqa.desk.reservations import Reservations

Handler = Callable[[Request], Response]


def safe_url(url: str) -> str:
    """Return a link to a page of the web; "" for any other scheme, which must not be followed."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme.lower() in ("http", "https") and parts.netloc else ""


def age(day: date | None, as_of: date | None) -> str:
    """How old a finding was on the day of the check, in words."""
    if day is None or as_of is None:
        return ""
    days = (as_of - day).days
    if days < 0:
        return "dated later"
    for size, unit in ((365, "year"), (30, "month"), (1, "day")):
        if days >= size:
            number = days // size
            return f"{number} {unit}{'s' if number > 1 else ''} old"
    return "that day"


ENVIRONMENT = Environment(
    loader=PackageLoader("prefect_freshqa.desk"),
    autoescape=select_autoescape(default=True, default_for_string=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.filters |= {"safe_url": safe_url, "query": lambda pairs: urlencode(dict(pairs))}


def now() -> datetime:
    """Return the current time (UTC)."""
    return datetime.now(timezone.utc)


def store_of(request: Request) -> Store:
    """Return the store that is served."""
    store: Store = request.app.state.store
    return store


def waiting(request: Request) -> Waiting:
    """Return the pending proposals, the same for a whole request."""
    if not hasattr(request.state, "waiting"):
        inbox: Inbox = request.app.state.inbox
        request.state.waiting = inbox.waiting(now())
    pending: Waiting = request.state.waiting
    return pending


def reservations_of(request: Request) -> Reservations:
    """Return the reservations of open proposals."""
    held: Reservations = request.app.state.reservations
    return held


def person_of(request: Request) -> Person:
    """Return the signed-in person; only behind `needs`."""
    person: Person = request.state.person
    return person


def field(request: Request, name: str) -> str:
    """Return the value of a field of the form; "" when it is missing."""
    values = request.state.form.get(name) or [""]
    return str(values[0])


def needs(role: str = "") -> Callable[[Handler], Handler]:
    """Let a handler be called only for people with a role; without a role, for all who are signed in."""

    def around(handler: Handler) -> Handler:
        @wraps(handler)
        def guarded(request: Request) -> Response:
            person: Person | None = request.state.person
            if person is None:
                if request.app.state.settings.read_only:
                    request.state.person = None
                    return handler(request) if not role else forbidden(request, role)
                return RedirectResponse("/sign-in", status_code=303)
            if role and not person.may(role):
                return forbidden(request, role)
            return handler(request)

        return guarded

    return around


def forbidden(request: Request, role: str) -> Response:
    """Refuse a change that the role of the person does not allow."""
    failure = FreshQAError(f"Only a {role} may do this.", "Ask a publisher for this role.")
    return failed(request, failure, status=403)


def render(request: Request, template: str, *, status: int = 200, **context: Any) -> Response:
    """Render a page from its template."""
    person: Person | None = getattr(request.state, "person", None)
    body = ENVIRONMENT.get_template(template).render(
        person=person,
        reviewer=bool(person and person.may(REVIEWER)),
        csrf=getattr(request.state, "csrf", ""),
        settings=request.app.state.settings,
        dataset=store_of(request).dataset,
        path=request.url.path,
        **context,
    )
    # A reply of a model may contain a lone surrogate, which UTF-8 cannot encode.
    return HTMLResponse(body.encode("utf-8", "replace"), status_code=status)


def wants_json(request: Request) -> bool:
    """Return True when the script of the page sent the request; it shows failures itself."""
    return "application/json" in request.headers.get("accept", "")


def done(request: Request, url: str) -> Response:
    """Redirect to the next page after a change."""
    if wants_json(request):
        return JSONResponse({"next": url})
    return RedirectResponse(url, status_code=303)


def failed(request: Request, failure: FreshQAError, *, status: int = 0) -> Response:
    """Report a failure in one line, as a page or for the script of the page."""
    status = status or status_of(failure)
    if wants_json(request) or request.url.path.startswith("/v1"):
        return JSONResponse(described(failure), status_code=status)
    return render(request, "message.html", status=status, failure=failure)
