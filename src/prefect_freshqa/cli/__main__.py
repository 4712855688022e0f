"""`python -m prefect_freshqa.cli`."""

from prefect_freshqa.cli.main import main

main()
