"""Prompts and the loop measured on real models and recorded searches; run `python -m benchmarks.prompts`."""
