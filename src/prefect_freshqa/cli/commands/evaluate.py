"""`prefect-freshqa evaluate`."""

from __future__ import annotations

import json as json_text
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from freshqa.answering.settings import DEFAULT_PROFILE
from freshqa.choices import GradingMode
from freshqa.dataset.whole_file import write_whole
from freshqa.errors import UsageError
from freshqa.store import versions
from prefect_freshqa.cli.options import (
    JsonOption,
    StoreOption,
    TagOption,
    VersionOption,
    open_store,
    parse_day,
)
from prefect_freshqa.cli.output import emit, table
from prefect_freshqa.cli.providers import (
    AnyMethodOption,
    BudgetOption,
    ConcurrencyOption,
    DemonstrationsOption,
    InstructionOption,
    ModelOption,
    PremiseCheckOption,
    ProfileOption,
    SearchOption,
    dollars,
)
from prefect_freshqa.cli.temporary_server import server_for_flow, start_and_wait

BY_RESPONSE = "response"


class Format(str, Enum):
    """Formats of the table."""

    text = "text"
    markdown = "markdown"
    csv = "csv"


def evaluate(
    responses: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="JSON lines, CSV or XLSX with `question` and `response`. Without it the model "
            "itself is asked.",
        ),
    ] = None,
    mode: Annotated[
        GradingMode, typer.Option(help="How FreshEval credits a response.")
    ] = "relaxed",
    judge: Annotated[
        str,
        typer.Option(
            envvar="PREFECT_FRESHQA_JUDGE",
            metavar="BLOCK",
            help="A model's block name, openai:MODEL?max_tokens=4000, recorded:FILE (verdicts or replies), or "
            "lexical (no model: relaxed, valid premises only).",
        ),
    ] = "openai:gpt-4o",
    judge_prompt: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="FreshEval's own prompt: its notebook or a text file; with --mode both, one for "
            "each. Default: our wording.",
        ),
    ] = None,
    version: VersionOption = None,
    tag: TagOption = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of",
            metavar="DATE",
            help="Date of the responses: grade against the version in force then. `response`: "
            "each response's own date.",
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="Only questions of this split, or all.")] = "TEST",
    since: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Version to look back to. Default: the oldest."),
    ] = None,
    compare: Annotated[
        str, typer.Option(metavar="NAME", help="Compare with an earlier evaluation.")
    ] = "",
    method: AnyMethodOption = "freshprompt",
    search: SearchOption = "serpapi",
    model: ModelOption = "openai:gpt-4o",
    profile: ProfileOption = DEFAULT_PROFILE,
    premise_check: PremiseCheckOption = None,
    instruction: InstructionOption = "",
    demonstrations: DemonstrationsOption = "",
    budget_usd: BudgetOption = None,
    concurrency: ConcurrencyOption = 8,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="K", help="Name of the evaluation. Default: from mode, version and responses."
        ),
    ] = None,
    format: Annotated[Format, typer.Option(help="How the table is printed.")] = Format.text,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw accuracy over versions to this .png or .svg file."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Judgements: .jsonl or .csv."),
    ] = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Grade responses against a version, and print the paper's table with n and 95 % intervals.

    Runs the Prefect flow `evaluate-model` in this process. Run again, it resumes where it
    stopped, or returns the finished figures; --plot shows every version these responses were
    judged against.

    Example:

        prefect-freshqa evaluate --responses responses.jsonl --version 2 --mode relaxed --judge lexical
    """
    opened = open_store(store, writes=True)
    check_plot(plot, as_of)
    if version is not None:
        versions.find(opened, number=version)  # before the settings refuse a number below 1
    server = server_for_flow(search, model, judge)
    from prefect_freshqa.cli.flow_runs import quiet_prefect, run_tagged, use_store
    from prefect_freshqa.flows.evaluate import evaluate_model
    from prefect_freshqa.tasks.evaluation_plan import plan_evaluation
    from prefect_freshqa.tasks.evaluation_providers import check_providers
    from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings

    by_response = as_of == BY_RESPONSE
    settings = EvaluationSettings(
        responses=str(responses or ""),
        mode=mode,
        judge=judge,
        judge_prompts=tuple(judge_prompt or ()),
        version=version,
        tag=tag,
        as_of=None if by_response or as_of is None else parse_day(as_of),
        by_response_date=by_response,
        split="" if split == "all" else split,
        since=since,
        compare=compare,
        method=method,
        search=search,
        model=model,
        profile=profile,
        premise_check=premise_check,
        instruction=instruction,
        demonstrations=demonstrations,
        budget_usd=dollars(budget_usd),
        concurrency=concurrency,
    )
    plan_evaluation.fn(opened, settings, key)  # bad input is reported before a flow run starts
    use_store(store)
    check_providers(settings)
    quiet_prefect()
    start_and_wait(server)
    result = run_tagged(evaluate_model, settings=settings, key=key)
    if plot is not None:
        write_whole(picture(opened, result, plot), plot)
    if output is not None:
        write_whole(judgements_text(result["judgements"], output).encode(), output)
    print_result(result, format=format, as_json=json)
    if result["left"]:
        raise typer.Exit(1)


def check_plot(plot: Path | None, as_of: str | None) -> None:
    """Raise `UsageError` for a chart that cannot be drawn, before any paid call."""
    if plot is None:
        return
    from freshqa.picture import check_format

    check_format(plot.suffix.lstrip("."))
    if as_of == BY_RESPONSE:
        raise UsageError(
            "--plot needs a single version for all responses.",
            "Remove --plot or --as-of response.",
        )


def picture(store: Any, result: dict[str, Any], plot: Path) -> bytes:
    """Accuracy over every version that these responses were judged against."""
    from freshqa.evaluation.judgement import Mode
    from freshqa.evaluation.plot import plot_accuracy
    from freshqa.store.runs import get_run
    from prefect_freshqa.tasks.recorded_evaluations import point, points_of

    mode = Mode(result["table"][0]["mode"])
    series = get_run(store, result["evaluation"]).settings["series"]
    points = points_of(store, series, mode) or (point(result, mode),)
    heading = f"{mode} accuracy, judged by {result['judge']}"
    return plot_accuracy(points, heading=heading, format=plot.suffix.lstrip("."))


def judgements_text(judgements: list[dict[str, Any]], output: Path) -> str:
    """The judgements as `agreement` reads them."""
    from freshqa.evaluation.rows import write_rows

    if output.suffix == ".csv":
        kept = ("key", "question", "response", "mode", "verdict", "comment", "judge")
        return write_rows([{name: judged[name] for name in kept} for judged in judgements])
    lines = [json_text.dumps(judged, ensure_ascii=False) for judged in judgements]
    return "".join(f"{line}\n" for line in lines)


def print_result(result: dict[str, Any], *, format: Format, as_json: bool) -> None:
    """Print one JSON object, the table as markdown or CSV, or tables for people."""
    from freshqa.evaluation.presentation import markdown
    from freshqa.evaluation.report import table_csv

    if as_json or format is Format.text:
        emit(result, as_json=as_json, render=lambda console: render_result(console, result))
    elif format is Format.csv:
        typer.echo(table_csv(result["table"]), nl=False)
    else:
        typer.echo(markdown(result), nl=False)


def render_result(console: Console, result: dict[str, Any]) -> None:
    """The tables of an evaluation, and remarks on them."""
    from freshqa.evaluation.presentation import remarks, sections

    version = f"version {result['version']}" if result["version"] else "the versions in force"
    console.print(f"{result['evaluation']}: {version}, judged by {result['judge']}", markup=False)
    for section in sections(result):
        console.print(table(section.heading, section.columns, section.rows))
    for line in remarks(result):
        console.print(f"- {line}", markup=False)
