"""Logo, documentation link and other fields that every block of this plugin shows in Prefect."""

from pydantic import HttpUrl

DOCUMENTATION_URL = HttpUrl("https://github.com/prefect-freshqa/prefect-freshqa")
LOGO_URL = HttpUrl(
    "https://raw.githubusercontent.com/prefect-freshqa/prefect-freshqa/main/docs/logo.png"
)
