"""The reference of commands as markdown, written from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from prefect_freshqa.cli.lazy_group import command_names, load_command


def reference() -> str:
    """Return every command: its help, arguments and options."""
    return "\n".join(line for name, command in all_commands() for line in _section(name, command))


def all_commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name, those of a group as `group command`."""
    for name in command_names():
        command = load_command(name)
        children = getattr(command, "commands", None)
        if not children:
            yield name, command
            continue
        for child, subcommand in children.items():
            yield f"{name} {child}", subcommand


def _section(name: str, command: Any) -> list[str]:
    usage = [f"prefect-freshqa {name}"]
    usage += [_shown(p) for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and not _is_help(p)]
    lines = [f"## {name}", "", f"`{' '.join(usage)}`", "", inspect.cleandoc(command.help or ""), ""]
    if options:
        lines += ["| option | meaning |", "|---|---|"]
        lines += [f"| {_names(p)} | {_cell(_meaning(p))} |" for p in options]
        lines.append("")
    return lines


def _meaning(option: Any) -> str:
    """Return the help of an option with its choices and default."""
    said = option.help or ""
    choices = _choices(option)
    if not all(choice in said for choice in choices):
        said += f" One of {', '.join(choices)}."
    default = getattr(option.default, "value", option.default)
    plain = isinstance(default, str | int | float) and not isinstance(default, bool)
    if plain and default != "" and "Default:" not in said:
        said += f" Default: {default}."
    return said.strip()


def _choices(option: Any) -> tuple[str, ...]:
    """Return the values of an option with fixed choices; typer keeps the type in two ways."""
    annotation = getattr(getattr(option, "type_descriptor", None), "annotation", None)
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(str(member.value) for member in annotation)
    return tuple(getattr(getattr(option, "type", None), "choices", ()))


def _is_help(parameter: Any) -> bool:
    return "--help" in parameter.opts


def _names(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    return f"{names} {_cell(option.metavar)}" if option.metavar else names


def _shown(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name}]"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
