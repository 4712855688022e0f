from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import yaml

from freshqa.answering.documents_prompt import Style
from freshqa.answering.settings import settings_for
from freshqa.evaluation.certificate import ModelCertificate, why_not_licensed
from freshqa.evaluation.prompt_identity import recipe_hash, rgb_recipe_hash
from freshqa.evaluation.rate import Rate
from prefect_freshqa.tasks.qualification_settings import QualificationSettings
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

BEST = recipe_hash("freshprompt", settings_for("best"))
GOOD = ModelCertificate(
    model="gpt",
    prompt_hash=BEST,
    method="freshprompt",
    issued_on=date(2026, 1, 1),
    expires_on=date(2026, 4, 1),
    rates={
        "noise": Rate(95, 100),
        "rejection": Rate(95, 100),
        "integration": Rate(80, 100),
        "conflict": Rate(85, 100),
    },
)
POOR = replace(GOOD, rates={**GOOD.rates, "rejection": Rate(45, 100)})


def why(
    *certificates: ModelCertificate, model: str = "gpt", recipe: str = BEST, on: str = "2026-03-09"
):
    records = [certificate.to_json() for certificate in certificates]
    return why_not_licensed(records, model=model, recipe=recipe, on=date.fromisoformat(on))


def test_a_valid_certificate_counts_even_if_a_newer_one_failed() -> None:
    assert why(GOOD) == ()
    assert why(POOR, GOOD) == ()


def test_a_failed_bound_is_reported_with_its_rate() -> None:
    (reason,) = why(POOR)
    assert reason.startswith("rejection (declines when no document answers (Rej*)): 45 of 100")
    assert "is below 0.800" in reason


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"model": "other"}, "model other has no certificate"),
        ({"on": "2026-04-01"}, "it expired on 2026-04-01"),
        ({"on": "2025-12-31"}, "it was issued later, on 2026-01-01"),
        ({"recipe": "x"}, "the model was probed with other prompts or settings"),
    ],
)
def test_every_reason_for_a_missing_licence_is_stated(asked: dict[str, str], reason: str) -> None:
    assert why(GOOD, **asked) == (reason,)


def test_the_reasons_come_from_the_certificate_with_the_same_recipe() -> None:
    other_way = replace(GOOD, prompt_hash="x")
    assert why(other_way, POOR)[0].startswith("rejection")


def test_a_store_without_certificates_is_reported() -> None:
    assert why() == ("model gpt has no certificate",)


def test_method_profile_and_premise_check_change_the_recipe() -> None:
    recipes = {
        recipe_hash(method, settings_for(profile, check))
        for method in ("freshprompt", "self-ask")
        for profile in ("best", "paper-gpt4")
        for check in (True, False)
    }
    assert len(recipes) == 8
    assert recipe_hash("freshprompt", settings_for("best")) == BEST
    assert len({rgb_recipe_hash(style) for style in Style} | recipes) == 10


def test_the_deployed_qualify_licenses_the_deployed_weekly_refresh() -> None:
    path = Path(__file__).parents[2] / "prefect.yaml"
    deployments = yaml.safe_load(path.read_text(encoding="utf-8"))["deployments"]
    given = {
        deployment["name"]: deployment.get("parameters", {}).get("settings", {})
        for deployment in deployments
    }
    probed = QualificationSettings(**given["qualify"])
    refreshed = RefreshSettings(**given["weekly-refresh"])
    certificate = replace(
        GOOD,
        model=probed.model,
        prompt_hash=recipe_hash(probed.method, settings_for(probed.profile, probed.premise_check)),
    )
    recipe = recipe_hash(refreshed.method, settings_for(refreshed.profile, refreshed.premise_check))
    assert why(certificate, model=refreshed.model, recipe=recipe) == ()
