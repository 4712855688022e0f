"""Answers that follow from the date alone: holidays, ages, anniversaries, days until."""
