"""A FreshEval prompt from a file: the authors' notebook, or its text, used unchanged."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from freshqa.answering.language_model import Message
from freshqa.answering.text_source import TextSource, our_text, read_text
from freshqa.dates.forms import long_date
from freshqa.errors import UsageError
from freshqa.evaluation.fresheval_prompt import Words
from freshqa.evaluation.fresheval_prompt import messages as our_messages
from freshqa.evaluation.judgement import Mode

OPTION = "--judge-prompt"
REMEDY = (
    "Give fresheval_relaxed.ipynb or fresheval_strict.ipynb, or a text with the instruction and its "
    "demonstrations, each ending in `evaluation: correct` or `evaluation: incorrect`."
)
SYSTEM = "You are a helpful assistant. Respond as concisely as possible. Knowledge cutoff: {today}."
_DAY = "\0day\0"  # placeholder of the notebook's current_date until the day is known


@dataclass(frozen=True)
class JudgePrompt:
    """The part of a FreshEval prompt before the response to judge.

    Args:
        text: Instruction and demonstrations.
        source: The file it was read from.
        says: The mode that its text names; None where it names neither or both.
    """

    text: str
    source: TextSource
    says: Mode | None

    def messages(
        self, question: str, answers: Sequence[str], response: str, *, as_of: date
    ) -> list[Message]:
        """Return the chat of the authors' notebook: system, the day, then the prompt.

        As in the notebook, the response is not fenced: nothing may be added to a published prompt.
        """
        today = long_date(as_of)
        case = (
            f"question: {question}\ncorrect answer(s): {' | '.join(answers)}\n"
            f"response: {response}\ncomment: "
        )
        return [
            Message("system", SYSTEM.format(today=today)),
            Message("user", "What's today's date?"),
            Message("assistant", f"Today is {today} in Pacific Standard Time."),
            Message("user", f"{self.text.replace(_DAY, today)}\n\n\n{case}"),
        ]


def published(prompts: Mapping[Mode, JudgePrompt], *, as_of: date) -> Words:
    """Return the words of published prompts, as `judge_response` takes them."""

    def words(question: str, answers: Sequence[str], response: str, mode: Mode) -> list[Message]:
        return prompts[mode].messages(question, answers, response, as_of=as_of)

    return words


def our_prompt(mode: Mode) -> TextSource:
    """Name and hash of our own FreshEval prompt in one mode."""
    chat = our_messages("", (), "", mode)
    text = "\n".join(message.content for message in chat)
    return our_text(f"FreshEval's criteria, our wording ({mode.value})", text)


def read_judge_prompt(path: str | Path) -> JudgePrompt:
    """Return the prompt of a notebook (`prefix` and `demo_examples`) or of a text file.

    Nothing of a notebook is executed: only literal texts are read.

    Raises:
        UsageError: The file is missing, unreadable, or holds no such prompt.
    """
    raw, source = read_text(path, option=OPTION, remedy=REMEDY)
    if Path(path).suffix == ".ipynb" or raw.lstrip().startswith('{"'):
        text = _from_notebook(raw, path)
    else:
        text = _without_open_case(raw.strip())
    if "evaluation:" not in text:
        raise _malformed(path, "holds no demonstration with an `evaluation:` line")
    named = [mode for mode in Mode if f"{mode.value} evaluation" in text]
    return JudgePrompt(text, source, named[0] if len(named) == 1 else None)


def judge_prompts(paths: Sequence[str | Path], modes: Sequence[Mode]) -> dict[Mode, JudgePrompt]:
    """Return one prompt for each mode, from the files given; none when no file is given.

    Raises:
        UsageError: as `read_judge_prompt`; or files and modes do not match.
    """
    given = [read_judge_prompt(path) for path in paths]
    if not given:
        return {}
    chosen: dict[Mode, JudgePrompt] = {}
    for prompt in given:
        mode = prompt.says or (modes[0] if len(modes) == 1 else None)
        if mode is None:
            raise UsageError(
                f"{OPTION}: {prompt.source.name} does not say whether it is relaxed or strict.",
                "Judge in one mode at a time: --mode relaxed or --mode strict.",
            )
        if mode not in modes or mode in chosen:
            wanted = " and ".join(m.value for m in modes)
            raise UsageError(
                f"{OPTION}: {prompt.source.name} is a {mode.value} prompt, but --mode needs one "
                f"prompt for {wanted}.",
                "Give one file for each mode.",
            )
        chosen[mode] = prompt
    missing = [mode.value for mode in modes if mode not in chosen]
    if missing:
        raise UsageError(
            f"{OPTION}: no file for mode {missing[0]}.", "Give one file for each mode."
        )
    return chosen


def _from_notebook(raw: str, path: str | Path) -> str:
    try:
        cells = json.loads(raw)["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise _malformed(path, "is not a notebook") from None
    assigned: dict[str, Any] = {}
    for source in sources:
        if "demo_examples" in source:
            assigned |= _assigned(source, ("prefix", "demo_examples"))
    try:
        demonstrations = [_demonstration(example) for example in assigned["demo_examples"]]
        prefix = str(assigned["prefix"])
    except (KeyError, TypeError, AttributeError):
        raise _malformed(path, "assigns no `prefix` and `demo_examples`") from None
    return "\n\n\n".join([prefix, *demonstrations])


def _demonstration(example: Mapping[str, Any]) -> str:
    answers = " | ".join(example["correct_answers"])
    return (
        f"question: {example['question']}\ncorrect answer(s): {answers}\n"
        f"response: {example['response']}\ncomment: {example['comment']}\n"
        f"evaluation: {example['evaluation']}"
    )


def _assigned(source: str, names: Sequence[str]) -> dict[str, Any]:
    """Return the literal values assigned to some names; what is not literal is left out."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the published notebook writes "\$"
            tree = ast.parse(source)
    except SyntaxError:
        return {}
    values = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in names:
                try:
                    values[name] = ast.literal_eval(_Dated().visit(node.value))
                except ValueError:
                    continue
    return values


class _Dated(ast.NodeTransformer):
    """f-strings become plain strings, `{current_date}` in them a mark for the day."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.Constant:
        return ast.copy_location(ast.Constant("".join(map(_part, node.values))), node)


def _part(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    if isinstance(part, ast.FormattedValue) and getattr(part.value, "id", "") == "current_date":
        return _DAY
    raise ValueError("not literal")


def _without_open_case(text: str) -> str:
    """Return the text without a last case that has no evaluation: a template to fill in."""
    head, separator, tail = text.rpartition("\n\n\n")
    return head if separator and "evaluation:" not in tail and "comment:" in tail else text


def _malformed(path: str | Path, what: str) -> UsageError:
    return UsageError(f"{OPTION}: {path} {what}.", REMEDY)
