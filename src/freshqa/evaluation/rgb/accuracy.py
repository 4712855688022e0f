"""ACC*: FreshEval judges whether a reply is right; RGB's ACC searches for the words of the answer."""

from __future__ import annotations

from datetime import date

from freshqa.answering.language_model import LanguageModel
from freshqa.dataset.question import Question
from freshqa.evaluation.fresheval import judge_response
from freshqa.evaluation.fresheval_prompt import Words, messages
from freshqa.evaluation.judge_prompt import JudgePrompt, published
from freshqa.evaluation.judgement import Mode
from freshqa.evaluation.rgb.testbed import Item


class AccuracyJudge:
    """A model that judges replies with a FreshEval prompt.

    Args:
        model: The model that judges.
        prompt: A published prompt, relaxed unless it says strict; None: ours, relaxed.
        as_of: The day that a published prompt names.
    """

    def __init__(self, model: LanguageModel, prompt: JudgePrompt | None, *, as_of: date) -> None:
        self._model, self._mode = model, Mode.relaxed
        self._words: Words = messages
        if prompt is not None:
            self._mode = prompt.says or Mode.relaxed
            self._words = published({self._mode: prompt}, as_of=as_of)

    def correct(self, item: Item, reply: str) -> bool | None:
        """Return whether a reply answers an item; None where the judge gives no verdict.

        Raises:
            FreshQAError: as the model does.
        """
        judged = judge_response(
            gold(item), reply, mode=self._mode, judge=self._model, words=self._words
        )
        return judged.correct if judged.rated else None


def gold(item: Item) -> Question:
    """Return an item as a question with its answers; the parts of one answer are one text."""
    answers = item.parts[0] if len(item.parts) == 1 else ("; ".join(p[0] for p in item.parts),)
    columns = {f"answer_{number}": text for number, text in enumerate(answers[:10])}
    return Question({"question": item.query, **columns})
