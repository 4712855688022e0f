"""`prefect-freshqa deployments`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from freshqa.errors import BadData, NotFound, UsageError
from prefect_freshqa.cli.options import DATASET_NAME, JsonOption
from prefect_freshqa.cli.output import emit
from prefect_freshqa.settings import DATASET_VARIABLE


def deployments(
    dataset: Annotated[
        str, typer.Option("--dataset", metavar="NAME", help="Dataset that the flows work on.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="File to write.")],
    source: Annotated[
        Path, typer.Option("--from", metavar="FILE", help="Deployments to copy.")
    ] = Path("prefect.yaml"),
    json: JsonOption = False,
) -> None:
    """Write the deployments of prefect.yaml for one dataset, alongside those of other datasets.

    Every deployment gets the name of the dataset after its own, as a tag, and in the environment
    of its runs (PREFECT_FRESHQA_DATASET), so that one worker serves all datasets of a store. A
    `store` parameter that names a block goes first: such a block knows its dataset.

    Example:

        prefect-freshqa deployments --dataset seal -o prefect-seal.yaml

        prefect --no-prompt deploy --all --prefect-file prefect-seal.yaml
    """
    import yaml

    from freshqa.dataset.whole_file import write_whole

    if not DATASET_NAME.fullmatch(dataset):
        raise UsageError(
            f"Invalid value for --dataset: {dataset[:80]!r}.", "Use letters, digits, . _ and -."
        )
    try:
        config = yaml.safe_load(source.read_text("utf-8"))
    except FileNotFoundError:
        raise NotFound(
            f"File not found: {source}.", "Use a copy of prefect.yaml from the source code."
        ) from None
    except (yaml.YAMLError, UnicodeDecodeError) as broken:
        what = f"{source} is not valid YAML: {' '.join(str(broken).split())}."
        raise BadData(what, "Fix it.") from broken
    deployments = config.get("deployments") if isinstance(config, dict) else None
    if not deployments:
        raise BadData(f"{source} has no deployments.", "Use a copy of prefect.yaml.")
    config.pop("definitions", None)  # anchors, which are already resolved
    config["deployments"] = [for_dataset(deployment, dataset) for deployment in deployments]
    text = yaml.safe_dump(config, sort_keys=False, allow_unicode=True)
    write_whole(text.encode(), output)
    names = [str(deployment["name"]) for deployment in config["deployments"]]
    said = f"{output}: {', '.join(names)}.\nNext: prefect --no-prompt deploy --all --prefect-file {output}"
    emit(
        {"file": str(output), "dataset": dataset, "deployments": names},
        as_json=json,
        render=lambda console: console.print(said, markup=False),
    )


def for_dataset(deployment: dict[str, Any], dataset: str) -> dict[str, Any]:
    """Return a deployment whose runs work on one dataset."""
    pool = deployment.get("work_pool") or {}
    variables = pool.get("job_variables") or {}
    environment = {**(variables.get("env") or {}), DATASET_VARIABLE: dataset}
    return {
        **deployment,
        "name": f"{deployment['name']}-{dataset}",
        "tags": [*(deployment.get("tags") or ()), dataset],
        "work_pool": {**pool, "job_variables": {**variables, "env": environment}},
    }
