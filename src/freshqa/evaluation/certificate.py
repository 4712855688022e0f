"""A model's certificate: its results on RGB's testbeds, and when it expires.

The rates decide by the lower end of their 95 % Wilson interval, so that a small probe cannot pass
by luck. A certificate is for one model asked in one way; a new prompt needs a new one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from pydantic import computed_field

from freshqa.defaults import CERTIFICATE_DAYS
from freshqa.evaluation.rate import Rate
from freshqa.json_record import JsonRecord


@dataclass(frozen=True)
class Bound:
    """The bound for one rate.

    Args:
        metric: Name of a rate in the certificate.
        at_least: The lower end of its interval, 0 to 1.
        says: What it means, for people.
    """

    metric: str
    at_least: float
    says: str = ""


BOUNDS = (
    Bound("noise", 0.85, "right answers with 40 % noise (ACC)"),
    Bound("rejection", 0.80, "declines when no document answers (Rej*)"),
    Bound("integration", 0.60, "combines documents without noise (ACC)"),
    Bound("conflict", 0.70, "detects documents that disagree, or answers correctly anyway"),
)
"""The bounds of the four testbeds with their default limits; a maintainer may set others."""


@dataclass(frozen=True)
class ModelCertificate(JsonRecord):
    """The result of qualifying a model.

    Args:
        prompt_hash: Identity of the way it was asked (`freshqa.evaluation.prompt_identity`).
        method: Answering method, for people.
        issued_on: Date of the probe.
        expires_on: First day on which it no longer counts.
        rates: Name of each bound's metric → rate reached.
        bounds: What had to be reached.
        testbeds: Name of each testbed → SHA-256 of its file.
        details: Every figure of every probe, as JSON.
    """

    model: str
    prompt_hash: str
    method: str
    issued_on: date
    expires_on: date
    rates: Mapping[str, Rate]
    bounds: tuple[Bound, ...] = BOUNDS
    testbeds: Mapping[str, str] = field(default_factory=dict)
    details: tuple[Mapping[str, Any], ...] = ()

    @computed_field
    @property
    def failed_bounds(self) -> tuple[str, ...]:
        """One line for each bound that is not reached; empty when the model qualifies."""
        return tuple(line for bound in self.bounds if (line := self._failure(bound)))

    @computed_field
    @property
    def passed(self) -> bool:
        """True when every bound is reached."""
        return not self.failed_bounds

    def valid_for(self, model: str, prompt_hash: str, on: date) -> bool:
        """True when this certificate lets this model, asked this way, propose on that day."""
        return not self.why_not(model, prompt_hash, on)

    def why_not(self, model: str, prompt_hash: str, on: date) -> tuple[str, ...]:
        """Every reason why `valid_for` is False, one line each, failed bounds with their rates.

        Args:
            model: The model that would propose.
            prompt_hash: The way it would be asked; "" asks for no particular way.
        """
        reasons = list(self.failed_bounds)
        if model != self.model:
            reasons.insert(0, f"the certificate is for model {self.model}, not {model}")
        if prompt_hash and prompt_hash != self.prompt_hash:
            reasons.append("the model was probed with other prompts or settings")
        if on < self.issued_on:
            reasons.append(f"it was issued later, on {self.issued_on}")
        if on >= self.expires_on:
            reasons.append(f"it expired on {self.expires_on}")
        return tuple(reasons)

    def _failure(self, bound: Bound) -> str:
        rate = self.rates.get(bound.metric)
        meaning = f" ({bound.says})" if bound.says else ""
        if rate is None or not rate.n:
            return f"{bound.metric}{meaning} was not probed"
        if rate.low >= bound.at_least:
            return ""
        return (
            f"{bound.metric}{meaning}: {rate.hits} of {rate.n}, lower bound {rate.low:.3f} is below"
            f" {bound.at_least:.3f}"
        )


def expiry(issued_on: date, days: int = CERTIFICATE_DAYS) -> date:
    """First day on which a certificate issued then no longer counts."""
    return issued_on + timedelta(days=days)


REMEDY = "Qualify it: prefect-freshqa qualify --help; or choose --policy hold."


def why_not_licensed(
    certificates: Sequence[Mapping[str, Any]], *, model: str, recipe: str, on: date
) -> tuple[str, ...]:
    """Return every reason why no certificate covers a model; empty when one does.

    Args:
        certificates: As recorded (`ModelCertificate.to_json`), newest first.
        model: Name of the model that would propose.
        recipe: The way it would be asked (`freshqa.evaluation.prompt_identity.recipe_hash`).

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
