"""Automations of a Prefect server: end runs whose process is gone, and tell people what matters."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState, SendNotification
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.events.schemas.events import ResourceSpecification

HEARTBEAT_SECONDS = 180
"""Prefect's default (PREFECT_FLOWS_HEARTBEAT_FREQUENCY): how often a flow run says it lives."""
UNDER_WAY = ("Pending", "Submitting", "InfrastructurePending", "Running", "Retrying", "heartbeat")
"""Signs of a run that has a process, or is about to: all names of the states of those two types."""
BROKEN = frozenset(f"prefect.flow-run.{s}" for s in ("Failed", "Crashed", "TimedOut"))
REFRESH = ResourceSpecification(
    {"prefect.resource.role": "flow", "prefect.resource.name": "refresh-dataset"}
)


def end_dead_runs(
    *, silence: timedelta = timedelta(seconds=3 * HEARTBEAT_SECONDS)
) -> AutomationCore:
    """A run that has been silent for so long is marked as crashed, so that the next may start.

    Without it, a run whose machine died stays "Running" (or "Pending", when it died before it had
    begun) for ever: an open server has no such service of its own. Any event of the run is a sign:
    one that is suspended, as a review is while its form waits, has no process and shall have none.
    """
    return AutomationCore(
        name="freshqa: end runs whose process is gone",
        description="No heartbeat, no end: the process is gone. The ledger lets it be resumed.",
        trigger=EventTrigger(
            after={f"prefect.flow-run.{sign}" for sign in UNDER_WAY},
            expect={"prefect.flow-run.*"},
            match={"prefect.resource.id": "prefect.flow-run.*"},
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=silence,
        ),
        actions=[
            ChangeFlowRunState(
                name=None,
                state=StateType.CRASHED,
                message="No heartbeat any more: the process is gone.",
                force=False,
            )
        ],
    )


def tell_people(notification_block: UUID) -> tuple[AutomationCore, ...]:
    """What a maintainer wants to hear of, through a notification block (mail, Slack, Teams, …).

    Args:
        notification_block: Id of the saved block.
    """
    return (
        AutomationCore(
            name="freshqa: a refresh failed",
            trigger=EventTrigger(
                expect=set(BROKEN),
                match={"prefect.resource.id": "prefect.flow-run.*"},
                match_related=REFRESH,
                posture=Posture.Reactive,
                threshold=1,
            ),
            actions=[
                SendNotification(
                    block_document_id=notification_block,
                    subject="FreshQA: a refresh failed",
                    body="{{ flow_run.name }}: {{ flow_run.state.message }}\n"
                    "Nothing is lost: start it again and it goes on where it stopped.\n"
                    "{{ flow_run | ui_url }}",
                )
            ],
        ),
        _on_event(
            "freshqa: proposals wait for review",
            "freshqa.proposals.waiting",
            notification_block,
            "{{ event.payload.count }} proposals wait for a decision, the oldest since "
            "{{ event.payload.oldest }}.\nRun: prefect-freshqa review list",
        ),
        _on_event(
            "freshqa: a budget is reached",
            "freshqa.budget.reached",
            notification_block,
            "Run {{ event.payload.run }} stopped at its budget; {{ event.payload.left }} questions "
            "stay due.\nRaise it, or start the run again later: prefect-freshqa runs list",
        ),
    )


def _on_event(name: str, event: str, notification_block: UUID, body: str) -> AutomationCore:
    return AutomationCore(
        name=name,
        trigger=EventTrigger(
            expect={event},
            match={"prefect.resource.id": "freshqa.*"},
            posture=Posture.Reactive,
            threshold=1,
        ),
        actions=[
            SendNotification(
                block_document_id=notification_block,
                subject=name.replace("freshqa:", "FreshQA:"),
                body=body,
            )
        ],
    )
