"""Requests whose common part is prepared once."""

from __future__ import annotations

import netrc
from pathlib import Path

import pytest
from servers.scripted_server import Reply, Request, ScriptedServer

from prefect_freshqa.blocks.transport import new_session


class Mirror(ScriptedServer):
    """Answers with nothing."""

    def normal(self, request: Request) -> Reply:
        return Reply(body={})


def test_requests_arrive_as_those_of_a_plain_session() -> None:
    import requests

    parameters = {"q": "Wie hoch ist 1 & 2? ü", "api_key": "k/+"}
    headers = {"User-Agent": "prefect-freshqa", "X-API-KEY": "k"}
    with Mirror().running() as server, requests.Session() as plain:
        session = new_session()
        for text in ("one", "two", "one"):
            asked = {**parameters, "text": text}
            session.ask("GET", f"{server.url}/search", params=asked, headers=headers, timeout=9)
            plain.get(f"{server.url}/search", params=asked, headers=headers)
            session.ask("POST", f"{server.url}/find", json=asked, headers=headers, timeout=9)
            plain.post(f"{server.url}/find", json=asked, headers=headers)
        arrived = [(r.method, r.path, r.query, r.headers, r.body) for r in server.requests]
    assert len(arrived) == 12
    assert arrived[::2] == arrived[1::2]


def test_a_proxy_and_a_netrc_file_are_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "netrc"
    file.write_text("machine search.example login ada password secret\n")
    file.chmod(0o600)
    assert netrc.netrc(str(file)).authenticators("search.example")
    with Mirror().running() as proxy:
        monkeypatch.setenv("NETRC", str(file))
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("no_proxy", "")
        session = new_session()
        for _ in range(2):
            session.ask("GET", "http://search.example/search", params={"q": "x"}, timeout=9)
        hosts = {request.headers["host"] for request in proxy.requests}
        signed = {request.headers["authorization"] for request in proxy.requests}
    assert hosts == {"search.example"} and len(signed) == 1
    assert signed.pop().startswith("Basic ")
