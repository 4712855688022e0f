"""Versions in the layouts of the Hugging Face hub and of evaluation harnesses."""
