"""The ASGI application of `prefect-freshqa serve`."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
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
        routes=api.routes(),
        middleware=[guard],
        exception_handlers={FreshQAError: _failed},
    )
    application.state.store = store
    application.state.settings = settings
    application.state.identities = identities
    application.state.files = VersionFiles(store)
    return application


async def _failed(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, FreshQAError)
    return JSONResponse(described(failure), status_code=status_of(failure))
