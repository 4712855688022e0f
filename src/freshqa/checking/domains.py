"""The registered domain of a page: sources are independent when their domains differ."""

from __future__ import annotations

_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "gov", "net", "org"})


def registered_domain(host: str) -> str:
    """`en.wikipedia.org` → `wikipedia.org`, `news.bbc.co.uk` → `bbc.co.uk`.

    Only the common second levels of country domains are known; for others the answer errs to the
    shorter name, so that fewer sources count as independent.
    """
    labels = host.lower().strip(".").split(".")
    if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL:
        return ".".join(labels[-3:])
    return ".".join(labels[-2:])
