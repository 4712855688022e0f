"""The ASGI application of `prefect-freshqa serve`."""

from __future__ import annotations

from datetime import datetime, timezone

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from freshqa.errors import FreshQAError
from freshqa.store.database import Store
from prefect_freshqa.desk import api
from prefect_freshqa.desk.failures import described, status_of
from prefect_freshqa.desk.guard import Guard
from prefect_freshqa.desk.identity import Identities
from prefect_freshqa.desk.limits import RateLimiter
from prefect_freshqa.desk.sessions import Sessions, signing_key
from prefect_freshqa.desk.settings import DeskSettings
from prefect_freshqa.desk.version_files import VersionFiles


def create_application(store: Store, settings: DeskSettings) -> ASGIApp:
    """The server of a store.

    Raises:
        NotFound, BadData: the file of accounts cannot be used.
        StoreError: the key that signs cookies cannot be read or written.
    """
    identities = Identities(settings, Sessions(signing_key(settings.secret_file)))
    guard = Middleware(Guard, settings=settings, identities=identities, limiter=RateLimiter())
    application = Starlette(
        routes=[*api.routes(), Route("/v1/metrics", metrics)],
        middleware=[guard],
        exception_handlers={FreshQAError: _failed},
    )
    application.state.store = store
    application.state.settings = settings
    application.state.identities = identities
    application.state.files = VersionFiles(store)
    return application


def metrics(request: Request) -> Response:
    """Gauges for Prometheus."""
    # Deferred: whoever serves versions alone needs no client of Prometheus.
    from prefect_freshqa.tasks.metrics import CONTENT_TYPE, render_metrics

    body = render_metrics(request.app.state.store, now=datetime.now(timezone.utc))
    return Response(body, media_type=CONTENT_TYPE)


async def _failed(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, FreshQAError)
    return JSONResponse(described(failure), status_code=status_of(failure))
