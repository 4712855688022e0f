"""RGB: can a model read documents, decline, combine them, and notice that they are wrong?

Read it in this order: `testbed` (what is asked), `sampling` (which documents), `prompts` and
`reply` (how it is asked and read), `scoring` (right or wrong, as fixed and as official), `metrics`.
"""
