"""Secrets in flow parameters are refused: parameters are stored with the run."""

from __future__ import annotations

import re
from typing import Any

import pytest
from jsonschema import ValidationError, validate
from prefect.utilities.callables import parameter_schema
from pydantic import BaseModel

from freshqa.errors import UsageError
from prefect_freshqa.flows.publish import publish_release
from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings
from prefect_freshqa.tasks.qualification_settings import QualificationSettings
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

STORE = "postgresql+psycopg://ada:lovelace@db.example/freshqa"


@pytest.mark.parametrize("settings", [RefreshSettings, EvaluationSettings, QualificationSettings])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("store", STORE),
        ("model", "sk-proj-abcdefghijklmnopqrstuvwx"),
        ("judge", "https://models.example/v1?api_key=hidden"),
    ],
)
def test_a_secret_is_refused_and_not_repeated(
    settings: type[BaseModel], field: str, value: str
) -> None:
    with pytest.raises(UsageError, match="password or a key") as refused:
        settings(**{field: value})
    said = str(refused.value)
    assert "block" in said
    assert not re.search("lovelace|sk-proj|hidden", said)


@pytest.mark.parametrize(
    "value",
    [
        "production",
        "sqlite:////srv/freshqa.db",
        "postgresql+psycopg://root@127.0.0.1:5432/test",
        "postgresql://db.example:5432/freshqa?options=-csearch_path=a@b",
    ],
)
def test_names_and_addresses_without_a_password_are_accepted(value: str) -> None:
    assert RefreshSettings(store=value).store == value


def test_the_server_refuses_a_password_before_it_is_stored() -> None:
    schema: dict[str, Any] = parameter_schema(publish_release).model_dump()
    validate({"store": "production"}, schema)
    with pytest.raises(ValidationError):
        validate({"store": STORE}, schema)


def test_a_flow_refuses_a_secret_too() -> None:
    with pytest.raises(UsageError, match="FreshQAStore"):
        publish_release.validate_parameters({"store": STORE, "message": "", "as_of": None})


SETTINGS = (RefreshSettings, EvaluationSettings, QualificationSettings)


def form(settings: type[BaseModel]) -> dict[str, Any]:
    """Fields of the form as the UI orders them."""
    fields = settings.model_json_schema()["properties"]
    return dict(sorted(fields.items(), key=lambda field: field[1]["position"]))


def test_the_form_of_a_refresh_shows_everyday_settings_first_and_research_last() -> None:
    fields = form(RefreshSettings)
    assert list(fields)[:5] == ["search", "model", "method", "policy", "limit"]
    groups = [field["title"].split(": ")[0] for field in fields.values() if ": " in field["title"]]
    assert list(dict.fromkeys(groups)) == ["Budget", "Running", "Research"]
    assert list(fields)[-len([g for g in groups if g == "Research"]) :][0] == "profile"
    assert fields["budget_usd"]["title"] == "Budget: usd"
    assert fields["method"]["enum"] == ["freshprompt", "search-only", "self-ask"]


@pytest.mark.parametrize("settings", SETTINGS)
def test_every_field_is_explained_and_names_blocks_and_providers_by_example(
    settings: type[BaseModel],
) -> None:
    fields = form(settings)
    assert set(fields) == set(settings.model_fields)
    assert [field["position"] for field in fields.values()] == list(range(len(fields)))
    for name, field in fields.items():
        assert field["description"].endswith("."), name
        if name in ("store", "search", "model", "judge", "profile"):
            assert field["examples"], name
