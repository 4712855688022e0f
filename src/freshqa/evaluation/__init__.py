"""Measure a model: FreshEval on a version, RGB before it may propose."""
