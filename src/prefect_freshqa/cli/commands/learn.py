"""`prefect-freshqa learn`."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from freshqa.choices import LearnedPolicy
from freshqa.dataset.whole_file import write_whole
from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit


def learn(
    policy: Annotated[LearnedPolicy, typer.Argument(help="Which policy.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Weights file to write.")
    ],
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Learn a loop policy from the proposals that people have decided, and write its weights.

    Needs at least 80 reviewed checks.

    Example:

        prefect-freshqa learn fitted -o policy.json
    """
    opened = open_store(store)
    from prefect_freshqa.tasks.learning import learned_policy, reviewed_episodes

    episodes = reviewed_episodes(opened)
    learned = learned_policy(policy, episodes)
    write_whole(f"{json_text.dumps(learned.to_json(), indent=2)}\n".encode(), output)
    weights = f"--loop-policy {policy} --loop-weights {output}"
    emit(
        {"policy": policy, "reviewed": len(episodes), "file": str(output)},
        as_json=json,
        render=lambda console: console.print(
            f"Learned {policy} from {len(episodes)} reviewed checks: {output}\n"
            f"Next: prefect-freshqa refresh {weights}",
            markup=False,
        ),
    )
