"""Prefect plugin that keeps a question-answering benchmark true.

Importing it registers the blocks and nothing else: Prefect imports every collection at start-up.
"""

from importlib.metadata import version as _version

__version__ = _version("prefect-freshqa")
