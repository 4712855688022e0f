"""Patterns of attempts to steer the model: one list per flag.

Written for fifteen kinds of attack (BIPIA, arXiv 2312.14197; spotlighting, arXiv 2403.14720;
OverThink, arXiv 2502.02542), and narrowed until honest look-alikes pass: an exam rule, a FAQ, the
first person to solve an equation. Case does not count; a pattern may span line ends.
"""

from __future__ import annotations

_MODEL = r"(?:(?:ai|language) (?:model|assistant|system)s?|assistants?|chatbots?|llms?|the model)"
_MUST = r"(?:must|should|has to|have to|need to|needs to|are required to|is required to)"
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
_PUZZLE = (
    r"(?:markov|mdp|puzzles?|sudoku|equations?|polic(?:y|ies)|integrals?|primes?|step by step)"
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
        r"\byour (?:only |final )?(?:answer|reply|response) (?:must|has to) be\b",
        rf"\b{_MODEL} {_MUST} (?:now )?(?:answer|reply|respond|say|output|state)\b",
        r"\byou must (?:now )?(?:answer|reply|respond|say|output)(?: only)? (?:that|with|in|as)\b",
    ),
    "role-tag": (
        r"<\|[^|<>]{1,40}\|>",
        r"\[/?INST\]|<</?SYS>>|</?(?:system|assistant|developer|user)>",
        r"(?:^|[\n.])\s*(?:#+\s*)?(?:system|developer|assistant) (?:message|prompt)\s*:\s*\S",
        r"\n\s*(?:#+\s*)?(?:system|assistant)\s*:\s*\S",
    ),
    "forged-demonstration": (
        r"\bquery\s*:.{0,300}?\b(?:question|answer)\s*:\s*\S",
        r"\n\s*(?:answer|question|query|response)\s*:\s*\S",
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
        rf"\b{_MODEL} {_MUST} (?:refuse|decline)\b",
        rf"\byou {_MUST} (?:refuse|decline) to (?:answer|reply|respond)\b",
        r"\bthis (?:topic|question|subject) is (?:restricted|prohibited|forbidden|not allowed)\b",
    ),
    "format-hijack": (
        (
            r"\b(?:respond|reply|answer)(?: (?:this|the) question)?(?: only| solely| entirely)?"
            rf" (?:in|as|with|using)\b[^.!?]{{0,30}}\b{_CODES}\b"
        ),
        rf"\boutput (?:only|everything)\b[^.!?]{{0,30}}\b{_CODES}\b",
    ),
    "premise-poison": (
        (
            r"\b(?:do not|don't|never|must not|no need to) (?:question|challenge|doubt|dispute"
            r"|check|reject)[^.!?]{0,40}\bpremise\b"
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
            r"\b(?:append|include|insert|embed|put|encode|send)\b[^.!?]{0,60}\b(?:your|the|this)"
            r" (?:answer|response|reply|conversation)\b[^.!?]{0,60}(?:https?://|\burl\b|\bimage\b)"
        ),
    ),
    "decoy-work": (
        (
            r"\b(?:before (?:you )?answer(?:ing)?\b[^.!?]{0,60}\b|first,? (?:you must )?"
            r"|you must (?:first )?)(?:solve|compute|calculate|simulate|work through)\b"
            rf"[^!?]{{0,120}}\b{_PUZZLE}\b"
        ),
    ),
}

HINTS: dict[str, tuple[str, ...]] = {
    "override": (
        *("ignor", "disregard", "forget", "overrid", "bypass", "instead", "instruction"),
        *("must", "should", "has to", "have to", "need", "required"),
    ),
    "role-tag": ("<|", "inst]", "sys>>", "system", "assistant", "developer", "user>"),
    "forged-demonstration": ("answer", "question", "query", "response"),
    "forged-verdict": ("evaluation", "credited"),
    "closes-block": ("</", "[", "end of", "```"),
    "false-authority": ("official", "pages", "sources", "results", "articles", "websites"),
    "refusal-bait": ("refuse", "decline", "restricted", "prohibited", "forbidden", "not allowed"),
    "format-hijack": ("respond", "reply", "answer", "output"),
    "premise-poison": ("premise", "fact and"),
    "prompt-leak": ("prompt", "instructions", "api key"),
    "exfiltration": ("![", "http://", "https://", "url", "image"),
    "decoy-work": ("solve", "compute", "calculate", "simulate", "work through"),
}
"""Plain words of which a text must hold one, folded, before its patterns are worth trying."""
