"""Versions in the layouts of the places where people evaluate: the Hugging Face hub, harnesses."""
