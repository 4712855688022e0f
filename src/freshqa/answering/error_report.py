"""Detect a response that reports errors in its documents, and what it gives instead.

RGB's counterfactual test asks for this sentence. It may come alone before the answer, after it, or
in one sentence with it, in English or Chinese.
"""

from __future__ import annotations

import re

_SOURCE = (
    r"(?:evidence|(?:search )?results?|sources?|documents?|passages?|texts?|snippets?|articles?"
    r"|pages?|references?|materials?|excerpts?|findings?|information|contexts?|statements?)"
)
_ERROR = (
    r"(?:errors?|mistakes?|inaccurac(?:y|ies)|discrepanc(?:y|ies)|contradictions?"
    r"|inconsistenc(?:y|ies)|misinformation|falsehoods?|misstatements?"
    r"|(?:false|wrong|incorrect|inaccurate|erroneous|misleading|fabricated|contradictory|conflicting"
    r"|counterfactual|outdated|inconsistent) (?:\w+ )?(?:information|statements?|claims?|facts?|data|dates?"
    r"|answers?|details?|names?))"
)
_WRONG = (
    r"(?:false|wrong|incorrect|inaccurate|erroneous|mistaken|misleading|inconsistent|contradictory"
    r"|conflicting|unreliable|factually|contradict\w*|disagree|in error)"
)
_ENGLISH = re.compile(
    r"\bfactual(?:ly)? (?:errors?|mistakes?|inaccura\w+|incorrect|wrong|discrepanc\w+)"
    rf"|\b{_ERROR} (?:\w+ ){{0,3}}(?:in|within|among|across|between|by) (?:\w+ ){{0,4}}{_SOURCE}\b"
    rf"|\b{_SOURCE} (?:\w+ ){{0,4}}(?:contain|include|have|has|hold|give|provide|make|present)\w* "
    rf"(?:\w+ ){{0,3}}{_ERROR}"
    rf"|\b{_SOURCE} (?:\w+ ){{0,3}}(?:is|are|seems?|appears?)(?: to be)? (?:\w+ )?{_WRONG}\b"
    rf"|\b{_SOURCE} (?:\w+ ){{0,3}}(?:contradict|disagree|conflict)s?\b"
    rf"|\b{_SOURCE} (?:\w+ ){{0,3}}(?:wrongly|falsely|incorrectly|mistakenly|erroneously) \w+",
    re.IGNORECASE,
)
_FLAWLESS = re.compile(
    rf"(?:the |these |all )?(?:\w+ ){{0,2}}{_SOURCE} (?:\w+ )?(?:contain|include|have|has|hold|show)s? no"
    rf" (?:\w+ )?{_ERROR}|there (?:is|are) no (?:\w+ )?{_ERROR}(?: (?:in|among|between) (?:\w+ ){{0,3}}{_SOURCE})?"
    rf"|(?:the |these |all )?(?:\w+ ){{0,2}}{_SOURCE} (?:all )?(?:agree|are consistent)"
    r"|(?:提供的)?(?:文[档檔件]|资料|资料|材料)中?(?:没有|沒有|不存在|并无)(?:事实性?的?)?(?:错误|錯誤|矛盾)",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?:no|not|without|free of|any|neither|never)\b(?: \w+){0,3} ?\Z|n['’]t(?: \w+){0,3} ?\Z",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"事[实實]性?的?(?:错误|錯誤|偏差)|[与與和]事[实實]不符"
    r"|(?:文[档檔件章中]|资料|資料|材料|搜索结果|信息|資訊|内容|內容|证据|來源|来源|描述|说法)"
    r"[^。！？；，]{0,12}(?:错误|錯誤|有误|有誤|不实|不實|失实|矛盾|不一致|不准确|不正确|是错的)"
)
_ZH_NONE = re.compile(r"(?:没有|沒有|未|不存在|无|無|并无)[^。！？；，]{0,8}\Z")
_CLAUSE = re.compile(
    r"\s*(?:[;；，:：—]|,? \b(?:but|whereas|while|however|and|so|as)\b|, )\s*", re.IGNORECASE
)
_INSTEAD = re.compile(
    r"\A\W*(?:(?:so|therefore|thus|hence|instead|actually|in fact|in reality|but|however|and)\b,?\s+)*"
    r"(?:the |its |a )?(?:(?:correct|right|actual|true|accurate|proper|real|corrected|final)\s+)?"
    r"answer(?: to (?:the|this|your) (?:question|query))?\s+(?:should|must|would|ought to|has to|is"
    r"|was|to)(?: be| have been)?\b\s*:?\s*(?=\S)",
    re.IGNORECASE,
)
_ZH_INSTEAD = re.compile(
    r"\A\W*(?:因此|所以|而|但|实际上|事实上|其实)?[，,]?(?:正确的?|正確的?|真正的?|实际的?)?答案"
    r"(?:应该?|應該?|应当)?[是为為]?[：:，]?\s*(?=\S)"
)


def reports_errors(text: str) -> bool:
    """Return True when a text says that the documents are wrong, or contradict one another."""
    for pattern, none in ((_ENGLISH, _NONE), (_CHINESE, _ZH_NONE)):
        for match in pattern.finditer(text):
            if not none.search(text[max(0, match.start() - 40) : match.start()]) and not re.search(
                r"\b(?:not|no|any)\b|n['’]t\b|没有|不存在", match.group()
            ):
                return True
    return False


def without_report(sentence: str) -> str:
    """Return the rest of a sentence that reports on the documents; "" if nothing is left."""
    if _FLAWLESS.fullmatch(sentence.strip(" .。")):
        return ""
    if not reports_errors(sentence):
        return sentence
    clauses = _CLAUSE.split(sentence.rstrip(" .。"))
    kept = [position for position, clause in enumerate(clauses) if reports_errors(clause)]
    if not kept or kept[-1] + 1 >= len(clauses):
        return ""
    rest = clauses[kept[-1] + 1 :]
    start = sentence.find(rest[0], sum(len(clause) for clause in clauses[: kept[-1] + 1]))
    return sentence[start:].strip()


def answer_instead(sentence: str) -> str:
    """Return a sentence without the `the answer should be` that opens it."""
    for pattern in (_INSTEAD, _ZH_INSTEAD):
        rest = pattern.sub("", sentence, count=1)
        if rest != sentence:
            return rest
    return sentence
