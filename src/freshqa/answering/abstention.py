"""Does a sentence decline to answer?

Four kinds, in English and Chinese: a source that does not say, information that is missing, a
writer who is unable, a writer who is unsure. A statement about the world is not a refusal: "There
is no evidence that he ever married" and "The date has not been announced" answer.
"""

from __future__ import annotations

import re
from functools import cache

_SOURCE = (
    r"(?:evidence|(?:search )?results?|sources?|documents?|passages?|texts?|snippets?|articles?"
    r"|(?:web ?)?pages?|websites?|references?|materials?|excerpts?|findings?|information|contexts?"
    r"|data|paragraphs?|content|(?:provided|given|retrieved|available) records?)"
)
_NOT = (
    r"(?:(?:do|does|did|can|could|would|is|are|was|were|has|have)(?:n['’]t| not|not)|never"
    r"|fail(?:s|ed)? to|neglect(?:s|ed)? to|lacks?|without)"
)
_SAY = (
    r"(?:say|state|mention|specify|tell|provide|contain|include|indicate|reveal|answer|give|show"
    r"|list|name|identify|address|describe|disclose|report|offer|cover|explain|clarify|have|hold"
    r"|refer|discuss|note|supply|present|establish|make|suffice|allow|help|enable|reference|detail"
    r"|go into|touch)"
)
_SAID = (
    r"(?:said|stated|mentioned|specified|provided|contained|included|indicated|revealed|answered"
    r"|given|shown|listed|named|identified|addressed|described|disclosed|reported|found|available"
    r"|discussed|covered|clear|present|known|sufficient|enough|adequate|explicit|able)"
)
_INFORMATION = (
    r"(?:information|info|data|details?|context|mention|answer|indication|knowledge|facts?"
    r"|documentation|evidence (?:in|to|provided|available|on|about|regarding|for)|evidence\W*\Z)"
)
_FIND_OUT = (
    r"(?:answer|determine|say|tell|find|provide|identify|confirm|verify|establish|give|ascertain"
    r"|conclude|infer|know|locate|deduce|respond|offer|help|assist|state|pinpoint|derive|extract)"
)
_FOUND_OUT = (
    r"(?:answered|determined|said|told|found|provided|identified|confirmed|verified|established"
    r"|given|ascertained|concluded|inferred|located|deduced|derived|known|extracted|stated)"
)
_CANNOT = (
    r"(?:cannot|can ?not|can['’]t|could not|couldn['’]t|unable to|not able to|not possible to"
    r"|impossible to|difficult to|hard to|not in a position to|no way to|unable at this time to)"
)
_I = r"(?:I|we)"

_ENGLISH = (
    # A source that does not say.
    rf"\b{_SOURCE}\b[^.;!?]{{0,80}}\b{_NOT} (?:\w+ ){{0,2}}(?:{_SAY}|{_SAID})\b",
    (
        rf"\b(?:none|neither|not one|nothing|nowhere|no\w*) (?:of|in|among|from) (?:\w+ ){{0,4}}"
        rf"{_SOURCE}\b"
    ),
    rf"\bno {_SOURCE} (?:\w+ ){{0,2}}(?:{_SAY}(?:s|ed)?|{_SAID})\b",
    (
        rf"\bnot (?:\w+ ){{0,2}}{_SAID} (?:\w+ )?(?:in|by|from|within|anywhere in|among) (?:\w+ ){{0,4}}"
        rf"{_SOURCE}\b"
    ),
    (
        rf"\b{_SOURCE}\b[^.;!?]{{0,40}}\b(?:is|are|was|were|seems?|appears?)(?: to be)? (?:\w+ )?"
        r"(?:insufficient|inadequate|incomplete|inconclusive|silent|lacking|missing|unavailable"
        r"|unclear|limited|not enough|not sufficient)\b"
    ),
    rf"\b{_SOURCE}\b[^.;!?]{{0,40}}\b(?:of no (?:help|use)|leaves? (?:this|it|that) open)\b",
    # Sources that are about something else.
    (
        rf"\b{_SOURCE}\b[^.;!?]{{0,40}}\b(?:(?:(?:is|are|was|were)(?: not|n['’]t)|not) (?:\w+ )?(?:about"
        r"|related to|relevant to|concerned with)|irrelevant to|unrelated to|(?:do|does|did)(?: not|n['’]t)"
        r" (?:\w+ )?(?:relate to|pertain to|concern|bear on)|nothing to do with)\b[^.;!?]{0,20}"
        r"\b(?:question|query|topic|subject|asked)\b"
    ),
    rf"\bnot (?:something|anything|a thing) (?:that |which )?(?:\w+ ){{0,3}}{_SOURCE} (?:\w+ )?{_SAY}s?\b",
    (
        r"\A\W*(?:it|they|this|that|these|those|he|she)?\W*(?:do|does|did)(?:n['’]t| not) (?:\w+ )?"
        r"(?:say|mention|state|specify|tell|indicate|reveal|answer|identify|disclose)\b"
    ),
    (
        r"(?:\bnot|n['’]t|\bleft|\bgoes|\bwent) (?:\w+ )?(?:un)?(?:mentioned|specified|stated"
        r"|indicated|provided|answered)\b|\b(?:not|n['’]t) (?:explicitly |directly )?given\W*\Z"
    ),
    (
        r"\b(?:says?|said|found|know|see|reveals?|tells? us|mentions?) nothing\b"
        r"|\bnothing (?:is|was|has been) (?:said|mentioned|stated|found)\b"
        r"|\b(?:is|remains|stays|goes) un(?:answer(?:ed|able)|determined|specified)\b"
    ),
    (
        rf"\b(?:answer|{_INFORMATION}) (?:is|are|was|were)(?: not|n['’]t) (?:\w+ )?(?:in|within|among"
        rf"|part of) (?:\w+ ){{0,3}}{_SOURCE}\b"
    ),
    (
        rf"\b(?:search(?:es|ing)?|{_SOURCE}) (?:\w+ )?(?:did|do|does)(?: not|n['’]t) (?:(?:turn up|yield|produce"
        rf"|return|bring up) (?:\w+ ){{0,3}}(?:anything|results?|{_INFORMATION})|go (?:that|this|so|back) far)\b"
    ),
    r"\A\W*(?:it|this|that) (?:is|was)(?: not|n['’]t) (?:\w+ )?(?:covered|addressed|discussed)\W*\Z",
    rf"\b{_I} (?:\w+ ){{0,2}}pass on (?:this|that|it)\b",
    # Information that is missing.
    (
        r"(?:\b|n['’]t )(?:enough(?<=n.t enough)|not enough|not sufficient|insufficient|inadequate|too little|lack of|lacking|lacks?"
        rf"|without (?:enough|sufficient|more|further|any)|no) (?:the )?(?:\w+[ ,]+){{0,3}}"
        rf"{_INFORMATION}(?=\W|\Z)(?! that\b)"
    ),
    (
        rf"\b{_INFORMATION}(?: (?:about|on|of|for|regarding|concerning) [^.;!?]{{1,160}})? "
        r"(?:is|are|was|were)(?: currently| still)? (?:not|un)(?: )?(?:available|known|found|provided"
        r"|given)\b"
    ),
    (
        rf"\b{_I} (?:do not|don['’]t|did not|didn['’]t|could not|couldn['’]t|cannot|can['’]t) (?:\w+ )?"
        rf"(?:have|find|see|possess|locate|come across|access) (?:\w+[ -]){{0,4}}"
        r"(?:information|access|data|details?|answer|mention|knowledge|age|date|name|number|figure"
        r"|evidence|anything|it\b|that\b|this\b|any\b|specific)"
    ),
    (
        r"\b(?:need|require|without|provide|supply|give)\b (?:me |us )?(?:some |any )?(?:more|further"
        r"|additional) (?:information|info|context|details?|evidence|data)\b|\A\W*(?:more|further"
        r"|additional) (?:information|context|evidence|details?) (?:is|are|would be) (?:needed|required)"
        r"|\bno (?:\w+ )?(?:search )?results?\b|\bno (?:\w+ )?conclusion\b"
    ),
    rf"\b{_I} (?:have not|haven['’]t|had not|failed to|never) (?:\w+ )?f(?:ou|i)nd\b",
    r"\bnot return (?:\w+ ){0,3}(?:information|results?|answer)\b",
    # A writer, or a question, that is unable.
    rf"\b{_CANNOT} (?:\w+ )?{_FIND_OUT}\b",
    rf"\b(?:cannot|can ?not|can['’]t|could not|couldn['’]t) (?:\w+ )?be (?:\w+ )?{_FOUND_OUT}\b",
    (
        rf"\b{_I}(?:['’]m| am| are|['’]re|['’]ve been| was| were) (?:\w+ )?(?:unable|not able|sorry"
        r"|afraid)\b"
    ),
    r"\bno (?:\w+ )?answer (?:can|could|is|was|has|to|from|in)\b",
    r"\bas an AI\b|\b(?:sorry|apologi[sz]e|apologies), (?:but )?|\bI (?:must |have to )?apologi[sz]e",
    r"\b(?:decline|refuse) to answer\b",
    r"\bneither confirm nor deny\b|\b(?:cannot|can ?not|can['’]t) be (?:sure|certain)\b",
    # A writer who is unsure.
    rf"\b{_I} (?:do not|don['’]t|did not|didn['’]t) (?:\w+ )?(?:know|have|recall|remember)\b",
    (
        rf"\b{_I}(?:['’]m| am| are|['’]re) (?:\w+ )?(?:not (?:\w+ )?(?:sure|certain|aware|confident"
        r"|familiar)|unsure|uncertain|unaware)\b"
    ),
    (
        r"\A\W*(?:not (?:sure|certain|clear)|unsure|uncertain|unclear|hard to (?:say|tell)|no idea"
        r"|(?:it(?: is|['’]s|s) |the answer (?:is|remains) |that(?: is|['’]s) )(?:still |currently )?"
        r"(?:not (?:\w+ )?(?:clear|certain|known|sure|evident|obvious)|unclear|uncertain|unknown"
        r"|anyone['’]s guess))\b"
    ),
    r"\b(?:is|are|remains?|was|were|still|(?:it|that|this)['’]s) (?:currently |still )?(?:unclear|unknown)\b",
    r"\b(?:exact|precise|specific) \w+ (?:is|are|was|were) (?:not|un) ?known\b|\bnobody knows\b",
    r"\bunknown\Z|\b(?:no|without any) idea\b",
    # Our feedback, repeated instead of an answer.
    (
        r"\b(?:the )?(?:response|reply) gives no\b|\bstands in none of the evidence\b"
        r"|\bsay that the evidence (?:is insufficient|disagrees)\b|\bsays? so if the evidence\b"
    ),
)
_WHOLE = re.compile(
    r"\W*(?:unknown|unanswerable|unsure|uncertain|unclear|undetermined|unspecified|none (?:given"
    r"|stated|found|provided)|(?:answer )?not (?:given|stated|specified|mentioned|provided|known"
    r"|available|found|sure|certain|applicable|disclosed|determined|answerable|clear|enough|said)"
    r"|n/?a|no (?:answer|information|idea|data)|insufficient(?: \w+)?|cannot (?:say|tell|answer)"
    r"|can['’]t (?:say|tell|answer)|null|undefined|i (?:don['’]t|do not) know|idk|未知|不详|不明"
    r"|无|没有答案|暂无)?\W*",
    re.IGNORECASE,
)
_ZH_SOURCE = (
    r"(?:文[档檔件章中本]|资料|資料|材料|搜索结果|搜尋結果|检索结果|结果|結果|证据|證據|信息|資訊|内容|內容"
    r"|上述|以上|来源|來源|原文|段落|网页|網頁)"
)
_ZH_NOT = r"(?:没有?|沒有?|无|無|未能?|并未|並未|尚未|均未|都未|不|缺乏|缺少|欠缺)"
_CHINESE = (
    (
        rf"{_ZH_SOURCE}[^。！？；，]{{0,20}}{_ZH_NOT}[^。！？；，]{{0,8}}(?:提及|提到|提供|说明|說明|给出|給出"
        r"|指出|包含|包括|涉及|记载|記載|显示|顯示|披露|回答|答案|列出|告诉|告訴|透露|明确|明確|足够|足夠|充分"
        r"|说|說|写|寫)"
    ),
    rf"{_ZH_SOURCE}[^。！？；，]{{0,12}}(?:不足|不够|不夠|不充分|有限|缺失|不完整)",
    (
        r"(?:没有|沒有|无|無|缺乏|缺少|未找到|找不到|未提供|没找到)[^。！？；，]{0,12}(?:信息|資訊|资料|資料|答案"
        r"|内容|數據|数据|依据|依據|线索)"
    ),
    (
        r"(?:无法|無法|不能够?|难以|難以|没法|沒法|没办法|无从|無從)[^。！？；，]{0,14}(?:回答|作答|答复|确定|確定"
        r"|判断|判斷|得知|给出|給出|提供|确认|確認|知道|得出|推断|推斷|找到|获知|獲知|了解|答案|说明|告诉)"
    ),
    rf"{_ZH_SOURCE}[^。！？；，]{{0,12}}(?:无关|無關|不相关|不相關)",
    (
        rf"(?:未能|没能|沒能|无法|無法|不能|难以)[^。！？；，]{{0,6}}{_ZH_SOURCE}[^。！？；，]{{0,6}}(?:得知|确定|確定"
        r"|找到|获知|獲知|查到|看出|回答|判断|判斷|了解|知道)"
    ),
    rf"{_ZH_SOURCE}[^。！？；，]{{0,10}}(?:看|查|找|读|讀|得|推)不(?:出|到)",
    rf"{_ZH_SOURCE}[^。！？；，]{{0,4}}(?:没有|沒有|并无|並無)[^。！？；，]{{0,12}}(?:名字|姓名|名称|日期|时间|数字|记录|記錄|线索)",
    r"对此(?:没有|并无|无|未有)(?:相关)?(?:记录|记载|说明|报道|介绍)",
    r"(?:回答|作答|解答|判断|判斷|确定|確定)不(?:了|出|上来|到)",
    r"(?:没有|沒有)(?:明确)?(?:提及|提到)\W*\Z|未(?:明确|曾)?(?:指出|说明|提到|提及|给出)|不知道|不清楚|不确定|不確定|不得而知|不太清楚|不太确定|尚不明确|不明确|(?:对不起|抱歉|很遗憾)[，,]",
)


@cache  # a tenth of a second, which a command that reads no reply need not wait for
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """English and Chinese."""
    return re.compile("|".join(_ENGLISH), re.IGNORECASE), re.compile("|".join(_CHINESE))


def abstains(text: str) -> bool:
    """Return True when a sentence, or an answer alone, declines to answer.

    Args:
        text: One sentence, or the text after an answer label; an empty text declines, too.
    """
    english, chinese = _patterns()
    if _WHOLE.fullmatch(text) is not None or english.search(text) is not None:
        return True
    return chinese.search(text.replace(" ", "")) is not None
