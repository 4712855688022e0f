"""Thin Prefect tasks around `freshqa`."""
