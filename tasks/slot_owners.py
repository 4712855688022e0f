"""The owners of slots of Prefect's global concurrency limits, and ownerless slots.

Prefect counts the slots of a limit in its database and keeps the leases that give them back
elsewhere, by default in the memory of the server. After a restart the slots stay taken and no lease
is left to free them. A refresh therefore writes what it holds to the labels of its flow run.
"""

from __future__ import annotations

import os
import socket
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from prefect.client.schemas.filters import (
    FlowFilter,
    FlowFilterName,
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import StateType
from prefect.exceptions import ObjectNotFound

from prefect_freshqa.tasks.flow_names import REFRESH

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.objects import FlowRun

LABEL = "freshqa-slots"
UNDER_WAY = [StateType.RUNNING, StateType.PENDING, StateType.CANCELLING, StateType.PAUSED]
PAGE = 200
_held: Counter[tuple[UUID, str]] = Counter()
_lock = threading.Lock()


@dataclass(frozen=True)
class Slots:
    """The slots of one limit.

    Args:
        taken: How many Prefect counts as taken.
        owners: Name of a flow run under way → slots that it holds.
        unknown: Names of flow runs under way that do not say what they hold.
    """

    name: str
    limit: int
    taken: int
    owners: Mapping[str, int]
    unknown: Sequence[str] = ()

    @property
    def ownerless(self) -> int:
        """Slots that are taken and that no run under way holds; 0 where one does not say."""
        return 0 if self.unknown else max(0, self.taken - sum(self.owners.values()))

    def __str__(self) -> str:
        parts = [f"{slots} by {owner}" for owner, slots in self.owners.items() if slots]
        parts += [f"some by {owner}, perhaps" for owner in self.unknown]
        parts += [f"{self.ownerless} without an owner"] if self.ownerless else []
        return f"{self.name}: {self.taken} of {self.limit} taken ({', '.join(parts) or 'without an owner'})"


def look(client: SyncPrefectClient, names: Sequence[str]) -> dict[str, Slots]:
    """Return the slots of the active limits among `names`, with their owners."""
    slots: dict[str, Slots] = {}
    limits = []
    for name in names:
        try:
            limit = client.read_global_concurrency_limit_by_name(name)
        except ObjectNotFound:
            continue
        if limit.active:
            limits.append(limit)
    runs = list(_runs_under_way(client)) if any(limit.active_slots for limit in limits) else []
    for limit in limits:
        owners: dict[str, int] = {}
        unknown = []
        for run in runs:
            claims = [claim for label, claim in run.labels.items() if label.startswith(LABEL)]
            if not claims and run.state_type == StateType.RUNNING:
                unknown.append(run.name)
            held = {
                label: int(str(claim))
                for label, claim in run.labels.items()
                if label.startswith(f"{LABEL}/{limit.name}/")
            }
            owners[run.name] = owners.get(run.name, 0) + sum(held.values())
        slots[limit.name] = Slots(limit.name, limit.limit, limit.active_slots, owners, unknown)
    return slots


def free(client: SyncPrefectClient, name: str, slots: int) -> None:
    """Free ownerless slots; look twice, `SURE_AFTER` apart, before you do."""
    client.release_concurrency_slots(names=[name], slots=slots, occupancy_seconds=1.0)


@contextmanager
def claimed(
    client: SyncPrefectClient, run: UUID | None, names: Sequence[str], slots: int
) -> Iterator[None]:
    """Record in the flow run that this process holds `slots` more of each limit, until the block ends."""
    if run is None:
        yield
        return
    _say(client, run, names, slots)
    try:
        yield
    finally:
        _say(client, run, names, -slots)


def say_nothing_held(client: SyncPrefectClient, run: UUID | None) -> None:
    """Record in the flow run that it holds no slots yet."""
    if run is not None and not any(holder == run for holder, _ in _held):
        client.update_flow_run_labels(run, {LABEL: 0})


def _say(client: SyncPrefectClient, run: UUID, names: Sequence[str], change: int) -> None:
    owner = f"{socket.gethostname()}-{os.getpid()}"
    with _lock:
        for name in names:
            _held[run, name] += change
        labels = {f"{LABEL}/{name}/{owner}": _held[run, name] for name in names}
        for _ in range(3):  # the server patches by reading and writing: another process may undo it
            client.update_flow_run_labels(run, labels)  # type: ignore[arg-type]
            kept = client.read_flow_run(run).labels
            if all(kept.get(label) == held for label, held in labels.items()):
                return


def _runs_under_way(client: SyncPrefectClient) -> Iterator[FlowRun]:
    """Runs of the one flow that takes slots."""
    ours = FlowFilter(name=FlowFilterName(any_=[REFRESH]))
    alive = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=UNDER_WAY)))
    offset = 0
    while page := client.read_flow_runs(
        flow_filter=ours, flow_run_filter=alive, limit=PAGE, offset=offset
    ):
        yield from page
        offset += len(page)
