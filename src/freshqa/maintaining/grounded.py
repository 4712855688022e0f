"""A proposed change, probed: does the method read the evidence, or does it remember?"""

from __future__ import annotations

from dataclasses import replace

from freshqa.answering.language_model import Completion
from freshqa.checking.probe import AskFrom, Grounding, probe
from freshqa.checking.round import Round
from freshqa.errors import FreshQAError
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.verdict import Verdict


def probe_change(
    verdict: Verdict, chosen: Round, ask_from: AskFrom | None
) -> tuple[Verdict, tuple[Completion, ...]]:
    """Return the verdict after the metamorphic probe of a change, and the completions that it cost.

    A change that the method only remembers becomes `insufficient`; a probe that shows nothing, or
    that the provider fails, leaves a flag.
    """
    if verdict.outcome is not Outcome.changed or ask_from is None:
        return verdict, ()
    try:
        shown = probe(chosen.answer, chosen.response, ask_from)
    except FreshQAError:
        return replace(verdict, flags=(*verdict.flags, Flag.unprobed)), ()
    if shown.grounding is Grounding.evidence:
        return verdict, shown.response.completions
    if shown.grounding is Grounding.unclear:
        return replace(verdict, flags=(*verdict.flags, Flag.unprobed)), shown.response.completions
    reason = f"With {shown.forged!r} put into the evidence the method still says {chosen.answer!r}."
    remembered = replace(
        verdict,
        outcome=Outcome.insufficient,
        changes={},
        flags=(*verdict.flags, Flag.from_memory),
        reasons=(*verdict.reasons, reason),
    )
    return remembered, shown.response.completions
