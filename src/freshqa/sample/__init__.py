"""A small invented world: an island republic, its news of two weeks, and model replies.

Everything in it is invented, so that nothing can be false or become outdated. See README.md beside this
file for the story, and `expected.json` for the expected result of two refreshes.
"""

from importlib.resources import files
from pathlib import Path

from freshqa.errors import NotFound


def path(name: str) -> Path:
    """Return the file of the sample world called `name`, such as `release.csv`.

    Raises:
        NotFound: No such file; the message lists what there is.
    """
    folder = Path(str(files(__name__)))
    if not (folder / name).is_file():
        names = sorted(p.name for p in folder.iterdir() if p.suffix in (".csv", ".json", ".jsonl"))
        raise NotFound(f"The sample world has no file '{name}'.", f"Available: {', '.join(names)}.")
    return folder / name
