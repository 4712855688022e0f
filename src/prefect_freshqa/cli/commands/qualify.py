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


def qualify(
    testbed: Annotated[
        list[Path],
        typer.Option(metavar="FILE", help="A testbed in RGB's format; give one of each kind."),
    ],
    model: ModelOption = "openai:gpt-4o",
    method: Annotated[
        ProbedMethod,
        typer.Option(
            help="How the model is asked: as a refresh would, or rgb: RGB's setting in our wording."
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
        typer.Option(metavar="BLOCK", help="Model that judges the meaning of replies (Rej*, ED*)."),
    ] = "",
    judge_prompt: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="FreshEval's own prompt: the judge also decides whether replies are right (ACC*).",
        ),
    ] = "",
    bound: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LIMIT", help="Another limit for a rate, such as noise=0.9; repeatable."
        ),
    ] = None,
    sample: Annotated[
        int, typer.Option(min=1, help="Maximum number of questions per testbed.")
    ] = TESTBED_QUESTIONS,
    full: Annotated[
        bool, typer.Option("--full", help="Every probe of the paper's tables.")
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
    """Probe a model with RGB's testbeds and issue the certificate that policy `certified` asks for.

    Rates count by the lower end of their 95 % interval. The certificate is for this model, asked
    this way, and expires; it is issued whether or not it passed, and says which bound failed.

    Example:

        prefect-freshqa qualify --testbed base.jsonl --testbed integration.jsonl --testbed counterfactual.jsonl --model local
    """
    open_store(store, writes=True)
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
    plan_qualification.fn(settings, day, None)  # bad input is said before a flow run starts
    quiet_prefect()
    result = run_tagged(qualify_model, settings=settings, as_of=day)
    emit(result, as_json=json, render=lambda console: render_certificate(console, result))
    if result["left"]:
        raise typer.Exit(1)


def parse_bounds(pairs: list[str]) -> dict[str, float]:
    """`NAME=LIMIT` pairs as name → limit.

    Raises:
        UsageError: no `=`, or no number behind it.
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
