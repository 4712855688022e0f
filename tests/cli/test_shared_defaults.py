"""A command and the settings of its flow have the same defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from prefect_freshqa.cli.commands.evaluate import evaluate
from prefect_freshqa.cli.commands.qualify import qualify
from prefect_freshqa.cli.commands.refresh import refresh
from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings
from prefect_freshqa.tasks.qualification_settings import QualificationSettings
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

RESOLVED_LATER = {"days", "profile", "responses"}
"""Options without a value of their own in one of the two: a schedule, the other command, a file."""


@pytest.mark.parametrize(
    ("command", "settings"),
    [
        (refresh, RefreshSettings),
        (evaluate, EvaluationSettings),
        (qualify, QualificationSettings),
    ],
)
def test_an_option_and_the_setting_of_its_name_have_the_same_default(
    command: Callable[..., None], settings: type[BaseModel]
) -> None:
    options = {
        name: option.default for name, option in inspect.signature(command).parameters.items()
    }
    shared = (options.keys() & settings.model_fields.keys()) - RESOLVED_LATER
    assert len(shared) > 10
    fields: dict[str, Any] = {name: settings.model_fields[name].default for name in shared}
    assert {name: options[name] for name in shared} == fields
