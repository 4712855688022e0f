from dataclasses import replace
from datetime import date

import pytest

from freshqa.evaluation.certificate import BOUNDS, Bound, ModelCertificate, expiry
from freshqa.evaluation.rate import Rate

ISSUED = date(2024, 3, 1)
GOOD = ModelCertificate(
    model="model-1",
    prompt_hash="abc",
    method="freshprompt",
    issued_on=ISSUED,
    expires_on=expiry(ISSUED),
    rates={
        "noise": Rate(95, 100),
        "rejection": Rate(90, 100),
        "integration": Rate(72, 100),
        "conflict": Rate(80, 100, left_out=2),
    },
    testbeds={"base": "00ff"},
    details=({"noise": 0.4},),
)


def test_a_certificate_is_valid_until_the_day_before_it_expires() -> None:
    assert GOOD.passed and GOOD.failed_bounds == ()
    assert GOOD.valid_for("model-1", "abc", date(2024, 5, 29))
    assert GOOD.valid_for("model-1", "", ISSUED)


@pytest.mark.parametrize(
    ("model", "prompt", "day", "why"),
    [
        ("model-2", "abc", ISSUED, "the certificate is for model model-1, not model-2"),
        ("model-1", "abd", ISSUED, "the model was probed with other prompts or settings"),
        ("model-1", "abc", date(2024, 5, 30), "it expired on 2024-05-30"),
        ("model-1", "abc", date(2024, 2, 29), "it was issued later, on 2024-03-01"),
    ],
)
def test_an_invalid_certificate_states_the_reason(
    model: str, prompt: str, day: date, why: str
) -> None:
    assert GOOD.why_not(model, prompt, day) == (why,)
    assert not GOOD.valid_for(model, prompt, day)


def test_each_failed_bound_is_named() -> None:
    bad = replace(GOOD, rates={**GOOD.rates, "noise": Rate(90, 100), "rejection": Rate(0, 0)})
    assert bad.why_not("model-1", "abc", ISSUED) == (
        "noise (right answers with 40 % noise (ACC)): 90 of 100, lower bound 0.826 is below 0.850",
        "rejection (declines when no document answers (Rej*)) was not probed",
    )


def test_a_perfect_score_on_few_items_is_not_enough() -> None:
    lucky = replace(GOOD, rates={"noise": Rate(10, 10)}, bounds=(Bound("noise", 0.85),))
    assert lucky.failed_bounds == ("noise: 10 of 10, lower bound 0.722 is below 0.850",)


def test_all_four_testbeds_are_required_by_default() -> None:
    assert {bound.metric for bound in BOUNDS} == set(GOOD.rates)
    assert len(replace(GOOD, rates={}).failed_bounds) == 4


def test_a_certificate_round_trips_through_json() -> None:
    assert ModelCertificate.from_json(GOOD.to_json()) == GOOD
