"""Rules of robots.txt (RFC 9309)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

PRODUCT = "prefect-freshqa"
LONGEST = 500_000
"""Characters read: RFC 9309 asks for 500 KiB at least."""
MAX_RULES = 5_000
_DELAY = re.compile(r"\d{1,6}(?:\.\d{1,3})?")


@dataclass(frozen=True)
class Rule:
    """One `Allow` or `Disallow`: the parts of its path between `*`, and whether `$` ends it."""

    allow: bool
    parts: tuple[str, ...]
    whole: bool

    @property
    def length(self) -> int:
        """Characters of the path: the longest rule that matches decides."""
        return sum(map(len, self.parts)) + len(self.parts) - 1

    def matches(self, path: str) -> bool:
        """Return whether the rule is about a path.

        Each part is looked for once, from where the one before ended: a hostile file cannot make
        this slow, which is why the wildcards are not a regular expression.
        """
        first, *others = self.parts
        if not path.startswith(first):
            return False
        if not others:
            return not self.whole or path == first
        at = len(first)
        for part in others[:-1]:
            start = path.find(part, at)
            if start < 0:
                return False
            at = start + len(part)
        last = others[-1]
        return (
            path.endswith(last) and len(path) - len(last) >= at
            if self.whole
            else (path.find(last, at) >= 0)
        )


@dataclass(frozen=True)
class Robots:
    """The rules of a robots.txt for one product.

    Args:
        rules: Its rules.
        delay: Seconds it asks to wait between two requests.
        closed: Whether nothing may be read, because the file could not be read.
    """

    rules: tuple[Rule, ...] = ()
    delay: float = 0.0
    closed: bool = False

    def allows(self, url: str) -> bool:
        """Return whether a page may be read: the longest matching rule decides, `Allow` in a tie."""
        if self.closed:
            return False
        parts = urlsplit(url)
        path = _same_form((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        matches = [(rule.length, rule.allow) for rule in self.rules if rule.matches(path)]
        return not matches or max(matches)[1]


def parse_robots(text: str, product: str = PRODUCT) -> Robots:
    """Return what a robots.txt says to a product: the groups that name it, else those for `*`.

    Args:
        text: The file; a line that says nothing known is skipped.
        product: Product token of our user agent.
    """
    groups: dict[bool, tuple[list[Rule], list[float]]] = {True: ([], []), False: ([], [])}
    named = False
    agents: list[str] = []
    reading_agents = False
    for line in text[:LONGEST].lstrip("\ufeff").splitlines():
        name, colon, value = line.partition("#")[0].partition(":")
        name, value = name.strip().casefold(), value.strip()
        if not colon:
            continue
        if name == "user-agent":
            agents = [*agents, value.casefold()] if reading_agents else [value.casefold()]
            reading_agents = True
            named = named or value.casefold() == product
            continue
        reading_agents = False
        for ours in ({True} if product in agents else set()) | (
            {False} if "*" in agents else set()
        ):
            rules, delays = groups[ours]
            if name in ("allow", "disallow") and value and len(rules) < MAX_RULES:
                rules.append(_rule(name == "allow", value))
            elif name == "crawl-delay" and _DELAY.fullmatch(value):
                delays.append(float(value))
    rules, delays = groups[named]
    return Robots(tuple(rules), max(delays, default=0.0))


def _rule(allow: bool, path: str) -> Rule:
    whole = path.endswith("$")
    written = path.removesuffix("$")
    return Rule(allow, tuple(_same_form(part) for part in re.split(r"\*+", written)), whole)


def _same_form(path: str) -> str:
    """A path in one form of quoting, so that `%7E` and `~` are equal."""
    return quote(unquote(path), safe="/?&=%:@!$'()*+,;~")
