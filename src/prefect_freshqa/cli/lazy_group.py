"""Commands found by file name and imported only when used, so that each starts fast."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType
from typing import Any

import typer
from typer.core import TyperGroup

from prefect_freshqa.cli import commands
from prefect_freshqa.cli.options import DatasetOption

IN_ORDER_OF_WORK = (
    "demo init import due refresh runs review report validate publish datasets log show "
    "pull diff history tag cite canary publish-hub export rollback verify redact prune backup restore "
    "serve account ask evaluate leaderboard agreement testbed qualify learn deployments doctor"
).split()


class LazyGroup(TyperGroup):
    """A group whose commands are the modules of `prefect_freshqa.cli.commands`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands: dict[str, Any] = dict.fromkeys(command_names())  # loaded on use

    def list_commands(self, ctx: Any) -> list[str]:
        """Command names in the order of a maintainer's work."""
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, or None."""
        if cmd_name not in self.commands:
            return None
        if self.commands[cmd_name] is None:
            self.commands[cmd_name] = load_command(cmd_name)
        return self.commands[cmd_name]


def command_names() -> list[str]:
    """Return every command there is, known ones in order of work, others after them."""
    names = {
        module.name.rstrip("_").replace("_", "-")
        for module in pkgutil.iter_modules(commands.__path__)
    }
    ordered = [name for name in IN_ORDER_OF_WORK if name in names]
    return ordered + sorted(names - set(ordered))


def load_command(name: str) -> Any:
    """Import a command's module and build its parser."""
    module = import_command(name)
    if hasattr(module, "app"):
        group: Any = typer.main.get_command(module.app)
        group.name = name
        for child in group.commands.values():
            add_dataset_option(child)
        return group
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    function = getattr(module, module.__name__.rsplit(".", 1)[-1])
    single.command(name)(function)
    return add_dataset_option(typer.main.get_command(single))


def add_dataset_option(command: Any) -> Any:
    """Return the command with `--dataset` behind `--store`, where it has that."""
    place = next((i for i, p in enumerate(command.params) if "--store" in p.opts), None)
    if place is None:
        return command
    holder = typer.Typer(add_completion=False)

    @holder.command()
    def only(dataset: DatasetOption = "") -> None:
        """Carries the option; never called."""

    command.params.insert(place + 1, typer.main.get_command(holder).params[0])
    return command


def import_command(name: str) -> ModuleType:
    """Return the module of a command; `import` lives in `import_.py`."""
    path = f"{commands.__name__}.{name.replace('-', '_')}"
    return importlib.import_module(path + "_" if name == "import" else path)
