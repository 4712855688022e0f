"""Flow parameters as forms of the Prefect UI: without secrets, in groups, with choices."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from freshqa.errors import UsageError

PASSWORD_IN_URL = r"://[^/?#\s]*:[^/?#\s]+@"
KEY = r"[?&](api_?key|key|token|password|secret)=|^(sk|pk|gsk|AIza|ghp)[-_A-Za-z0-9]{16,}$"
SECRET = re.compile(f"{PASSWORD_IN_URL}|{KEY}", re.IGNORECASE)


def without_secret(text: str) -> str:
    """Return the text, unless it holds a password or a key.

    Raises:
        UsageError: it does; the message does not repeat it, and names the block to use.
    """
    if SECRET.search(text):
        block = "FreshQAStore" if "sql" in text.split(":")[0] else "search engine or model"
        raise UsageError(
            "A flow parameter holds a password or a key. Parameters are stored with the run and "
            "shown in the UI.",
            f"Save a {block} block (Prefect UI, Blocks) and pass its name. For a store, "
            "PREFECT_FRESHQA_STORE on the worker works as well.",
        )
    return text


NoSecret = Annotated[
    str,
    AfterValidator(without_secret),
    # The server refuses it as well, before it is stored: it enforces this schema.
    Field(json_schema_extra={"pattern": f"^(?!.*({PASSWORD_IN_URL}))"}),
]


def grouped(**groups: str) -> Callable[[dict[str, Any]], None]:
    """Return a change of a model's JSON schema that shows its fields in groups, in this order.

    Fields of no group come first, as they are defined: what changes every week.

    Args:
        groups: Title of a group → names of its fields, separated by spaces.
    """

    def arrange(schema: dict[str, Any]) -> None:
        fields = schema["properties"]
        for group, names in groups.items():
            for name in names.split():
                field = fields[name] = fields.pop(name)
                words = field["title"].lower().removeprefix(f"{group} ")
                field["title"] = f"{group.capitalize()}: {words}"
        for position, field in enumerate(fields.values()):
            field["position"] = position  # the database of a server keeps no order

    return arrange
