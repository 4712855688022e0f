"""The block that holds the address of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefect.blocks.core import Block
from pydantic import Field, SecretStr

from prefect_freshqa.blocks.about import DOCUMENTATION_URL, LOGO_URL

if TYPE_CHECKING:
    from freshqa.store.database import Store


class FreshQAStore(Block):
    """Where a dataset, its versions and the ledger of its runs are kept.

    Attributes:
        url: SQLAlchemy URL of the database; secret, because it may hold a password.
        dataset: Name of the dataset in that database.

    Example:
        Keep the store's address in Prefect once:

        ```python
        from prefect_freshqa.blocks import FreshQAStore

        FreshQAStore(url="postgresql+psycopg://freshqa:…@db/freshqa").save("production")
        ```

        Use it in a flow:

        ```python
        from prefect_freshqa.blocks import FreshQAStore

        store = FreshQAStore.load("BLOCK_NAME").get_store()
        ```
    """

    _block_type_name = "FreshQA Store"
    _block_type_slug = "freshqa-store"
    _documentation_url = DOCUMENTATION_URL
    _logo_url = LOGO_URL

    url: SecretStr = Field(
        description="SQLAlchemy URL of the database, such as sqlite:////srv/freshqa.db."
    )
    dataset: str = Field(
        default="freshqa", description="Name of the dataset in that database.", min_length=1
    )

    def get_store(self, *, create: bool = False) -> Store:
        """Return the store behind the URL.

        Args:
            create: Make or migrate the schema first, as `prefect-freshqa init` does.

        Raises:
            StoreError: The database does not answer, or its schema is missing or old.
        """
        # Deferred: every process that imports Prefect imports the blocks, few need SQLAlchemy.
        from freshqa.store.database import Store

        return Store.open(self.url.get_secret_value(), dataset=self.dataset, create=create)
