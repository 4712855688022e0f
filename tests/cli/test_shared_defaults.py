"""A command and the settings of its flow have the same defaults and limits."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_origin, get_type_hints

import pytest
from pydantic import BaseModel

from freshqa.defaults import MAX_AT_ONCE
from prefect_freshqa.cli.commands.evaluate import evaluate
from prefect_freshqa.cli.commands.qualify import qualify
from prefect_freshqa.cli.commands.refresh import refresh
from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings
from prefect_freshqa.tasks.qualification_settings import QualificationSettings
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

FLOW_COMMANDS = pytest.mark.parametrize(
    ("command", "settings"),
    [
        (refresh, RefreshSettings),
        (evaluate, EvaluationSettings),
        (qualify, QualificationSettings),
    ],
)
RESOLVED_LATER = {"days", "profile", "responses"}
"""Options without a value of their own in one of the two: a schedule, the other command, a file."""
CHECKED_LATER = {"budget_usd", "version"}
"""Options with a message of their own: an amount in words, a version that must exist."""


@FLOW_COMMANDS
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


@FLOW_COMMANDS
def test_an_option_accepts_the_numbers_that_the_setting_of_its_name_accepts(
    command: Callable[..., None], settings: type[BaseModel]
) -> None:
    options = {
        name: hint.__metadata__[0]
        for name, hint in get_type_hints(command, include_extras=True).items()
        if get_origin(hint) is Annotated
    }
    shared = (options.keys() & settings.model_fields.keys()) - CHECKED_LATER
    limits = {name: limits_of(settings.model_fields[name].metadata) for name in shared}
    assert {name: (options[name].min, options[name].max) for name in shared} == limits
    assert limits["concurrency"] == (1, MAX_AT_ONCE)


def limits_of(metadata: list[Any]) -> tuple[Any, Any]:
    """The least and the greatest number that a field accepts."""
    least = [limit.ge for limit in metadata if hasattr(limit, "ge")]
    greatest = [limit.le for limit in metadata if hasattr(limit, "le")]
    return (least[0] if least else None, greatest[0] if greatest else None)
