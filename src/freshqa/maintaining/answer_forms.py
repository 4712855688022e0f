"""A new fact in every form the benchmark would accept.

Alternatives are always rebuilt, never kept: an alternative of the old fact beside a new primary
answer is the most frequent mistake of the official data.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from freshqa.dataset.question import ANSWER_SLOTS
from freshqa.dates.mentions import read_date
from freshqa.dates.rebuild import rebuild_dates
from freshqa.facts.same_fact import is_list, list_parts, members
from freshqa.facts.tokens import fold
from freshqa.maintaining.number_forms import rebuild_numbers, the_number

_MAX_NUMBER_WORDS = 6


def rebuild_answers(old: Sequence[str], new: str) -> list[str]:
    """Return the new primary answer and its alternatives, primary first, at most ten.

    Args:
        old: The stored answers, primary first: the pattern for dates and numbers.
        new: The new answer, standing alone.
    """
    if read_date(new) is not None:
        answers = rebuild_dates(old, new)
    elif the_number(new) is not None and len(new.split()) <= _MAX_NUMBER_WORDS:
        answers = rebuild_numbers(old, new)
    else:
        answers = name_forms(old, new)
    return answers[:ANSWER_SLOTS]


def name_forms(old: Sequence[str], name: str) -> list[str]:
    """A name as written, without diacritics, and a pair in the other order if the old ones were.

    "The Boy and the Heron" is one film: only stored answers in both orders show that a pair is two.
    """
    forms = [name]
    parts = list_parts(name)
    if len(parts) == 2 and name == f"{parts[0]} and {parts[1]}" and _permuted(old):
        forms.append(f"{parts[1]} and {parts[0]}")
    forms.extend(without_diacritics(form) for form in tuple(forms))
    return list(dict.fromkeys(forms))


def _permuted(old: Sequence[str]) -> bool:
    orders = {fold(answer): members(answer) for answer in old if is_list(answer)}
    return len(set(orders.values())) < len(orders)


def without_diacritics(text: str) -> str:
    """`Świątek` → `Swiatek`; letters without a base form are kept."""
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize(
        "NFC", "".join(c for c in decomposed if not unicodedata.combining(c))
    )
