"""Modules have at most 250 lines, functions at most 50 lines and 8 arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent.parent
FILES = [
    file
    for folder in (
        "src/freshqa",
        "src/prefect_freshqa",
        "flows",
        "tasks",
        "blocks",
        "expectations",
        "benchmarks",
    )
    for file in sorted((REPOSITORY / folder).rglob("*.py"))
]
MAX_LINES = 250
MAX_LINES_OF_A_FUNCTION = 50
MAX_ARGUMENTS = 8
VAGUE_NAMES = {"found", "one", "made", "mine", "theirs"}
"""They do not say what a variable holds."""
REASON = "# long: "
"""Behind the `def` of a function that is larger, followed by the reason."""


def functions(file: Path) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions of a file without a reason beside them, with where they are."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            head = lines[node.lineno - 1 : node.body[0].lineno]
            if not any(REASON in line for line in head):
                yield f"{file.relative_to(REPOSITORY)}:{node.lineno} {node.name}", node


def code_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body, without the docstring; the options of a command are in its signature."""
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    start = (first.end_lineno or first.lineno) + 1 if documented else first.lineno
    return (node.end_lineno or start) - start + 1


def arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    """Every named argument."""
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def is_command(file: Path) -> bool:
    """Whether the arguments of functions in a file are the options of a command."""
    return "commands" in file.parts


def test_source_files_are_found() -> None:
    assert len(FILES) > 200


def test_no_module_is_longer_than_250_lines() -> None:
    sizes = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in FILES}
    assert {str(file): size for file, size in sizes.items() if size > MAX_LINES} == {}


def test_no_function_is_longer_than_50_lines() -> None:
    long = {where: code_lines(node) for file in FILES for where, node in functions(file)}
    assert {where: size for where, size in long.items() if size > MAX_LINES_OF_A_FUNCTION} == {}


def test_no_function_has_more_than_8_arguments() -> None:
    counts = {
        where: len({each.arg for each in arguments(node)} - {"self", "cls"})
        for file in FILES
        if not is_command(file)
        for where, node in functions(file)
    }
    assert {where: count for where, count in counts.items() if count > MAX_ARGUMENTS} == {}


def bound_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Variables, arguments, attributes, functions and exceptions that a module binds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ExceptHandler):
            yield node.lineno, node.name or ""


def test_variables_are_named_after_what_they_hold() -> None:
    tests = sorted((REPOSITORY / "tests").rglob("*.py"))
    assert len(tests) > 100
    assert [
        f"{file.relative_to(REPOSITORY)}:{line} {name}"
        for file in (*FILES, *tests)
        for line, name in bound_names(ast.parse(file.read_text(encoding="utf-8")))
        if name in VAGUE_NAMES
    ] == []
