"""The wording of a question as a key that does not depend on punctuation."""

from __future__ import annotations

import re
import unicodedata

from freshqa.characters import MARKS, unify

_MEANINGFUL = re.compile(
    r"[^\x00-\x7f]|[+#<>=~%$^*]|(?<![\w)])[-.][$.]?\d|[A-Z]-(?![\w-])|\d/\d|(?<!\w)(?:@\w|\.[A-Z])"
)
_PLAIN = re.compile(r"[A-Za-z0-9 ,?']*")
"""Texts without meaningful symbols: most questions."""
_BETWEEN_WORDS = re.compile(r"\W+")
_KEPT = re.compile(
    rf"[\w{MARKS}]+"
    r"|[+<=>~%^¬°±×÷‰∂-⋿$¢£¤¥֏؋৳฿៛₠-⃀]"  # operators and currencies
    r"|(?<=[\w+])#|(?<=(?<!\w)\w)\*(?![\w*])|(?<=[A-Z])-(?![\w-])"  # C#, A*, AA-
    r"|(?<![\w)])-(?=[$€£¥]?\.?[\d∞])|(?<!\w)\.(?=[\dA-Z])|(?<=\d)/(?=\d)"  # -5, .5, .NET, 1/2
    r"|(?<!\w)@(?=\w)|[\u2600-\u27bf\U0001f000-\U0001faff]"  # @name, emoji, flags
)


def normalised_question(text: str) -> str:
    """Return the question as a comparable key, without case, punctuation and spacing.

    What makes it another question is kept: `C++` is not `C#`, `> 5` not `< 5`, `-5` not `5`, `$` not
    `€`, and words that differ in a vowel sign are not the same.
    """
    if _PLAIN.fullmatch(text) or not _MEANINGFUL.search(text):
        return _BETWEEN_WORDS.sub(" ", text.casefold()).strip()
    plain, _ = unify(unicodedata.normalize("NFC", text))
    return " ".join(_KEPT.findall(plain)).casefold()
