"""Metrics and ablations of the three papers, each computed twice."""
