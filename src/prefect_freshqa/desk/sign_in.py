"""Sign in with a name and a token, and sign out."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from prefect_freshqa.desk.identity import Identities
from prefect_freshqa.desk.pages import field, render


def sign_in_page(request: Request) -> Response:
    """Show the form."""
    if request.state.person is not None:
        return RedirectResponse("/queue", status_code=303)
    status = 200 if request.app.state.settings.accounts else 401
    return render(request, "sign_in.html", status=status, wrong=False, name="")


def sign_in(request: Request) -> Response:
    """Start a session."""
    identities: Identities = request.app.state.identities
    name = field(request, "name").strip()
    session = identities.sign_in(name, field(request, "token").strip())
    if session is None:
        return render(request, "sign_in.html", status=403, wrong=True, name=name[:100])
    _send(request, identities, session)
    return RedirectResponse("/queue", status_code=303)


def sign_out(request: Request) -> Response:
    """End the session in this browser."""
    identities: Identities = request.app.state.identities
    _send(request, identities, identities.sessions.new())
    return RedirectResponse("/sign-in", status_code=303)


def _send(request: Request, identities: Identities, session: object) -> None:
    identities.remember(request.scope, request.scope["state"], session)  # type: ignore[arg-type]
