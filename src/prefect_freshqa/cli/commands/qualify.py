"""`prefect-freshqa qualify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from freshqa.choices import ProbedMethod, Scoring
from freshqa.defaults import CERTIFICATE_DAYS, TESTBED_QUESTIONS
from freshqa.errors import UsageError
from prefect_freshqa.cli.options import AsOfOption, JsonOption, StoreOption, open_store, parse_day
from prefect_freshqa.cli.output import emit, table
from prefect_freshqa.cli.providers import (
    BudgetOption,
    ConcurrencyOption,
    ModelOption,
    PremiseCheckOption,
    dollars,
)
from prefect_freshqa.cli.temporary_server import server_for_flow, start_and_wait


def qualify(
    testbed: Annotated[
        list[Path],
        typer.Option(
            metavar="FILE",
            help="A testbed in the format of the RGB paper; give one of each kind (see Example).",
        ),
    ],
    model: ModelOption = "openai:gpt-4o",
    method: Annotated[
        ProbedMethod,
        typer.Option(
            help="How the model is asked: as a refresh would, or rgb: the setting of the RGB paper in "
            "our wording."
        ),
    ] = "freshprompt",
    instruction: Annotated[
        str,
        typer.Option(metavar="FILE", help="RGB's own wording: its instruction.yaml, for rgb."),
    ] = "",
    profile: Annotated[
        str, typer.Option(help="As for refresh. Default: the profile that refresh uses.")
    ] = "",
    premise_check: PremiseCheckOption = None,
    judge: Annotated[
        str,
        typer.Option(
            metavar="BLOCK",
            help="Model that judges by meaning whether a reply declines (Rej* in the RGB paper) or "
            "says that the documents are wrong (ED*). Default: the status line of the reply.",
        ),
    ] = "",
    judge_prompt: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="FreshEval's own prompt: the judge also decides by meaning whether an answer is "
            "right (ACC*; not used for any bound).",
        ),
    ] = "",
    bound: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LIMIT",
            help="Another lower limit for a rate, such as noise=0.9; repeatable.",
        ),
    ] = None,
    sample: Annotated[
        int, typer.Option(min=1, help="Maximum number of questions per testbed.")
    ] = TESTBED_QUESTIONS,
    full: Annotated[
        bool, typer.Option("--full", help="Every probe of the RGB paper's tables.")
    ] = False,
    scoring: Annotated[
        Scoring,
        typer.Option(help="official: counted by RGB's own code, for comparison; no certificate."),
    ] = "fixed",
    seed: Annotated[
        int, typer.Option(help="Random seed for sampling questions and documents.")
    ] = 0,
    valid_days: Annotated[
        int, typer.Option(min=1, help="Days until it expires.")
    ] = CERTIFICATE_DAYS,
    budget_usd: BudgetOption = None,
    concurrency: ConcurrencyOption = 8,
    as_of: AsOfOption = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Probe a model with testbeds of the RGB paper and issue the certificate for policy `certified`.

    The lower end of the 95 % interval of each rate must reach its bound. A certificate is valid for
    this model, asked this way, until it expires. It is issued even when a bound failed, and names
    that bound.

    Example:

        prefect-freshqa qualify --testbed base.jsonl --testbed integration.jsonl --testbed counterfactual.jsonl --model local
    """
    open_store(store, writes=True)
    server = server_for_flow(model, judge)
    from prefect_freshqa.cli.flow_runs import quiet_prefect, run_tagged, use_store
    from prefect_freshqa.flows.qualify import qualify_model
    from prefect_freshqa.tasks.qualification_plan import plan_qualification
    from prefect_freshqa.tasks.qualification_settings import QualificationSettings
    from prefect_freshqa.tasks.refresh_settings import RefreshSettings

    settings = QualificationSettings(
        testbeds=tuple(str(path) for path in testbed),
        model=model,
        method=method,
        instruction=instruction,
        profile=profile or RefreshSettings().profile,
        premise_check=premise_check,
        judge=judge,
        judge_prompt=judge_prompt,
        bounds=parse_bounds(bound or []),
        sample=sample,
        full=full,
        scoring=scoring,
        seed=seed,
        valid_days=valid_days,
        budget_usd=dollars(budget_usd),
        concurrency=concurrency,
    )
    use_store(store)
    day = parse_day(as_of)
    plan_qualification.fn(settings, day, None)  # bad input is reported before a flow run starts
    quiet_prefect()
    start_and_wait(server)
    result = run_tagged(qualify_model, settings=settings, as_of=day)
    emit(result, as_json=json, render=lambda console: render_certificate(console, result))
    if result["left"]:
        raise typer.Exit(1)


def parse_bounds(pairs: list[str]) -> dict[str, float]:
    """Parse `NAME=LIMIT` pairs as name → limit.

    Raises:
        UsageError: there is no `=`, or no number after it.
    """
    bounds = {}
    for pair in pairs:
        name, _, limit = pair.partition("=")
        try:
            bounds[name] = float(limit)
        except ValueError:
            raise UsageError(
                f"--bound {pair!r} is not a valid limit.", "Use a format such as noise=0.9."
            ) from None
    return bounds


def render_certificate(console: Console, result: dict[str, Any]) -> None:
    """Print the rates reached, the bounds required, and what to do next."""
    from freshqa.evaluation.rgb.presentation import (
        certificate_heading,
        certificate_remarks,
        certificate_sections,
    )

    console.print(certificate_heading(result), style="bold", markup=False)
    for line in certificate_remarks(result):
        console.print(f"- {line}", markup=False)
    for section in certificate_sections(result):
        console.print(table(section.heading, section.columns, section.rows))
    if result["passed"]:
        console.print("Next: prefect-freshqa refresh --policy certified")
