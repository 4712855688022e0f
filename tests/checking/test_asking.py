"""Only a clear no of the model, asked whether it needs evidence, prevents a search."""

from __future__ import annotations

import pytest

from freshqa.checking.answer_from_memory import is_clear_no


@pytest.mark.parametrize(
    "reply",
    [
        "No",
        "no.",
        "**No.**",
        "Answer: No",
        "No, I do not need to look it up.",
        "No, there's no need to look anything up.",
        "No. The capital of France is Paris.",
        "No, that is not necessary.",
        "No — I don’t need to search.",
    ],
)
def test_each_wording_is_a_clear_no(reply: str) -> None:
    assert is_clear_no(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "Not sure; I need to look it up.",
        "No idea.",
        "No, I'm not sure.",
        "No, but it would be better to check.",
        "No, I cannot answer without looking it up; I should search.",
        "No doubt: yes.",
        "Nothing in my memory tells.",
        "Normally I would search.",
        "None of what I know is recent.",
        "No? Maybe.",
        "Yes.",
        "Yes and no.",
        "I do not know.",
        "",
        "No. However, it may have changed.",
    ],
)
def test_every_other_reply_leads_to_a_search(reply: str) -> None:
    assert not is_clear_no(reply)
