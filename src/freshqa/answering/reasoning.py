"""Separate a model's reasoning from its reply, whatever marks the model family uses.

Servers that parse reasoning send it in a field of its own. The others leave it in the content, in
the marks of the model's chat template: the forms below are those of published templates.
"""

from __future__ import annotations

import re

_THOUGHT = (
    r"(?:\w+[:_-])?(?:ant_?)?(?:think(?:ing)?(?:[ _-]?process)?|thoughts?|reason(?:ing)?|reflection"
    r"|analysis|rationale|scratch_?pad|inner_?(?:thoughts?|monologue)|(?:internal_?)?monologue"
    r"|chain[_-]of[_-]thought|cot|planning)"
)
"""What the marks around reasoning are called."""
_OPEN, _CLOSE = r"(?:<|＜|&lt;)\s*", r"\s*(?:>|＞|&gt;)"
PAIRS: tuple[tuple[str, str], ...] = (
    # DeepSeek, Qwen, Claude-style prompts, EXAONE, Gemini, Seed-OSS, LongCat
    (rf"{_OPEN}{_THOUGHT}(?:\s[^<>]*)?{_CLOSE}", rf"{_OPEN}/\s*{_THOUGHT}{_CLOSE}"),
    (rf"\[{_THOUGHT}\]", rf"\[/{_THOUGHT}\]"),  # Magistral
    (rf"<\|{_THOUGHT}\|>", rf"<\|(?:/|end_(?:of_)?){_THOUGHT}\|>"),
    (rf"```{_THOUGHT}\s*\n", r"\n\s*```"),
    (
        r"<details(?:[^>]*type=\W?reasoning[^>]*>|[^>]*>\s*<summary>\s*(?:thought|thinking|reasoning))",
        r"</details>",
    ),  # Open WebUI
    (r"\A\s*Thinking(?:\.{3}|…)\s*\n", r"\n\s*(?:\.{3}|…)\s*done thinking\.?"),  # Ollama's terminal
    (r"◁think▷", r"◁/think▷"),  # Kimi
    (r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),  # OpenThinker, Sky-T1
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),  # Command A Reasoning
    (r"<unused94>", r"<unused95>"),  # MedGemma
    (r"<\|channel>thought", r"<channel\|>"),  # Gemma 4
)
"""Opening and closing mark. Templates that open it themselves leave only the closing one."""

CHANNEL = re.compile(
    r"<\|channel\|>\s*(?P<name>\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>", re.IGNORECASE
)
"""gpt-oss: `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…`"""
BARE_FINAL = re.compile(
    r"assistantfinal\s*:?|assistant\s{1,2}final(?:\s*[:\n]\s*|(?=[^\s\w]|[A-Z0-9])|\Z)"
)
"""The same when the server drops special tokens: `analysis…assistantfinal…`."""
BARE_ANALYSIS = re.compile(
    r"\A\s*(?:assistant\s{0,2})?(?:analysis|commentary)(?=\s*\n|[A-Z0-9\"'“‘(\[<])"
)
HEADED = re.compile(
    r"\A\s*Here (?:is|are) my (?:thought process|reasoning(?: steps| process)?)\s*:.*?"
    r"(?:Here is my (?:response|answer)\s*:|\[BEGIN FINAL RESPONSE\]|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""Granite and Apriel."""
_THOUGHT_HEADING = re.compile(
    r"\A\s*(?:(?:\#{1,6}\s*|\*{1,2})(?:thinking|thoughts?|reasoning|analysis)(?: process)?\s*[:：]?\**\s*[:：]?\s*?\n"
    r"|\*{0,2}(?:(?:thinking|thoughts?)(?: process)?|analysis|思考(?:过程)?|推理(?:过程)?)\**\s*[:：]\**)",
    re.IGNORECASE,
)
_ANSWER_HEADING = re.compile(
    r"\n\s*(?:\#{1,6}\s*|\*{1,2})?(?:final(?: answer| response)?|(?:the )?answer|response|output"
    r"|(?:最终)?答案|回答)\**\s*(?:[:：]\**|(?=\n))",
    re.IGNORECASE,
)
"""Reasoning and reply under headings of their own: `### Thinking … ### Answer …`."""
_LABEL = re.compile(r"\n\W*\w[\w ]{0,20}[:：]")
ENVELOPES = re.compile(
    r"\A(?:<(?P<tag>answer|response|output|final|solution|final_answer)>(?P<inside>.*?)"
    r"(?:</(?P=tag)>|\Z)"
    r"|<\|begin_of_solution\|>(?P<solution>.*?)(?:<\|end_of_solution\|>|\Z)"
    r"|<\|START_(?:RESPONSE|TEXT)\|>(?P<text>.*?)(?:<\|END_(?:RESPONSE|TEXT)\|>|\Z)"
    r"|(?P<final>.*?)\[END FINAL RESPONSE\])\s*\Z",
    re.DOTALL | re.IGNORECASE,
)
"""Marks around the reply itself; its inside is the reply."""
BOX = re.compile(r"<\|(?:begin|end)_of_box\|>")
"""GLM marks the answer inside its reply; the text around it stays."""
STOP = re.compile(
    r"<\|(?:im_end|im_start|eot_id|eom_id|end|return|call|endoftext|end_of_text|start_header_id"
    r"|END_OF_TURN_TOKEN|end_of_turn|user|assistant|observation|start)\|>"
    r"|</s>|<eos>|<end_of_turn>|<turn\|>|<｜end▁of▁sentence｜>|\[/?INST\]|<\|eot\|>"
)
"""Ends of a turn that a server did not take out; what follows belongs to an invented turn."""

TURN_HEADER = re.compile(
    r"\A\s*<\|(?:im_start|start|start_header_id)\|>\s*assistant\s*(?:<\|end_header_id\|>)?"
)

_BLOCKS = tuple(
    (
        re.compile(rf"{opening}.*?(?:{closing}|\Z)", re.DOTALL | re.IGNORECASE),
        re.compile(rf"\A.*{closing}", re.DOTALL | re.IGNORECASE) if "```" not in opening else None,
    )
    for opening, closing in PAIRS
)


def without_thinking(text: str) -> str:
    """Return the reply without reasoning and without the marks of a chat template.

    Reasoning that is cut off or never followed by a reply leaves "": it is not an answer.
    """
    text = _final_channel(text)
    for block, closing in _BLOCKS:
        text = block.sub("", text)
        text = closing.sub("", text) if closing else text
    text = _under_headings(HEADED.sub("", text))
    text = BOX.sub("", _first_turn(TURN_HEADER.sub("", text))).strip()
    envelope = ENVELOPES.match(text)
    if envelope:
        parts = (part for name, part in envelope.groupdict().items() if name != "tag")
        return next(part for part in parts if part is not None).strip()
    return text


def _under_headings(text: str) -> str:
    """Return the text under the last heading of an answer, where the first is one of reasoning.

    Reasoning that no answer follows is none; "Analysis" may head an answer of its own.
    """
    heading = _THOUGHT_HEADING.match(text)
    if heading is None:
        return text
    answers = list(_ANSWER_HEADING.finditer(text, heading.end() - 1))
    if answers:
        return text[answers[-1].end() :]
    own = re.search("thinking|thought|思考", heading.group(), re.IGNORECASE)
    return "" if own and not _LABEL.search(text, heading.end()) else text


def _final_channel(text: str) -> str:
    """The last final channel of gpt-oss; "" where it only reasoned; any other text unchanged."""
    channels = list(CHANNEL.finditer(text))
    finals = [channel for channel in channels if channel["name"].lower() == "final"]
    if finals:
        return text[finals[-1].end() :]
    if channels or text.lstrip().lower().startswith("<|channel|>"):
        return ""
    final = list(BARE_FINAL.finditer(text))
    if final and (BARE_ANALYSIS.match(text) or final[-1].group().startswith("assistantfinal")):
        return text[final[-1].end() :]
    return "" if BARE_ANALYSIS.match(text) else text


def _first_turn(text: str) -> str:
    """Return the text up to the first end of a turn; marks before any text are dropped."""
    for part in STOP.split(text):
        if part.strip():
            return part
    return ""
