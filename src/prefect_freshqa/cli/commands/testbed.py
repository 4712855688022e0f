"""`prefect-freshqa testbed`."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from freshqa.dataset.whole_file import write_whole
from freshqa.defaults import TESTBED_QUESTIONS
from freshqa.errors import UsageError
from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit, table
from prefect_freshqa.cli.providers import BudgetOption, InstructionOption, dollars

if TYPE_CHECKING:
    from freshqa.evaluation.rgb.closed_book import KnownFacts
    from freshqa.evaluation.texts import Texts


def testbed(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Output folder.")
    ],
    old: Annotated[
        int | None,
        typer.Option(metavar="N", help="Version with the former answers. Default: the oldest."),
    ] = None,
    new: Annotated[
        int | None,
        typer.Option(metavar="N", help="Version with the present answers. Default: the newest."),
    ] = None,
    size: Annotated[
        int, typer.Option(min=2, help="Maximum number of questions per testbed.")
    ] = TESTBED_QUESTIONS,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same files.")] = 0,
    model: Annotated[
        str,
        typer.Option(
            metavar="BLOCK",
            help="Keep counterfactual questions that this model answers without documents.",
        ),
    ] = "",
    instruction: InstructionOption = "",
    judge: Annotated[
        str,
        typer.Option(
            metavar="BLOCK",
            help="Model that judges whether --model is right. Default: by comparing words.",
        ),
    ] = "",
    judge_prompt: Annotated[
        str, typer.Option(metavar="FILE", help="FreshEval's own prompt, for --judge.")
    ] = "",
    budget_usd: BudgetOption = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Write RGB testbeds from two versions: documents with present, former and no answers.

    Makes base.jsonl (noise, rejection), integration.jsonl and counterfactual.jsonl in RGB's own
    format, which `qualify` reads; no file of RGB is needed. With --model the false documents are
    about facts that the model knows, as in the paper; it is asked without documents.

    Example:

        prefect-freshqa testbed --old 1 --new 2 -o testbeds
    """
    from freshqa.evaluation.rgb.own import Dated, own_testbeds
    from freshqa.evaluation.rgb.testbed import write_testbed
    from freshqa.store import snapshots, versions

    opened = open_store(store)
    oldest = min((version.number for version in versions.log(opened)), default=None)
    former = versions.find(opened, number=old or oldest)
    present = versions.find(opened, number=new)
    known, texts = known_facts(
        model,
        instruction,
        judge=judge,
        judge_prompt=judge_prompt,
        as_of=present.as_of,
        budget_usd=budget_usd,
    )
    beds = own_testbeds(
        Dated(snapshots.snapshot(opened, former.number), former.as_of),
        Dated(snapshots.snapshot(opened, present.number), present.as_of),
        size=size,
        seed=seed,
        known=known,
    )
    output.mkdir(parents=True, exist_ok=True)
    files: list[dict[str, Any]] = []
    for kind, items in beds.items():
        content = write_testbed(items)
        path = output / f"{kind.value}.jsonl"
        write_whole(content, path)
        sha256 = hashlib.sha256(content).hexdigest()
        files.append({"file": str(path), "kind": kind.value, "items": len(items), "sha256": sha256})
    result: dict[str, Any] = {
        "old": former.number,
        "new": present.number,
        "seed": seed,
        "testbeds": files,
    }
    if known is not None:
        result |= {"model": model, "closed_book": known.to_json(), "texts": texts}
    emit(result, as_json=json, render=lambda console: render_files(console, result))


def known_facts(
    model: str,
    instruction: str,
    *,
    judge: str,
    judge_prompt: str,
    as_of: date,
    budget_usd: str | None,
) -> tuple[KnownFacts | None, Texts]:
    """Return the check of what a model knows, with its prompts; None without a model.

    Raises:
        UsageError: an option without the one it needs, or a file that is not of its layout.
    """
    from freshqa.answering.budget import Budget
    from freshqa.answering.documents_prompt import Style, read_instruction
    from freshqa.answering.metered import MeteredModel
    from freshqa.evaluation.judge_prompt import read_judge_prompt
    from freshqa.evaluation.rgb.accuracy import AccuracyJudge
    from freshqa.evaluation.rgb.closed_book import KnownFacts
    from freshqa.evaluation.rgb.reader import ModelReader
    from freshqa.evaluation.texts import accuracy_texts, rgb_texts
    from prefect_freshqa.blocks.resolve import load_model

    needs = {"--instruction": (instruction, model), "--judge": (judge, model)}
    needs["--judge-prompt"] = (judge_prompt, judge)
    for option, (given, needed) in needs.items():
        if given and not needed:
            what = "judge" if option == "--judge-prompt" else "model"
            raise UsageError(f"{option} needs a {what}.", f"Add --{what} BLOCK.")
    if not model:
        return None, {}
    wording = read_instruction(instruction) if instruction else None
    prompt = read_judge_prompt(judge_prompt) if judge_prompt else None
    usd = dollars(budget_usd)
    budget = Budget(usd=usd)

    def metered(spec: str) -> MeteredModel:
        loaded = load_model(spec, budget_usd=usd)
        if loaded is None:
            raise UsageError("`replay` does not name a model.", "Pass a block or recorded:FILE.")
        return MeteredModel(loaded, budget)

    reader = ModelReader(metered(model), style=Style.literal, instruction=wording)
    texts = rgb_texts(Style.literal, wording)
    if not judge:
        return KnownFacts(reader), texts
    reads = AccuracyJudge(metered(judge), prompt, as_of=as_of)
    return KnownFacts(reader, judge=reads), {**texts, **accuracy_texts(prompt)}


def render_files(console: Console, result: dict[str, Any]) -> None:
    """Print the files, and the command that reads them."""
    rows = [(bed["file"], bed["kind"], bed["items"]) for bed in result["testbeds"]]
    heading = f"Testbeds from versions {result['old']} and {result['new']}"
    console.print(table(heading, ("file", "kind", "questions"), rows))
    if "closed_book" in result:
        asked = result["closed_book"]
        console.print(f"Without documents {asked['known']} of {asked['asked']} were known.")
    options = " ".join(f"--testbed {bed['file']}" for bed in result["testbeds"])
    console.print(f"Next: prefect-freshqa qualify {options} --model BLOCK", markup=False)
