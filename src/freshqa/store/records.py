"""Records beside the ledger: validations, judgements, certificates, files of a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from freshqa.errors import Conflict
from freshqa.store.database import Store
from freshqa.store.ledger_schema import certificate, judgement, validation
from freshqa.store.runs import run_row
from freshqa.store.schema import version as versions
from freshqa.store.versions import find_row


@dataclass(frozen=True)
class StoredValidation:
    """A validation report as it was recorded; `report` is `ValidationReport.to_json()`, empty once
    redacted."""

    version: int | None
    success: bool
    validated_at: datetime
    report: Mapping[str, Any]


def record_validation(
    store: Store,
    run_key: str | None,
    version: int | None,
    report_json: Mapping[str, Any],
    now: datetime,
) -> None:
    """Keep a validation report.

    Args:
        run_key: Key of the run that it belongs to, or None.
        version: Number of the version that was validated; None for a draft.
        report_json: `ValidationReport.to_json()`; its `success` is kept as a column too.

    Raises:
        NotFound: no such run or version.
    """
    with store.write() as connection:
        connection.execute(
            insert(validation).values(
                dataset_id=store.dataset_id,
                run_id=run_row(connection, store, run_key).id if run_key else None,
                version_id=_version_id(connection, store, version),
                success=bool(report_json["success"]),
                validated_at=now,
                report=dict(report_json),
            )
        )


def validations(
    store: Store, *, version: int | None = None, run_key: str | None = None
) -> tuple[StoredValidation, ...]:
    """Recorded reports, newest first, of one version or one run where asked.

    Raises:
        NotFound: no such run or version.
    """
    query = (
        select(validation, versions.c.number)
        .outerjoin(versions, versions.c.id == validation.c.version_id)
        .where(validation.c.dataset_id == store.dataset_id)
        .order_by(validation.c.id.desc())
    )
    with store.read() as connection:
        if version is not None:
            query = query.where(validation.c.version_id == _version_id(connection, store, version))
        if run_key is not None:
            query = query.where(validation.c.run_id == run_row(connection, store, run_key).id)
        rows = connection.execute(query).all()
    return tuple(
        StoredValidation(row.number, row.success, row.validated_at, row.report or {})
        for row in rows
    )


def record_judgements(
    store: Store,
    evaluation: str,
    judgements: Sequence[Mapping[str, Any]],
    *,
    version: int | None,
    mode: str,
    judge: str,
    now: datetime,
) -> None:
    """Keep the judgements of one evaluation.

    Args:
        evaluation: Its name, once per dataset.
        judgements: One record per response, each with a `verdict`; kept in this order.
        version: Number of the version that they were graded against.
        mode: `relaxed` or `strict`.

    Raises:
        Conflict: an evaluation of that name is already recorded.
        NotFound: no such version.
    """
    try:
        with store.write() as connection:
            shared = {
                "dataset_id": store.dataset_id,
                "evaluation": evaluation,
                "mode": mode,
                "version_id": _version_id(connection, store, version),
                "judge": judge,
                "judged_at": now,
            }
            rows = [
                {**shared, "position": position, "verdict": record["verdict"], "body": dict(record)}
                for position, record in enumerate(judgements)
            ]
            if rows:
                connection.execute(insert(judgement), rows)
    except IntegrityError:
        raise Conflict(
            f"The evaluation {evaluation!r} is already recorded.", "Choose another name."
        ) from None


def judgements(store: Store, evaluation: str) -> tuple[Mapping[str, Any], ...]:
    """The judgements of an evaluation, in their order; empty when there is none of that name.

    Of a redacted one only the verdict is left.
    """
    query = (
        select(judgement.c.body, judgement.c.verdict)
        .where(judgement.c.dataset_id == store.dataset_id, judgement.c.evaluation == evaluation)
        .order_by(judgement.c.position)
    )
    with store.read() as connection:
        rows = connection.execute(query).all()
    return tuple(body if body is not None else {"verdict": verdict} for body, verdict in rows)


def record_certificate(
    store: Store,
    model: str,
    certificate_json: Mapping[str, Any],
    *,
    issued_at: datetime,
    expires_at: datetime,
) -> None:
    """Keep a model's certificate; a newer one takes the place of an older one."""
    with store.write() as connection:
        connection.execute(
            insert(certificate).values(
                model=model,
                issued_at=issued_at,
                expires_at=expires_at,
                body=dict(certificate_json),
            )
        )


def certificates(
    store: Store, *, model: str | None = None, now: datetime | None = None
) -> tuple[Mapping[str, Any], ...]:
    """Recorded certificates, newest first.

    Args:
        model: Only those of this model.
        now: Only those that are valid at this time.
    """
    query = select(certificate.c.body).order_by(
        certificate.c.issued_at.desc(), certificate.c.id.desc()
    )
    if model is not None:
        query = query.where(certificate.c.model == model)
    if now is not None:
        query = query.where(certificate.c.issued_at <= now, certificate.c.expires_at > now)
    with store.read() as connection:
        return tuple(connection.execute(query).scalars())


def _version_id(connection: Connection, store: Store, number: int | None) -> int | None:
    if number is None:
        return None
    return int(find_row(connection, store.dataset_id, number=number).id)
