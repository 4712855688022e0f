"""What a run has paid, and its budget, reserved in the database: it holds for all processes.

A call is started by one transaction that compares what the run has spent and what its calls in
flight have set aside with the limits, and sets aside what the dearest call so far has cost. The
transaction that records the call adds its price and removes the reservation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from freshqa.answering.budget import COMPLETION_LIMITS, EVERY_LIMIT, Budget, Reservation, Spent
from freshqa.errors import StoreError
from freshqa.maintaining.timeline import Cost
from freshqa.store.database import Store
from freshqa.store.direct import DirectConnection, Statement
from freshqa.store.leases import LEASE, lease_owner, may_take_over
from freshqa.store.ledger_schema import completion, reservation, run, search, spending
from freshqa.store.runs import run_row

DEAREST = ("search_usd", "completion_tokens", "completion_usd")


class RunBudget(Budget):
    """Limits of a run, kept in its store.

    Args:
        searches: Maximum number of searches of the whole run; None for no limit.
        tokens: Maximum number of tokens.
        usd: Maximum amount in US dollars.
        now: The clock, for reservations of processes that died.
    """

    def __init__(
        self,
        store: Store,
        run_key: str,
        searches: int | None = None,
        tokens: int | None = None,
        usd: Decimal | None = None,
        *,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(searches, tokens, usd)
        self._store, self._run_key, self._now = store, run_key, now

    @property
    def spent(self) -> Spent:
        """The payments of the run, whichever process made them."""
        with self._store.read() as connection:
            return ledger_total(connection, run_row(connection, self._store, self._run_key).id)

    def check(self) -> None:
        """Raise `BudgetExhausted` when any limit is reached."""
        self._refuse_if_stopped()
        if self.limited:
            self._refuse_beyond(self.spent, Spent(), EVERY_LIMIT)

    def _price_known(self, kind: str) -> bool:
        """Whether the run has paid for such a call, in this process or another."""
        if not super()._price_known(kind):
            with self._store.read() as connection:
                number = run_row(connection, self._store, self._run_key).id
                row = connection.execute(
                    select(spending).where(spending.c.run_id == number)
                ).first()
            if row is None or not (row.search_usd if kind == "search" else row.completion_tokens):
                return False
            self._priced.add(kind)
        return True

    @contextmanager
    def _reserving(self, kind: str) -> Iterator[Reservation]:
        self._refuse_if_stopped()
        if not self.limited:
            yield Reservation()
            return
        reserved = self._reserve(kind)
        try:
            yield reserved
        finally:
            if not reserved.settled:
                with suppress(StoreError):  # it ends by itself with this process
                    self._release(reserved)

    def _reserve(self, kind: str) -> Reservation:
        with self._store.write() as connection:
            number = _locked_run(connection, self._store, self._run_key)
            counted = spending_row(connection, number)
            limits: tuple[str, ...]
            if kind == "search":
                wanted, limits = Spent(searches=1, usd=counted.search_usd), EVERY_LIMIT
            else:
                wanted = Spent(tokens=counted.completion_tokens, usd=counted.completion_usd)
                limits = COMPLETION_LIMITS
            used = _spent(counted) + _in_flight(connection, number, self._now())
            self._refuse_beyond(used, wanted, limits)
            inserted = connection.execute(
                insert(reservation).values(
                    run_id=number,
                    searches=wanted.searches,
                    tokens=wanted.tokens,
                    usd=wanted.usd,
                    owner=lease_owner(),
                    until=self._now() + LEASE,
                )
            )
            (id_,) = inserted.inserted_primary_key or (None,)
            return Reservation(id_)

    def _release(self, reserved: Reservation) -> None:
        with self._store.write() as connection:
            connection.execute(delete(reservation).where(reservation.c.id == reserved.id))


_SPENDING = select(spending).where(spending.c.run_id == bindparam("number")).with_for_update()
_SPENT = Statement(_SPENDING)
_NOW_SPENT = Statement(
    update(spending)
    .where(spending.c.run_id == bindparam("number"))
    .values(
        {column.name: bindparam(column.name) for column in spending.c if column.name != "run_id"}
    )
)
_SETTLED = Statement(delete(reservation).where(reservation.c.id == bindparam("reservation")))


def settle(
    connection: DirectConnection, number: int, paid: Spent, reserved: Reservation | None
) -> None:
    """Add a recorded call to the run's spending and end its reservation, in this transaction.

    A run that has had no limit has no such row: what it spent is added up when one is set.
    """
    row = _SPENT.first(connection, {"number": number})
    if row is not None:
        dearest = {name: getattr(row, name) for name in DEAREST}
        if paid.searches:
            dearest["search_usd"] = max(row.search_usd, paid.usd)
        else:
            dearest["completion_tokens"] = max(row.completion_tokens, paid.tokens)
            dearest["completion_usd"] = max(row.completion_usd, paid.usd)
        total = _spent(row) + paid
        _NOW_SPENT.execute(connection, {"number": number, **vars(total), **dearest})
    if reserved is not None and reserved.id is not None:
        _SETTLED.execute(connection, {"reservation": reserved.id})


def spending_row(connection: Connection, number: int) -> Row[Any]:
    """The run's spending, held until the transaction ends; computed from the ledger when there is none yet."""
    row = connection.execute(_SPENDING, {"number": number}).first()
    if row is not None:
        return row
    total = ledger_total(connection, number)
    unknown = {"search_usd": Decimal(0), "completion_tokens": 0, "completion_usd": Decimal(0)}
    connection.execute(insert(spending).values(run_id=number, **vars(total), **unknown))
    return connection.execute(_SPENDING, {"number": number}).one()


def _locked_run(connection: Connection, store: Store, run_key: str) -> int:
    """Number of the run, whose row is held until the transaction ends: one reserves at a time."""
    number = int(run_row(connection, store, run_key).id)
    held = select(run.c.id).where(run.c.id == number)
    connection.execute(held.with_for_update(key_share=True))  # calls are recorded meanwhile
    return number


def _spent(row: Any) -> Spent:
    return Spent(row.searches, row.completions, row.tokens, row.usd)


def _in_flight(connection: Connection, number: int, now: datetime) -> Spent:
    """Return the sum that live processes have reserved; reservations of dead ones are removed."""
    total = Spent()
    for row in connection.execute(select(reservation).where(reservation.c.run_id == number)):
        if may_take_over(row.owner, row.until, now=now):
            connection.execute(delete(reservation).where(reservation.c.id == row.id))
        else:
            total += Spent(searches=row.searches, tokens=row.tokens, usd=row.usd)
    return total


def spent(store: Store, run_key: str) -> Spent:
    """Return what a run has paid for so far, by the ledger.

    Searches and completions that were kept, replies that could not be used among them.

    Raises:
        NotFound: no such run.
    """
    with store.read() as connection:
        return ledger_total(connection, run_row(connection, store, run_key).id)


def ledger_total(connection: Connection, number: int) -> Spent:
    """Return the recorded calls of a run, by its number, added up.

    Equal prices are counted by the database and summed here: SQLite would add them up as floats.
    """
    tokens = func.sum(completion.c.prompt_tokens + completion.c.completion_tokens)
    searched = connection.execute(
        select(search.c.cost_usd, func.count())
        .where(search.c.run_id == number)
        .group_by(search.c.cost_usd)
    ).all()
    completed = connection.execute(
        select(completion.c.cost_usd, func.count(), tokens)
        .where(completion.c.run_id == number)
        .group_by(completion.c.cost_usd)
    ).all()
    return Spent(
        searches=sum(row[1] for row in searched),
        completions=sum(row[1] for row in completed),
        tokens=sum(int(row[2]) for row in completed),
        usd=sum((row[0] * row[1] for row in (*searched, *completed)), Decimal(0)),
    )


def costs_by_week(store: Store) -> tuple[Cost, ...]:
    """Return what the runs of a dataset paid, by the week they were for and by provider."""
    sums: dict[tuple[date, str], Decimal] = defaultdict(Decimal)
    with store.read() as connection:
        for call, provider in (
            (search, search.c.engine),
            (completion, completion.c.requested_model),
        ):
            rows = connection.execute(
                select(run.c.as_of, provider, call.c.cost_usd, func.count())
                .select_from(call)
                .join(run, run.c.id == call.c.run_id)
                .where(run.c.dataset_id == store.dataset_id)
                .group_by(run.c.as_of, provider, call.c.cost_usd)
            )
            for day, name, price, calls in rows:
                sums[day - timedelta(days=day.weekday()), name] += price * calls
    return tuple(Cost(week, name, usd) for (week, name), usd in sorted(sums.items()) if usd)
