"""Steps: thin Prefect tasks around `freshqa`."""
