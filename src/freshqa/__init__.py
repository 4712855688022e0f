"""The domain of prefect-freshqa: a benchmark whose answers change with the world.

Plain typed Python that knows nothing of Prefect, HTTP, the environment or the clock: time is an
argument. Read it in the order of the work: `dataset` (what is kept), `store` (where, in versions),
`evidence` (what a search found), `answering` (what a method answers), `checking` (is it so?),
`maintaining` (what should change), `evaluation` (how good is a model).
"""

from freshqa.load import load

__all__ = ["load"]
