"""The probes that qualify a model, and the certificate that results.

Noise robustness at 40 % noise, negative rejection, integration without noise, and documents of
which 40 % give the true and 60 % a false answer. `full` adds the rest of the paper's tables.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from freshqa.defaults import CERTIFICATE_DAYS
from freshqa.errors import UsageError
from freshqa.evaluation.certificate import BOUNDS, Bound, ModelCertificate, expiry
from freshqa.evaluation.rate import Rate
from freshqa.evaluation.rgb.closed_book import CLOSED_BOOK
from freshqa.evaluation.rgb.probe import Probe, ProbeResult
from freshqa.evaluation.rgb.sampling import Mixture
from freshqa.evaluation.rgb.scoring import Scoring
from freshqa.evaluation.rgb.testbed import Kind, Testbed


@dataclass(frozen=True)
class Decisive:
    """A probe that decides a bound.

    Args:
        bound: Name of the bound's rate.
        mixture: What the reader is given.
        metrics: Which of RGB's metrics is the rate; the first of them that has cases.
    """

    bound: str
    mixture: Mixture
    metrics: tuple[str, ...]


DECISIVE: Mapping[Kind, tuple[Decisive, ...]] = {
    Kind.base: (
        Decisive("noise", Mixture(noise=0.4), ("ACC",)),
        Decisive("rejection", Mixture(noise=1), ("Rej*", "Rej")),
    ),
    Kind.integration: (Decisive("integration", Mixture(noise=0), ("ACC",)),),
    Kind.counterfactual: (Decisive("conflict", Mixture(correct=0.4), ("handled",)),),
}
FURTHER: Mapping[Kind, tuple[Mixture, ...]] = {
    Kind.base: tuple(Mixture(noise=noise) for noise in (0, 0.2, 0.6, 0.8)),
    Kind.integration: tuple(Mixture(noise=noise) for noise in (0.2, 0.4)),
    Kind.counterfactual: (CLOSED_BOOK, Mixture()),
}
"""The other probes of the paper's tables; without documents the reader answers from memory."""


def probes_of(
    testbeds: Sequence[Testbed],
    *,
    full: bool = False,
    scoring: Scoring = Scoring.fixed,
    seed: int = 0,
) -> tuple[tuple[Testbed, Probe], ...]:
    """Return every probe of every testbed, those that decide first."""
    mixtures = [
        (bed, mixture)
        for bed in testbeds
        for mixture in (
            *(decisive.mixture for decisive in DECISIVE[bed.kind]),
            *(FURTHER[bed.kind] if full else ()),
        )
    ]
    return tuple((bed, Probe(mixture, scoring, seed)) for bed, mixture in mixtures)


def drawn(testbed: Testbed, size: int, *, seed: int = 0) -> Testbed:
    """At most `size` items of a testbed, drawn at random; the same seed draws the same."""
    if len(testbed.items) <= size:
        return testbed
    chosen = sorted(random.Random(seed).sample(range(len(testbed.items)), size))
    return replace(testbed, items=tuple(testbed.items[place] for place in chosen))


def bounds_with(changes: Mapping[str, float]) -> tuple[Bound, ...]:
    """Return the bounds with some limits changed.

    Raises:
        UsageError: no such bound, or a limit outside 0 to 1.
    """
    names = [bound.metric for bound in BOUNDS]
    for name, limit in changes.items():
        if name not in names or not 0 <= limit <= 1:
            raise UsageError(
                f"Unknown bound {name}={limit}.",
                f"Use NAME=LIMIT with a limit from 0 to 1 and one of: {', '.join(names)}.",
            )
    return tuple(replace(b, at_least=changes.get(b.metric, b.at_least)) for b in BOUNDS)


def certify(
    results: Sequence[ProbeResult],
    testbeds: Sequence[Testbed],
    *,
    model: str,
    method: str,
    recipe: str,
    issued_on: date,
    valid_days: int = CERTIFICATE_DAYS,
    bounds: tuple[Bound, ...] = BOUNDS,
) -> ModelCertificate:
    """Return the certificate of a model from the probes of all its testbeds.

    Args:
        results: Probes with `fixed` scoring; testbeds of one kind are counted together.
        testbeds: What was probed.
        recipe: The way of asking (`freshqa.evaluation.prompt_identity.recipe_hash`).
    """
    kinds = {bed.name: bed.kind for bed in testbeds}
    rates: dict[str, Rate] = {}
    for result in results:
        for decisive in DECISIVE[kinds[result.testbed]]:
            if decisive.mixture == result.probe.mixture:
                rates[decisive.bound] = _together(rates.get(decisive.bound), result, decisive)
    return ModelCertificate(
        model=model,
        prompt_hash=recipe,
        method=method,
        issued_on=issued_on,
        expires_on=expiry(issued_on, valid_days),
        rates=rates,
        bounds=bounds,
        testbeds={bed.name: bed.sha256 for bed in testbeds},
        details=tuple(result.to_json() for result in results),
    )


def _together(before: Rate | None, result: ProbeResult, decisive: Decisive) -> Rate:
    counted = [result.rates[name] for name in decisive.metrics if result.rates[name].n]
    now = counted[0] if counted else result.rates[decisive.metrics[0]]
    if before is None:
        return now
    return Rate(before.hits + now.hits, before.n + now.n, before.left_out + now.left_out)
