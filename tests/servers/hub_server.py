"""A loopback server with the commit protocol of the Hugging Face Hub, for datasets."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

REPO = r"/(?:api/)?datasets/(?P<repo>[\w.-]+/[\w.-]+?)"
Answer = tuple[int, Any, dict[str, str]]


@dataclass
class Repository:
    """Commits (id → files), the newest, tags, and whether it is private."""

    private: bool
    head: str = "0" * 40
    commits: dict[str, dict[str, bytes]] = field(default_factory=lambda: {"0" * 40: {}})
    tags: dict[str, str] = field(default_factory=dict)

    def files(self, revision: str) -> tuple[str, dict[str, bytes]] | None:
        commit = self.head if revision == "main" else self.tags.get(revision, revision)
        return (commit, self.commits[commit]) if commit in self.commits else None


def git_oid(body: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(body) + body).hexdigest()


def is_lfs(path: str) -> bool:
    return path.endswith(".parquet")


class HubServer:
    """The hub with one account, whose token is `token`.

    Attributes:
        repositories: By `owner/name`.
        log: Requests as `METHOD path`.
        fail_next_tag: The next request for a tag fails, as when the network breaks.
    """

    token = "hf_test"

    def __init__(self) -> None:
        self.repositories: dict[str, Repository] = {}
        self.log: list[str] = []
        self.large: dict[str, bytes] = {}
        self.fail_next_tag = False
        self.url = ""

    @contextmanager
    def running(self) -> Iterator[HubServer]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        server.daemon_threads = True
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def answer(self, method: str, path: str, token: str, body: bytes) -> Answer:
        self.log.append(f"{method} {path}")
        if method == "PUT":
            self.large[path.removeprefix("/large/")] = body
            return 200, {}, {}
        if method == "POST" and token != self.token:
            return 401, {"error": "Invalid username or password."}, {}
        for pattern, handle in (
            (r"/api/validate-yaml", self.validate),
            (r"/api/repos/create", self.create),
            (f"{REPO}(?:/revision/(?P<revision>[^/]+))?", self.info),
            (f"{REPO}/refs", self.refs),
            (f"{REPO}/preupload/(?P<revision>[^/]+)", self.preupload),
            (rf"{REPO}\.git/info/lfs/objects/batch", self.batch),
            (f"{REPO}/commit/(?P<revision>[^/]+)", self.commit),
            (f"{REPO}/tag/(?P<revision>[^/]+)", self.tag),
            (f"{REPO}/resolve/(?P<revision>[^/]+)/(?P<file>.+)", self.resolve),
        ):
            match = re.fullmatch(pattern, path)
            if match is None:
                continue
            parts = {k: v for k, v in match.groupdict().items() if v is not None}
            if "repo" in parts and parts["repo"] not in self.repositories:
                return 404, {"error": "Not found"}, {"X-Error-Code": "RepoNotFound"}
            return handle(body, **parts)
        return 404, {"error": f"no such path {path}"}, {}

    def validate(self, body: bytes) -> Answer:
        """The hub reads the YAML header of a card."""
        content = json.loads(body)["content"]
        wrong = not content.startswith("---\nlicense: ")
        errors = [{"message": "no licence in the header"}] * wrong
        return 400 if wrong else 200, {"errors": errors, "warnings": []}, {}

    def create(self, body: bytes) -> Answer:
        asked = json.loads(body)
        name = f"{asked.get('organization')}/{asked['name']}"
        private = asked.get("private") or asked.get("visibility") == "private"
        assert asked["type"] == "dataset"
        self.repositories.setdefault(name, Repository(bool(private)))
        return 200, {"url": f"{self.url}/datasets/{name}"}, {}

    def info(self, body: bytes, repo: str, revision: str = "main") -> Answer:
        commit_and_files = self.repositories[repo].files(revision)
        assert commit_and_files is not None
        return 200, {"id": repo, "sha": commit_and_files[0], "siblings": [], "tags": []}, {}

    def refs(self, body: bytes, repo: str) -> Answer:
        held = self.repositories[repo]
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": held.head}
        tags = [
            {"name": name, "ref": f"refs/tags/{name}", "targetCommit": commit}
            for name, commit in held.tags.items()
        ]
        return 200, {"branches": [main], "converts": [], "tags": tags}, {}

    def preupload(self, body: bytes, repo: str, revision: str) -> Answer:
        files = self.repositories[repo].files(revision)
        assert files is not None
        answers = []
        for asked in json.loads(body)["files"]:
            path, there = asked["path"], files[1].get(asked["path"])
            lfs = is_lfs(path)
            hashed = hashlib.sha256(there or b"").hexdigest() if lfs else git_oid(there or b"")
            mode = "lfs" if lfs else "regular"
            known = {"oid": hashed} if there is not None else {}
            answers.append({"path": path, "uploadMode": mode, "shouldIgnore": False, **known})
        return 200, {"files": answers}, {}

    def batch(self, body: bytes, repo: str) -> Answer:
        objects = []
        for large_file in json.loads(body)["objects"]:
            href = {"href": f"{self.url}/large/{large_file['oid']}"}
            actions = {} if large_file["oid"] in self.large else {"actions": {"upload": href}}
            objects.append({**large_file, **actions})
        return 200, {"transfer": "basic", "objects": objects}, {}

    def commit(self, body: bytes, repo: str, revision: str) -> Answer:
        held = self.repositories[repo]
        lines = [json.loads(line) for line in body.splitlines()]
        header = lines[0]["value"]
        if header.get("parentCommit", held.head) != held.head:
            return 412, {"error": "A commit has happened since."}, {}
        files = dict(held.commits[held.head])
        for line in lines[1:]:
            value = line["value"]
            large = line["key"] == "lfsFile"
            body = self.large[value["oid"]] if large else base64.b64decode(value["content"])
            assert large is is_lfs(value["path"])
            assert not large or hashlib.sha256(body).hexdigest() == value["oid"]
            files[value["path"]] = body
        seed = f"{held.head}{sorted(files)}{len(held.commits)}"
        held.head = hashlib.sha1(seed.encode()).hexdigest()
        held.commits[held.head] = files
        url = f"{self.url}/datasets/{repo}/commit/{held.head}"
        return 200, {"success": True, "commitOid": held.head, "commitUrl": url}, {}

    def tag(self, body: bytes, repo: str, revision: str) -> Answer:
        if self.fail_next_tag:
            self.fail_next_tag = False
            return 400, {"error": "The tag was not made."}, {}
        held, name = self.repositories[repo], json.loads(body)["tag"]
        if name in held.tags:
            return 409, {"error": "Tag already exists."}, {}
        held.tags[name] = held.head if revision == "main" else revision
        return 200, {}, {}

    def resolve(self, body: bytes, repo: str, revision: str, file: str) -> Answer:
        commit_and_files = self.repositories[repo].files(revision)
        if commit_and_files is None or file not in commit_and_files[1]:
            return 404, {"error": "Not found"}, {"X-Error-Code": "EntryNotFound"}
        commit, files = commit_and_files
        oid = git_oid(files[file])
        return 200, files[file], {"ETag": f'"{oid}"', "X-Repo-Commit": commit}


def _handler(hub: HubServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on stderr."""

        def body(self) -> bytes:
            if self.headers.get("Transfer-Encoding", "") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))
            parts = []
            while size := int(self.rfile.readline().strip(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)

        def do_GET(self) -> None:
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            path = unquote(urlsplit(self.path).path)
            status, answer, headers = hub.answer(self.command, path, token, self.body())
            payload = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            kind = "application/octet-stream" if answer is payload else "application/json"
            for name, value in {"Content-Type": kind, **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(payload)

        do_HEAD = do_POST = do_PUT = do_GET

    return Handler
