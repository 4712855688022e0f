"""The web server of `prefect-freshqa serve`: a review desk, and versions over a read-only HTTP API."""
