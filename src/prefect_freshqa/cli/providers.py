"""Options that name providers and limit what they may cost."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Annotated

import typer

from freshqa.choices import AnyMethod, Method
from freshqa.defaults import MAX_AT_ONCE
from freshqa.errors import UsageError

AnyMethodOption = Annotated[
    AnyMethod,
    typer.Option(
        "--method",
        help="How questions are answered. closed-book, q-a, few-shot, chain-of-thought: without a "
        "search. rgb: RGB's setting, our wording.",
    ),
]
InstructionOption = Annotated[
    str,
    typer.Option(
        "--instruction", metavar="FILE", help="RGB's own wording: its instruction.yaml, for rgb."
    ),
]
DemonstrationsOption = Annotated[
    str,
    typer.Option(
        "--demonstrations",
        metavar="FILE",
        help="Demonstrations of your own: JSON lines, or a release with DEMO or DEV rows.",
    ),
]
MethodOption = Annotated[Method, typer.Option("--method", help="How questions are answered.")]
SearchOption = Annotated[
    str,
    typer.Option(
        "--search",
        envvar="PREFECT_FRESHQA_SEARCH",
        metavar="BLOCK",
        help="A block name, serpapi, serper, searxng:URL, recorded:FILE, or replay.",
    ),
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        envvar="PREFECT_FRESHQA_MODEL",
        metavar="BLOCK",
        help="A block name, openai:MODEL, openai:MODEL?max_tokens=4000&reasoning_effort=low, "
        "recorded:FILE, or replay.",
    ),
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        help="best, paper-gpt4, paper-gpt3.5 or notebook; ablated: paper-gpt4/no-answer-box.",
    ),
]
PremiseCheckOption = Annotated[
    bool | None,
    typer.Option(
        "--premise-check/--no-premise-check",
        help="Ask to check the premise first. Default: as the profile says.",
    ),
]
BudgetOption = Annotated[
    str | None, typer.Option("--budget-usd", metavar="X", help="Spend at most X US dollars.")
]
ConcurrencyOption = Annotated[
    int, typer.Option("--concurrency", min=1, max=MAX_AT_ONCE, help="Questions in flight.")
]
CallsInFlightOption = Annotated[
    int,
    typer.Option(
        "--concurrency",
        min=1,
        max=MAX_AT_ONCE,
        help="Searches in flight, and completions beside them.",
    ),
]


def dollars(text: str | None) -> Decimal | None:
    """Money as written on the command line.

    Raises:
        UsageError: not a valid amount.
    """
    if text is None:
        return None
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise UsageError(
            f"--budget-usd {text!r} is not a number.", "Expected a positive amount such as 2.50."
        ) from None
    if not amount.is_finite() or amount < 0:
        raise UsageError(
            f"--budget-usd {text!r} is not a valid amount.",
            "Expected a positive amount such as 2.50.",
        )
    return amount
