"""`prefect-freshqa report`."""

from __future__ import annotations

from typing import Annotated

import typer

from prefect_freshqa.cli.options import (
    AsOfOption,
    JsonOption,
    StoreOption,
    now,
    open_store,
    parse_day,
)
from prefect_freshqa.cli.output import emit


def report(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="Key, any wording it had, or a part of it.")
    ],
    answer: Annotated[str, typer.Option(help="The correct answer.")],
    link: Annotated[str, typer.Option(metavar="URL", help="Page that states the answer.")],
    note: Annotated[str, typer.Option(help="Anything else the reviewer should know.")] = "",
    as_of: AsOfOption = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Report a wrong answer. The report becomes a proposal that a reviewer decides.

    Example:

        prefect-freshqa report "Dodgers player to win the NL MVP" --answer "Shohei Ohtani" --link https://www.mlb.com/awards/mvp
    """
    from freshqa.maintaining.reported import read_report
    from freshqa.store.history import named_question
    from freshqa.store.opinions_and_reports import record_report
    from freshqa.store.proposals import proposal
    from prefect_freshqa.cli.proposal_output import listed

    said = read_report(answer, link, note)
    opened = open_store(store)
    key = named_question(opened, question)
    id = record_report(opened, key, said, as_of=parse_day(as_of), now=now())
    record = listed(proposal(opened, id))
    emit(
        {"proposal": record},
        as_json=json,
        render=lambda console: console.print(
            f"Proposal {id}, reported. Next: prefect-freshqa review show {id}", markup=False
        ),
    )
