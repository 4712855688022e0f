"""The help of every command has a sentence and an example that can be copied."""

from __future__ import annotations

import inspect

import pytest
import typer

from prefect_freshqa.cli.lazy_group import command_names, load_command


def commands() -> list[tuple[str, object]]:
    """Every command there is, those of groups as `group command`."""
    listed = []
    for name in command_names():
        command = load_command(name)
        children = getattr(command, "commands", None)
        if children:
            listed += [(f"{name} {child}", subcommand) for child, subcommand in children.items()]
        else:
            listed.append((name, command))
    return listed


@pytest.mark.parametrize(("name", "command"), commands(), ids=lambda value: str(value)[:40])
def test_help_has_a_sentence_and_an_example(name, command) -> None:
    text = inspect.cleandoc(command.help or "")
    assert text.split("\n")[0].endswith((".", ":", "?")), name
    assert f"prefect-freshqa {name}" in text, f"{name} has no example"


@pytest.mark.parametrize(("name", "command"), commands(), ids=lambda value: str(value)[:40])
def test_every_option_is_explained_and_json_is_everywhere(name, command) -> None:
    options = {option for p in command.params for option in p.opts}
    assert "--json" in options or name == "pull", name
    unexplained = [p.name for p in command.params if not getattr(p, "help", None)]
    assert not unexplained, f"{name}: {unexplained}"


def test_the_group_lists_commands_in_order_of_work() -> None:
    names = command_names()
    assert names.index("init") < names.index("import") < names.index("refresh")
    assert names.index("refresh") < names.index("review") < names.index("publish")
    assert isinstance(load_command("review"), typer.core.TyperGroup)
