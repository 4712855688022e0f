"""What every expectation of ours renders: one sentence, in Data Docs and everywhere else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from great_expectations.compatibility import pydantic
from great_expectations.render import LegacyRendererType, RenderedStringTemplateContent
from great_expectations.render.renderer.renderer import renderer
from great_expectations.render.renderer_configuration import (
    RendererConfiguration,
    RendererValueType,
)
from great_expectations.render.util import parse_row_condition_string

FEW = 6
"""A sentence names so many columns one by one."""


def library_metadata(*tags: str) -> dict[str, str | list[str] | bool]:
    """The metadata that Great Expectations asks of every expectation."""
    return {
        "maturity": "beta",
        "tags": ["prefect-freshqa", "question answering", *tags],
        "contributors": ["prefect-freshqa"],
        "requirements": [],
        "has_full_test_suite": True,
        "manually_reviewed_code": True,
    }


def columns(*names: str) -> Any:
    """Default of a `column_list`, written out in stored suites; a tuple would be read as one name."""
    return pydantic.Field(default_factory=lambda: list(names))


class OneSentence:
    """Mixin before an expectation class: renders `sentence`, with `$name` for its arguments.

    Args:
        sentence: What must hold, as it continues "Expect that …".
    """

    sentence: ClassVar[str]
    __fields__: ClassVar[dict[str, Any]]  # pydantic's, of the class this is mixed into

    @classmethod
    def _prescriptive_template(
        cls, renderer_configuration: RendererConfiguration
    ) -> RendererConfiguration:
        for name, value in cls._arguments(renderer_configuration).items():
            renderer_configuration.add_param(
                name=name, param_type=RendererValueType.STRING, value=value
            )
        renderer_configuration.template_str = cls.sentence
        return renderer_configuration

    @classmethod
    @renderer(renderer_type=LegacyRendererType.PRESCRIPTIVE)
    def _prescriptive_renderer(
        cls,
        configuration: Any = None,
        result: Any = None,
        runtime_configuration: dict[str, Any] | None = None,
    ) -> list[RenderedStringTemplateContent]:
        rendering = RendererConfiguration(
            configuration=configuration, result=result, runtime_configuration=runtime_configuration
        )
        template, arguments = cls.sentence, cls._arguments(rendering)
        condition = rendering.kwargs.get("row_condition")
        if condition:
            template = f"If $condition, then: {template}"
            arguments["condition"] = parse_row_condition_string(condition)
        styling = (runtime_configuration or {}).get("styling")
        return [
            RenderedStringTemplateContent(
                content_block_type="string_template",
                string_template={"template": template, "params": arguments, "styling": styling},
            )
        ]

    @classmethod
    def _arguments(cls, rendering: RendererConfiguration) -> dict[str, str]:
        """Arguments that the sentence names, lists joined; defaults stand in for those not set."""
        defaults = {name: field.default for name, field in cls.__fields__.items()}
        given = {**defaults, **rendering.kwargs}
        return {
            name: _listed(value) if isinstance(value, (list, tuple)) else str(value)
            for name, value in given.items()
            if f"${name}" in cls.sentence
        }


def _listed(names: Sequence[str]) -> str:
    """Names with commas; of many, the first and the last."""
    return ", ".join(names) if len(names) <= FEW else f"{names[0]} … {names[-1]}"
