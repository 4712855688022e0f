"""Requests that the guard refuses: JSON for programs, a page with the typed text for browsers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from freshqa.errors import FreshQAError
from prefect_freshqa.desk.failures import described
from prefect_freshqa.desk.pages import render, wants_json

CHOSEN = ("action", "with_suggestions", "fact_type", "num_hops", "false_premise")
"""Fields that are chosen, not typed: they are sent again unseen."""
_TYPED = re.compile(r"/report|/proposals/\d+/decision|/draft/publish")
"""Paths of forms in which people write."""


@dataclass(frozen=True)
class Refusal:
    """The reason for refusing a request.

    Args:
        header: Name and value of a header that the answer needs.
    """

    status: int
    message: str
    remedy: str
    header: tuple[str, str] | None = None

    def response(self, scope: Scope) -> Response:
        """Return the response: JSON, or a page that keeps what was typed into a form."""
        request = Request(scope)
        failure = FreshQAError(self.message, self.remedy)
        if request.url.path.startswith("/v1") or wants_json(request):
            record = {**described(failure)["error"], "kind": "refused"}
            answer: Response = JSONResponse({"error": record}, status_code=self.status)
        else:
            answer = _page(request, failure, self.status)
        if self.header:
            answer.headers[self.header[0]] = self.header[1]
        return answer


def _page(request: Request, failure: FreshQAError, status: int) -> Response:
    path, query = request.url.path, request.url.query
    form: dict[str, list[str]] = getattr(request.state, "typed", {})
    typed = {name: values for name, values in form.items() if name != "csrf"}
    return render(
        request,
        "refused.html",
        status=status,
        failure=failure,
        typed=typed if _TYPED.fullmatch(path) else {},
        chosen=CHOSEN,
        again=f"{path}?{query}" if query else path,
    )
