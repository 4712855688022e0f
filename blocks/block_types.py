"""The modules with block types: importing them registers every block of this plugin with Prefect.

Prefect does so at start-up, through the entry point `prefect.collections`.
"""

from prefect_freshqa.blocks import language_models, page_reader, search_engines, store

MODULES = (language_models, page_reader, search_engines, store)
