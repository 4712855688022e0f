"""What every block of this plugin shows in the Prefect UI beside its own fields."""

from pydantic import HttpUrl

DOCUMENTATION_URL = HttpUrl("https://github.com/prefect-freshqa/prefect-freshqa")
LOGO_URL = HttpUrl(
    "https://raw.githubusercontent.com/prefect-freshqa/prefect-freshqa/main/docs/logo.png"
)
