"""Versions over HTTP: the bytes of `pull`, with conditional, range and compressed requests."""

from __future__ import annotations

import io

import httpx
import pandas
import pytest
from desk.server import serving
from store.sheet import DAY
from store.sheet import NOW as DAY_TIME

from freshqa.dataset.citation import Citation
from freshqa.dataset.writing import FORMATS, write_release
from freshqa.store import changes, redacting, snapshots, versions
from prefect_freshqa.desk.api import routes
from prefect_freshqa.desk.limits import LIMITS
from prefect_freshqa.desk.version_files import FRESH_SECONDS, VersionFiles


@pytest.fixture
def client(store):
    with serving(store, read_only=True) as url, httpx.Client(base_url=url) as opened:
        yield opened


def pulled(store, number, format):
    info = versions.find(store, number=number)
    return write_release(
        snapshots.snapshot(store, number),
        format,
        dialect=info.dialect,
        metadata=Citation.of(info.to_json()).metadata(),
    )


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_has_the_bytes_of_pull_and_the_content_hash_as_its_tag(
    client, store, format
) -> None:
    answer = client.get(f"/v1/versions/3.{format}", headers={"Accept-Encoding": "identity"})
    assert answer.status_code == 200
    assert answer.content == pulled(store, 3, format)
    assert answer.headers["etag"] == f'"{versions.find(store, number=3).content_hash}"'
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    zipped = client.get(f"/v1/versions/3.{format}")
    assert zipped.content == answer.content


def test_text_is_compressed_for_clients_that_accept_it_with_a_weak_etag(client, store) -> None:
    answer = client.get("/v1/versions/1.jsonl")
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "Accept-Encoding"
    tag = answer.headers["etag"]
    assert tag == f'W/"{versions.find(store, number=1).content_hash}"'
    refused = client.get("/v1/versions/1.jsonl", headers={"Accept-Encoding": "gzip;q=0, br"})
    assert "content-encoding" not in refused.headers
    for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = client.get("/v1/versions/1.jsonl", headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b""), known
    changed = client.get("/v1/versions/1.jsonl", headers={"If-None-Match": '"other"'})
    assert changed.status_code == 200


@pytest.mark.parametrize(
    ("asked", "part", "status"),
    [
        ("bytes=0-9", slice(0, 10), 206),
        ("bytes=10-", slice(10, None), 206),
        ("bytes=-7", slice(-7, None), 206),
        ("bytes=0-999999999", slice(None), 206),
        ("bytes=9-3", slice(None), 200),
        ("bytes=0-1,4-5", slice(None), 200),
        ("lines=0-1", slice(None), 200),
    ],
)
def test_a_range_request_returns_that_part(client, store, asked, part, status) -> None:
    whole = pulled(store, 1, "csv")
    answer = client.get("/v1/versions/1.csv", headers={"Range": asked})
    assert (answer.status_code, answer.content) == (status, whole[part])
    if status == 206:
        first = len(whole[: part.start]) if part.start else 0
        assert answer.headers["content-range"].startswith(f"bytes {first}-")


def test_a_range_beyond_the_end_or_of_another_version_is_not_served(client, store) -> None:
    beyond = client.get("/v1/versions/1.csv", headers={"Range": "bytes=99999999-"})
    assert beyond.status_code == 416
    assert beyond.headers["content-range"] == f"bytes */{len(pulled(store, 1, 'csv'))}"
    stale = {"Range": "bytes=0-9", "If-Range": '"other"'}
    assert client.get("/v1/versions/1.csv", headers=stale).status_code == 200


def test_a_version_is_named_by_number_tag_date_or_latest(client) -> None:
    numbers = {
        name: client.get(f"/v1/versions/{name}").json()["version"]
        for name in ("1", "camera-ready", DAY.isoformat(), "latest")
    }
    assert numbers == {"1": 1, "camera-ready": 2, DAY.isoformat(): 1, "latest": 3}
    tagged = client.get("/v1/versions/camera-ready.csv")
    assert tagged.headers["cache-control"] == "public, no-cache"
    assert tagged.headers["content-location"] == "/v1/versions/2.csv"
    unknown = client.get("/v1/versions/none.csv")
    assert unknown.status_code == 404
    assert unknown.json()["error"]["kind"] == "not-found"


def test_lists_diffs_histories_and_the_feed_equal_the_output_of_the_commands(client, store) -> None:
    listed = client.get("/v1/versions").json()["versions"]
    assert [version["version"] for version in listed] == [3, 2, 1]
    diff = client.get("/v1/diff/1/camera-ready").json()
    assert diff == {"from": 1, "to": 2, **changes.diff(store, 1, 2).to_json()}
    key = diff["changed"][0]["key"]
    history = client.get(f"/v1/questions/{key}/history").json()
    assert [step["fields"]["answer_0"] for step in history["revisions"]] == ["1", "9"]
    feed = client.get("/v1/feed").json()
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert [item["_freshqa"]["version"] for item in feed["items"]] == [3, 2, 1]
    assert feed["items"][1]["_freshqa"]["diff"]["changed"][0]["key"] == key
    assert [i["title"] for i in client.get("/v1/feed?before=2").json()["items"]] == ["Version 1"]
    again = client.get(
        "/v1/feed", headers={"If-None-Match": client.get("/v1/feed").headers["etag"]}
    )
    assert again.status_code == 304


def test_the_openapi_document_describes_every_route(client) -> None:
    """A version and its files are one route and two paths; the two that only list are left out."""
    names = {"{old}": "{from}", "{new}": "{to}", "{name:path}": "{version}"}
    described = {"/v1/versions/{version}.{format}"}
    for path in {route.path for route in routes()} - {"/v1", "/v1/openapi.json"}:
        for name, other in names.items():
            path = path.replace(name, other)
        described.add(path)
    assert set(client.get("/v1/openapi.json").json()["paths"]) == described


def test_every_path_of_the_openapi_document_answers(client) -> None:
    document = client.get("/v1/openapi.json").json()
    filled = {"version": "2", "format": "csv", "from": "1", "to": "2", "key": ""}
    key = client.get("/v1/diff/1/2").json()["changed"][0]["key"]
    for path, methods in document["paths"].items():
        assert list(methods) == ["get"]
        assert client.get(path.format(**{**filled, "key": key})).status_code == 200, path


def test_the_api_accepts_no_changes(client) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert client.request(method, "/v1/versions/1").status_code == 405, method


def test_requests_are_limited_by_address_with_separate_limits_for_api_and_pages(
    store, client, monkeypatch
) -> None:
    assert LIMITS["api"][1] >= 300, "fewer requests a second than are promised"
    monkeypatch.setitem(LIMITS, "api", (5, 1 / 3600))
    with serving(store, read_only=True) as url, httpx.Client(base_url=url) as limited:
        tag = client.get("/v1/versions/1.csv").headers["etag"]
        known = {"If-None-Match": tag}
        answers = [limited.get("/v1/versions/1.csv", headers=known) for _ in range(7)]
        assert [answer.status_code for answer in answers] == [304] * 5 + [429] * 2
        assert answers[-1].json()["error"]["message"] == "Too many requests."
        assert 3000 < int(answers[-1].headers["retry-after"]) <= 3600
        assert limited.get("/v1/versions").status_code == 429
        assert limited.get("/versions").status_code == 200


def test_pandas_reads_a_version_by_url(client) -> None:
    frame = pandas.read_csv(f"{client.base_url}/v1/versions/3.csv", dtype=str)
    assert frame["answer_0"].tolist()[-1] == "zwölf"
    direct = pandas.read_csv(io.BytesIO(client.get("/v1/versions/3.csv").content), dtype=str)
    assert frame.equals(direct)


def test_a_redacted_version_gets_another_tag_and_is_no_longer_immutable(store) -> None:
    now = [0.0]
    files = VersionFiles(store, clock=lambda: now[0])
    before = files.file(1, "csv")
    revision = snapshots.snapshot(store, 1)[0].revision_hash
    redacting.redact(store, revision, reason="asked to", now=DAY_TIME)
    now[0] = FRESH_SECONDS + 1
    assert files.kept(1, "csv") is None
    after = files.file(1, "csv")
    assert not before.redacted
    assert after.redacted
    assert after.rows_hash != before.rows_hash
    assert after.body == pulled(store, 1, "csv")


def test_cached_files_beyond_the_memory_limit_are_dropped_oldest_first(store) -> None:
    files = VersionFiles(store, max_bytes=len(pulled(store, 3, "csv")) * 2)
    for number in (1, 2, 3):
        files.file(number, "csv")
    assert files.kept(1, "csv") is None
    assert files.kept(3, "csv") is not None
