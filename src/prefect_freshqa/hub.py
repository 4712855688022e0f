"""Push a version to a dataset repository on the Hugging Face hub: one commit and one tag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from freshqa.errors import (
    Conflict,
    CredentialsError,
    FreshQAError,
    NotFound,
    ProviderError,
    ProviderRejected,
    UsageError,
)
from freshqa.sharing.hub_files import CROISSANT, hash_in

if TYPE_CHECKING:
    from huggingface_hub import HfApi

DATASET = "dataset"
CREATE = "Create it: add --create private or --create public."


@dataclass(frozen=True)
class Pushed:
    """The content of the repository after a push.

    Args:
        commit: That the tag points at.
        pushed: False when the version was there already.
        created: Whether the repository is new.
    """

    commit: str
    pushed: bool
    created: bool


def push(
    repository: str,
    files: Mapping[str, bytes],
    *,
    number: int,
    content_hash: str,
    create: str = "",
    endpoint: str | None = None,
    token: str | None = None,
) -> Pushed:
    """Commit the files of a version and tag the commit, once.

    Args:
        repository: `owner/name`.
        files: Path → bytes.
        number: Of the version; the tag is `vNUMBER`.
        content_hash: Of its rows.
        create: `private` or `public`: make the repository if it does not exist.
        endpoint: Address of the hub. Default: HF_ENDPOINT, else the public one.
        token: Default: HF_TOKEN, else that of `hf auth login`.

    Raises:
        NotFound: the repository does not exist and `create` is empty.
        Conflict: the tag holds other rows, a later version exists, or another process pushed.
        CredentialsError: the hub refuses the token.
        ProviderError, ProviderRejected: the hub does not answer, or refuses.
        UsageError: huggingface_hub is not installed, or `repository` is not a valid name.
    """
    tag = f"v{number}"
    with _failures(repository):
        from huggingface_hub import CommitOperationAdd, HfApi

        api = HfApi(endpoint, token=token, library_name="prefect-freshqa")
        created = _ensure(api, repository, create)
        refs = api.list_repo_refs(repository, repo_type=DATASET)
        tags = {ref.name: ref.target_commit for ref in refs.tags}
        if tag in tags:
            _refuse_other_rows(api, repository, tag, content_hash)
            return Pushed(tags[tag], pushed=False, created=False)
        _refuse_older(repository, number, list(tags))
        head = next((ref.target_commit for ref in refs.branches if ref.name == "main"), None)
        commit = api.create_commit(
            repository,
            [CommitOperationAdd(path, body) for path, body in files.items()],
            commit_message=f"Version {number}",
            commit_description=f"Content hash sha256:{content_hash}",
            repo_type=DATASET,
            parent_commit=head,
        )
        api.create_tag(
            repository,
            tag=tag,
            tag_message=f"sha256:{content_hash}",
            revision=commit.oid,
            repo_type=DATASET,
        )
        return Pushed(commit.oid, pushed=True, created=created)


def _ensure(api: HfApi, repository: str, create: str) -> bool:
    if api.repo_exists(repository, repo_type=DATASET):
        return False
    if not create:
        raise NotFound(f"The hub has no dataset {repository!r} that this token can see.", CREATE)
    api.create_repo(repository, repo_type=DATASET, private=create == "private", exist_ok=True)
    return True


def _refuse_other_rows(api: HfApi, repository: str, tag: str, content_hash: str) -> None:
    with TemporaryDirectory() as folder:
        path = api.hf_hub_download(
            repository, CROISSANT, repo_type=DATASET, revision=tag, cache_dir=folder
        )
        there = hash_in(Path(path).read_bytes())
    if there != content_hash:
        raise Conflict(
            f"{tag} of {repository} contains different rows: their content hash is "
            f"{there or 'not stated'}, not {content_hash}.",
            "Use another repository.",
        )


def _refuse_older(repository: str, number: int, tags: list[str]) -> None:
    numbers = [int(tag[1:]) for tag in tags if tag[:1] == "v" and tag[1:].isdecimal()]
    later = max(numbers, default=0)
    if later > number:
        raise Conflict(
            f"{repository} already has version {later}; version {number} would replace it as the "
            "newest.",
            "Push versions in ascending order.",
        )


@contextmanager
def _failures(repository: str) -> Iterator[None]:
    """Raise errors of huggingface_hub as errors of this package."""
    try:
        from huggingface_hub import errors
    except ImportError as missing:
        raise UsageError(
            "The hub needs huggingface_hub.", "Install it: pip install 'prefect-freshqa[hub]'."
        ) from missing
    try:
        yield
    except FreshQAError:
        raise
    except errors.HFValidationError as invalid:
        raise UsageError(
            f"{repository!r} is not a repository: {_line(invalid)}", "Use owner/name."
        ) from invalid
    except errors.HfHubHTTPError as failure:
        raise _translated(repository, failure) from failure
    except errors.LocalTokenNotFoundError as missing_token:
        raise CredentialsError(
            "The hub needs a token.", "Set HF_TOKEN, or run: hf auth login"
        ) from missing_token
    except (OSError, RuntimeError, ValueError) as failure:
        raise ProviderError(f"The hub failed: {_line(failure)}", "Try again.") from failure
    except Exception as failure:
        if not type(failure).__module__.startswith("httpx"):
            raise
        raise ProviderError(f"The hub is unavailable: {_line(failure)}", "Try again.") from failure


def _translated(repository: str, failure: Any) -> FreshQAError:
    status = failure.response.status_code if failure.response is not None else 0
    if status in (401, 403):
        return CredentialsError(
            f"The hub denies write access to {repository}: HTTP status {status}.",
            "Set HF_TOKEN to a token with write access.",
        )
    if status in (409, 412):
        return Conflict(f"{repository} was changed by another push.", "Run the command again.")
    if status == 429 or status >= 500 or not status:
        return ProviderError(f"The hub failed: {_line(failure)}", "Try again.")
    return ProviderRejected(f"The hub refused: {_line(failure)}", "Check the repository.")


def _line(failure: BaseException) -> str:
    return " ".join(str(failure).split())[:300] or type(failure).__name__
