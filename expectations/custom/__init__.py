"""Expectations of our own, for anyone's questions: importing this package registers them all."""
