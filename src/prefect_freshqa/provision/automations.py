"""Automations of a Prefect server: end runs whose process has ended, and notify people."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState, SendNotification
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.events.schemas.events import ResourceSpecification

from prefect_freshqa.tasks.flow_names import FLOWS, REFRESH, TAG

HEARTBEAT_SECONDS = 180
"""Prefect's default (PREFECT_FLOWS_HEARTBEAT_FREQUENCY): how often a flow run sends a heartbeat."""
UNDER_WAY = ("Pending", "Submitting", "InfrastructurePending", "Running", "Retrying", "heartbeat")
"""Signs of a run that has a process, or is about to: all names of the states of those two types."""
ENDED = frozenset(f"prefect.flow-run.{s}" for s in ("Completed", "Incomplete"))
BROKEN = frozenset(f"prefect.flow-run.{s}" for s in ("Failed", "Crashed", "TimedOut"))
OURS = [
    ResourceSpecification({"prefect.resource.role": "flow", "prefect.resource.name": list(FLOWS)}),
    ResourceSpecification(
        {"prefect.resource.role": "tag", "prefect.resource.id": f"prefect.tag.{TAG}"}
    ),
]
"""Both must match: a server may be shared with teams that have an `evaluate-model` as well."""
A_REFRESH = ResourceSpecification(
    {"prefect.resource.role": "flow", "prefect.resource.name": REFRESH}
)


def end_dead_runs(
    *, silence: timedelta = timedelta(seconds=3 * HEARTBEAT_SECONDS)
) -> AutomationCore:
    """A run that has been silent for so long is marked as crashed, so that the next may start.

    Without it, a run whose machine died stays "Running" (or "Pending", when it died before it had
    begun) without end: the open-source server has no such service. Any event of the run is a sign:
    one that is suspended, as a review is while its form waits, has no process and shall have none.
    Runs of other flows are left alone: how often they give a sign is not ours to know.
    """
    return AutomationCore(
        name="freshqa: end runs whose process is gone",
        description="No heartbeat and no final state: the process has ended. The run can be resumed from the ledger.",
        trigger=EventTrigger(
            after={f"prefect.flow-run.{sign}" for sign in UNDER_WAY},
            expect={"prefect.flow-run.*"},
            match={"prefect.resource.id": "prefect.flow-run.*"},
            match_related=list(OURS),
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=silence,
        ),
        actions=[
            ChangeFlowRunState(
                name=None,
                state=StateType.CRASHED,
                message="No heartbeat: the process has ended.",
                force=False,
            )
        ],
    )


def updated(there: AutomationCore, wanted: AutomationCore) -> AutomationCore | None:
    """Return an automation of the server with the scope and the notification block of `wanted`.

    What people may have changed is kept: name, text, whether it is on, how long it waits.

    Returns:
        The automation to put in its place; None when nothing is to be changed, or when it has
        another kind of trigger than ours by now.
    """
    if not isinstance(there.trigger, EventTrigger) or not isinstance(wanted.trigger, EventTrigger):
        return None
    scope = {
        name: getattr(wanted.trigger, name)
        for name in ("after", "expect", "match", "match_related")
    }
    actions = list(there.actions)
    target = next(
        (a.block_document_id for a in wanted.actions if isinstance(a, SendNotification)), None
    )
    if target is not None:
        actions = [
            a.model_copy(update={"block_document_id": target})
            if isinstance(a, SendNotification)
            else a
            for a in actions
        ]
    changed = there.model_copy(
        update={"trigger": there.trigger.model_copy(update=scope), "actions": actions}
    )
    if changed.model_dump() == there.model_dump():
        return None
    return AutomationCore(
        **changed.model_dump(exclude={"id", "created", "updated", "owner_resource"})
    )


def tell_people(  # long: a list of automations
    notification_block: UUID,
) -> tuple[AutomationCore, ...]:
    """Create notifications for a maintainer, through a notification block (mail, Slack, Teams, …).

    Args:
        notification_block: Id of the saved block.
    """
    return (
        AutomationCore(
            name="freshqa: a refresh failed",
            trigger=EventTrigger(
                expect=set(BROKEN),
                match={"prefect.resource.id": "prefect.flow-run.*"},
                match_related=A_REFRESH,
                posture=Posture.Reactive,
                threshold=1,
            ),
            actions=[
                SendNotification(
                    block_document_id=notification_block,
                    subject="FreshQA: a refresh failed",
                    body="{{ flow_run.name }}: {{ flow_run.state.message }}\n"
                    "No data is lost: start it again, and it resumes where it stopped. If it "
                    "crashed before it started, run: prefect-freshqa doctor --server\n"
                    "{{ flow_run | ui_url }}",
                )
            ],
        ),
        AutomationCore(
            name="freshqa: a refresh ended",
            description="Questions checked, cost, and a link to the run.",
            trigger=EventTrigger(
                expect=set(ENDED),
                match={"prefect.resource.id": "prefect.flow-run.*"},
                match_related=[A_REFRESH, OURS[1]],
                posture=Posture.Reactive,
                threshold=1,
            ),
            actions=[
                SendNotification(
                    block_document_id=notification_block,
                    subject="FreshQA: {{ flow_run.name }}",
                    body="{{ flow_run.state.message }}\n{{ flow_run | ui_url }}",
                )
            ],
        ),
        AutomationCore(
            name="freshqa: no refresh for eight days",
            description="The weekly schedule was missed: no worker, a paused schedule, or a stopped server.",
            trigger=EventTrigger(
                expect={*ENDED, "prefect.flow-run.NothingDue"},
                match={"prefect.resource.id": "prefect.flow-run.*"},
                match_related=[A_REFRESH, OURS[1]],
                posture=Posture.Proactive,
                threshold=1,
                within=timedelta(days=8),
            ),
            actions=[
                SendNotification(
                    block_document_id=notification_block,
                    subject="FreshQA: no refresh for eight days",
                    body="No refresh has ended for eight days.\nRun: prefect-freshqa doctor --server",
                )
            ],
        ),
        _on_event(
            "freshqa: questions are overdue",
            "freshqa.questions.overdue",
            notification_block,
            "{{ event.payload.count }} questions have been due for "
            "{{ event.payload.days }} days or longer.\n"
            "Run: prefect-freshqa due. Then raise the budget or the limit of the deployment.",
        ),
        _on_event(
            "freshqa: proposals wait for review",
            "freshqa.proposals.waiting",
            notification_block,
            "{{ event.payload.count }} proposals wait for a decision, the oldest since "
            "{{ event.payload.oldest }}.\nReview: {{ event.payload.review }}",
        ),
        _on_event(
            "freshqa: a budget is reached",
            "freshqa.budget.reached",
            notification_block,
            "Run {{ event.payload.run }} stopped at its budget; {{ event.payload.left }} questions "
            "stay due.\nRaise the budget, or start the run again later: prefect-freshqa runs list",
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
