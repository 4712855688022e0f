"""`load(URL)` and `pull --from URL` verify versions and cache them by hash for offline use."""

from __future__ import annotations

import json

import httpx
import pytest
from desk.server import serving
from servers.scripted_server import Reply, ScriptedServer

from freshqa.errors import BadData, NotFound, ProviderError, UsageError
from freshqa.store import snapshots, versions
from prefect_freshqa import load
from prefect_freshqa.cli.commands.pull import Format, pull
from prefect_freshqa.client import fetch


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "prefect-freshqa" / "versions"


def test_a_version_is_loaded_verified_and_used_offline_afterwards(store, cache) -> None:
    with serving(store, read_only=True) as url:
        frame = load(url, version="camera-ready")
        first = fetch(url, "camera-ready")
    wanted = versions.find(store, tag="camera-ready")
    assert frame.attrs["content_hash"] == wanted.content_hash
    assert frame["answer_0"].tolist() == [q.primary for q in snapshots.snapshot(store, 2)]
    assert frame["key"].tolist() == [q.key for q in snapshots.snapshot(store, 2)]
    assert (first.cached, first.offline) == (True, False)
    assert (cache / f"{wanted.content_hash}.jsonl").is_file()
    offline = fetch(url, "camera-ready")
    assert (offline.cached, offline.offline, offline.number) == (True, True, 2)
    assert load(url, version="camera-ready").equals(frame)
    with pytest.raises(ProviderError, match="cannot be read"):
        fetch(url, 1)


def test_a_moved_tag_is_detected(store) -> None:
    with serving(store, read_only=True) as url:
        assert fetch(url, "camera-ready").number == 2
        versions.tag(store, "camera-ready", 3, now=versions.head(store).published_at, move=True)
        assert fetch(url, "camera-ready").number == 3


def test_a_damaged_cache_file_is_downloaded_again(store, cache) -> None:
    with serving(store, read_only=True) as url:
        content_hash = fetch(url, 1).content_hash
        (cache / f"{content_hash}.jsonl").write_text("{}")
        again = fetch(url, 1)
        assert not again.cached
        assert fetch(url, 1).cached


def test_a_version_with_another_hash_is_refused(store) -> None:
    with serving(store, read_only=True) as url:
        right = versions.find(store, number=1).content_hash
        assert fetch(url, 1, content_hash=right).number == 1
        with pytest.raises(
            BadData, match=f"version 1 has the content hash {right}, not {'0' * 64}"
        ):
            fetch(url, 1, content_hash="0" * 64)


def test_rows_that_do_not_match_the_hash_are_refused_and_not_cached(store, cache) -> None:
    with serving(store, read_only=True) as url, httpx.Client(base_url=url) as client:
        described = client.get("/v1/versions/1").json()
        rows = client.get("/v1/versions/1.jsonl").text.replace("moons", "rings")
    forged = ScriptedServer()
    forged.script(Reply(body=described), Reply(body=rows))
    with forged.running(), pytest.raises(BadData, match=described["content_hash"]):
        fetch(forged.url, 1)
    assert not list(cache.glob("*"))


def test_addresses_that_are_not_a_server_are_refused_in_one_line(store) -> None:
    with pytest.raises(UsageError, match="not a valid HTTP"):
        fetch("ftp://freshqa.example.org")
    with serving(store, read_only=True) as url, pytest.raises(NotFound, match="versions 1 to 3"):
        fetch(url, "paper")


def test_pull_from_a_server_writes_what_pull_from_the_store_writes(store, tmp_path, capsys) -> None:
    address = store.url
    with serving(store, read_only=True) as url:
        for format in Format:
            here, there = tmp_path / f"here.{format.value}", tmp_path / f"there.{format.value}"
            pull(tag="camera-ready", format=format, output=str(here), store=address, json=True)
            pull(tag="camera-ready", format=format, output=str(there), server=url, json=True)
            first, second = map(json.loads, capsys.readouterr().out.splitlines())
            assert second == {**first, "file": str(there)}
            assert there.read_bytes() == here.read_bytes()
