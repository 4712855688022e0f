"""`publish-hub`: files, commits and tags; a second push; the pulled copy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from command_line import runner
from servers.hub_server import HubServer

from freshqa import sample
from freshqa.dataset.canary import canaries_in, canaries_in_file
from freshqa.dataset.citation import Citation
from freshqa.dataset.diff import diff_snapshots
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.errors import Conflict, CredentialsError, NotFound, ProviderError, UsageError
from freshqa.sharing.folder import write_folder
from freshqa.sharing.hub_files import hub_files
from freshqa.sharing.shared_version import Edition, SharedVersion
from freshqa.store.verifying import content_hash
from prefect_freshqa.hub import Pushed, push

REPO = "acme/freshqa"
DAY = date(2026, 3, 2)
CANARY = "freshqa-canary:GUID:00000000-0000-5000-8000-000000000000"
pytestmark = pytest.mark.hub
SEAL = (
    '{"question": "Who won?", "answer": "Quane", "topic": "A | <b> `x`", "canary": "theirs"}\n'
    '{"question": "Who lost?", "answer": "Tolv", "topic": "B", "canary": "theirs"}\n'
)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    named = "huggingface_hub.constants"
    constants = pytest.importorskip(named, reason="hub: huggingface_hub is missing")
    # the protocol of files in Git LFS, which the hub speaks as well
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    with HubServer().running() as server:
        yield server


def rows(answer: str = "Mira Tolland") -> list[Question]:
    questions = read_release(sample.path("release.csv")).questions
    return [
        question.with_changes({"answer_0": question.primary.replace("Mira Tolland", answer)})
        for question in (row.with_key(f"q-{number}") for number, row in enumerate(questions))
    ]


def version(
    number: int, questions: Sequence[Question], dataset: str = "freshqa", canary: str = ""
) -> SharedVersion:
    hashed = content_hash(questions)
    editions = [Edition(n, DAY, 45, hashed, "a | b") for n in range(number, 0, -1)]
    changes = diff_snapshots(rows(), questions) if number > 1 else None
    cited = Citation(dataset, number, DAY, hashed)
    return SharedVersion(cited, questions, "apache-2.0", editions, changes, canary)


def pushed(hub: HubServer, shared: SharedVersion, create: str = "", token: str = "") -> Pushed:
    return push(
        REPO,
        hub_files(shared, REPO),
        number=shared.citation.number,
        content_hash=shared.citation.content_hash,
        create=create,
        endpoint=hub.url,
        token=token or hub.token,
    )


FIRST = version(1, rows())
SECOND = version(2, rows("Idris Quane"))


def test_two_versions_become_two_commits_and_tags(hub: HubServer) -> None:
    first = pushed(hub, FIRST, "private")
    assert (first.pushed, first.created) == (True, True)
    second = pushed(hub, SECOND)
    held = hub.repositories[REPO]
    assert held.private
    assert held.tags == {"v1": first.commit, "v2": second.commit}
    assert held.head == second.commit
    card = held.commits[held.head]["README.md"].decode()
    assert "## Changes since v1" in card and "| answer_changed |" in card
    assert f"sha256:{SECOND.citation.content_hash}" in card
    assert "| a \\| b |" in card


def test_pushing_twice_makes_no_commit(hub: HubServer) -> None:
    first = pushed(hub, FIRST, "public")
    assert not hub.repositories[REPO].private
    commits = len(hub.repositories[REPO].commits)
    again = pushed(hub, FIRST)
    assert (again.pushed, again.commit) == (False, first.commit)
    assert len(hub.repositories[REPO].commits) == commits


def test_a_push_that_ended_before_its_tag_is_completed(hub: HubServer) -> None:
    hub.fail_next_tag = True
    with pytest.raises(Exception, match="refused"):
        pushed(hub, FIRST, "public")
    assert hub.repositories[REPO].tags == {}
    commits = len(hub.repositories[REPO].commits)
    assert pushed(hub, FIRST).commit == hub.repositories[REPO].head
    assert len(hub.repositories[REPO].commits) == commits
    assert set(hub.repositories[REPO].tags) == {"v1"}


def test_pushes_that_would_mislead_readers_are_refused(hub: HubServer) -> None:
    with pytest.raises(NotFound, match="no dataset 'acme/freshqa'"):
        pushed(hub, SECOND)
    pushed(hub, SECOND, "public")
    with pytest.raises(Conflict, match="already has version 2"):
        pushed(hub, FIRST)
    with pytest.raises(Conflict, match="contains different rows"):
        pushed(hub, version(2, rows("Grey Petrel")))


def test_a_push_that_races_with_another_push_is_refused(
    hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed(hub, FIRST, "public")
    read = hub.preupload

    def meanwhile(body: bytes, repo: str, revision: str) -> Any:
        hub.repositories[repo].head = "0" * 40  # another push
        return read(body, repo, revision)

    monkeypatch.setattr(hub, "preupload", meanwhile)
    with pytest.raises(Conflict, match="changed by another push"):
        pushed(hub, SECOND)
    assert set(hub.repositories[REPO].tags) == {"v1"}


def test_a_wrong_token_an_invalid_name_and_an_unreachable_hub_are_reported(hub: HubServer) -> None:
    with pytest.raises(CredentialsError, match="denies write access"):
        pushed(hub, FIRST, "public", token="wrong")
    named = {"number": 1, "content_hash": "", "endpoint": hub.url, "token": "x"}
    with pytest.raises(UsageError, match="not a repository"):
        push("a/b/c", {}, **named)
    with pytest.raises(ProviderError, match="hub"):
        push(REPO, {}, **{**named, "endpoint": "http://127.0.0.1:9"})


def test_the_command_pushes_and_what_is_pulled_back_has_the_same_hash(
    hub: HubServer, tmp_path: Path
) -> None:
    store = runner(tmp_path)
    assert store("init").code == 0
    assert store("import", sample.path("release.csv"), "--as-of", "2026-03-02").code == 0
    asked = ("publish-hub", REPO, "--license", "apache-2.0", "--canary", "--json")
    done = store(
        *asked,
        *("--create", "public"),
        HF_ENDPOINT=hub.url,
        HF_TOKEN=hub.token,
        HF_HUB_DISABLE_XET="1",
        HF_HOME=str(tmp_path / "hf"),
    )
    assert done.code == 0, done.stderr
    assert (done.json["tag"], done.json["pushed"]) == ("v1", True)
    folder = tmp_path / "hub"
    assert store(*asked, "--to", str(folder)).code == 0
    written = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    held = hub.repositories[REPO]
    assert written == held.commits[held.head]
    url = f"{hub.url}/datasets/{REPO}/resolve/v1/data/freshqa.parquet"
    assert store("init", "--dataset", "back").code == 0
    back = store("import", url, "--as-of", "2026-03-02", "--dataset", "back", "--json")
    assert back.code == 0, back.stdout
    shown = store("show", "--dataset", "back", "--json").json
    assert shown["content_hash"] == done.json["content_hash"]
    assert store("publish-hub", REPO).code == 2  # no licence
    assert store(*asked, "--to", "x", "--create", "public").code == 2


@pytest.mark.parametrize("own", [False, True], ids=["freshqa", "own-columns"])
def test_mlcroissant_accepts_and_reads_the_description(own: bool, tmp_path: Path) -> None:
    croissant = pytest.importorskip("mlcroissant", reason="hub: mlcroissant is missing")
    shared = version(2, rows("Idris Quane"), canary=CANARY)
    if own:
        seal = [q.with_key(q.text) for q in read_release(SEAL.encode(), name="seal").questions]
        shared = version(1, seal, "seal")
    write_folder(hub_files(shared, REPO), tmp_path)
    dataset = croissant.Dataset(str(tmp_path / "croissant.json"))
    context = dataset.metadata.ctx
    assert (context.issues.errors, context.issues.warnings) == (set(), set())
    assert str(context.conforms_to.value).endswith("croissant/1.1")
    records = list(dataset.records("questions"))
    assert [r["questions/question"].decode() for r in records] == [q.text for q in shared.questions]
    file = tmp_path / "data" / f"{shared.citation.dataset}.parquet"
    assert content_hash(read_release(file).questions) == shared.citation.content_hash
    assert canaries_in_file(file) == ({CANARY} if shared.canary else set())
    assert bool(canaries_in((tmp_path / "README.md").read_text())) is bool(shared.canary)


def test_a_description_of_another_file_is_not_accepted(tmp_path: Path) -> None:
    croissant = pytest.importorskip("mlcroissant", reason="hub: mlcroissant is missing")
    files = hub_files(replace(FIRST, license="cc-by-4.0"), REPO)
    described = json.loads(files["croissant.json"])
    described["recordSet"][0]["field"][3]["source"]["fileObject"]["@id"] = "data/other.parquet"
    (tmp_path / "croissant.json").write_text(json.dumps(described))
    with pytest.raises((croissant.ValidationError, ValueError)):
        croissant.Dataset(str(tmp_path / "croissant.json"))
