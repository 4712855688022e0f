"""`prefect-freshqa redact`."""

from __future__ import annotations

from typing import Annotated

import typer

from freshqa.errors import UsageError
from prefect_freshqa.cli.options import JsonOption, StoreOption, now, open_store
from prefect_freshqa.cli.output import emit


def redact(
    revision: Annotated[
        str, typer.Argument(metavar="REVISION", help="Its hash, as `history` shows it.")
    ],
    reason: Annotated[str, typer.Option("--reason", help="Reason, stored with the revision.")] = "",
    column: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="COLUMN", help="Only this column (repeat). Default: all."),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Confirm: a redaction cannot be undone.")
    ] = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Remove the text of a revision by legal request; hashes stay, so that versions still verify.

    Also removed: the imported files of the versions that hold it, the recorded checks and proposals of
    its question, and every recorded search or completion that repeats the text. Remove
    it from backups and from files pulled earlier yourself.

    Example:

        prefect-freshqa redact 9f2c31aa07de --column source --reason "Request of 3 March" --yes
    """
    from freshqa.store import redacting

    if not yes:
        raise UsageError("A redaction cannot be undone.", "Repeat the command with --yes.")
    done = redacting.redact(
        open_store(store), revision, now=now(), reason=reason, columns=column or ()
    )
    gone = ", ".join(f"{count} {what}" for what, count in done.ledger.items() if count)
    emit(
        done.to_json(),
        as_json=json,
        render=lambda console: console.print(
            f"Revision {done.revision_hash[:12]} of {done.key}: {len(done.columns)} columns "
            f"emptied in versions {', '.join(map(str, done.versions))}"
            + (f"; with it {gone}." if gone else "."),
            markup=False,
        ),
    )
