"""Measure a model: FreshEval on a version, and RGB to qualify it."""
