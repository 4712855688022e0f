"""A way of asking as a person names it: a profile, and files with words or examples of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from freshqa.answering.baselines import RGB
from freshqa.answering.documents_prompt import read_instruction
from freshqa.answering.own_demonstrations import read_examples, with_own_demonstrations
from freshqa.answering.settings import AnswerSettings, settings_for
from freshqa.errors import UsageError
from freshqa.evidence.search_engine import SearchEngine

DEMONSTRATED = ("freshprompt", "few-shot", "chain-of-thought")
"""Methods that show demonstrations; Self-Ask has its own form of them."""


@dataclass(frozen=True)
class Way:
    """A way of asking questions, by names.

    Args:
        method: Name of the method.
        profile: As `settings_for` takes it.
        premise_check: Overrules the profile's; None leaves it.
        instruction: File in the layout of RGB's `instruction.yaml`, for method `rgb`; "" for ours.
        demonstrations: File of demonstrations; "" for those shipped.
    """

    method: str
    profile: str
    premise_check: bool | None = None
    instruction: str = ""
    demonstrations: str = ""

    def settings(self, *, as_of: date, search: SearchEngine | None = None) -> AnswerSettings:
        """Return the settings of this way.

        Args:
            as_of: Day of the searches.
            search: Finds evidence for demonstrations that bring none; None only reads the files.

        Raises:
            UsageError: No such profile, a file is missing or malformed, or the method has no use
                for it.
            FreshQAError: As the search engine does.
        """
        settings = settings_for(self.profile, self.premise_check)
        if self.instruction:
            if self.method != RGB:
                raise UsageError(
                    f"--instruction is for method {RGB}, not {self.method}.",
                    f"Add --method {RGB}.",
                )
            settings = replace(settings, instruction=read_instruction(self.instruction))
        if not self.demonstrations:
            return settings
        if self.method not in DEMONSTRATED:
            raise UsageError(
                f"Method {self.method} shows no demonstrations.",
                f"Leave out --demonstrations, or choose from: {', '.join(DEMONSTRATED)}.",
            )
        if search is None or self.method != "freshprompt":
            examples = read_examples(self.demonstrations, as_of=as_of)
            return replace(settings, examples=examples)
        return with_own_demonstrations(settings, self.demonstrations, search=search, as_of=as_of)
