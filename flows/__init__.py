"""Journeys: each flow reads like one sentence of the maintainer's week."""
