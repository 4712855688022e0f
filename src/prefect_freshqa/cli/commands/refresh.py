"""`prefect-freshqa refresh`."""

from __future__ import annotations

from typing import Annotated

import typer

from freshqa.answering.settings import DEFAULT_PROFILE, DEFAULT_ROUNDS, MAX_SEARCHES
from freshqa.choices import AcceptancePolicy, Computing, LoopPolicy
from freshqa.defaults import MAX_PAGES, MAX_ROUNDS, NEXT_REFRESH_DAYS
from freshqa.errors import NothingToDo, RunFailed
from prefect_freshqa.cli.options import AsOfOption, JsonOption, StoreOption, open_store, parse_day
from prefect_freshqa.cli.providers import (
    BudgetOption,
    CallsInFlightOption,
    MethodOption,
    ModelOption,
    PremiseCheckOption,
    ProfileOption,
    SearchOption,
    dollars,
)
from prefect_freshqa.cli.refresh_output import figures_of, report
from prefect_freshqa.cli.temporary_server import server_for_flow, start_and_wait

NOTHING_DUE = "Pass a later --as-of, --days, or --all for every one."


def refresh(
    as_of: AsOfOption = None,
    all: Annotated[bool, typer.Option("--all", help="Check every question, due or not.")] = False,
    method: MethodOption = "freshprompt",
    search: SearchOption = "serpapi",
    model: ModelOption = "openai:gpt-4o",
    judge: Annotated[
        str,
        typer.Option(
            metavar="BLOCK",
            help="Model that decides whether two wordings mean the same fact, or none. "
            "Default: the answering model, unless it is a recording.",
        ),
    ] = "",
    policy: Annotated[
        AcceptancePolicy, typer.Option(help="What is accepted without a person.")
    ] = "hold",
    limit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Check at most N questions; the rest stay due."),
    ] = None,
    budget_usd: BudgetOption = None,
    key: Annotated[
        str | None, typer.Option(metavar="K", help="Run key. Default: ISO week and method.")
    ] = None,
    days: Annotated[
        int, typer.Option(min=0, metavar="N", help="Days until the next refresh after this one.")
    ] = NEXT_REFRESH_DAYS,
    profile: ProfileOption = DEFAULT_PROFILE,
    premise_check: PremiseCheckOption = None,
    loop_policy: Annotated[
        LoopPolicy,
        typer.Option(
            help="What decides the next step: our rule, an ablation of LLM-Augmenter, or a learned policy "
            "(fitted, reinforce)."
        ),
    ] = "rule",
    loop_weights: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Weights of a learned policy, from `learn`. Default: learned from the ledger.",
        ),
    ] = "",
    kf1_threshold: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            metavar="X",
            help="KF1 below which an ablation of LLM-Augmenter asks for a revision. Default: 0.5.",
        ),
    ] = None,
    max_rounds: Annotated[
        int,
        typer.Option(
            min=1,
            max=MAX_ROUNDS,
            metavar="N",
            help="Maximum number of rounds of verification and revision.",
        ),
    ] = DEFAULT_ROUNDS,
    extra_searches: Annotated[
        int,
        typer.Option(
            min=0,
            max=MAX_SEARCHES,
            metavar="N",
            help="Maximum number of further searches for a risky question that is still uncertain.",
        ),
    ] = MAX_SEARCHES,
    second_model: Annotated[
        str,
        typer.Option(
            metavar="BLOCK", help="Another model, asked if it can change the outcome of a check."
        ),
    ] = "",
    second_search: Annotated[
        str,
        typer.Option(
            metavar="BLOCK", help="Another search engine, asked if it can change the outcome."
        ),
    ] = "",
    stop_early: Annotated[
        bool,
        typer.Option(
            "--stop-early",
            help="Do not ask a model if the risk after the search is too low to justify the cost.",
        ),
    ] = False,
    self_criticism: Annotated[
        bool,
        typer.Option("--self-criticism", help="Feedback in the model's own words, not templates."),
    ] = False,
    read_pages: Annotated[
        int,
        typer.Option(
            min=0,
            max=MAX_PAGES,
            metavar="N",
            help="Read the pages of the first N results of a risky question (extra pages).",
        ),
    ] = 0,
    page_reader: Annotated[
        str, typer.Option(metavar="BLOCK", help="PageReader block. Default: the default settings.")
    ] = "",
    compute: Annotated[
        Computing,
        typer.Option(
            help="What is answered without a search: nothing, what the calendar alone gives, also what "
            "the source recipe of a row gives (extra pages), or also ages."
        ),
    ] = "recipes",
    mirror: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART",
            help="Part of an address of pages that copy the benchmark and are not used as evidence; repeatable.",
        ),
    ] = None,
    concurrency: CallsInFlightOption = 16,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Re-check every question that is due and propose what should change.

    Runs the Prefect flow `refresh-dataset` in this process. Nothing is accepted without a person
    unless --policy says so; the same run key resumes where it stopped and never pays for a call twice.

    Example:

        prefect-freshqa refresh --as-of 2024-03-13 --method search-only --search recorded:searches.jsonl
    """
    opened, day = open_store(store, writes=True), parse_day(as_of)
    server = server_for_flow(search, model, judge, second_search, second_model, page_reader)
    from freshqa.store.runs import list_runs
    from prefect_freshqa.cli.flow_runs import progress_of, quiet_prefect, run_tagged, use_store
    from prefect_freshqa.flows.refresh import refresh_dataset
    from prefect_freshqa.tasks.planning import find_due_questions, run_key
    from prefect_freshqa.tasks.providers import check_providers
    from prefect_freshqa.tasks.refresh_settings import RefreshSettings

    settings = RefreshSettings(
        method=method,
        search=search,
        model=model,
        judge=judge,
        policy=policy,
        profile=profile,
        premise_check=premise_check,
        loop_policy=loop_policy,
        loop_weights=loop_weights,
        kf1_threshold=kf1_threshold,
        max_rounds=max_rounds,
        extra_searches=extra_searches,
        stop_early=stop_early,
        second_model=second_model,
        second_search=second_search,
        self_criticism=self_criticism,
        read_pages=read_pages,
        page_reader=page_reader,
        compute=compute,
        mirrors=tuple(mirror or ()),
        every_question=all,
        days=days,
        limit=limit,
        budget_usd=dollars(budget_usd),
        concurrency=concurrency,
    )
    use_store(store)
    quiet_prefect()
    check_providers(opened, settings)  # before a server is started for the flow
    total = len(find_due_questions.fn(opened, day, settings).questions[:limit])
    run = run_key(key, day, settings)
    if not total and run not in {known.key for known in list_runs(opened)}:
        raise NothingToDo(f"No question is due on {day}.", NOTHING_DUE)
    start_and_wait(server)
    with progress_of(opened, run, total):
        try:
            result = run_tagged(refresh_dataset, as_of=day, settings=settings, key=key)
        except RunFailed as failure:
            result = figures_of(failure)
    report(result, as_json=json)
