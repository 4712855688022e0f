"""Which texts a result depends on, each with its name and hash, as every result records them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from freshqa.answering.baselines import RGB
from freshqa.answering.documents_prompt import Instruction, Style, instruction_source
from freshqa.answering.settings import AnswerSettings
from freshqa.answering.text_source import TextSource
from freshqa.evaluation.judge_prompt import JudgePrompt, our_prompt
from freshqa.evaluation.judgement import Mode
from freshqa.evaluation.prompt_identity import recipe_hash
from freshqa.evaluation.rgb.judging import our_sense_prompt

Texts = dict[str, dict[str, str]]


def method_texts(method: str, profile: str, settings: AnswerSettings) -> Texts:
    """The prompt of an answering method, and the file of its demonstrations where there is one."""
    if method == RGB:
        return rgb_texts(Style.literal, settings.instruction)
    name = f"ours: {method}, profile {profile}"
    texts = {"prompt": TextSource(name, recipe_hash(method, settings)).to_json()}
    if settings.examples:
        texts["demonstrations"] = settings.examples.source.to_json()
    return texts


def rgb_texts(style: Style, instruction: Instruction | None) -> Texts:
    """Return the prompt of RGB's setting."""
    return {"prompt": instruction_source(style, instruction).to_json()}


def judge_texts(modes: Sequence[Mode], prompts: Mapping[Mode, JudgePrompt]) -> Texts:
    """FreshEval's prompt in each mode: ours, or that of a file."""
    sources = {m: prompts[m].source if m in prompts else our_prompt(m) for m in modes}
    return {f"judge ({mode.value})": source.to_json() for mode, source in sources.items()}


def sense_texts(accuracy: JudgePrompt | None = None) -> Texts:
    """Return the prompts that judge a reply by meaning (Rej*, ED*; ACC* with a prompt for it)."""
    texts = {"judge": our_sense_prompt().to_json()}
    return {**texts, **accuracy_texts(accuracy)} if accuracy else texts


def accuracy_texts(prompt: JudgePrompt | None) -> Texts:
    """Return the FreshEval prompt that reads whether an answer is right."""
    source = prompt.source if prompt else our_prompt(Mode.relaxed)
    return {"judge (accuracy)": source.to_json()}
