"""What Great Expectations shows of a declared expectation: docstring, metadata, one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any, ClassVar

import pandas
from great_expectations.render import LegacyRendererType, RenderedStringTemplateContent
from great_expectations.render.renderer.renderer import renderer
from great_expectations.render.renderer_configuration import (
    RendererConfiguration,
    RendererValueType,
)
from great_expectations.render.util import parse_row_condition_string

if TYPE_CHECKING:
    from prefect_freshqa.expectations.declare import About

FEW = 6
"""A sentence names so many columns one by one."""
DOCSTRING = """
{summary}

{name} is a {kind}.

{detail}

Args:
{arguments}

Other Parameters:
    mostly, result_format, catch_exceptions, meta, severity: as in every {kind}.

Returns:
    An ExpectationValidationResult
{see}
Supported Data Sources:
    Pandas

Data Quality Issues:
    {quality}

Example Data:
{data}

Code Examples:
{calls}
"""
"""The sections that the gallery asks for."""


def docstring(name: str, about: About, *, several: bool, columns: Sequence[str]) -> str:
    """Return the documentation of an expectation in the sections of the gallery."""
    default = f" Default {listed(columns)}." if columns else ""
    first = "column_list (list)" if several else "column (str)"
    arguments = [f"{first}: {about.column}{default}"]
    arguments += [
        f"{name} ({argument.of.__name__}): {argument.help}"
        for name, argument in about.arguments.items()
    ]
    total = len(next(iter(about.data.values())))
    calls = [
        f"{'Failing' if rows else 'Passing'} Case:\n"
        f"    Input:\n        {called(name, call)}\n\n    Output:\n"
        f'        {{"success": {str(not rows).lower()}, "result": {{"element_count": {total}, '
        f'"unexpected_count": {len(rows)}}}}}'
        for call, rows in about.calls
    ]
    return DOCSTRING.strip().format(
        name=name,
        kind="Multicolumn Map Expectation" if several else "Column Map Expectation",
        summary=about.summary,
        detail=about.detail,
        arguments=indent("\n".join(arguments), "    "),
        see=f"\nSee Also:\n    {about.see}\n" if about.see else "",
        quality=about.quality,
        data=indent(pandas.DataFrame(dict(about.data)).fillna("").to_string(), "    "),
        calls=indent("\n\n".join(calls), "    "),
    )


def called(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as Python source."""
    inside = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return f"{name}({inside})".replace("'", '"')


def library_metadata(*, several: bool) -> dict[str, Any]:
    """Return the metadata that Great Expectations asks of every expectation."""
    kind = "multicolumn map expectation" if several else "column map expectation"
    return {
        "maturity": "beta",
        "tags": ["prefect-freshqa", "question answering", kind],
        "contributors": ["prefect-freshqa"],
        "requirements": [],
        "has_full_test_suite": True,
        "manually_reviewed_code": True,
    }


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
        """Arguments that the sentence names, lists joined; defaults replace those not set."""
        defaults = {name: field.default for name, field in cls.__fields__.items()}
        given = {**defaults, **rendering.kwargs}
        return {
            name: listed(value) if isinstance(value, (list, tuple)) else str(value)
            for name, value in given.items()
            if f"${name}" in cls.sentence
        }


def listed(names: Sequence[str]) -> str:
    """Names with commas; of many, the first and the last."""
    return ", ".join(names) if len(names) <= FEW else f"{names[0]} … {names[-1]}"
