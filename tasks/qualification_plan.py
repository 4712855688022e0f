"""Plan a qualification: its probes and its name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timezone

from prefect import task
from prefect.cache_policies import NO_CACHE

from freshqa.answering.documents_prompt import Instruction, Style, read_instruction
from freshqa.answering.settings import settings_for
from freshqa.errors import UsageError
from freshqa.evaluation.certificate import Bound
from freshqa.evaluation.judge_prompt import JudgePrompt, read_judge_prompt
from freshqa.evaluation.prompt_identity import recipe_hash, rgb_recipe_hash
from freshqa.evaluation.rgb.probe import Probe
from freshqa.evaluation.rgb.qualification import bounds_with, drawn, probes_of
from freshqa.evaluation.rgb.scoring import Scoring
from freshqa.evaluation.rgb.testbed import Testbed, read_testbed
from freshqa.evaluation.texts import Texts, method_texts, rgb_texts, sense_texts
from prefect_freshqa.blocks.resolve import load_model
from prefect_freshqa.tasks.qualification_settings import QualificationSettings


@dataclass(frozen=True)
class QualificationPlan:
    """The probes to make.

    Args:
        probes: Every testbed, as many of its items as are asked for, with every probe.
        testbeds: The testbeds as they are drawn.
        bounds: What has to be reached.
        recipe: Identity of the way of asking.
        texts: Name and hash of every prompt.
        model: Name of the model; of the method where no model is asked.
        key: Name of the run: the same again on the same day is the same qualification.
    """

    probes: tuple[tuple[Testbed, Probe], ...]
    testbeds: tuple[Testbed, ...]
    bounds: tuple[Bound, ...]
    recipe: str
    texts: Texts
    model: str
    day: date
    key: str

    @property
    def total(self) -> int:
        """The number of items to read, over all probes."""
        return sum(len(bed.items) for bed, _ in self.probes)

    def batches(self, size: int) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield the number of each probe, with the range of items of a batch."""
        for number, (bed, _) in enumerate(self.probes):
            for start in range(0, len(bed.items), size):
                yield number, (start, start + size)


@task(cache_policy=NO_CACHE)
def plan_qualification(
    settings: QualificationSettings, as_of: date | None, key: str | None
) -> QualificationPlan:
    """Read the testbeds and say what is asked of each.

    Raises:
        NotFound, BadData: a testbed is missing or empty.
        UsageError: no testbed, two with the same name, or an unknown bound.
    """
    if not settings.testbeds:
        raise UsageError(
            "Missing testbeds for the qualification.",
            "Write some: prefect-freshqa testbed -o FOLDER; then --testbed FILE for each.",
        )
    day = as_of or datetime.now(timezone.utc).date()
    beds = tuple(
        drawn(read_testbed(path), settings.sample, seed=settings.seed) for path in settings.testbeds
    )
    names = [bed.name for bed in beds]
    if len(set(names)) < len(names):
        raise UsageError("Two testbeds have the same name.", "Rename one of the files.")
    texts = texts_of(settings)
    scoring = Scoring(settings.scoring)
    model = model_name(settings)
    identity = {
        **settings.model_dump(
            mode="json", exclude={"store", "testbeds", "instruction", "judge_prompt"}
        ),
        "testbeds": [bed.sha256 for bed in beds],
        "day": day.isoformat(),
    }
    if settings.instruction or settings.judge_prompt:
        identity["texts"] = texts
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode("utf-8")).hexdigest()
    return QualificationPlan(
        probes=probes_of(beds, full=settings.full, scoring=scoring, seed=settings.seed),
        testbeds=beds,
        bounds=bounds_with(settings.bounds),
        recipe=recipe_of(settings),
        texts=texts,
        model=model,
        day=day,
        key=key or f"qualify-{model}-{day}-{digest[:8]}",
    )


def model_name(settings: QualificationSettings) -> str:
    """Return the name a certificate carries: the model's, or `search-only`.

    Raises:
        UsageError: `replay` is not a model.
        NotFound, CredentialsError: as `load_model`.
    """
    if not settings.asks_a_model:
        return settings.method
    model = load_model(settings.model, budget_usd=settings.budget_usd)
    if model is None:
        raise UsageError("`replay` is not a model.", "Use a block or recorded:FILE.")
    return model.name


def recipe_of(settings: QualificationSettings) -> str:
    """Return the identity of the way of asking; of `rgb`, one that no refresh has."""
    if settings.method == "rgb":
        return rgb_recipe_hash(style_of(settings), instruction_of(settings))
    return recipe_hash(settings.method, settings_for(settings.profile, settings.premise_check))


def texts_of(settings: QualificationSettings) -> Texts:
    """Name and hash of every text that the result depends on."""
    prompt = judge_prompt_of(settings)
    judged = sense_texts(prompt) if settings.judge else {}
    instruction = instruction_of(settings)
    if settings.method == "rgb":
        return {**rgb_texts(style_of(settings), instruction), **judged}
    way = settings_for(settings.profile, settings.premise_check)
    return {**method_texts(settings.method, settings.profile, way), **judged}


def instruction_of(settings: QualificationSettings) -> Instruction | None:
    """Return the wording of a file, for method `rgb`.

    Raises:
        UsageError: another method, or the file is missing or has another layout.
    """
    if not settings.instruction:
        return None
    if settings.method != "rgb":
        raise UsageError(
            f"--instruction is for method rgb, not {settings.method}.", "Add --method rgb."
        )
    return read_instruction(settings.instruction)


def judge_prompt_of(settings: QualificationSettings) -> JudgePrompt | None:
    """Return the FreshEval prompt of a file, for the judge.

    Raises:
        UsageError: no judge reads it, or the file is missing or holds no such prompt.
    """
    if not settings.judge_prompt:
        return None
    if not settings.judge:
        raise UsageError("--judge-prompt needs a judge.", "Add --judge BLOCK.")
    return read_judge_prompt(settings.judge_prompt)


def style_of(settings: QualificationSettings) -> Style:
    """Our wording as close to RGB's when its own rules score the replies, else with a status."""
    return Style.literal if settings.scoring == "official" else Style.structured
