"""The ASGI application of `prefect-freshqa serve`."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from freshqa.errors import FreshQAError
from freshqa.store.database import Store
from prefect_freshqa.desk import (
    api,
    draft_page,
    proposal_page,
    queue_page,
    report_page,
    second_review,
    sign_in,
    version_pages,
)
from prefect_freshqa.desk.failures import described, status_of
from prefect_freshqa.desk.guard import Guard
from prefect_freshqa.desk.identity import Identities
from prefect_freshqa.desk.inbox import Inbox
from prefect_freshqa.desk.limits import RateLimiter
from prefect_freshqa.desk.pages import failed
from prefect_freshqa.desk.reservations import Reservations
from prefect_freshqa.desk.sessions import Sessions, signing_key
from prefect_freshqa.desk.settings import DeskSettings
from prefect_freshqa.desk.version_files import VersionFiles


def create_application(store: Store, settings: DeskSettings) -> ASGIApp:
    """Return the server of a store.

    Raises:
        NotFound, BadData: the file of accounts cannot be used.
        StoreError: the key that signs cookies cannot be read or written.
    """
    identities = Identities(settings, Sessions(signing_key(settings.secret_file)))
    guard = Middleware(Guard, settings=settings, identities=identities, limiter=RateLimiter())
    application = Starlette(
        routes=[*api.routes(), Route("/v1/metrics", metrics), *_pages(settings)],
        middleware=[guard],
        exception_handlers={FreshQAError: _failed},
    )
    application.state.store = store
    application.state.settings = settings
    application.state.identities = identities
    application.state.files = VersionFiles(store)
    application.state.inbox = Inbox(store)
    application.state.reservations = Reservations()
    application.state.deferred = {}  # name → proposals that this person deferred
    application.state.reports = {}  # the newest validation of the draft
    return application


def metrics(request: Request) -> Response:
    """Gauges for Prometheus."""
    # Deferred: a read-only server does not need the Prometheus client.
    from prefect_freshqa.tasks.metrics import CONTENT_TYPE, render_metrics

    body = render_metrics(request.app.state.store, now=datetime.now(timezone.utc))
    return Response(body, media_type=CONTENT_TYPE)


def _pages(settings: DeskSettings) -> list[BaseRoute]:
    static = StaticFiles(directory=Path(__file__).parent / "static")
    shared: list[BaseRoute] = [
        Route("/", queue_page.home),
        Route("/health", _health),
        Route("/versions", version_pages.all_versions),
        Route("/versions/{name:path}", version_pages.version),
        Route("/diff", version_pages.diff),
        Route("/timeline.png", version_pages.timeline),
        Mount("/static", static),
    ]
    if settings.reports:
        shared += [
            Route("/report", report_page.blank),
            Route("/report", report_page.send, methods=["POST"]),
        ]
    if settings.read_only:
        return shared
    return [
        *shared,
        Route("/sign-in", sign_in.sign_in_page),
        Route("/sign-in", sign_in.sign_in, methods=["POST"]),
        Route("/sign-out", sign_in.sign_out, methods=["POST"]),
        Route("/queue", queue_page.queue),
        Route("/queue/accept", queue_page.accept_selected, methods=["POST"]),
        Route("/proposals/{id:int}", proposal_page.show),
        Route("/proposals/{id:int}/decision", proposal_page.decide, methods=["POST"]),
        Route("/proposals/{id:int}/take-over", proposal_page.take_over, methods=["POST"]),
        Route("/undo", proposal_page.take_back, methods=["POST"]),
        Route("/conflicts", second_review.conflicts),
        Route("/draft", draft_page.draft),
        Route("/draft/publish", draft_page.publish, methods=["POST"]),
        Route("/questions/{key}", version_pages.question),
        Route("/runs", version_pages.all_runs),
        Route("/runs/{key:path}", version_pages.run),
    ]


def _health(request: Request) -> Response:
    """Return whether the server answers; the store is not asked."""
    return PlainTextResponse("ok")


def _failed(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, FreshQAError)
    if request.url.path.startswith("/v1"):
        return JSONResponse(described(failure), status_code=status_of(failure))
    return failed(request, failure)
