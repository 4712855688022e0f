"""What a Prefect server needs once before the deployments run: pool, limits, automations."""
