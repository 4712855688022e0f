"""Reasoning in a reply, in the format of every known model family, is not read as the answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.answering.extraction import extract
from freshqa.answering.find_json import read_json
from freshqa.answering.reasoning import without_thinking
from freshqa.answering.self_ask_prompt import read_step
from freshqa.evaluation.fresheval_reply import parse_reply
from freshqa.evaluation.rgb.reply import read_reply

THOUGHT = "In 2019 it was Bo Lind.\nevaluation: incorrect\nstatus: conflict"
REPLIES = {
    "qwen": "<think>{t}</think>\n\n{a}",
    "opened by the template": "{t}\n</think>\n{a}",
    "claude": "<thinking>{t}</thinking>{a}",
    "gemini": "<thought>{t}</thought>{a}",
    "seed-oss": "<seed:think>{t}</seed:think>{a}<seed:eos>",
    "scratchpad": "<scratchpad>{t}</scratchpad>\n<answer>{a}</answer>",
    "r1-zero": "<think>{t}</think> <answer> {a} </answer>",
    "ernie": "<think>{t}</think><response>{a}</response>",
    "magistral": "[THINK]{t}[/THINK]{a}",
    "magistral, opened by the template": "{t}[/THINK]\n{a}",
    "kimi": "◁think▷{t}◁/think▷{a}",
    "openthinker": "<|begin_of_thought|>{t}<|end_of_thought|><|begin_of_solution|>{a}"
    "<|end_of_solution|>",
    "command a": "<|START_THINKING|>{t}<|END_THINKING|><|START_RESPONSE|>{a}<|END_RESPONSE|>",
    "medgemma": "<unused94>thought\n{t}<unused95>{a}",
    "gemma 4": "<|channel>thought\n{t}<channel|>{a}<turn|>",
    "granite": "Here is my thought process:\n{t}\nHere is my response:\n{a}",
    "apriel": "Here are my reasoning steps:\n{t}\n[BEGIN FINAL RESPONSE]\n{a}\n[END FINAL RESPONSE]",
    "gpt-oss": "<|channel|>analysis<|message|>{t}<|end|><|start|>assistant<|channel|>final"
    "<|message|>{a}<|return|>",
    "gpt-oss with a tool": "<|channel|>analysis<|message|>{t}<|end|><|start|>assistant<|channel|>"
    "commentary to=functions.find<|message|>{{}}<|call|><|start|>assistant<|channel|>final "
    "<|constrain|>text<|message|>{a}",
    "gpt-oss without marks": "analysis{t}assistantfinal{a}",
    "gpt-oss without marks, in lines": "analysis\n{t}\nassistant\nfinal\n{a}",
    "gpt-oss, opened by the template": "{t}assistantfinal{a}",
    "gpt-oss without marks, commentary": "analysis{t}assistantcommentaryOn it.assistantfinal{a}",
    "glm": "<think>{t}</think><|begin_of_box|>{a}<|end_of_box|>",
    "chat template": "<|im_start|>assistant\n<think>{t}</think>{a}<|im_end|>\n<|im_start|>user\nHi",
    "llama": "<|start_header_id|>assistant<|end_header_id|>\n\n{a}<|eot_id|>",
    "sentencepiece": "{a}</s>",
    "analysis": "<analysis>{t}</analysis>{a}",
    "analysis and final": "<analysis>{t}</analysis>\n<final>{a}</final>",
    "rationale": "<rationale>{t}</rationale>{a}",
    "inner monologue": "<inner_monologue>{t}</inner_monologue>{a}",
    "chain of thought": "<chain_of_thought>{t}</chain_of_thought>{a}",
    "ant thinking": "<antThinking>{t}</antThinking>{a}",
    "longcat": "<longcat_think>{t}</longcat_think>{a}",
    "with an attribute": '<think time="3">{t}</think>{a}',
    "escaped": "&lt;think&gt;{t}&lt;/think&gt;{a}",
    "full width": "＜think＞{t}＜/think＞{a}",
    "square brackets": "[REASONING]{t}[/REASONING]{a}",
    "bars": "<|thinking|>{t}<|/thinking|>{a}",
    "bars, ended": "<|reasoning|>{t}<|end_of_reasoning|>{a}",
    "fence": "```thinking\n{t}\n```\n{a}",
    "open webui": '<details type="reasoning" done="true"><summary>Thought</summary>{t}</details>{a}',
    "ollama's terminal": "Thinking...\n{t}\n...done thinking.\n\n{a}",
}


@pytest.mark.parametrize("form", REPLIES.values(), ids=REPLIES)
def test_the_text_after_the_reasoning_is_the_reply(form: str) -> None:
    def reply(answer: str) -> str:
        return form.format(t=THOUGHT, a=answer).replace("<seed:eos>", "")

    assert without_thinking(reply("Ada Voss leads Orlune.")) == "Ada Voss leads Orlune."
    assert extract(reply("Ada Voss leads Orlune.")).answer == "Ada Voss leads Orlune."
    assert read_step(reply("So the final answer is: Ada Voss")).final == "Ada Voss"
    assert read_json(reply('{"answer": "Ada Voss"}')) == {"answer": "Ada Voss"}
    assert parse_reply(reply("comment: right.\nevaluation: correct")).verdict.value == "correct"
    assert read_reply(reply("status: answered\nanswer: Ada Voss")).answer == "Ada Voss"


CUT = {name: form.split("{t}")[0] + THOUGHT for name, form in REPLIES.items() if "{t}" in form}


@pytest.mark.parametrize(
    "reply", [text for text in CUT.values() if text != THOUGHT], ids=lambda text: text[:24]
)
def test_reasoning_that_was_cut_off_is_not_an_answer(reply: str) -> None:
    assert without_thinking(reply) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The analysis says so. The assistant finally answered.",
        "Analysis shows that Ada Voss leads.",
        "x < 5 and y > 3",
        "An assistant final exam takes place in May.",
        "He scored [9/10].",
        "An <answer> tag marks it.",
    ],
)
def test_ordinary_text_that_resembles_marks_is_kept(text: str) -> None:
    assert without_thinking(text) == text


@pytest.mark.parametrize(
    "reply",
    [
        "### Thinking\n{t}\n### Answer\n{a}",
        "**Thinking:**\n{t}\n\n**Answer:** {a}",
        "## Reasoning\n{t}\n\n## Final answer\n{a}",
        "Thought process: {t}\nFinal answer: {a}",
        "analysis: {t}\nfinal: {a}",
        "思考过程：{t}\n最终答案：{a}",
        "Okay, let me think. {t}\n\n{a}",
        "The user is asking for a name. {t}\n\n{a}",
        "Hmm, let me see. {t} So the answer is {a}",
    ],
)
def test_reasoning_under_a_heading_or_in_prose_is_not_the_answer(reply: str) -> None:
    said = reply.format(t="In 2019 it was Bo Lind.", a="Ada Voss.")
    assert extract(said, question="Who leads Orlune?").answer == "Ada Voss"


def test_reasoning_in_prose_without_a_conclusion_is_not_an_answer() -> None:
    for said in (
        "Okay, let me think. In 2019 it was Bo Lind.",
        "Thinking:\nIn 2019 it was Bo Lind.",
    ):
        assert extract(said, question="Who leads Orlune?").answer == ""


@given(st.text())
def test_without_thinking_accepts_any_text(text: str) -> None:
    assert isinstance(without_thinking(text), str)


@given(st.text(alphabet=st.characters(categories=["L", "N", "Zs"])))
def test_text_without_marks_is_only_stripped(text: str) -> None:
    if "assistant" not in text and not text.lstrip().startswith(("analysis", "commentary")):
        assert without_thinking(text) == text.strip()
