"""Decide what should change in the dataset, and who may decide it."""
