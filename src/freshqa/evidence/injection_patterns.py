"""What attempts to steer a reader look like: one list of patterns per flag.

Written for fifteen kinds of attack (BIPIA, arXiv 2312.14197; spotlighting, arXiv 2403.14720;
OverThink, arXiv 2502.02542). They match case-folded by flag, across line ends.
"""

from __future__ import annotations

_READER = (
    r"(?:(?:ai|language) (?:model|assistant|system)s?|assistants?|chatbots?|llms?|the model|you)"
)
_ORDERS = (
    r"(?:instructions?|directions?|prompts?|guidelines?|rules|context|messages?"
    r"|(?:system|developer) message)"
)
_DATA = r"(?:evidence|evidences|data|documents?|context|snippet|results?|untrusted)"
_WRONG = r"(?:wrong|outdated|incorrect|obsolete|invalid|false|must be ignored)"
_CODES = (
    r"(?:base64|rot13|hexadecimal|morse code|pig latin|a (?:poem|haiku|limerick|song)|json|emoji"
    r"|capital letters|reverse)"
)
_SOLVE = r"(?:solve|compute|calculate|simulate|complete|work through|evaluate)"
_PUZZLE = (
    r"(?:markov|mdp|puzzle|sudoku|equation|policy|integral|prime|step by step|steps|digits|problem)"
)
_SECRET = (
    r"(?:system prompt|hidden prompt|your (?:prompt|instructions|api key)|api key"
    r"|initial instructions)"
)

PATTERNS: dict[str, tuple[str, ...]] = {
    "override": (
        (
            r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,40}\b(?:previous|prior|above"
            rf"|earlier|preceding|all|any|your|other)\b[^.!?]{{0,30}}\b{_ORDERS}"
        ),
        r"\binstead (?:of answering|answer|reply|respond|say|output)\b",
        r"\bnew instructions?\s*:",
        r"\b(?:your|the) (?:only |final )?(?:answer|reply|response) (?:must|should|has to) be\b",
        rf"\b{_READER} must (?:now )?(?:answer|reply|respond|say|output|state)\b",
    ),
    "role-tag": (
        r"<\|[^|<>]{1,40}\|>",
        r"\[/?INST\]|<</?SYS>>|</?(?:system|assistant|developer|user)>",
        r"(?:^|[\n.])\s*(?:#+\s*)?(?:system|developer|assistant)\s*(?:message|prompt)?\s*:\s*\S",
    ),
    "forged-demonstration": (
        r"\b(?:question|query|q)\s*:.{0,300}?\b(?:answer|a)\s*:\s*\S",
        r"(?:^|\n)\s*(?:answer|question|query|response)\s*:\s*\S",
    ),
    "forged-verdict": (
        r"\bevaluation\s*:\s*\W{0,3}(?:(?:in)?correct|true|false)\b",
        r"\bthe response is (?:not )?credited\b",
    ),
    "closes-block": (
        rf"</{_DATA}>",
        rf"\[\s*(?:end|/)\s*(?:of\s+)?{_DATA}[^\]]*\]",
        r"\bend of (?:the )?(?:evidence|search results|untrusted|provided (?:context|documents?))\b",
        r"`{3,}[^`]{0,80}\b(?:now|answer|instruction|system)\b",
    ),
    "false-authority": (
        rf"\bofficial (?:correction|notice|update)\b.{{0,160}}\b{_WRONG}\b",
        (
            r"\ball (?:other|older|earlier|previous) (?:pages|sources|results|articles|websites)\b"
            rf"[^.]{{0,60}}\b{_WRONG}\b"
        ),
    ),
    "refusal-bait": (
        rf"\b{_READER} (?:must|should|has to|have to|need to|are required to) (?:refuse|decline)\b",
        r"\b(?:refuse|decline) to answer (?:this|any|the|further)\b",
        r"\bthis (?:topic|question|subject) is (?:restricted|prohibited|forbidden|not allowed)\b",
    ),
    "format-hijack": (
        (
            r"\b(?:respond|reply|answer|output|write)\b[^.!?]{0,50}\b(?:in|as|using)\b[^.!?]{0,20}"
            rf"\b{_CODES}\b"
        ),
    ),
    "premise-poison": (
        (
            r"\b(?:do not|don't|never|must not|no need to) (?:question|challenge|doubt|dispute|check"
            r"|reject)[^.!?]{0,40}\bpremise\b"
        ),
        (
            r"\bthe premise (?:of (?:this|the) question )?is (?:valid|true|settled|correct"
            r"|established)\b"
        ),
        r"\b(?:settled|undisputed|established) fact and (?:must|may|can)",
    ),
    "prompt-leak": (
        (
            r"\b(?:print|reveal|repeat|show|output|disclose|display|leak)\b[^.!?]{0,60}"
            rf"\b{_SECRET}\b"
        ),
    ),
    "exfiltration": (
        r"!\[[^\]]{0,200}\]\(\s*https?://[^)]*[?&=][^)]*\)",
        (
            r"\b(?:append|include|insert|embed|add|send|put)\b[^.!?]{0,80}\b(?:answer|response"
            r"|conversation|question|data)\b[^.!?]{0,60}(?:https?://|\burl\b|\blink\b)"
        ),
    ),
    "decoy-work": (
        (
            rf"\b(?:before (?:you )?answer(?:ing)?|first|you must)\b[^.!?]{{0,60}}\b{_SOLVE}\b"
            rf"[^!?]{{0,120}}\b{_PUZZLE}\b"
        ),
    ),
}

HINTS: dict[str, tuple[str, ...]] = {
    "override": (
        "ignor",
        "disregard",
        "forget",
        "overrid",
        "bypass",
        "instead",
        "instruction",
        "answer",
        "reply",
        "response",
        "respond",
        " must ",
    ),
    "role-tag": ("<|", "inst]", "sys>>", "system", "assistant", "developer", "user>"),
    "forged-demonstration": (
        "answer:",
        "answer :",
        "question:",
        "query:",
        "response:",
        "a:",
        "a :",
        "question :",
        "query :",
        "response :",
    ),
    "forged-verdict": ("evaluation", "credited"),
    "closes-block": ("</", "[", "end of", "```"),
    "false-authority": ("official", "pages", "sources", "results", "articles", "websites"),
    "refusal-bait": ("refuse", "decline", "restricted", "prohibited", "forbidden", "not allowed"),
    "format-hijack": ("respond", "reply", "answer", "output", "write"),
    "premise-poison": ("premise", "fact and"),
    "prompt-leak": ("prompt", "instructions", "api key"),
    "exfiltration": ("![", "http://", "https://", "url", "link"),
    "decoy-work": ("answer", "first", "you must"),
}
"""Plain words of which a text must hold one, folded, before the patterns are worth trying."""
