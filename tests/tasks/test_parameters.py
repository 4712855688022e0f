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
def test_names_and_addresses_without_a_password_are_taken(value: str) -> None:
    assert RefreshSettings(store=value).store == value


def test_the_server_refuses_a_password_before_it_is_stored() -> None:
    schema: dict[str, Any] = parameter_schema(publish_release).model_dump()
    validate({"store": "production"}, schema)
    with pytest.raises(ValidationError):
        validate({"store": STORE}, schema)


def test_a_flow_refuses_it_too() -> None:
    with pytest.raises(UsageError, match="FreshQAStore"):
        publish_release.validate_parameters({"store": STORE, "message": "", "as_of": None})
