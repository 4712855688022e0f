"""Findings of a search in one shape, whichever engine was used."""
