"""A version as a task of an evaluation harness, graded by FreshEval."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import yaml

from freshqa.dataset.question import Question
from freshqa.evaluation.judgement import Mode
from freshqa.sharing.shared_version import SharedVersion

Files = dict[str, str]
KEPT = ("fact_type", "false_premise", "num_hops", "effective_year")
README = """\
# {title}

Content hash `sha256:{content_hash}`; `version.json` is in the results of the harness.

{how}

Read the results with `prefect-freshqa evaluate --responses {log} --version {version}`: with
`--judge recorded:{log}` their verdicts in FreshQA's table, with `--judge openai:MODEL` judged again.
"""


def harness_files(shared: SharedVersion, harness: str, *, mode: Mode, split: str) -> Files:
    """Return the files of a task: path → text.

    Args:
        harness: One of `HARNESSES`.
        mode: How FreshEval credits a response.
        split: Only questions of this split; "" for all.
    """
    asked = [q for q in shared.questions if not split or q.fields["split"].strip() == split]
    cited = shared.citation
    described = {
        "task": f"{cited.dataset}_v{cited.number}",
        **{k: v for k, v in cited.metadata().items() if k not in ("cff", "selection", "version")},
        "version": cited.number,
        "mode": mode.value,
        "split": split,
        "questions": len(asked),
        **({"canary": shared.canary} if shared.canary else {}),
    }
    target = HARNESSES[harness]
    readme = README.format(
        title=f"{cited.title}: {harness}",
        content_hash=cited.content_hash,
        how=target.how,
        log=target.log,
        version=cited.number,
    )
    records = [_record(question, shared.canary) for question in asked]
    return {
        "README.md": readme,
        "CITATION.cff": cited.cff(),
        "version.json": f"{json.dumps(described, indent=2, ensure_ascii=False)}\n",
        **target.write(described, records),
    }


def _record(question: Question, canary: str) -> dict[str, Any]:
    return {
        "key": question.key,
        "question": question.text,
        "answers": list(question.answers),
        **{column: question.fields[column] for column in KEPT},
        **({"canary": canary} if canary else {}),
    }


def _text(name: str) -> str:
    return files("freshqa.sharing.harnesses").joinpath(f"{name}.txt").read_text("utf-8")


def _lines(records: Sequence[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)


def _yaml(value: Any) -> str:
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=1000)


def _inspect(described: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Files:
    return {"task.py": _text("inspect_task"), "questions.jsonl": _lines(records)}


def _lm_eval(described: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Files:
    task = {
        "task": described["task"],
        "custom_dataset": "!function utils.questions",
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{question}}",
        "doc_to_target": "{{answers[0]}}",
        "process_results": "!function utils.grade_response",
        "generation_kwargs": {
            "until": [],
            "max_gen_toks": 512,
            "do_sample": False,
            "temperature": 0.0,
        },
        "metric_list": [
            {
                "metric": "fresheval",
                "aggregation": "!function utils.mean_of_rated",
                "higher_is_better": True,
            }
        ],
        "metadata": dict(described),
    }
    text = _yaml(task).replace("'!function ", "!function ")
    text = "\n".join(
        line.removesuffix("'") if "!function" in line else line for line in text.split("\n")
    )
    return {
        f"{described['task']}.yaml": text,
        "utils.py": _text("lm_eval_utils"),
        "fresheval_judge.py": _text("judge"),
        "questions.jsonl": _lines(records),
    }


def _promptfoo(described: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Files:
    config = {
        "description": f"{described['dataset']}, version {described['version']}",
        "tags": {name: str(value) for name, value in described.items()},
        "prompts": ["{{question}}"],
        "providers": ["openai:chat:gpt-4o-mini"],
        "defaultTest": {
            "assert": [{"type": "python", "value": "file://fresheval_assert.py"}],
            "options": {"disableVarExpansion": True},
        },
        "tests": [
            {"vars": {name: record[name] for name in ("key", "question", "answers")}}
            for record in records
        ],
    }
    return {
        "promptfooconfig.yaml": _yaml(config),
        "fresheval_assert.py": _text("promptfoo_assert"),
        "fresheval_judge.py": _text("judge"),
    }


def _openai_evals(described: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Files:
    name = described["task"]
    samples = [
        {
            **{column: record[column] for column in ("key", "question")},
            "input": [{"role": "user", "content": record["question"]}],
            "ideal": record["answers"],
        }
        for record in records
    ]
    version = f"{name}.{described['mode']}.v{described['version']}"
    registered = {
        name: {
            "id": version,
            "metrics": ["accuracy"],
            "description": f"{described['dataset']}, content hash {described['content_hash']}",
        },
        version: {
            "class": "fresheval_eval:FreshEval",
            "args": {"samples_jsonl": f"{name}/samples.jsonl", "described": dict(described)},
        },
    }
    models = {
        f"fresheval/{role}": {
            "class": "fresheval_eval:Chat",
            "args": {"variable": f"FRESHEVAL_{role.upper()}"},
        }
        for role in ("model", "judge")
    }
    return {
        f"registry/evals/{name}.yaml": _yaml(registered),
        "registry/completion_fns/fresheval.yaml": _yaml(models),
        f"registry/data/{name}/samples.jsonl": _lines(samples),
        "fresheval_eval.py": _text("openai_evals_task"),
    }


Write = Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], Files]


class Harness(NamedTuple):
    """A harness that a version is exported for.

    Args:
        how: How to run the task, for its README.
        log: Name of the log that it writes.
        write: Writes its own files from the description of the task and its records.
    """

    how: str
    log: str
    write: Write


HARNESSES: Mapping[str, Harness] = {
    "inspect": Harness(
        (
            "Needs `inspect-ai` and `prefect-freshqa`.\n\n    inspect eval task.py --model "
            "openai/gpt-4o-mini --model-role grader=openai/gpt-4o"
        ),
        "LOG.eval",
        _inspect,
    ),
    "lm-eval": Harness(
        (
            "Needs `lm-eval[api]` and `prefect-freshqa`.\n\n    FRESHEVAL_JUDGE=gpt-4o lm-eval run "
            "--include_path . --tasks TASK --model local-chat-completions --apply_chat_template "
            "--log_samples --output_path results\n\nTASK is the name in `version.json`."
        ),
        "samples_TASK.jsonl",
        _lm_eval,
    ),
    "promptfoo": Harness(
        (
            "Needs `promptfoo` and, for its Python, `prefect-freshqa`.\n\n    FRESHEVAL_JUDGE=gpt-4o "
            "promptfoo eval -c promptfooconfig.yaml -o results.json"
        ),
        "results.json",
        _promptfoo,
    ),
    "openai-evals": Harness(
        (
            "Needs `evals` and `prefect-freshqa`.\n\n    PYTHONPATH=. FRESHEVAL_MODEL=gpt-4o-mini "
            "FRESHEVAL_JUDGE=gpt-4o oaieval fresheval/model,fresheval/judge TASK "
            "--registry_path registry --record_path LOG.jsonl\n\nTASK is the name in `version.json`."
        ),
        "LOG.jsonl",
        _openai_evals,
    ),
}
