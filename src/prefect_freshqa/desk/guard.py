"""Checks before every page: host, limits, identity, forgery; and response headers."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from freshqa.errors import FreshQAError
from prefect_freshqa.desk.failures import status_of
from prefect_freshqa.desk.identity import Identities
from prefect_freshqa.desk.limits import RateLimiter
from prefect_freshqa.desk.refusals import Refusal
from prefect_freshqa.desk.settings import DeskSettings

MAX_BODY = 64 * 1024
MAX_KEPT = 4 * MAX_BODY
"""A form up to this size is refused with its text still on the page; a larger one is not read."""
SAFE = ("GET", "HEAD", "OPTIONS")
KINDS = {"/sign-in": "sign-in", "/report": "report"}
"""Path of a change → its limit of requests, where it has one of its own."""
PUBLIC = ("/sign-in", "/sign-out", "/report")
"""Changes that are allowed without signing in."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """ASGI middleware around every route.

    It reads the forms of changes, so that no handler sees one that is too large or forged; handlers
    find it in `request.state.form`, and who asks in `request.state.person`.
    """

    def __init__(
        self, app: ASGIApp, *, settings: DeskSettings, identities: Identities, limiter: RateLimiter
    ) -> None:
        self._app, self._settings = app, settings
        self._identities, self._limiter = identities, limiter
        self._hosts = set(settings.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with one line."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        through_proxy = _behind_proxy(scope, headers, self._settings.proxies)
        state: dict[str, Any] = scope.setdefault("state", {})
        state["form"] = {}
        refusal = self._refuse_host(headers)
        if refusal is None and not scope["path"].startswith("/static/"):
            refusal = await self._admit(scope, headers, receive, state, through_proxy)
        if refusal is not None:
            answer = refusal.response(scope)
            await answer(scope, receive, _adding(send, scope, state))
            return
        await self._app(scope, receive, _adding(send, scope, state))

    def _refuse_host(self, headers: Headers) -> Refusal | None:
        host = headers.get("host", "").lower()
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if name in self._hosts or self._settings.read_only:
            return None
        return Refusal(421, f"Unknown host {name!r}.", "Start the server with --name HOST.")

    async def _admit(
        self, scope: Scope, headers: Headers, receive: Receive, state: dict[str, Any], proxied: bool
    ) -> Refusal | None:
        path, method = scope["path"], scope["method"]
        address = scope["client"][0] if scope.get("client") else ""
        api = path == "/v1" or path.startswith("/v1/")
        kind = "page" if method in SAFE else KINDS.get(path, "change")
        seconds = self._limiter.wait("api" if api else kind, address)
        if seconds:
            if not api and method not in SAFE:
                self._identities.resume(scope, headers, state)
                await self._read_form(headers, receive, state)
            return _too_many(seconds)
        if method in SAFE and _length(headers) > MAX_BODY:
            return _too_large()
        if api and (self._settings.read_only or not self._settings.signs_in):
            return None  # fast: nothing is decided and no name is shown
        try:
            if self._identities.accounts is None:  # nothing is read or hashed: no thread is needed
                self._identities.identify(scope, headers, state, proxied)
            else:
                await run_in_threadpool(self._identities.identify, scope, headers, state, proxied)
        except FreshQAError as failure:
            return Refusal(status_of(failure), failure.message, failure.remedy)
        if api:
            return None if state["person"] else _sign_in_first()
        if method in SAFE:
            return None
        refusal = await self._read_form(headers, receive, state)
        if refusal is None and state["person"] is None and path not in PUBLIC:
            return None if self._settings.read_only else _signed_out()
        return refusal

    async def _read_form(
        self, headers: Headers, receive: Receive, state: dict[str, Any]
    ) -> Refusal | None:
        """Put the form into `state["form"]`, or refuse it.

        What came from a page of the desk is in `state["typed"]` even then.
        """
        origin = headers.get("origin")
        if (
            origin is not None
            and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()
        ):
            return Refusal(403, "The request comes from another site.", "Use the desk's own pages.")
        if headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
            return Refusal(415, "Unsupported type of content.", "Send a form.")
        body = await _body(receive)
        if body is None:
            return _too_large()
        form = _fields(body)
        if form is None:
            return Refusal(400, "The form cannot be read.", "Reload the page and try again.")
        token = headers.get("x-csrf-token") or (form.get("csrf") or [""])[0]
        genuine = self._identities.sessions.protects(state["session"], token)
        if genuine or origin is not None:  # another site cannot forge either
            state["typed"] = form
        if len(body) > MAX_BODY:
            return _too_large()
        if not genuine:
            return Refusal(403, "The page is out of date.", "Send it again, or reload the page.")
        state["form"] = form
        return None


def _sign_in_first() -> Refusal:
    header = ("WWW-Authenticate", 'Basic realm="prefect-freshqa"')
    return Refusal(401, "Sign in to read versions.", "Send name and token (HTTP Basic).", header)


def _signed_out() -> Refusal:
    remedy = "Sign in in another tab, then send it again."
    return Refusal(401, "You are not signed in, or your session has ended.", remedy)


def _too_large() -> Refusal:
    return Refusal(413, f"The request exceeds {MAX_BODY // 1024} KB.", "Send less text.")


def _too_many(seconds: float) -> Refusal:
    wait = max(1, round(seconds))
    remedy = f"Try again in {wait} second{'' if wait == 1 else 's'}."
    return Refusal(429, "Too many requests.", remedy, ("Retry-After", str(wait)))


def _length(headers: Headers) -> int:
    """Length of the body that a request announces; one without an announced length is not read."""
    given = headers.get("content-length", "")
    return int(given) if given.isdecimal() else 0


def _behind_proxy(scope: Scope, headers: Headers, proxies: tuple[str, ...]) -> bool:
    """Return whether a trusted proxy sent this: then its headers give scheme and client."""
    if not proxies or not scope.get("client") or scope["client"][0] not in proxies:
        return False
    if headers.get("x-forwarded-proto") in ("http", "https"):
        scope["scheme"] = headers["x-forwarded-proto"]
    hops = [hop.strip() for hop in headers.get("x-forwarded-for", "").split(",") if hop.strip()]
    others = [hop for hop in hops if hop not in proxies]
    if others:
        scope["client"] = (others[-1], 0)
    return True


def _fields(body: bytes) -> dict[str, list[str]] | None:
    """Return the values of each field of a form; None when it cannot be read."""
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=2000)
    except ValueError:
        return None
    form: dict[str, list[str]] = {}
    for name, value in pairs:
        form.setdefault(name, []).append(value)
    return form


async def _body(receive: Receive) -> bytes | None:
    """Return the whole body; None when it is too large to be kept."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_KEPT:
            return None
        if not message.get("more_body"):
            return bytes(body)


def _adding(send: Send, scope: Scope, state: dict[str, Any]) -> Send:
    """`send` with the security headers, and the session's cookie where there is a new one."""
    public = scope["path"].startswith("/v1")

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            if public:
                headers.setdefault("Access-Control-Allow-Origin", "*")
            if state.get("cookie") and not public:
                headers.append("Set-Cookie", state["cookie"])
        await send(message)

    return with_headers
