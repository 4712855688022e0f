"""Prefect flows, one for each job of a maintainer."""
