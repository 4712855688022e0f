"""What a Prefect server needs before the deployments run: pool, limits, automations."""
