"""Our own limits: searches, tokens and money, counted across threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
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
    """The paid calls of a run; reused calls cost nothing and are not counted."""

    searches: int = 0
    completions: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.searches + other.searches,
            self.completions + other.completions,
            self.tokens + other.tokens,
            self.usd + other.usd,
        )

    def __sub__(self, other: Spent) -> Spent:
        return Spent(
            self.searches - other.searches,
            self.completions - other.completions,
            self.tokens - other.tokens,
            self.usd - other.usd,
        )


NOTHING = Spent()


@dataclass
class Reservation:
    """The amount that one call has reserved.

    Args:
        id: Where a store keeps it; None where nothing is kept.
        settled: The call is recorded, and its reservation has ended with that.
    """

    id: int | None = None
    settled: bool = False


class Budget:
    """Limits that hold when many threads spend at once; None means no limit.

    A call is made inside `search()` or `completion()`, which set aside what the dearest call so
    far has cost: calls in flight together cannot pass a limit that each of them alone would keep.
    The first call of each kind is made alone, so that its price is known before others start.

    This one counts in the memory of its process. `freshqa.store.budgets.RunBudget` counts in the
    store, for all processes of a run.

    Args:
        searches: Maximum number of searches.
        tokens: Maximum number of tokens, read and written.
        usd: Maximum amount in US dollars.
    """

    def __init__(
        self,
        searches: int | None = None,
        tokens: int | None = None,
        usd: Decimal | None = None,
    ) -> None:
        self.limit_searches, self.limit_tokens, self.limit_usd = searches, tokens, usd
        self.limited = any(limit is not None for limit in (searches, tokens, usd))
        self._lock = threading.Lock()
        self._own = self._reserved = NOTHING
        self._dearest = {"search": Spent(searches=1), "completion": NOTHING}
        self._first = {"search": threading.Lock(), "completion": threading.Lock()}
        self._priced: set[str] = set()
        self._stopped: FreshQAError | None = None

    @property
    def spent(self) -> Spent:
        """The amount charged so far."""
        return self._own

    def charge_search(self, cost: Decimal = Decimal(0)) -> None:
        """Count one search that was made, at this price in US dollars."""
        self._charge("search", Spent(searches=1, usd=cost))

    def charge_completion(self, usage: Usage, cost: Decimal = Decimal(0)) -> None:
        """Count one completion that was made, with its tokens, at this price in US dollars."""
        self._charge("completion", Spent(completions=1, tokens=usage.total, usd=cost))

    def stop(self, reason: FreshQAError) -> None:
        """Pay for nothing from now on: every further call raises `reason`."""
        self._stopped = reason

    @property
    def stopped(self) -> FreshQAError | None:
        """The reason why no further call is paid; None while calls are."""
        return self._stopped

    def check(self) -> None:
        """Raise `BudgetExhausted` when any limit is reached."""
        self._refuse_if_stopped()
        with self._lock:
            self._refuse_beyond(self._own + self._reserved, NOTHING, EVERY_LIMIT)

    @contextmanager
    def search(self) -> Iterator[Reservation]:
        """Set one search aside for the block, which charges it; raises `BudgetExhausted`."""
        with self._alone_until_priced("search"), self._reserving("search") as reservation:
            yield reservation

    @contextmanager
    def completion(self) -> Iterator[Reservation]:
        """Set one completion aside for the block, which charges it; raises `BudgetExhausted`.

        A block that fails is charged what its failure says it cost.
        """
        with self._alone_until_priced("completion"), self._reserving("completion") as reservation:
            try:
                yield reservation
            except FreshQAError as failure:
                if failure.tokens or failure.cost_usd:
                    self.charge_completion(Usage(failure.tokens), failure.cost_usd)
                raise

    @contextmanager
    def _alone_until_priced(self, kind: str) -> Iterator[None]:
        """Let one call of a kind go first while a limit depends on what it will cost."""
        if self.limit_usd is not None or self.limit_tokens is not None:
            with self._first[kind]:
                if not self._price_known(kind):
                    yield
                    return
        yield

    def _price_known(self, kind: str) -> bool:
        """Whether a call of this kind has been charged."""
        return kind in self._priced

    def _reserving(self, kind: str) -> AbstractContextManager[Reservation]:
        """Set aside what the dearest call of this kind has cost, until the block ends."""
        return self._in_memory(kind)

    @contextmanager
    def _in_memory(self, kind: str) -> Iterator[Reservation]:
        self._refuse_if_stopped()
        with self._lock:
            reserve = self._dearest[kind]
            limits = EVERY_LIMIT if kind == "search" else COMPLETION_LIMITS
            self._refuse_beyond(self._own + self._reserved, reserve, limits)
            self._reserved += reserve
        try:
            yield Reservation()
        finally:
            with self._lock:
                self._reserved -= reserve

    def _charge(self, kind: str, paid: Spent) -> None:
        with self._lock:
            self._own += paid
            self._priced.add(kind)
            known = self._dearest[kind]
            self._dearest[kind] = Spent(
                searches=known.searches,
                tokens=max(known.tokens, paid.tokens),
                usd=max(known.usd, paid.usd),
            )

    def _refuse_if_stopped(self) -> None:
        if self._stopped is not None:
            raise self._stopped

    def _refuse_beyond(self, used: Spent, wanted: Spent, limits: tuple[str, ...]) -> None:
        """Raise `BudgetExhausted` when `wanted` more would pass one of `limits`."""
        for what, limit, taken, more in (
            ("searches", self.limit_searches, used.searches, wanted.searches),
            ("tokens", self.limit_tokens, used.tokens, wanted.tokens),
            ("US dollars", self.limit_usd, used.usd, wanted.usd),
        ):
            if limit is None or what not in limits:
                continue
            if taken >= limit or taken + more > limit:
                raise BudgetExhausted(f"The budget of {limit} {what} is exhausted.", REMEDY)
