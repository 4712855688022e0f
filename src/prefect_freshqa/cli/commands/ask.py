"""`prefect-freshqa ask`."""

from __future__ import annotations

import json as json_text
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from freshqa.answering.batch import Answered, Asked, answer_all
from freshqa.answering.response import Response
from freshqa.answering.settings import DEFAULT_PROFILE
from freshqa.dataset.whole_file import write_whole
from freshqa.errors import BadData, NothingToDo, UsageError
from prefect_freshqa.cli.options import AsOfOption, JsonOption, StoreOption, parse_day
from prefect_freshqa.cli.output import emit, progress_to_stderr, table
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


def ask(
    question: Annotated[str | None, typer.Argument(help="The question.")] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File of questions: JSON lines or a release, with a column `question`.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Output file for the responses to FILE."
        ),
    ] = None,
    method: AnyMethodOption = "freshprompt",
    search: SearchOption = "serpapi",
    model: ModelOption = "openai:gpt-4o",
    as_of: AsOfOption = None,
    profile: ProfileOption = DEFAULT_PROFILE,
    premise_check: PremiseCheckOption = None,
    instruction: InstructionOption = "",
    demonstrations: DemonstrationsOption = "",
    multi_hop: Annotated[
        bool, typer.Option("--multi-hop", help="The question needs several steps.")
    ] = False,
    budget_usd: BudgetOption = None,
    concurrency: ConcurrencyOption = 8,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Answer one question, or a file of them, from search evidence.

    A file is answered into JSON lines, which `evaluate --responses` reads. Run again, it resumes
    with what is missing. With --store every search and completion is kept there and reused.

    Example:

        prefect-freshqa ask "Who is the mayor of London?" --method search-only --search serpapi
    """
    if (question is None) == (questions is None):
        raise UsageError(
            "Give a QUESTION or --questions FILE.", "See `prefect-freshqa ask --help`."
        )
    if (questions is None) != (output is None):
        raise UsageError("--questions FILE and -o FILE go together.", "Add the other one.")
    from freshqa.answering.method_options import Way
    from prefect_freshqa.cli.asking import asking

    day = parse_day(as_of)
    answer, texts = asking(
        Way(method, profile, premise_check, instruction, demonstrations),
        as_of=day,
        search=search,
        model=model,
        store=store,
        budget_usd=dollars(budget_usd),
    )
    if question is not None:
        response = answer(Asked(question, multi_hop=multi_hop))
        result = {**response.to_json(), "as_of": day, "texts": texts}
        emit(result, as_json=json, render=lambda console: render_response(console, response))
        return
    assert questions is not None and output is not None
    way = {"method": method, "as_of": day.isoformat(), "texts": texts}
    summary = ask_file(questions, output, answer, way=way, concurrency=concurrency)
    emit({**summary, "texts": texts}, as_json=json)
    if summary["failed"] or summary["left"]:
        raise typer.Exit(1)


def ask_file(
    questions: Path,
    output: Path,
    answer: Callable[[Asked], Response],
    *,
    way: dict[str, Any],
    concurrency: int,
) -> dict[str, Any]:
    """Answer what `output` does not answer yet; each line is written as soon as it is there.

    Args:
        way: Method, day and texts, which every line of `output` bears.
    """
    wanted = read_questions(questions)
    kept = answered_before(output, way)
    todo = [asked for asked in wanted if asked.question not in kept]
    if not todo:
        raise NothingToDo(
            f"{output} already answers every question of {questions}.", "Choose another file."
        )
    lines = dict(kept)
    failures: list[dict[str, str]] = []
    # leaves out a line that a killed process did not complete
    write_lines(output, list(kept.values()))
    with output.open("a", encoding="utf-8") as out:
        for done in answer_all(todo, answer, concurrency=concurrency):
            if done.response is None:
                failures.append(failed(done))
                continue
            record = {**done.response.to_json(), **way}
            lines[done.asked.question] = json_text.dumps(record, ensure_ascii=False)
            out.write(lines[done.asked.question] + "\n")
            out.flush()
    in_order = [lines[a.question] for a in wanted if a.question in lines]
    write_lines(output, in_order)
    new = [json_text.loads(lines[a.question]) for a in todo if a.question in lines]
    return {
        "output": str(output),
        "questions": len(wanted),
        "answered": len(new),
        "answered_before": len(wanted) - len(todo),
        "failed": len(failures),
        "left": len(todo) - len(new) - len(failures),
        "failures": failures,
        "searches": sum(record["searches"] for record in new),
        "completions": sum(record["completions"] for record in new),
        "tokens": sum(record["tokens"] for record in new),
        "cost_usd": sum((Decimal(record["cost_usd"]) for record in new), Decimal(0)),
    }


def write_lines(path: Path, lines: list[str]) -> None:
    """Replace a file at once: a kill leaves the old one or the new one."""
    write_whole("".join(f"{line}\n" for line in lines).encode(), path)


def failed(done: Answered) -> dict[str, str]:
    """A failure as a record, also printed to stderr."""
    assert done.failure is not None
    progress_to_stderr().print(
        f"{done.asked.question}: {done.failure}", markup=False, soft_wrap=True
    )
    return {
        "question": done.asked.question,
        "kind": done.failure.kind.value,
        "message": done.failure.message,
    }


def read_questions(path: Path) -> list[Asked]:
    """The questions of a file, each once, in order.

    Raises:
        BadData: a row without a question, or no rows at all.
    """
    from freshqa.evaluation.rows import read_rows

    asked: dict[str, Asked] = {}
    for row in read_rows(path, needed=[("question",)]).rows:
        text = row.values.get("question", "").strip()
        if not text:
            raise BadData(
                f"{path.name}, row {row.number}: missing question.",
                'A line must be {"question": "…"}.',
            )
        asked.setdefault(text, Asked(text, row.values.get("num_hops", "").strip() == "multi-hop"))
    if not asked:
        raise BadData(f"{path.name} contains no questions.", 'A line must be {"question": "…"}.')
    return list(asked.values())


def answered_before(path: Path, way: dict[str, Any]) -> dict[str, str]:
    """Question → its line in an earlier output; a line cut short by a kill is dropped.

    Raises:
        UsageError: the earlier output was made in another way.
    """
    if not path.exists():
        return {}
    lines: dict[str, str] = {}
    for line in path.read_text("utf-8").splitlines():
        try:
            record = json_text.loads(line)
            question = record["question"]
        except (ValueError, KeyError, TypeError):
            continue
        if other := {n: record.get(n) for n in way if record.get(n, way[n]) != way[n]}:
            told = ", ".join("other texts" if n == "texts" else f"{n} {other[n]}" for n in other)
            raise UsageError(f"{path} contains answers for {told}.", "Choose another file with -o.")
        lines[question] = line
    return lines


def render_response(console: Console, response: Response) -> None:
    """The response, what was read for it, and what it cost."""
    console.print(response.text or "(nothing was found)", markup=False)
    if response.answer and response.answer != response.text:
        console.print(f"Answer: {response.answer}", markup=False)
    for asked, said in response.intermediate:
        console.print(f"Asked: {asked} → {said}", markup=False)
    rows = [(e.date, e.source, e.title, e.highlight or e.snippet[:120]) for e in response.evidence]
    if rows:
        console.print(
            table("Evidence, oldest to newest", ("date", "source", "title", "says"), rows)
        )
    calls = f"{len(response.searches)} searches, {len(response.completions)} completions"
    console.print(f"{calls}, {response.tokens} tokens, {response.cost_usd} US dollars")
