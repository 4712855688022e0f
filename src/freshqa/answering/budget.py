"""Our own limits: searches, tokens and money, counted across threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal

from freshqa.answering.language_model import Usage
from freshqa.errors import BudgetExhausted, FreshQAError

EVERY_LIMIT = ("searches", "tokens", "US dollars")
COMPLETION_LIMITS = ("tokens", "US dollars")
"""Not searches: what the last search has found still gets its answer."""
REMEDY = "What is left stays due; raise the limit or run again later."


@dataclass(frozen=True)
class Spent:
    """What a run has paid for; reused calls cost nothing and are not counted."""

    searches: int = 0
    completions: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)


NOTHING = Spent()


class Budget:
    """Limits that hold when many threads spend at once; None means no limit.

    A call is made inside `search()` or `completion()`, which set aside what the dearest call so
    far has cost: calls in flight together cannot pass a limit that each of them alone would keep.
    The first call of each kind is made alone, so that its price is known before others start.

    Args:
        searches: Most searches.
        tokens: Most tokens, read and written.
        usd: Most money, in US dollars.
        ledger: What the whole run has paid, as far as it is known: this budget's own calls, what
            other processes pay for the same run, and what was paid before the run was resumed.
            It is asked before every call, so it should answer at once and may be a little behind.
    """

    def __init__(
        self,
        searches: int | None = None,
        tokens: int | None = None,
        usd: Decimal | None = None,
        *,
        ledger: Callable[[], Spent] = lambda: NOTHING,
    ) -> None:
        self.limit_searches, self.limit_tokens, self.limit_usd = searches, tokens, usd
        self._lock = threading.Lock()
        self._ledger = ledger
        self._limited = any(limit is not None for limit in (searches, tokens, usd))
        self._own = NOTHING
        self._others = NOTHING
        self._reserved = Spent()
        self._dearest_search = Decimal(0)
        self._dearest_completion = Spent()
        self._first = {"search": threading.Lock(), "completion": threading.Lock()}
        self._priced: set[str] = set()
        self._stopped: FreshQAError | None = None

    @property
    def spent(self) -> Spent:
        """What has been charged here, and what the ledger says that others paid."""
        return _add(self._own, self._others)

    def charge_search(self, cost: Decimal = Decimal(0)) -> None:
        """Count one search that was made, at this price in US dollars."""
        with self._lock:
            self._own = _add(self._own, Spent(searches=1, usd=cost))
            self._dearest_search = max(self._dearest_search, cost)
            self._priced.add("search")

    def charge_completion(self, usage: Usage, cost: Decimal = Decimal(0)) -> None:
        """Count one completion that was made, with its tokens, at this price in US dollars."""
        with self._lock:
            self._own = _add(self._own, Spent(completions=1, tokens=usage.total, usd=cost))
            self._priced.add("completion")
            dearest = self._dearest_completion
            self._dearest_completion = Spent(
                tokens=max(dearest.tokens, usage.total), usd=max(dearest.usd, cost)
            )

    def stop(self, reason: FreshQAError) -> None:
        """Pay for nothing from now on: every further call raises `reason`."""
        self._stopped = reason

    def check(self) -> None:
        """Raise `BudgetExhausted` when any limit is reached."""
        self._look()
        with self._lock:
            self._check(Spent(), EVERY_LIMIT)

    @contextmanager
    def search(self) -> Iterator[None]:
        """Set one search aside for the block, which charges it; raises `BudgetExhausted`."""
        with self._alone_until_priced("search"):
            with self._lock:
                reserve = Spent(searches=1, usd=self._dearest_search)
            with self._reserving(reserve, EVERY_LIMIT):
                yield

    @contextmanager
    def completion(self) -> Iterator[None]:
        """Set one completion aside for the block, which charges it; raises `BudgetExhausted`.

        A block that fails is charged what its failure says it cost.
        """
        with self._alone_until_priced("completion"):
            with self._lock:
                reserve = self._dearest_completion
            with self._reserving(reserve, COMPLETION_LIMITS):
                try:
                    yield
                except FreshQAError as failure:
                    if failure.tokens or failure.cost_usd:
                        self.charge_completion(Usage(failure.tokens), failure.cost_usd)
                    raise

    @contextmanager
    def _alone_until_priced(self, kind: str) -> Iterator[None]:
        """Let one call of a kind go first while a limit depends on what it will cost."""
        if self.limit_usd is not None or self.limit_tokens is not None:
            with self._first[kind]:
                if kind not in self._priced:
                    yield
                    return
        yield

    def _look(self) -> None:
        """See what others have paid: what the ledger holds beyond the calls charged here.

        A call charged here while the ledger answers is taken for one that it holds, so that nothing
        is counted twice; the next look makes up for it.
        """
        if not self._limited:
            return
        paid = self._ledger()
        with self._lock:
            self._others = _most(self._others, _add(paid, self._own, sign=-1))

    @contextmanager
    def _reserving(self, reserve: Spent, limits: tuple[str, ...]) -> Iterator[None]:
        self._look()
        with self._lock:
            self._check(reserve, limits)
            self._reserved = _add(self._reserved, reserve)
        try:
            yield
        finally:
            with self._lock:
                self._reserved = _add(self._reserved, reserve, sign=-1)

    def _check(self, wanted: Spent, limits: tuple[str, ...]) -> None:
        if self._stopped is not None:
            raise self._stopped
        taken = _add(self.spent, self._reserved)
        for what, limit, used, more in (
            ("searches", self.limit_searches, taken.searches, wanted.searches),
            ("tokens", self.limit_tokens, taken.tokens, wanted.tokens),
            ("US dollars", self.limit_usd, taken.usd, wanted.usd),
        ):
            if limit is None or what not in limits:
                continue
            if used >= limit or used + more > limit:
                raise BudgetExhausted(f"The budget of {limit} {what} is used up.", REMEDY)


def _add(a: Spent, b: Spent, sign: int = 1) -> Spent:
    return Spent(
        a.searches + sign * b.searches,
        a.completions + sign * b.completions,
        a.tokens + sign * b.tokens,
        a.usd + sign * b.usd,
    )


def _most(a: Spent, b: Spent) -> Spent:
    return Spent(
        max(a.searches, b.searches),
        max(a.completions, b.completions),
        max(a.tokens, b.tokens),
        max(a.usd, b.usd),
    )
