"""May this model, asked this way, change answers without a person? What its certificates say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from freshqa.evaluation.certificate import ModelCertificate

REMEDY = "Qualify it: prefect-freshqa qualify --help; or choose --policy hold."


def why_not_licensed(
    certificates: Sequence[Mapping[str, Any]], *, model: str, recipe: str, on: date
) -> tuple[str, ...]:
    """Return every reason why no certificate covers a model; empty when one does.

    Args:
        certificates: As recorded (`ModelCertificate.to_json`), newest first.
        model: Name of the model that would propose.
        recipe: The way it would be asked (`freshqa.evaluation.recipe.recipe_hash`).

    Returns:
        The reasons of the newest certificate for this way of asking, else of the newest for the
        model: failed bounds with their rates, other prompts, expiry.
    """
    own = [c for c in map(ModelCertificate.from_json, certificates) if c.model == model]
    if any(certificate.valid_for(model, recipe, on) for certificate in own):
        return ()
    if not own:
        return (f"model {model} has no certificate",)
    same_way = [certificate for certificate in own if certificate.prompt_hash == recipe]
    return (same_way or own)[0].why_not(model, recipe, on)
